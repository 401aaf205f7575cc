"""Wrong ways to add noise."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tacit.core.chance.law import Law, certain
from tacit.core.chance.randomness import Random, Seeded
from tacit.core.cost import Approximate, Pure
from tacit.core.numbers.decay import Decay
from tacit.mechanisms import DiscreteLaplace, ProposeTestRelease
from tacit.mechanisms.search.above_threshold import first_above
from tacit.statistics import Steady
from tacit.statistics.slow_integer import median
from tacit.verify.black_box import BlackBox
from tacit.verify.enumeration import Case

EPSILON = Fraction(1)
ANSWERS = (0, 1, 2)


def _count(database: tuple[int, ...]) -> int:
    return sum(record == 1 for record in database)


def _half_the_noise(database: tuple[int, ...]) -> Law[int]:
    return DiscreteLaplace(2 * EPSILON).law(_count(database), low=-3, high=6)


def _seed_reused(database: tuple[int, ...]) -> Law[int]:
    """Draw the noise from a seed that the analyst knows: subtract it and the count is bare."""
    return certain(DiscreteLaplace(EPSILON)(_count(database), rng=Seeded(0)))


def _float_laplace(value: int, rng: Random) -> float:
    """Add textbook floating-point Laplace noise: which doubles can occur tells the value apart."""
    uniform = (rng.bits(53) + 0.5) / 2**53
    noise = -math.log(uniform) if rng.bits(1) else math.log(uniform)
    return value + noise / float(EPSILON)


def _noiseless_queries(database: tuple[int, ...]) -> Law[int | None]:
    """Add noise to the threshold of a sparse vector but not to the queries."""
    queries = [sum(record == r for record in database) for r in ANSWERS]
    noisy = DiscreteLaplace(EPSILON / 2).law(2, low=-len(database) - 1, high=len(database) + 1)
    return noisy.map(lambda bar: next((i for i, q in enumerate(queries) if q >= bar), None))


def _half_query_noise(database: tuple[int, ...]) -> Law[int]:
    """Scale the queries' noise to one direction of change: they move both ways."""
    levels = [sum(record == r for record in database) + 2 for r in (0, 0, 0, 1)]
    threshold, queries = Decay.of(EPSILON * 8 / 3), Decay.of(EPSILON * 16 / 3)
    return Law(dict(enumerate(first_above(levels, noise=queries, zero=threshold))))


def _too_kind(database: tuple[int, ...]) -> Law[int | None]:
    """Propose a bound, and count the distance to its failure one too high."""
    honest = median([2 * record for record in database], low=0, high=4, bound=1)
    kind = Steady(bound=1, value=honest.value, distance=honest.distance + 1)
    return ProposeTestRelease(6 * EPSILON, "0.01").law(kind, low=0, high=4)


def _case(target: str, setting: str, law: Callable[[tuple[int, ...]], Law[Any]]) -> Case:
    return Case(target, setting, "broken", Pure(EPSILON), ANSWERS, 3, law)


CASES = (
    _case("half-the-noise", "scale 1 / (2 epsilon)", _half_the_noise),
    _case("seed-reused", "noise from a known seed", _seed_reused),
    _case("sparse-vector-without-query-noise", "threshold 2, 3 queries", _noiseless_queries),
    Case(
        "sparse-vector-half-query-noise",
        "4 queries",
        "broken",
        Pure(8 * EPSILON),
        ANSWERS,
        4,
        _half_query_noise,
    ),
    Case(
        "propose-test-release-too-kind",
        "median of 3",
        "broken",
        Approximate(6 * EPSILON, "0.01"),
        ANSWERS,
        3,
        _too_kind,
    ),
    BlackBox("float-laplace", "counts 0 and 1", "broken", Pure(EPSILON), 0, 1, _float_laplace),
)
