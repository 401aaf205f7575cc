"""Counts modelled by hidden classes: post-processing of a noisy histogram.

Within a class all attributes are independent. With enough classes every distribution is of that
kind; with few of them there is little to learn but how the attributes hang together.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.sanitizers.cells.expectation import Table, expected

ROUNDS, EXACT = 150, 10
PRIOR = 1.0
"""So many rows are added to each value in each class."""
GOLDEN = (5**0.5 - 1) / 2
SMALL = 1e-9


def latent_classes(
    noisy: NDArray[Any], shape: tuple[int, ...], total: int, ratio: float, classes: int
) -> Table:
    """Return a model of the counts with so many classes, from counts with noise of this ratio.

    Alternately the counts are expected from the model and the noisy counts, and the shares of the
    classes and of the values in each are those of the expected rows [DLR77].

    >>> latent_classes(np.array([9, 1, -2, 12]), (2, 2), 20, 0.4, 2).round(0).tolist()
    [6.0, 2.0, 2.0, 9.0]
    """
    shares = np.full(classes, 1 / classes)
    values = _start(shape, classes)
    for done in range(ROUNDS):
        joint = _joint(shares, values)
        model = total * joint.sum(axis=1) + SMALL
        exact = done >= ROUNDS - EXACT
        given = expected(noisy, model, total=total, ratio=ratio, exact=exact).clip(0.0)
        held = joint * (total * given / model)[:, None]
        shares = (held.sum(axis=0) + SMALL) / (held.sum() + classes * SMALL)
        for i in reversed(range(len(shape))):
            cut = held.reshape(-1, shape[i], classes)
            seen, held = cut.sum(axis=0) + PRIOR, cut.sum(axis=1)
            values[i] = seen / seen.sum(axis=0)
    fitted: Table = total * _joint(shares, values).sum(axis=1) + SMALL
    return fitted


def parameters(shape: tuple[int, ...], classes: int) -> int:
    """Return how many numbers a model consists of.

    >>> parameters((2,) * 10, 4)
    43
    """
    return classes * (1 + sum(size - 1 for size in shape)) - 1


def _joint(shares: Table, values: list[Table]) -> Table:
    """Return the probability of each cell and class."""
    joint = shares[None, :]
    for table in values:
        joint = (joint[:, None, :] * table).reshape(-1, len(shares))
    return joint


def _start(shape: tuple[int, ...], classes: int) -> list[Table]:
    """Return values' shares in each class, none like another: multiples of the golden section."""
    numbers = np.arange(1, sum(shape) * classes + 1, dtype=np.float64)
    spread = 1 + (numbers * (numbers * GOLDEN % 1) % 1)
    tables = np.split(spread.reshape(-1, classes), np.cumsum(shape)[:-1])
    return [table / table.sum(axis=0) for table in tables]
