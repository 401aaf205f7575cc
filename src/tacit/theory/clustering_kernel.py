"""Least-cost partitions of concepts by dynamic programming over all subsets, in integers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange

from tacit.theory.bit_columns import compiled

PARALLEL = 1 << 13


@compiled
def subset_costs(signed: Any) -> Any:
    """Return for each set of concepts what it errs if one answer a point serves all of it.

    `signed[c, x]` is the weight of (c, x), negative where the concept says no. At a point the
    answer with more weight is given: the set errs (all weight - |sum of signed weights|) / 2.
    """
    n, m = signed.shape
    size = 1 << n
    cost = np.zeros(size, dtype=np.int64)
    weight = np.zeros(size, dtype=np.int64)
    line = np.zeros(size, dtype=np.int64)
    for x in range(m):
        for i in range(n):
            half = 1 << i
            for s in range(half):
                line[half + s] = line[s] + signed[i, x]
        for s in range(size):
            cost[s] -= abs(line[s])
    for i in range(n):
        half, total = 1 << i, np.int64(0)
        for x in range(m):
            total += abs(signed[i, x])
        for s in range(half):
            weight[half + s] = weight[s] + total
    for s in range(size):
        cost[s] = (cost[s] + weight[s]) >> 1
    return cost


@compiled
def _least(one: Any, other: Any, t: Any) -> Any:
    least = one[0] + other[t]
    s = t
    while s:
        least = min(least, one[s] + other[t ^ s])
        s = (s - 1) & t
    return least


def _combine(one: Any, other: Any) -> Any:
    best = np.empty(one.shape[0], dtype=np.int64)
    for index in prange(one.shape[0]):
        best[index] = _least(one, other, np.int64(index))
    return best


_alone: Any = njit(cache=True, nogil=True)(_combine)
_together: Any = njit(cache=True, nogil=True, parallel=True)(_combine)


def combine(one: Any, other: Any) -> Any:
    """Return, for each set, the least sum over its cuts in two."""
    return (_alone if len(one) < PARALLEL else _together)(one, other)


@compiled
def cut(one: Any, other: Any, whole: Any) -> Any:
    """Return the part of a set that the first function gets in the best cut of it, and the sum."""
    least, part = one[0] + other[whole], 0
    s = whole
    while s:
        value = one[s] + other[whole ^ s]
        if value < least:
            least, part = value, s
        s = (s - 1) & whole
    return part, least


@compiled
def improve(signed: Any, cells: Any, messages: Any) -> Any:
    """Move single concepts between cells while the error falls; in place."""
    n, m = signed.shape
    sums = np.zeros((messages, m), dtype=np.int64)
    for c in range(n):
        for x in range(m):
            sums[cells[c], x] += signed[c, x]
    changed = True
    while changed:
        changed = False
        for c in range(n):
            here = cells[c]
            best, where = np.int64(0), here
            for k in range(messages):
                if k == here:
                    continue
                gain = np.int64(0)
                for x in range(m):
                    v = signed[c, x]
                    gain += abs(sums[k, x] + v) - abs(sums[k, x])
                    gain += abs(sums[here, x] - v) - abs(sums[here, x])
                if gain > best:
                    best, where = gain, k
            if where != here:
                for x in range(m):
                    sums[here, x] -= signed[c, x]
                    sums[where, x] += signed[c, x]
                cells[c] = where
                changed = True
    return cells
