"""Promises in simulation: kept on every population, and not four times too dear on the worst."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.verify.enough.simulation import Population, alarm, failures

RUNS = 300


def kept(
    learner: Any, populations: dict[str, Population], goal: Accuracy, *, runs: int = RUNS
) -> int:
    """Assert that the promised rows fail no more than promised; return how many they are.

    A correct learner sets off each alarm with probability at most 1e-9.
    """
    n = int(learner.sample_size(goal))
    assert len(populations) >= 5
    for seed, (name, population) in enumerate(populations.items()):
        failed = failures(learner, population, n=n, limit=goal.alpha, runs=runs, rng=Seeded(seed))
        assert failed < alarm(runs, goal.beta), name
    return n


def needed(
    learner: Any, population: Population, goal: Accuracy, *, most: int, runs: int = RUNS
) -> int:
    """Estimate, to a part in 50 of `most`, from how many rows on the failures are at most beta."""
    low, high = 0, most
    while high - low > max(1, most // 50):
        middle = (low + high) // 2
        failed = failures(
            learner, population, n=middle, limit=goal.alpha, runs=runs, rng=Seeded(middle)
        )
        low, high = (low, middle) if failed <= runs * goal.beta else (middle, high)
    return high


def masses(*weights: Fraction | int) -> tuple[Fraction, ...]:
    """Return weights over their sum."""
    total = sum(map(Fraction, weights))
    return tuple(Fraction(weight) / total for weight in weights)
