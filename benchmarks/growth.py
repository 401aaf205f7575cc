"""What each step costs a row, at growing numbers of rows, in seconds of processor time.

docs/scale.md works out from these lines what 10^10 and 10^12 rows would cost. Rows are made in
memory: reading files is measured by `python -m benchmarks scale`.

    python -m benchmarks.growth
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from time import process_time
from typing import Any

import numpy as np

from tacit.concepts.rules.literals import cuts
from tacit.concepts.rules.rules import Column, Rules
from tacit.core.chance.deal import Deal, Records
from tacit.core.chance.randomness import System
from tacit.data import Bits, Integer, Schema, reduce
from tacit.mechanisms import Exponential
from tacit.statistics import ScoreProfile

ROWS = 10**5, 10**6, 10**7
ROUNDS = 2


def measure() -> Iterator[tuple[str, int, float]]:
    """Yield a step, how many rows, and the seconds of the quickest of some rounds."""
    for n in ROWS:
        draw = np.random.default_rng(n)
        for name, values in (("few", 1000), ("many", 1 << 40)):
            x, y = draw.integers(0, values, n), draw.integers(0, 2, n)
            schema = Schema({"x": Integer(0, values - 1), "y": Bits()})
            table = {"x": x, "y": y}
            yield f"count, {name} values", n, _least(partial(reduce, table, schema, ["x"], ["y"]))
        alike = Records(np.arange(1000)[:, None], np.full(1000, n // 1000))
        lines = draw.integers(0, 1 << 40, (n // 10, 6))
        apart = Records(lines, np.full(len(lines), 10))
        for name, held in (("few", alike), ("many", apart)):
            rows = int(held.totals.sum())
            sizes = [rows - rows // 5, rows // 5]
            deal = Deal.of(held, rows, sizes, rng=System())
            ends = _least(partial(Deal.of, held, rows, sizes, rng=System()))
            yield f"ends of blocks, {name} records", rows, ends
            yield f"rows of a block, {name} records", rows, _least(partial(deal.only, held, 1))
        if n <= 10**6:
            yield "2,081 rules, 2 labels", n, _least(_rules(n, draw))
        yield "a thousand rules chosen by score", n, _least(_chosen(n))


def _rules(n: int, draw: Any) -> Callable[[], object]:
    columns = [Column(f"x{j}", 0, 63) for j in range(4)]
    literals = [each for j in range(4) for each in cuts(j, range(4, 64, 8))]
    rules = Rules(columns, literals, 2)
    points, marks = draw.integers(0, 64, (n, 4)), draw.integers(0, 2, (2, n)) > 0
    return lambda: rules.gains(points, marks)


def _chosen(n: int) -> Callable[[], object]:
    profile = ScoreProfile.of(np.linspace(n // 2, n, 1000).astype(np.int64))
    return lambda: Exponential(1)(profile, rng=System())


def _least(run: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        start = process_time()
        run()
        times.append(process_time() - start)
    return min(times)


if __name__ == "__main__":
    for step, rows, seconds in measure():
        print(f"{step}\t{rows:.0e}\t{seconds:.4f} s\t{seconds / rows * 1e9:.1f} ns a row")
