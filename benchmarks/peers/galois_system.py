"""Row reduction by `galois`: run as a program in the peers' environment.

    python galois_system.py bits.npy columns answer.npz

`bits` is a matrix of zeros and ones; its first columns are reduced, the rest are right-hand sides.
The answer holds the reduced matrix and the seconds of processor time that it took.
"""

from __future__ import annotations

import sys
import time

import galois  # type: ignore[import-not-found]
import numpy as np


def main(bits: str, columns: str, answer: str) -> None:
    """Reduce once to compile, then once more."""
    field = galois.GF(2)
    system = field(np.load(bits))
    system[:8, :16].row_reduce(ncols=8)
    start = time.process_time()
    reduced = system.row_reduce(ncols=int(columns))
    seconds = time.process_time() - start
    np.savez(answer, reduced=np.packbits(np.asarray(reduced), axis=1), seconds=seconds)


main(*sys.argv[1:])
