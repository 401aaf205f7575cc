"""Permute-and-flip: agreements of points, thresholds and constants with labelled rows."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from tacit.mechanisms.choice.permute_and_flip import PermuteAndFlip
from tacit.statistics import ScoreProfile
from tacit.verify.enumeration import Case
from tacit.verify.route import Route
from tacit.verify.sampling import Probe

Row = tuple[int, int]
Hypothesis = tuple[int, ...]


def _case(
    name: str, hypotheses: list[Hypothesis], n: int, epsilon: Fraction, *, tight: bool = False
) -> Case:
    mechanism = PermuteAndFlip(epsilon)
    points = len(hypotheses[0])

    def scores(database: tuple[Row, ...]) -> ScoreProfile[int]:
        return ScoreProfile.of([sum(h[x] == y for x, y in database) for h in hypotheses])

    return Case(
        "permute-and-flip",
        f"{name} over {points} points, n={n}, epsilon={epsilon}",
        "mechanism",
        mechanism.cost,
        tuple(product(range(points), (0, 1))),
        n,
        Route(mechanism, scores),
        tight=tight,
    )


POINTS = [tuple(int(x == z) for x in range(3)) for z in range(3)]
THRESHOLDS = [tuple(int(x >= z) for x in range(3)) for z in range(4)]
CONSTANTS: list[Hypothesis] = [(0, 0), (1, 1)]

CASES = (
    *(
        _case("points", POINTS, 3, epsilon)
        for epsilon in (Fraction(1, 10), Fraction(1), Fraction(4))
    ),
    *(_case("thresholds", THRESHOLDS, 4, epsilon) for epsilon in (Fraction(1, 2), Fraction(2))),
    *(
        _case("constants", CONSTANTS, 3, epsilon, tight=True)
        for epsilon in (Fraction(1, 10), Fraction(1), Fraction(3))
    ),
    _case("points", POINTS, 3, Fraction(7)),
)

PROBES = tuple(
    Probe(_case("points", POINTS, 1000, epsilon)) for epsilon in (Fraction(1, 20), Fraction(8))
)
