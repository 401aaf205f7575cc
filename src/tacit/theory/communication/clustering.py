"""The least that a deterministic protocol errs under a prior: over all partitions of concepts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.kernels import clustering as kernel
from tacit.kernels.deadline import NO_LIMIT, Deadline, work_until

BITS = 60
"""Longer weights are rounded down to so many bits in all, and what that leaves open is listed."""

LISTED = 1 << 14
"""So many partitions are compared in full."""


@dataclass(frozen=True, slots=True, eq=False)
class BestPartition:
    """Messages for the concepts, and a weight that no messages err less than.

    `cells` err exactly `least`, unless `exact` is false: then more partitions than could be listed
    are as good after rounding.
    """

    least: int
    cells: NDArray[np.int64]
    exact: bool


def best_partition(
    truth: NDArray[np.bool_], prior: NDArray[Any], messages: int, deadline: Deadline = NO_LIMIT
) -> BestPartition | None:
    """Return the best deterministic protocol under integer weights of (concept, point).

    None if the deadline is over before that is known.

    Exactness:
        Integers throughout, of any length. Long weights are rounded down for the dynamic program;
        rounding changes what a protocol errs by less than one a (concept, point), so the best one
        is among those that then err at most so much more than the least, and these are compared.

    Cost:
        Less than 3^n / 4 steps for n concepts, and 2^n for each point.

    >>> eye = np.eye(3, dtype=bool)
    >>> found = best_partition(eye, np.ones((3, 3), dtype=np.int64), 2)
    >>> found.least, found.cells.tolist()
    (2, [0, 0, 1])
    """
    n, parts = len(truth), min(messages, len(truth))
    prior = prior.astype(object)
    shift = max(0, int(prior.sum()).bit_length() - BITS)
    rough = (prior >> shift).astype(np.int64)
    single = kernel.subset_costs(np.where(truth, rough, -rough))
    tables, whole = [single], (1 << n) - 1
    with work_until(deadline) as work:
        for k in range(2, parts + 1):
            low, high = (whole, 1 << n) if k == parts else (0, 1 << (n - parts + k))
            tables.append(kernel.one_more(single, tables[-1], low, high, work))
        if work[0] < 0:
            return None
    least = int(tables[-1][-1])
    flat = np.concatenate(tables)
    starts = np.cumsum([0, 0, *map(len, tables)])

    def listed(bound: int, most: int) -> tuple[int, NDArray[np.int64]]:
        found = np.empty((most, n), dtype=np.int64)
        cells = np.zeros(n, dtype=np.int64)
        count = kernel.partitions(flat, starts, parts, whole, bound, cells, found, 0)
        for each in found[:count]:
            kernel.rename(each)
        return count, found[:count]

    if not shift:
        return BestPartition(least, listed(least, 1)[1][0], exact=True)
    count, found = listed(least + int((prior != 0).sum()), LISTED)
    if count > LISTED:
        return BestPartition(least << shift, found[0], exact=False)
    signed = np.where(truth, prior, -prior)
    return min(
        (BestPartition(_error(signed, cells), cells, exact=True) for cells in found),
        key=lambda best: best.least,
    )


def _error(signed: NDArray[Any], cells: NDArray[np.int64]) -> int:
    """Return what messages err under weights that are negative where the concept says no."""
    right = sum(abs(signed[cells == k].sum(axis=0)).sum() for k in np.unique(cells))
    return int(abs(signed).sum() - right) // 2
