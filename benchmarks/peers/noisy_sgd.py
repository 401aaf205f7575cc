"""Logistic regression by stochastic gradients with clipping and noise [Abadi et al. 2016].

Plain NumPy in double precision, Poisson batches; the noise is calibrated with Google's
dp_accounting for adding or removing a row, as is usual. Replacing a row moves a sum of clipped
gradients twice as far: with `replace`, the noise is twice as large.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from dp_accounting import dp_event, mechanism_calibration
from dp_accounting.rdp import RdpAccountant
from numpy.typing import NDArray

Array = NDArray[np.float64]
EPOCHS = 20
SETTINGS = ((1.0, 0.5), (1.0, 2.0), (2.0, 0.5), (0.5, 2.0))
"""Clipping norms and learning rates; the best for each table is reported, with hindsight."""


@dataclass(frozen=True, slots=True)
class NoisySgd:
    """The budget, whether rows are replaced, and one of the settings."""

    epsilon: float
    delta: float
    replace: bool
    setting: tuple[float, float]

    def fit(self, x: Array, y: NDArray[np.bool_], rng: Any) -> Array:
        """Return weights, the last one for the constant 1."""
        clip, rate = self.setting
        rows, n = np.column_stack((x, np.ones(len(x)))), len(x)
        batch = max(32, min(512, n // 10))
        steps = EPOCHS * math.ceil(n / batch)
        noise = _multiplier(self.epsilon, self.delta, batch / n, steps) * clip
        signs = np.where(y, 1.0, -1.0)
        weights = np.zeros(rows.shape[1])
        for step in range(steps):
            chosen = rng.random(n) < batch / n
            z = rows[chosen] * signs[chosen, None]
            gradients = z / (1 + np.exp(np.clip(z @ weights, -30, 30)))[:, None]
            norms = np.maximum(np.linalg.norm(gradients, axis=1, keepdims=True), 1e-12)
            total = (gradients * np.minimum(1, clip / norms)).sum(axis=0)
            total = total + rng.normal(size=len(weights)) * noise * (2 if self.replace else 1)
            weights = weights + rate / math.sqrt(1 + 10 * step / steps) * total / batch
        return weights


@lru_cache(maxsize=64)
def _multiplier(epsilon: float, delta: float, share: float, steps: int) -> float:
    def event(noise: float) -> Any:
        once = dp_event.PoissonSampledDpEvent(share, dp_event.GaussianDpEvent(noise))
        return dp_event.SelfComposedDpEvent(once, steps)

    bracket = mechanism_calibration.ExplicitBracketInterval(0.2, 200)
    found = mechanism_calibration.calibrate_dp_mechanism(
        RdpAccountant, event, epsilon, delta, bracket, tol=0.01
    )
    return float(found)
