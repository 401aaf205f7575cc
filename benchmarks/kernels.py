"""The compiled loops, each beside the machine's own limit or beside a peer, in one run.

`python -m benchmarks kernels`. All times are seconds of processor time, best of a few, so that a
busy machine does not spoil the ratios.

* Rules by popcounts. The limit is the tightest loop there is over two bitmaps in the first cache:
  read both, and, count, add. Ours meets four rules with two masks at a time, seven reads for eight
  counts, so that it is bound by computing rather than by reading; it ran at 80 to 140 % of that
  loop, which varied more with the load of the machine than ours did. A walk reads each bitmap once
  for each block of 4 kilobytes, from the second cache: memory is no limit at any number of rules.
* 50 labels beside one. One label counts two masks (all rows, and the label's), 50 labels count 51:
  counting alone is 25.5 times the work, and no kernel as good as ours for one label can
  do it in 10 times its time. From the table on, as a learner is called, the literals are evaluated
  and packed once for all labels: that is what the bar of 10 is about.
* Elimination over two elements, 1024 columns and 10^4 right-hand sides, 1088 rows, beside `galois`
  on the same rows, and beside the time of C M4RI that was measured for the study behind this
  project, on a machine like this one: 0.0114 s.
* One update of private multiplicative weights over 2^22 cells, beside a copy of as many bytes: an
  update reads and writes the cells of a query, a quarter of them here, reads all cells to sum them
  up, and reads and writes all. It is bound by memory.
* The profile of all thresholds on 10^6 points that come in no order, beside sorting as many numbers
  and running sums of them, which is the least that it takes.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from benchmarks.peers import environment
from benchmarks.side_by_side import Row
from tacit.concepts.line.thresholds import Thresholds
from tacit.concepts.rules.literals import Literal
from tacit.concepts.rules.rules import Column, Rules
from tacit.kernels.bits.literal_counts import BLOCK, supports
from tacit.kernels.bits.packing import pack
from tacit.kernels.bits.words import ones
from tacit.sanitizers import Attributes, MarginalQueries, MultiplicativeWeights
from tacit.statistics import LabelCounts, ScoreProfile
from tacit.statistics.algebra.linear_system import LinearSystem

PROGRAM = Path(__file__).parent / "peers" / "galois_system.py"
ROWS, COLUMNS, CUTS, WIDTH, LABELS = 5 * 10**5, 10, 6, 3, 50
DIMS, SIDES, SPARE = 1024, 10**4, 64
M4RI = 0.0114
CELLS_BITS, POINTS = 22, 10**6
Bits = NDArray[np.uint64]


def measure() -> list[Row]:
    """Measure all kernels."""
    return [*_rules(), *_elimination(), _weights(), _profile()]


def _rules() -> list[Row]:
    floats = np.random.default_rng(1)
    points = floats.integers(0, 100, (ROWS, COLUMNS))
    literals = [
        Literal(column, ">=", 100 * cut // (CUTS + 1))
        for column in range(COLUMNS)
        for cut in range(1, CUTS + 1)
    ]
    rules = Rules([Column(f"c{i}", 0, 99) for i in range(COLUMNS)], literals, WIDTH)
    labels = floats.random((LABELS, ROWS)) < 0.5
    held, masks = pack(rules.truths(points)), pack(labels)
    everything = pack(np.ones((1, ROWS), dtype=np.bool_))
    public: dict[str, Any] = {
        "width": WIDTH,
        "choices": 1,
        "places": rules.selections.places,
    }
    timed, words = {}, held.shape[1]
    for many in (1, LABELS):
        some = np.concatenate([everything, masks[:many]])
        timed[many] = _best(lambda some=some: supports(held, some, **public))  # type: ignore[misc]
    limit = _limit()
    rows = []
    for many, seconds in timed.items():
        counted = rules.size * words * (many + 1)
        name = f"{rules.size} rules, {ROWS:.0e} rows, {many} labels: words counted"
        rows.append(Row(name, seconds, "and-popcount of two bitmaps", limit * counted, 2.0))
    rows.append(
        Row(f"{LABELS} labels: counting", timed[LABELS], "1 label", timed[1], (LABELS + 1) / 2)
    )
    whole = {many: _best(lambda m=many: rules.gains(points, labels[:m])) for many in (1, LABELS)}  # type: ignore[misc]
    rows.append(Row(f"{LABELS} labels, from the table on", whole[LABELS], "1 label", whole[1], 10))
    return rows


def _limit() -> float:
    """Return the time for one word of two bitmaps that stay in the first cache."""
    words = np.random.default_rng(2).integers(0, 1 << 63, (2, BLOCK)).astype(np.uint64)
    passes = 10**5
    return _best(lambda: _tight(words[0], words[1], passes)) / (passes * BLOCK)


@njit(nogil=True)
def _tight(one: Any, other: Any, passes: Any) -> Any:
    total = np.uint64(0)
    for turn in range(passes):
        for i in range(one.shape[0]):
            total += ones(one[i] & other[i])
        one[turn % one.shape[0]] ^= np.uint64(turn)
    return total


def _elimination() -> list[Row]:
    floats = np.random.default_rng(3)
    points = floats.random((DIMS + SPARE, DIMS)) < 0.5
    secrets = (floats.random((DIMS, SIDES)) < 0.5).astype(np.float32)
    marks = (points.astype(np.float32) @ secrets) % 2 == 1
    system, kept = LinearSystem.of(points, marks), np.ones(len(points), dtype=np.bool_)
    ours = _best(lambda: system.solve(kept))
    solved = system.solve(kept)
    assert solved.consistent.all()
    assert solved.rank == DIMS
    reduced, theirs = _galois(np.concatenate([points, marks], axis=1))
    width = solved.lines.shape[1] - len(solved.clash)
    right = np.unpackbits(solved.lines[:, width:].view(np.uint8), axis=1, bitorder="little")
    told = np.unpackbits(reduced, axis=1)[:DIMS, DIMS : DIMS + SIDES]
    assert np.array_equal(right[:, :SIDES], told), "the solutions differ"
    name = f"elimination, {DIMS} columns, {SIDES:.0e} right-hand sides"
    return [
        Row(name, ours, "galois", theirs, 1 / 150),
        Row(name, ours, "C M4RI, as measured for the study", M4RI, 2.0),
    ]


def _galois(bits: NDArray[np.bool_]) -> tuple[NDArray[np.uint8], float]:
    with tempfile.TemporaryDirectory() as folder:
        stored, done = Path(folder) / "bits.npy", Path(folder) / "answer.npz"
        np.save(stored, bits.astype(np.uint8))
        command = (environment.python(), PROGRAM, stored, str(DIMS), done)
        subprocess.run(command, check=True)
        told = np.load(done)
        return told["reduced"], float(told["seconds"])


def _weights() -> Row:
    """Time an update, and a copy, as long as it would take to move as many bytes."""
    queries = MarginalQueries(Attributes.binary(CELLS_BITS), 2)
    sanitizer = MultiplicativeWeights(queries, epsilon=1, rounds=100)
    cells = np.random.default_rng(4).random(queries.attributes.size)
    other, n = np.empty_like(cells), 10**6
    chosen = queries.count // 2
    ours = _best(lambda: sanitizer._correct(cells, chosen, n))  # noqa: SLF001
    moved = 2 / 4 + 1 + 2
    theirs = _best(lambda: np.copyto(other, cells)) * moved / 2
    return Row(f"update of 2^{CELLS_BITS} weights", ours, "copying as many bytes", theirs, 2.0)


def _profile() -> Row:
    floats = np.random.default_rng(5)
    points = floats.permutation(1 << 24)[:POINTS]
    totals = np.ones(POINTS, dtype=np.int64)
    positives = (floats.random((POINTS, 1)) < 0.5).astype(np.int64)
    sample = LabelCounts(POINTS, 1, points, totals, positives)
    concepts = Thresholds(24)
    ours = _best(lambda: ScoreProfile.agreements(concepts, sample))
    theirs = _best(lambda: np.cumsum(np.sort(points)))
    return Row(f"profile of thresholds, {POINTS:.0e} points", ours, "sort and sum", theirs, 4.0)


def _best(run: Callable[[], object], rounds: int = 3) -> float:
    """Return the least processor time of a few runs, after one to warm up."""
    run()
    times = []
    for _ in range(rounds):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)
