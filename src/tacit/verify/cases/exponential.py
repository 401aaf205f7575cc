"""The exponential mechanism, choosing a hypothesis by its agreements with labelled rows."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from tacit.mechanisms.choice.exponential import Exponential
from tacit.statistics import ScoreProfile
from tacit.verify.enumeration import Case
from tacit.verify.route import Route
from tacit.verify.sampling import Probe

Row = tuple[int, int]


def _rows(points: int) -> tuple[Row, ...]:
    return tuple(product(range(points), (0, 1)))


def _case(
    name: str,
    hypotheses: list[tuple[int, ...]],
    points: int,
    n: int,
    epsilon: Fraction,
    *,
    tight: bool = False,
) -> Case:
    mechanism = Exponential(epsilon)

    def scores(database: tuple[Row, ...]) -> ScoreProfile[int]:
        return ScoreProfile.of([sum(h[x] == y for x, y in database) for h in hypotheses])

    law = Route(mechanism, scores)

    setting = f"{name} over {points} points, n={n}, epsilon={epsilon}"
    return Case(
        "exponential", setting, "mechanism", mechanism.cost, _rows(points), n, law, tight=tight
    )


POINTS = [tuple(int(x == z) for x in range(3)) for z in range(3)]
THRESHOLDS = [tuple(int(x >= z) for x in range(3)) for z in range(4)]
CONSTANTS: list[tuple[int, ...]] = [(0,), (1,)]

CASES = (
    *(
        _case("points", POINTS, 3, 3, epsilon)
        for epsilon in (Fraction(1, 10), Fraction(1), Fraction(4))
    ),
    *(_case("thresholds", THRESHOLDS, 3, 4, epsilon) for epsilon in (Fraction(1, 2), Fraction(2))),
    _case("constants", CONSTANTS, 1, 60, Fraction(1), tight=True),
    _case("thresholds", THRESHOLDS, 3, 3, Fraction(7)),
)

PROBES = tuple(
    Probe(_case("thresholds", THRESHOLDS, 3, 1000, epsilon))
    for epsilon in (Fraction(1, 20), Fraction(8))
)
