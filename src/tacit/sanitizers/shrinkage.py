"""Estimated counts brought back towards the noisy ones, as far as these say more than noise would.

A table is the sum of its parts of order 0, 1, 2, ...: what it says of single attributes, of pairs
beyond those, and so on. An estimate by a model may miss something of each order. How far the noisy
counts are from it, in each order, shows how much: beyond what noise of known size explains, the
difference is there, and its share is given back [JS61]. This is post-processing of a release.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.sanitizers.rounding import simplex

Table = NDArray[np.float64]
ROUNDS = 30
NEAR = 1e-6


def brought_back(
    estimate: Table, noisy: NDArray[Any], shape: tuple[int, ...], *, variance: float, width: int
) -> Table:
    """Return non-negative counts with the estimate's sum, nearer to the noisy ones where it pays.

    >>> model = np.array([25.0, 25.0, 25.0, 25.0])
    >>> brought_back(model, np.array([40, 10, 10, 40]), (2, 2), variance=9.0, width=2).tolist()
    [39.8..., 10.1..., 10.1..., 39.8...]
    >>> brought_back(model, np.array([40, 9, 31, 20]), (2, 2), variance=1e3, width=2).tolist()
    [25.0, 25.0, 25.0, 25.0]
    """
    total = round(estimate.sum())
    wanted = estimate.reshape(shape).astype(np.float64)
    off = orders(noisy.reshape(shape) - wanted, width)
    for part, freedom in zip(off[1:], freedoms(shape, width)[1:], strict=True):
        squared = float((part**2).sum())
        noise = (freedom - 2 if freedom > 2 else freedom) * variance
        if squared > noise:
            wanted = wanted + (1 - noise / squared) * part
    counts = wanted
    for _ in range(ROUNDS):
        counts = simplex(counts.ravel(), total).reshape(shape)
        missing = np.sum(orders(wanted - counts, width), axis=0)
        if abs(missing).max() < NEAR:
            break
        counts = counts + missing
    return simplex(counts.ravel(), total)


def orders(table: Table, width: int) -> list[Table]:
    """Split off the parts of order 0 to `width`; each is as large as the table.

    Along one axis, what is constant and what sums to zero; over all axes, an order counts how often
    the second was taken.

    >>> [part.tolist() for part in orders(np.array([[3.0, 1.0], [1.0, 1.0]]), 1)]
    [[[1.5, 1.5], [1.5, 1.5]], [[1.0, 0.0], [0.0, -1.0]]]
    """
    parts = [table] + [np.zeros_like(table) for _ in range(width)]
    for axis in range(table.ndim):
        means = [np.broadcast_to(p.mean(axis=axis, keepdims=True), table.shape) for p in parts]
        varying = [np.zeros_like(table), *(p - m for p, m in zip(parts, means, strict=True))]
        parts = [mean + rest for mean, rest in zip(means, varying, strict=False)]
    return parts


def freedoms(shape: tuple[int, ...], width: int) -> list[int]:
    """Return how many numbers the part of each order consists of.

    >>> freedoms((2, 2, 3), 2)
    [1, 4, 5]
    """
    counted = [1] + [0] * width
    for size in shape:
        for order in range(width, 0, -1):
            counted[order] += counted[order - 1] * (size - 1)
    return counted
