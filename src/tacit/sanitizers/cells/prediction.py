"""Rows drawn from a model of bits and counted with noise: the best linear prediction of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.float64]
AttributeSet = tuple[int, ...]
STEADY = 1e-9
"""A share of the drawn variance that is added to the noise, lest a matrix be singular in floats."""


def predicted(
    cells: Table, sums: Mapping[AttributeSet, tuple[float, Table]], fitted: Collection[AttributeSet]
) -> Table:
    """Return the counts expected of all cells; some may be negative.

    The model gives the counts of n rows that are drawn, `sums` noisy interactions of some bits (the
    precision, and the table times that). What is drawn moves many parities at once, in ways that
    the model knows: the covariance of two is n times the expected parity of the bits that are in
    one of them only. So each noisy parity tells of the others [Gol62]. Where those that are not
    fitted vary beyond noise and drawing, so much is granted to each, uniformly over the cells.

    >>> pair = {(0, 1): (1.0, np.array([[1.0, -1.0], [-1.0, 1.0]]))}
    >>> predicted(np.full(4, 25.0), pair, [(0, 1)]).round(2).tolist()
    [25.96, 24.04, 24.04, 25.96]
    """
    if not sums:
        return cells
    dims = cells.size.bit_length() - 1
    at = np.array([sum(1 << (dims - 1 - i) for i in chosen) for chosen in sums])
    wide = np.array([2.0 ** len(chosen) for chosen in sums])
    precision = np.array([each for each, _ in sums.values()])
    seen = wide * np.array([table.flat[0] for _, table in sums.values()]) / precision
    noise, model = wide / precision, walsh(cells)
    now, n = model[at], max(float(model[0]), 1.0)
    drawn = model[at[:, None] ^ at] - np.outer(now, now) / n
    free = np.array([chosen not in fitted for chosen in sums])
    beyond = np.zeros(len(at))
    for width in set(wide[free]):
        among = np.flatnonzero(free & (wide == width))
        beyond[among] = _beyond((seen - now)[among], drawn[np.ix_(among, among)], noise[among])
    steady = STEADY * float(np.diag(drawn).max(initial=0.0))
    weights = np.linalg.solve(drawn + np.diag(beyond + noise + steady), seen - now)
    tilt, added = (np.zeros(cells.size) for _ in range(2))
    tilt[at], added[at] = weights, beyond * weights / cells.size
    tilt[0] = 1 - float(now @ weights) / n
    return cells * walsh(tilt) + walsh(added)


def walsh(values: NDArray[Any]) -> Table:
    """Return, for each set of bits, the sum over all cells with the sign of its parity.

    >>> walsh(np.array([1.0, 2.0, 3.0, 4.0])).tolist()
    [10.0, -2.0, -4.0, 0.0]
    """
    sums = values.astype(np.float64)
    for bit in range(len(sums).bit_length() - 1):
        cut = sums.reshape(-1, 2, 1 << bit)
        cut[:, 0] += cut[:, 1]
        cut[:, 1] *= -2
        cut[:, 1] += cut[:, 0]
    return sums


def _beyond(off: Table, drawn: Table, noise: Table) -> float:
    """Return how much parities vary beyond noise and drawing, less its own standard deviation."""
    chance = drawn + np.diag(noise)
    usual = np.sqrt(2 * (chance**2).sum()) / len(off)
    return max(0.0, float((off**2 - np.diag(chance)).mean() - usual))
