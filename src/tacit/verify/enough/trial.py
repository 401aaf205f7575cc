"""The generic learner on a population of few points, fast enough for a search."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.finite import Row
from tacit.core.chance.randomness import Random, Seeded
from tacit.core.numbers.least import least_between
from tacit.learners.every_class.generic import GenericLearner
from tacit.learners.many_labels.direct_sum import DirectSum
from tacit.verify.enough.restriction import Restriction, restrict
from tacit.verify.enough.simulation import Population, failures, joint_failures


@dataclass(frozen=True, slots=True)
class Trial:
    """A learner on a population, as a choice among few labellings; bad ones are marked.

    With k `labels`, all the same, it is run k times on one sample and fails if one run does.
    """

    learner: GenericLearner[Any]
    population: Population
    limit: Fraction
    bad: NDArray[np.bool_]
    labels: int = 1

    def failures(self, n: int, *, runs: int, rng: Random) -> int:
        """Count the failures of the exact sampler."""
        run: dict[str, Any] = {"n": n, "limit": self.limit, "runs": runs, "rng": rng}
        if self.labels == 1:
            return failures(self.learner, self.population, **run)
        return joint_failures(DirectSum(self.learner, self.labels), self.population, **run)

    def chance(self, n: int, *, runs: int, seed: int) -> float:
        """Estimate the failure probability: its mean given the sample, over `runs` samples.

        In floating point: it finds populations and sample sizes, `failures` judges them.
        """
        table: Restriction = self.learner.concepts  # type: ignore[assignment]
        gains = _gains(self.population, _uniforms(runs, 1 << n.bit_length(), seed)[:, :n])
        logs = gains @ table.labels.T * float(self.learner.epsilon / 2)
        logs += [math.log(many) for many in table.multiplicities.tolist()]
        weights = np.exp(logs - logs.max(axis=1, keepdims=True))
        one = weights[:, self.bad].sum(axis=1) / weights.sum(axis=1)
        return float((1 - (1 - one) ** self.labels).mean())

    def needed(self, beta: Fraction, *, most: int, runs: int, seed: int) -> int:
        """Estimate the least n, up to `most`, from which on the failure probability is <= beta."""

        def enough(n: int) -> bool:
            return self.chance(n, runs=runs, seed=seed) <= beta

        return least_between(0, most, enough, within=max(1, most // 100))


def trial(
    learner: GenericLearner[Any], population: Population, alpha: Fraction, *, labels: int = 1
) -> Trial:
    """Prepare runs that fail if the error is more than alpha above the best concept's."""
    table = restrict(learner.concepts, population.points)
    return trial_on(learner, table, population, alpha, labels=labels)


def trial_on(
    learner: GenericLearner[Any],
    table: Restriction,
    population: Population,
    alpha: Fraction,
    *,
    labels: int = 1,
) -> Trial:
    """Prepare the same on the points of a restricted class, all of which the population names."""
    named = Population(np.arange(len(table.points)), population.masses, population.positive)
    scale = math.lcm(*(f.denominator for f in (*named.masses, *named.positive))) ** 2
    rows = zip(named.masses, named.positive, strict=True)
    tilt = np.array([int(m * (1 - 2 * p) * scale) for m, p in rows], dtype=object)
    errors = table.labels.astype(object) @ tilt  # up to one constant, the error of "always no"
    bad = np.array(errors - min(errors) > alpha * scale, dtype=np.bool_)
    best = table.labels[int(np.argmin(errors))]
    limit = alpha + named.error(Row(0, tuple(best)))
    small: Any = table
    restricted = GenericLearner(small, epsilon=learner.epsilon, agnostic=learner.agnostic)
    return Trial(restricted, named, limit, bad, labels)


@lru_cache(maxsize=4)
def _uniforms(runs: int, n: int, seed: int) -> NDArray[np.float64]:
    """Return the same numbers for all populations, so that these are compared on equal terms."""
    return (Seeded(seed).words(runs * n).astype(np.float64) * 2.0**-64).reshape(runs, n)


def _gains(population: Population, uniforms: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn each uniform number into a row; return for each run the gain of each point."""
    rows = enumerate(zip(population.masses, population.positive, strict=True))
    parts = [(i, way, m * q) for i, (m, p) in rows for way, q in ((1, p), (-1, 1 - p)) if m * q]
    bars = [float(bar) for bar in accumulate(part for _, _, part in parts)][:-1]
    runs, n = uniforms.shape
    below = [(uniforms < bar).sum(axis=1) for bar in bars]
    counts = np.diff([np.zeros(runs), *below, np.full(runs, n)], axis=0)
    gains = np.zeros((runs, len(population.masses)))
    for (i, way, _), count in zip(parts, counts, strict=True):
        gains[:, i] += way * count
    return gains
