"""The optimiser, given its solutions: the commonest value, and synthetic rows for thresholds."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

from tacit.learners.made_from.optimisation import Optimiser, Solutions
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, as_it_is
from tacit.verify.sampling import Probe

VALUES = (0, 1, 2)
TABLES = tuple(combinations_with_replacement(VALUES, 2))
Score = Callable[[Sequence[int], Any], int]


def _case(
    name: str,
    drawn: Sequence[Hashable],
    score: Score,
    n: int,
    epsilon: str,
    *,
    tight: bool = False,
) -> Case:
    solutions = Solutions(lambda _: drawn, len(drawn), Fraction(0), Fraction(0))
    optimiser: Optimiser[int, Any] = Optimiser(solutions, score, epsilon=epsilon)

    law = Route(optimiser, as_it_is, lambda database: optimiser.law(database, drawn))

    setting = f"{name}, n={n}, epsilon={epsilon}"
    return Case("optimiser", setting, "learner", optimiser.cost, VALUES, n, law, tight=tight)


def _how_often(rows: Sequence[int], value: int) -> int:
    return sum(row == value for row in rows)


def _fit(rows: Sequence[int], table: Sequence[int]) -> int:
    """Return minus the greatest error of a table of half as many rows, over all thresholds."""
    return -max(
        abs(sum(row >= q for row in rows) - 2 * sum(made >= q for made in table)) for q in VALUES
    )


CASES = (
    _case("commonest value", VALUES, _how_often, 3, "1/2"),
    _case("commonest of two values", VALUES[:2], _how_often, 40, "1", tight=True),
    _case("synthetic rows", TABLES, _fit, 4, "2"),
    _case("commonest value", VALUES, _how_often, 3, "6"),
)

PROBES = tuple(
    Probe(_case("commonest value", VALUES, _how_often, 1000, epsilon)) for epsilon in ("1/20", "8")
)
