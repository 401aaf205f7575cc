"""Wrong ways to add noise."""

from __future__ import annotations

import math
from fractions import Fraction

from tacit.core.chance.law import Law, certain
from tacit.core.chance.randomness import Random, Seeded
from tacit.core.composition.interpreters import near_gaussian
from tacit.core.cost import Approximate, NearGaussian, Pure
from tacit.mechanisms import DiscreteGaussianVector, DiscreteLaplace
from tacit.verify.black_box import BlackBox
from tacit.verify.broken.twin import Rows, twin

EPSILON = Fraction(1)
ANSWERS = (0, 1, 2)


@twin(Pure(EPSILON), ANSWERS)
def half_the_noise(database: Rows) -> Law[int]:
    """Scale noise to 1 / (2 epsilon)."""
    return DiscreteLaplace(2 * EPSILON).law(database.count(1), low=-3, high=6)


@twin(Pure(EPSILON), ANSWERS)
def one_group_moves_alone(database: Rows) -> Law[tuple[int, ...]]:
    """Tell the rows of three groups with noise for one of them: a replaced row moves two."""
    return DiscreteLaplace(EPSILON).law([database.count(r) for r in ANSWERS], low=0, high=3)


@twin(
    Approximate("6/5", near_gaussian.delta_of(NearGaussian("1/10", "1/5"), Fraction(6, 5))), (0, 1)
)
def priced_as_continuous(database: Rows) -> Law[tuple[int, ...]]:
    """Price discrete Gaussian noise of parameter 5 as continuous noise of that variance."""
    return DiscreteGaussianVector(5).law([database.count(1)])


@twin(Pure(EPSILON), ANSWERS)
def seed_reused(database: Rows) -> Law[int]:
    """Draw the noise from a seed that the analyst knows: subtract it and the count is bare."""
    return certain(DiscreteLaplace(EPSILON)(database.count(1), rng=Seeded(0)))


def _float_laplace(value: int, rng: Random) -> float:
    """Add textbook floating-point Laplace noise: which doubles can occur tells the value apart."""
    uniform = (rng.bits(53) + 0.5) / 2**53
    noise = -math.log(uniform) if rng.bits(1) else math.log(uniform)
    return value + noise / float(EPSILON)


float_laplace = BlackBox("", "counts 0 and 1", "broken", Pure(EPSILON), 0, 1, _float_laplace)
