"""Noisy counts made less noisy by what pairs of attributes say: post-processing of a release.

Each cell's count is thought of as Poisson around the cell of a model in which attributes interact
in pairs only. Alternately the model is fitted to the estimated counts (one round of iterative
proportional fitting), and the counts are estimated from the model and the noisy counts, each
weighed by its precision. Whether the result may be used is for the caller to check.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.sanitizers.rounding import simplex

ROUNDS = 40
LARGEST = 1 << 23
SMALL = 1e-9


def affordable(shape: tuple[int, ...]) -> bool:
    """Whether the model can be fitted in about a second.

    >>> affordable((2,) * 10), affordable((2,) * 20), affordable((1024,))
    (True, False, False)
    """
    pairs = len(shape) * (len(shape) - 1) // 2
    return 0 < pairs * int(np.prod(shape)) <= LARGEST


def smoothed(
    noisy: NDArray[Any], shape: tuple[int, ...], total: int, variance: float
) -> NDArray[np.float64]:
    """Return estimated counts with this sum, from counts with noise of this variance.

    >>> smoothed(np.array([9, 1, -2, 12]), (2, 2), 20, 2.0).round(1).tolist()
    [8.5, 0.0, 0.0, 11.5]
    """
    pairs = list(combinations(range(len(shape)), 2))
    cube = noisy.reshape(shape).astype(np.float64)
    model = np.full(shape, total / noisy.size)
    estimate = simplex(noisy, total).reshape(shape)
    for _ in range(ROUNDS):
        for pair in pairs:
            rest = tuple(i for i in range(len(shape)) if i not in pair)
            wanted = estimate.sum(axis=rest, keepdims=True) + SMALL
            model = model * (wanted / (model.sum(axis=rest, keepdims=True) + SMALL))
        spread = model + _misfit(cube, model, variance) * model**2
        drawn = model + spread / (spread + variance) * (cube - model)
        estimate = simplex(drawn.ravel(), total).reshape(shape)
    return estimate.ravel()


def _misfit(cube: NDArray[np.float64], model: NDArray[np.float64], variance: float) -> float:
    """Estimate how much more than Poisson the counts vary around the model, over its square."""
    excess = ((cube - model) ** 2 - variance - model).sum()
    return max(0.0, float(excess / (model**2).sum()))
