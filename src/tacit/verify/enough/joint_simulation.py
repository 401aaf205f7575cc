"""How often a learner of k labels fails on some label."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from tacit.core import check
from tacit.core.chance.randomness import Random
from tacit.learners.contract.learner import MultiLearner
from tacit.statistics import JointCounts
from tacit.verify.enough.simulation import Population


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
    check.count(runs=runs, least=1)
    known: dict[Any, bool] = {}
    failed = 0
    for _ in range(runs):
        sample = draw_jointly(population, n, labels=learner.labels, rng=rng)
        bad = False
        for hypothesis in learner(sample, rng=rng):
            if hypothesis not in known:
                known[hypothesis] = population.error(hypothesis) > limit
            bad = bad or known[hypothesis]
        failed += bad
    return failed
