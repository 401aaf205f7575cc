"""Truth values packed into words of 64 bits, lowest bit first, and read back: one layout for all.

How it works. `words` says the layout; NumPy packs bytes, and eight of them, little end first, are a
word. Python's own integers hold the same bits where sets are small and many: a search over sets
then is a few operations on integers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
"""Bitmaps along the last axis: bit r % 64 of word r // 64 is row r; the rest is zero."""


def pack(bits: NDArray[np.bool_]) -> Words:
    """Pack each line of truth values into as many words as it takes.

    >>> pack(np.array([[True, False, True]])).tolist()
    [[5]]
    """
    *lines, rows = bits.shape
    padded = np.zeros((*lines, -(-rows // 64) * 8), dtype=np.uint8)
    packed = np.packbits(bits, axis=-1, bitorder="little")
    padded[..., : packed.shape[-1]] = packed
    return padded.view("<u8").astype(np.uint64)


def unpack(words: Words, rows: int | None = None) -> NDArray[np.bool_]:
    """Read the first rows of each bitmap, or all that its words have room for.

    >>> unpack(np.array([5], dtype=np.uint64), 3).tolist()
    [True, False, True]
    """
    digits = np.ascontiguousarray(words, dtype="<u8").view(np.uint8)
    return np.unpackbits(digits, axis=-1, count=rows, bitorder="little").astype(np.bool_)


def bit_sets(words: Words) -> list[int]:
    """Read each line of words as one integer: the set of its bits.

    >>> bit_sets(pack(np.eye(2, 65, 64, dtype=bool))) == [1 << 64, 0]
    True
    """
    return [int.from_bytes(line.tobytes(), "little") for line in words.astype("<u8")]
