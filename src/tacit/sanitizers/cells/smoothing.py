"""Noisy counts made less noisy by the model that fits them best: post-processing of a release."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from math import prod
from typing import Any

from numpy.typing import NDArray

from tacit.sanitizers.cells.expectation import Table, brought_back, expected, posterior
from tacit.sanitizers.cells.latent_classes import latent_classes, parameters
from tacit.sanitizers.cells.pairwise import Pair, clearest_tree, pairwise
from tacit.sanitizers.contract.rounding import simplex

CLASSES = (2, 4, 8, 16, 32)
LARGEST = 1 << 23
WIDEST = 1 << 16
"""A model has at most so many cells, over all its classes."""


def affordable(shape: tuple[int, ...]) -> bool:
    """Whether two classes are much less than the table, and can be fitted in about a second.

    >>> affordable((2,) * 10), affordable((2,) * 20), affordable((1024,)), affordable((2, 2))
    (True, False, False, False)
    """
    pairs = len(shape) * (len(shape) - 1) // 2
    return 2 * parameters(shape, 2) <= prod(shape) and 0 < pairs * prod(shape) <= LARGEST


def smoothed(noisy: NDArray[Any], shape: tuple[int, ...], total: int, ratio: float) -> Table:
    """Return non-negative counts with this sum, from counts with noise of this ratio.

    Attributes may interact in pairs, in those of a tree, or by 2, 4, ... hidden classes. The model
    is taken that fits best, less the number of its parameters [Aka74]; then the counts are expected
    from it and from the noisy ones, as far as it fits. The caller checks if they may be used.

    >>> import numpy as np
    >>> smoothed(np.array([9, 1, -2, 12]), (2, 2), 20, 0.4).round(1).tolist()
    [8.2, 0.5, 0.0, 11.2]
    """
    models = list(_models(noisy, shape, total, ratio))
    best = max(models, key=lambda m: float(posterior(noisy, m[0], ratio)[1].sum()) - m[1])[0]
    near = brought_back(noisy, best, ratio)
    return simplex(expected(noisy, near, total=total, ratio=ratio), total)


def _models(
    noisy: NDArray[Any], shape: tuple[int, ...], total: int, ratio: float
) -> Iterator[tuple[Table, int]]:
    """Yield each model, with the number of its parameters."""
    every = pairwise(noisy, shape, total, ratio)
    yield every, _numbers(shape, combinations(range(len(shape)), 2))
    tree = clearest_tree(every, shape)
    yield pairwise(noisy, shape, total, ratio, tree), _numbers(shape, tree)
    for classes in CLASSES:
        if classes * noisy.size <= WIDEST and 2 * parameters(shape, classes) <= noisy.size:
            model = latent_classes(noisy, shape, total, ratio, classes)
            yield model, parameters(shape, classes)


def _numbers(shape: tuple[int, ...], pairs: Iterable[Pair]) -> int:
    """Return how many numbers a model of these pairs consists of."""
    return sum(s - 1 for s in shape) + sum((shape[i] - 1) * (shape[j] - 1) for i, j in pairs)
