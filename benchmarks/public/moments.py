"""Ridge regression from noisy moments [Wang 2018, AdaSSP]: one release, any number of settings.

The sums of x x' and of x y over rows cut to unit length get Gaussian noise, calibrated for replaced
rows with the exact condition of [Balle and Wang 2018]; the ridge is what the noise asks for, times
a setting.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.stats import norm

SETTINGS = (0.1, 1.0, 10.0)


@dataclass(frozen=True, slots=True)
class NoisyMoments:
    """The budget, and by what the ridge is multiplied."""

    epsilon: float
    delta: float
    setting: float

    def fit(self, x: NDArray[np.float64], y: NDArray[np.bool_], rng: Any) -> NDArray[np.float64]:
        """Return weights, the last one for the constant."""
        rows = np.column_stack((x, np.ones(len(x)))) / math.sqrt(x.shape[1] + 1)
        signs, d = np.where(y, 1.0, -1.0), rows.shape[1]
        # A replaced row moves x x' by at most sqrt(2) in norm, and x y by at most 2.
        noise = _sigma(self.epsilon, self.delta) * math.sqrt(6)
        upper = np.triu(rng.normal(size=(d, d))) * noise
        square = rows.T @ rows + upper + np.triu(upper, 1).T
        moved = rows.T @ signs + rng.normal(size=d) * noise
        ridge = self.setting * noise * math.sqrt(d)
        return np.asarray(np.linalg.lstsq(square + ridge * np.eye(d), moved)[0])


@lru_cache(maxsize=64)
def _sigma(epsilon: float, delta: float) -> float:
    """Return the noise for sensitivity 1."""

    def excess(sigma: float) -> float:
        a, b = 0.5 / sigma, epsilon * sigma
        return float(norm.cdf(a - b) - math.exp(epsilon) * norm.cdf(-a - b)) - delta

    return float(brentq(excess, 1e-2, 1e4))
