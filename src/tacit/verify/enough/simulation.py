"""How often a learner fails on data drawn from a known distribution, on its label or on some of k.

Of the papers: BNS19 Def 2, BNS16 Def 2.1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtrc

from tacit.core import InvalidArgument, Random, check
from tacit.core.numbers.least import least_between
from tacit.learners.contract.learner import Learner, MultiLearner
from tacit.statistics import JointCounts, LabelCounts


@dataclass(frozen=True, slots=True)
class Population:
    """A distribution over labelled points: masses, and for each point the chance of label 1.

    >>> half, no, yes = Fraction(1, 2), Fraction(0), Fraction(1)
    >>> Population(np.array([3, 8]), (half, half), (no, yes)).error(lambda x: x >= 9)
    Fraction(1, 2)
    """

    points: NDArray[Any]
    masses: tuple[Fraction, ...]
    positive: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        if sum(self.masses) != 1 or len(self.masses) != len(self.positive):
            raise InvalidArgument("masses must add up to 1, one for each point")

    def error(self, hypothesis: Any) -> Fraction:
        """Return the exact probability that the hypothesis differs from the label."""
        said = hypothesis(self.points)
        rows = zip(self.masses, self.positive, said, strict=True)
        return sum((m * (1 - p if yes else p) for m, p, yes in rows), Fraction(0))

    def draw(self, n: int, *, rng: Random) -> LabelCounts:
        """Draw n independent rows and count them; masses are rounded to double precision."""
        bars = np.cumsum([float(m) for m in self.masses])[:-1]
        at = np.searchsorted(bars, _uniform(n, rng), side="right")
        ones = _uniform(n, rng) < np.array([float(p) for p in self.positive])[at]
        totals = np.bincount(at, minlength=len(self.masses))
        positives = np.bincount(at[ones], minlength=len(self.masses))
        seen = totals > 0
        return LabelCounts(n, 1, self.points[seen], totals[seen], positives[seen][:, None])


def failures(
    learner: Learner[Any],
    population: Population,
    *,
    n: int,
    limit: Fraction,
    runs: int,
    rng: Random,
) -> int:
    """Count the runs in which the hypothesis has error above `limit`."""
    return _failures(
        lambda: (learner(population.draw(n, rng=rng), rng=rng),), population, limit, runs
    )


def joint_failures(
    learner: MultiLearner[Any],
    population: Population,
    *,
    n: int,
    limit: Fraction,
    runs: int,
    rng: Random,
) -> int:
    """Count the runs in which the hypothesis for some label has error above `limit`."""

    def learned() -> tuple[Any, ...]:
        return learner(draw_jointly(population, n, labels=learner.labels, rng=rng), rng=rng)

    return _failures(learned, population, limit, runs)


def _failures(
    learned: Callable[[], tuple[Any, ...]], population: Population, limit: Fraction, runs: int
) -> int:
    check.count(runs=runs, least=1)
    bad = cache(lambda hypothesis: population.error(hypothesis) > limit)  # errors are exact: slow
    return sum(any(map(bad, learned())) for _ in range(runs))


def draw_jointly(population: Population, n: int, *, labels: int, rng: Random) -> JointCounts:
    """Draw n rows whose labels are all the same: then the samples of all labels mislead together.

    >>> from tacit.core.chance.randomness import Seeded
    >>> half, no, yes = Fraction(1, 2), Fraction(0), Fraction(1)
    >>> rows = draw_jointly(
    ...     Population(np.array([3, 8]), (half, half), (no, yes)), 5, labels=2, rng=Seeded(1)
    ... )
    >>> rows.points.tolist(), rows.marks.astype(int).tolist(), rows.totals.sum()
    ([3, 8], [[0, 0], [1, 1]], np.int64(5))
    """
    counts = population.draw(n, rng=rng)
    ones = counts.positives[:, 0]
    totals = np.concatenate([counts.totals - ones, ones])
    marks = np.repeat(np.array([False, True]), len(ones))
    held = np.flatnonzero(totals)
    points = np.concatenate([counts.points, counts.points])[held]
    return JointCounts(n, labels, points, np.tile(marks[held][:, None], labels), totals[held])


def alarm(runs: int, beta: Fraction, *, false_alarm: float = 1e-9) -> int:
    """Return the least number of failures that a learner with failure <= beta almost never has.

    >>> alarm(2000, Fraction(1, 20)), alarm(2000, Fraction(1, 4))
    (164, 620)
    """
    seldom = lambda count: bool(bdtrc(count - 1, runs, float(beta)) <= false_alarm)  # noqa: E731
    return least_between(int(runs * beta) - 1, runs + 1, seldom)


def _uniform(n: int, rng: Random) -> NDArray[np.float64]:
    return rng.words(n).astype(np.float64) * 2.0**-64
