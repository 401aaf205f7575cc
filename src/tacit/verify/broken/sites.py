"""Messages that tell too much of a house, though they claim what the true ones do."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from tacit.concepts.rules.scorecards import Scorecards
from tacit.core import Decay
from tacit.core.chance.law import Law, certain
from tacit.core.chance.law import product as together
from tacit.core.composition import delta_of_rho
from tacit.core.cost import Added, Approximate, Pure
from tacit.learners.linear.linear_frame import FramedColumn, LinearFrame, norm_squared
from tacit.mechanisms import DiscreteGaussianVector, DiscreteLaplace
from tacit.mechanisms.noise.polya import share_law
from tacit.verify.broken.twin import Rows, twin

ROWS = tuple(product(range(2), range(2)))
"""Rows of a column, and a label; or of two labels."""


def _cells(database: Rows) -> list[int]:
    return [database.count(row) for row in ROWS]


@twin(Pure(1), ROWS)
def noise_forgotten_on_one_count(database: Rows) -> Law[Any]:
    """Tell a table of counts with noise, but for the last one, which follows from no other."""
    *most, last = _cells(database)
    noisy = DiscreteLaplace(1, 2).law(most, low=0, high=len(database))
    return noisy.map(lambda told: (*told, last))


@twin(Pure(1), ROWS, 2)
def labels_for_the_price_of_one(database: Rows) -> Law[Any]:
    """Tell how often each of two labels occurs, with the noise that one of them needs."""
    ones = [sum(row[label] for row in database) for label in (0, 1)]
    return DiscreteLaplace(1).law(ones, low=0, high=max(len(database), 1))


@twin(Added(Pure(1)), (0, 1))
def rows_of_a_house_in_the_clear(database: Rows) -> Law[Any]:
    """Tell noisy counts for added rows, and beside them how many rows the house has."""
    noisy = DiscreteLaplace(1).law([database.count(x) for x in (0, 1)], low=0, high=4)
    return together([certain(len(database)), noisy])


def _split(database: Rows, share: Law[int], houses: int = 2) -> Law[Any]:
    """Tell a count with so many shares of noise, and what is beyond -4 and 8 as that."""
    total = certain(database.count(1))
    for _ in range(houses):
        total = total.then(lambda z: share.map(lambda x: z + x))
    return total.map(lambda z: min(max(z, -4), 8))


def _listed(epsilon: Any) -> Law[int]:
    """List discrete Laplace noise, cut to -15 and 15."""
    return DiscreteLaplace(epsilon).law(0, low=-15, high=15)


@twin(Pure(1), (0, 1))
def share_of_noise_by_the_root(database: Rows) -> Law[Any]:
    """Add at each of 2 houses Laplace noise of half the variance: the sum falls off too fast."""
    return _split(database, _listed(Fraction(7, 5)))  # below 2^(1/2), which has more noise


@twin(Pure(1), (0, 1))
def share_of_noise_divided(database: Rows) -> Law[Any]:
    """Add at each of 2 houses the noise of one divided by 2 and rounded down."""
    return _split(database, _listed(1).map(lambda z: z // 2))


@twin(Pure(3), (0, 1))
def share_of_noise_unmasked(database: Rows) -> Law[Any]:
    """Tell everybody a count with one of two shares of noise, which only a sum would hide."""
    return _split(database, share_law(Decay.of(Fraction(3)), 2), 1)


HALF = Fraction(1, 2)
UNIT = 4
FRAME = LinearFrame((FramedColumn(3, "", UNIT, (0,), 1),))
"""A number of three codes that was told to be narrow, so that its ends are far out."""


@twin(Approximate(4, delta_of_rho(HALF, Fraction(4))), product((0, 2), range(2)), 2)
def rows_pulled_as_they_are(database: Rows) -> Law[Any]:
    """Add up what rows pull at a house, with noise for rows that were shortened first."""
    moved = 4 * UNIT**2 * norm_squared(Scorecards("3"), UNIT)
    signs = np.array([UNIT if label else -UNIT for _, label in database])
    pulled = signs @ FRAME.rows(np.array([[code] for code, _ in database]))
    return DiscreteGaussianVector(moved / (2 * HALF), moved).law([int(pulled[0])])


@twin(Approximate(6, delta_of_rho(Fraction(2), Fraction(6))), (0, 1), 1)
def rounds_for_the_price_of_one(database: Rows) -> Law[Any]:
    """Tell what rows pull in each of two rounds, and pay for the last one."""
    return DiscreteGaussianVector(Fraction(1, 4), 1).law([sum(database)] * 2)
