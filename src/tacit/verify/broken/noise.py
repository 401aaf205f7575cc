"""Wrong ways to add noise."""

from __future__ import annotations

import math
from fractions import Fraction

from tacit.core.chance.law import Law, certain
from tacit.core.chance.randomness import Random, Seeded
from tacit.core.cost import Approximate, Pure
from tacit.core.numbers.decay import Decay
from tacit.mechanisms import DiscreteLaplace, ProposeTestRelease
from tacit.mechanisms.search.above_threshold import first_above
from tacit.statistics import Steady
from tacit.statistics.slow_integer import median
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


@twin(Pure(EPSILON), ANSWERS)
def sparse_vector_without_query_noise(database: Rows) -> Law[int | None]:
    """Add noise to the threshold of a sparse vector but not to the queries."""
    queries = [database.count(r) for r in ANSWERS]
    noisy = DiscreteLaplace(EPSILON / 2).law(2, low=-len(database) - 1, high=len(database) + 1)
    return noisy.map(lambda bar: next((i for i, q in enumerate(queries) if q >= bar), None))


@twin(Pure(8 * EPSILON), ANSWERS, 4)
def sparse_vector_half_query_noise(database: Rows) -> Law[int]:
    """Scale the queries' noise to one direction of change: they move both ways."""
    levels = [database.count(r) + 2 for r in (0, 0, 0, 1)]
    threshold, queries = Decay.of(EPSILON * 8 / 3), Decay.of(EPSILON * 16 / 3)
    return Law(dict(enumerate(first_above(levels, noise=queries, zero=threshold))))


@twin(Approximate(6 * EPSILON, "0.01"), ANSWERS)
def propose_test_release_too_kind(database: Rows) -> Law[int | None]:
    """Propose a bound, and count the distance to its failure one too high."""
    honest = median([2 * record for record in database], low=0, high=4, bound=1)
    kind = Steady(bound=1, value=honest.value, distance=honest.distance + 1)
    return ProposeTestRelease(6 * EPSILON, "0.01").law(kind, low=0, high=4)
