"""What noisy counts and a model together say of the true counts: post-processing of a release.

Each true count is thought of as Poisson around the model's, and the noisy count as that with noise
whose probabilities go down by a known ratio with each step away from zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammainc, gammaincc, gammaln

Table = NDArray[np.float64]
LARGE = 500.0
"""Above so many rows Poisson and noise are taken for normal."""
SMALL = 1e-9
TINY = 1e-280


def variance_of(ratio: float) -> float:
    """Return the variance of the noise.

    >>> variance_of(0.5)
    4.0
    """
    return 2 * ratio / (1 - ratio) ** 2


def expected(
    noisy: NDArray[Any], model: Table, *, total: int, ratio: float, exact: bool = True
) -> Table:
    """Return the expected counts, given their sum; some may be below zero.

    Unless `exact`, each of model and noisy count is weighed by its precision, as if all were
    normal, which is faster.

    >>> near = expected(np.array([9, -1]), np.array([4.0, 4.0]), total=8, ratio=0.5, exact=False)
    >>> near.tolist()
    [6.5, 1.5]
    """
    left = model / (model + variance_of(ratio))
    counts = posterior(noisy, model, ratio)[0] if exact else model + left * (noisy - model)
    summed: Table = counts + (total - counts.sum()) * left / left.sum()
    return summed


def posterior(noisy: NDArray[Any], model: Table, ratio: float) -> tuple[Table, Table]:
    """Return each count's expectation, and the logarithm of its noisy one's probability.

    Up to the noisy count y the joint probabilities are those of a Poisson variable of mean
    model / ratio, but for a factor, and above y of one of mean model * ratio.

    >>> mean, log = posterior(np.array([3]), np.array([2.0]), 0.5)
    >>> mean.round(4).tolist(), np.exp(log).round(4).tolist()
    ([2.446], [0.1521])
    """
    variance = variance_of(ratio)
    spread = model + variance
    mean = model + model / spread * (noisy - model)
    log = -((noisy - model) ** 2 / spread + np.log(2 * np.pi * spread)) / 2
    at = np.flatnonzero((model / ratio < LARGE) & (noisy < LARGE))
    y, low, high = noisy[at], model[at] / ratio, model[at] * ratio
    steps = y * np.log(ratio)
    top = np.maximum(steps + low, high - steps)
    below, above = np.exp(steps + low - top), np.exp(high - steps - top)
    ends = np.maximum(y, 0) + 1.0
    up_to = np.where(y < 0, 0.0, gammaincc(ends, low))
    beyond = np.where(y < 0, 1.0, gammainc(ends, high))
    joint = below * up_to + above * beyond
    before = up_to - _at(y, low)
    moment = low * below * before + high * above * (beyond + _at(y, high))
    fine = joint > TINY
    mean[at[fine]] = moment[fine] / joint[fine]
    constant = np.log((1 - ratio) / (1 + ratio)) - model[at] + top
    log[at[fine]] = (np.log(np.maximum(joint, TINY)) + constant)[fine]
    return mean, log


def _at(value: NDArray[Any], centre: Table) -> Table:
    """Return the probability of the values under Poisson laws."""
    held = np.maximum(value, 0)
    log = held * np.log(centre) - centre - gammaln(held + 1.0)
    return np.where(value < 0, 0.0, np.exp(log))


def brought_back(noisy: NDArray[Any], model: Table, ratio: float) -> Table:
    """Return the model nearer to the noisy counts, as far as these vary more than it explains.

    How much the truth varies around the model beyond Poisson, over its square, is estimated.
    """
    spread = model + variance_of(ratio)
    excess = ((noisy - model) ** 2 - spread).sum() / (model**2).sum()
    wide = max(0.0, float(excess)) * model**2
    return np.maximum(model + wide / (wide + spread) * (noisy - model), SMALL)
