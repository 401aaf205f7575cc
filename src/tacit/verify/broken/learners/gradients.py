"""Gradient steps that forget to clip: the noise fits rows that were cut, and they were not."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from tacit.concepts.rules.scorecards import Scorecards
from tacit.core.chance.law import Law
from tacit.core.composition.interpreters.concentrated import delta_of_rho
from tacit.core.cost import Approximate
from tacit.learners.linear.linear_frame import norm_squared
from tacit.mechanisms import DiscreteGaussianVector
from tacit.verify.enumeration import Case

Row = tuple[int, tuple[int]]
COLUMNS = Scorecards("3")
UNIVERSE: tuple[Row, ...] = ((0, (1,)), (1, (1,)), (2, (1,)))
RHO, EPSILON = Fraction(1, 2), Fraction(4)
UNIT, SPREAD = 4, 1


def _unclipped(database: tuple[Row, ...]) -> Law[tuple[int, ...]]:
    """Release the first gradient, of rows that were scaled up and not cut again."""
    moved = 4 * UNIT**2 * norm_squared(COLUMNS, UNIT)
    noise = DiscreteGaussianVector(moved / (2 * RHO), moved)
    seen = COLUMNS.coordinates(np.array([x for x, _ in database]), UNIT) * UNIT // SPREAD
    signs = np.array([1 if y else -1 for _, (y,) in database])
    return noise.law([int(g) * UNIT // 2 for g in signs @ seen])


CASES = (
    Case(
        "unclipped-gradient",
        f"{COLUMNS}, n=3, coordinates scaled up {UNIT} times, rho={RHO}, at epsilon={EPSILON}",
        "broken",
        Approximate(EPSILON, delta_of_rho(RHO, EPSILON)),
        UNIVERSE,
        3,
        _unclipped,
    ),
)
