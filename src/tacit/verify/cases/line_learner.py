"""The line learner: its stages and both together, on planes with few points."""

from __future__ import annotations

from typing import Any

from tacit.concepts.algebra.lines import Lines
from tacit.core.chance.law import Law
from tacit.core.numbers.exact import Exact
from tacit.learners.algebra.line import LineLearner, stages
from tacit.verify.cases.parity_learner import counted
from tacit.verify.dealing_alike import dealt
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, as_it_is
from tacit.verify.sampling import Probe

Row = tuple[tuple[int, int], tuple[int]] | None


def plane(p: int) -> tuple[Row, ...]:
    """Return all rows of a plane: every point with both labels."""
    return tuple(((x, y), (mark,)) for x in range(p) for y in range(p) for mark in (0, 1))


CROWD: tuple[Row, ...] = (
    ((0, 0), (1,)),
    ((1, 1), (1,)),
    ((2, 2), (1,)),
    ((1, 0), (1,)),
    ((0, 0), (0,)),
    None,
)
"""Three positives on one line, one off it, and two rows that say nothing."""


def _case(
    p: int,
    universe: tuple[Row, ...],
    first: int,
    second: int,
    epsilon: Exact,
    delta: Exact,
    *,
    tight: bool = False,
) -> Case:
    learner = LineLearner(Lines(p), epsilon=epsilon, delta=delta)

    def law(database: tuple[Row, ...]) -> Law[Any]:
        return learner.blocks_law((counted(database[:first]), counted(database[first:])))

    return Case(
        "line-learner",
        f"p={p}, {first} + {second} rows of {len(universe)} kinds, epsilon={epsilon}, "
        f"delta={delta}",
        "learner",
        learner.cost,
        universe,
        first + second,
        law,
        symmetric=not (first and second),
        tight=tight,
    )


def _dealt(p: int, universe: tuple[Row, ...], n: int, epsilon: Exact, delta: Exact) -> Case:
    learner = LineLearner(Lines(p), epsilon=epsilon, delta=delta)
    return Case(
        "line-learner",
        f"p={p}, {n} rows of {len(universe)} kinds in uniform order, epsilon={epsilon}, "
        f"delta={delta}",
        "learner",
        learner.cost,
        universe,
        n,
        Route(learner, counted),
    )


def _alike(n: int, epsilon: Exact, delta: Exact) -> Case:
    """Rows that are nearly all alike, dealt in a uniform order."""
    learner = LineLearner(Lines(3), epsilon=epsilon, delta=delta)

    def law_of(rows: tuple[Row, ...]) -> Law[Any]:
        return dealt(rows, stages(n), lambda parts: learner.blocks_law([*map(counted, parts)]))

    law = Route(lambda rows, *, rng: learner(counted(rows), rng=rng), as_it_is, law_of)
    setting = f"p=3, {n} rows, nearly all alike, in uniform order, epsilon={epsilon}, delta={delta}"
    return Case("line-learner", setting, "learner", learner.cost, CROWD, n, law)


CASES = (
    _case(2, plane(2), 4, 0, "1", "1/10", tight=True),
    _case(2, plane(2), 0, 4, "1/2", "1/100", tight=True),
    _case(2, plane(2)[1:], 2, 1, "1", "1/20", tight=True),
    _case(3, CROWD, 6, 0, "1", "1/20", tight=True),
    _case(3, CROWD[::2], 3, 2, "2", "1/1000", tight=True),
    _dealt(3, CROWD, 4, "1", "1/10"),
    _case(2, plane(2)[1:], 2, 0, "6", "1/20"),
)

PROBES = tuple(
    Probe(_alike(1000, epsilon, delta), 300, CROWD[:1] * 1000, 1)
    for epsilon, delta in (("1/50", "2e-4"), ("8", "1e-870"))
)
