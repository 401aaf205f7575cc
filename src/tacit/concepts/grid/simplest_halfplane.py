"""The halfplane with the least weights among all that cut a square of integer points alike."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


def simplest(weights: Integers, thresholds: Integers, side: int) -> tuple[Integers, Integers]:
    """Return, row by row, the least weights that make the same cut of {0, ..., side - 1}^2.

    No cut may be constant. The directions that make a given cut form an open cone of at most a
    right angle. If it holds an axis, that axis is the answer; else the answer is the first vector
    of the Stern-Brocot tree inside the cone, which is least in both coordinates at once. The
    threshold is the least value of the weighted sum where the answer is yes.

    >>> w, theta = simplest(np.array([[200, -99]]), np.array([101]), 4)
    >>> w.tolist(), theta.tolist()
    ([[2, -1]], [1])
    """
    ways = np.where(weights < 0, -1, 1)
    offsets = (side - 1) * np.where(weights < 0, weights, 0).sum(axis=1)
    given = np.abs(weights)
    cuts = _cuts(given, thresholds - offsets, side)
    found = np.zeros_like(given)
    bounds = np.zeros_like(thresholds)
    left = np.broadcast_to(np.array([1, 0]), given.shape)
    right = np.broadcast_to(np.array([0, 1]), given.shape)
    open_ = np.arange(len(given))
    for trial in (left, right):
        open_ = _settle(open_, trial, cuts, found, bounds)
    left, right = left.copy(), right.copy()
    while len(open_):
        middle = left + right
        open_ = _settle(open_, middle, cuts, found, bounds)
        turn = middle[open_, 0] * given[open_, 1] - middle[open_, 1] * given[open_, 0]
        left[open_[turn > 0]] = middle[open_[turn > 0]]
        right[open_[turn < 0]] = middle[open_[turn < 0]]
    answer = found * ways
    return answer, bounds + (side - 1) * np.where(answer < 0, answer, 0).sum(axis=1)


def _cuts(weights: Integers, thresholds: Integers, side: int) -> Integers:
    """Return, for each row and column i, the least j with weights . (i, j) >= threshold."""
    rest = thresholds[:, None] - weights[:, :1] * np.arange(side, dtype=np.int64)
    steep = weights[:, 1:]
    first = -(-rest // np.maximum(steep, 1))
    return np.clip(np.where(steep > 0, first, np.where(rest <= 0, 0, side)), 0, side)


def _settle(
    open_: Integers, trial: Integers, cuts: Integers, found: Integers, bounds: Integers
) -> Integers:
    """Write down the trials that separate yes from no, and return the rows still open."""
    side = cuts.shape[1]
    cut = cuts[open_]
    base = trial[open_, :1] * np.arange(side, dtype=np.int64)
    far = np.int64(1) << 62
    yes = np.where(cut < side, base + trial[open_, 1:] * cut, far).min(axis=1)
    no = np.where(cut > 0, base + trial[open_, 1:] * (cut - 1), -far).max(axis=1)
    apart = no < yes
    found[open_[apart]] = trial[open_[apart]]
    bounds[open_[apart]] = yes[apart]
    return np.asarray(open_[~apart], dtype=np.int64)
