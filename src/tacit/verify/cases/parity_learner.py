"""The parity learner: one attempt and many, one block and several, with rows that are null."""

from __future__ import annotations

from itertools import product
from typing import Any

from tacit.concepts.algebra.parities import Parities
from tacit.core.chance.law import Law
from tacit.core.numbers.exact import Exact
from tacit.learners.algebra.parity import ParityLearner
from tacit.statistics import LabelCounts
from tacit.verify.enumeration import Case
from tacit.verify.route import Route
from tacit.verify.sampling import Probe

Row = tuple[tuple[int, ...], tuple[int]] | None


def labelled(dims: int) -> tuple[Row, ...]:
    """Return all rows over some columns: every point with both labels."""
    return tuple((x, (y,)) for x in product((0, 1), repeat=dims) for y in (0, 1))


def counted(database: tuple[Row, ...]) -> LabelCounts:
    """Count the rows of a database, None being a null row."""
    held = LabelCounts.of([row for row in database if row is not None], labels=1)
    return LabelCounts(len(database), 1, held.points, held.totals, held.positives)


def _case(
    dims: int,
    n: int,
    epsilon: Exact,
    attempts: int,
    *,
    blocks: int = 1,
    by: str = "uniform order",
    null: bool = False,
    tight: bool = False,
) -> Case:
    learner = ParityLearner(Parities(dims), epsilon=epsilon, attempts=attempts, blocks=blocks)

    def law(database: tuple[Row, ...]) -> Law[Any]:
        if by == "uniform order":
            return learner.law(counted(database))
        size = n // blocks
        return learner.blocks_law(
            [counted(database[i * size : (i + 1) * size]) for i in range(blocks)]
        )

    setting = f"dims={dims}, n={n}, epsilon={epsilon}, attempts={attempts}"
    if blocks > 1:
        setting += f", {blocks} blocks by {by}"
    if null:
        setting += ", with null rows"
    universe = (*labelled(dims), None) if null else labelled(dims)
    return Case(
        "parity-learner",
        setting,
        "learner",
        learner.cost,
        universe,
        n,
        law,
        symmetric=by == "uniform order",
        tight=tight,
        drawn=Route(learner, counted),
    )


SOLVED = tuple((x, (x[0],)) for x in product((0, 1), repeat=2)) * 250
"""Rows that one parity explains."""

CASES = (
    _case(1, 4, "1", 1, tight=True),
    _case(2, 3, "1/2", 1, tight=True),
    _case(1, 4, "1", 24),
    _case(2, 3, "2", 6),
    _case(1, 3, "1/10", 24, null=True),
    _case(1, 9, "3", 8, tight=True),
    _case(1, 4, "1", 1, blocks=2, by="position"),
    _case(1, 4, "2", 3, blocks=2),
    _case(1, 3, "6", 3),
)

PROBES = tuple(Probe(_case(2, 1000, epsilon, 1), 600, SOLVED, 1) for epsilon in ("1/10", "8"))
