"""The exact exponential mechanism beside float Gumbel noise, and the cost of one release."""

from __future__ import annotations

import time

import numpy as np

from benchmarks.side_by_side import Row, compare
from tacit.core.chance.randomness import System
from tacit.mechanisms import Exponential, release
from tacit.statistics import ScoreProfile

CELLS = 10**6


def measure() -> list[Row]:
    """Measure selection among 10^6 cells at three temperatures, and a release among three."""
    rng, floats = System(), np.random.default_rng()
    scores = floats.integers(0, 10**6, CELLS)
    profile = ScoreProfile.of(scores)

    def rows(epsilon: str) -> Row:
        choose, half = Exponential(epsilon), float(Exponential(epsilon).epsilon) / 2
        return compare(
            f"exponential mechanism, 10^6 cells, epsilon={epsilon}",
            lambda: choose(profile, rng=rng),
            "NumPy Gumbel-max (float)",
            lambda: int(np.argmax(half * scores + floats.gumbel(size=CELLS))),
            bar=3.0,
        )

    small, choose = ScoreProfile.of([3, 1, 2]), Exponential(1)
    overhead = compare(
        "one release among 3 hypotheses",
        lambda: release(choose, small, rng=rng),
        "one millisecond",
        _one_millisecond,
        bar=1.0,
        rounds=201,
    )
    return [*(rows(epsilon) for epsilon in ("1/1000", "1", "20")), overhead]


def _one_millisecond() -> None:
    """Spin for a millisecond: the bar for a release, in the same units as everything else."""
    end = time.perf_counter() + 1e-3
    while time.perf_counter() < end:
        pass
