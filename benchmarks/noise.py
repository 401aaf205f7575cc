"""Exact discrete noise beside OpenDP's, both from operating-system entropy."""

from __future__ import annotations

import numpy as np
import opendp.prelude as dp

from benchmarks.side_by_side import Row, compare
from tacit.core.chance.randomness import System
from tacit.mechanisms import DiscreteGaussianVector, DiscreteLaplace


def measure() -> list[Row]:
    """Measure vectors of discrete Laplace and Gaussian draws at a small and a large scale."""
    dp.enable_features("contrib")
    return [
        *(_laplace(10**6, scale) for scale in (1, 1000)),
        *(_gaussian(10**5, sigma) for sigma in (1, 1000)),
    ]


def _laplace(draws: int, scale: int) -> Row:
    zeros, rng = np.zeros(draws, dtype=np.int64), System()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
    ours, theirs = DiscreteLaplace(1, scale), dp.m.make_laplace(*space, scale=float(scale))
    return compare(
        f"{draws:.0e} discrete Laplace draws, scale {scale}",
        lambda: ours(zeros, rng=rng),
        "OpenDP make_laplace",
        lambda: theirs(zeros),
        bar=1 / 20,
        rounds=1,
    )


def _gaussian(draws: int, sigma: int) -> Row:
    zeros, rng = np.zeros(draws, dtype=np.int64), System()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l2_distance(T="f64")
    ours, theirs = DiscreteGaussianVector(sigma**2), dp.m.make_gaussian(*space, scale=float(sigma))
    return compare(
        f"{draws:.0e} discrete Gaussian draws, sigma {sigma}",
        lambda: ours(zeros, rng=rng),
        "OpenDP make_gaussian",
        lambda: theirs(zeros),
        bar=1 / 20,
        rounds=1,
    )
