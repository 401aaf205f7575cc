"""Draw rows of the most random table that has wanted counts of single attributes and of pairs.

How it works. That table is a product of one weight for each value and each pair of values [DLL97].
The weights are not known: in each turn they go up where the rows have too few, down where they have
too many, in proportion, and then every value of every row is drawn anew given the others. So rows
and weights move together to where the counts agree, but for the chance of drawing [You99]. What
looks like coins is a public sequence: the rows are a function of what is wanted.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.kernels.compiled import compiled

_FACTOR, _STEP = np.uint64(6364136223846793005), np.uint64(1442695040888963407)
_DROPPED = np.uint64(11)


@compiled
def redraw(
    rows: Any, shape: Any, alone: Any, wanted: Any, sets: Any, starts: Any, member: Any, turns: Any
) -> None:
    """Draw all values of the rows anew, so many times.

    `alone` has the wanted counts of single attributes, one attribute after the other, and `wanted`
    those of the pairs that `sets` lists, each from its place in `starts`; `member` says in which
    pairs an attribute is.
    """
    firsts = np.cumsum(shape) - shape
    base, theta = np.log(np.maximum(alone, 0.05)), np.zeros(len(wanted))
    single, double = np.zeros(len(alone)), np.zeros(len(wanted))
    chances, state = np.zeros(shape.max()), np.uint64(len(rows))
    for turn in range(turns):
        single[:], double[:] = 0.0, 0.0
        for row in range(len(rows)):
            for i in range(len(shape)):
                single[firsts[i] + rows[row, i]] += 1
            for p in range(len(sets)):
                i, j = sets[p]
                double[starts[p] + rows[row, i] * shape[j] + rows[row, j]] += 1
        _reweigh(shape, firsts, alone, single, wanted, double, sets, starts, theta, turn)
        base += 0.7 * (alone - single) / (alone + single + 1)
        for i in range(len(shape)):
            for row in range(len(rows)):
                state = state * _FACTOR + _STEP
                uniform = float(state >> _DROPPED) / 9007199254740992.0
                chances[: shape[i]] = base[firsts[i] : firsts[i] + shape[i]]
                for p in member[i]:
                    other, step = starts[p] + rows[row, sets[p, 1]], shape[sets[p, 1]]
                    if sets[p, 1] == i:
                        other, step = starts[p] + rows[row, sets[p, 0]] * shape[i], 1
                    for value in range(shape[i]):
                        chances[value] += theta[other + value * step]
                rows[row, i] = _drawn(chances[: shape[i]], uniform)


@compiled
def _reweigh(
    shape: Any,
    firsts: Any,
    alone: Any,
    single: Any,
    wanted: Any,
    double: Any,
    sets: Any,
    starts: Any,
    theta: Any,
    turn: Any,
) -> None:
    """Move the weights of pairs by what is off beyond single attributes; steps become smaller."""
    total = max(1.0, single[: shape[0]].sum())
    missing = (alone - single) / (alone + 0.5)
    for p in range(len(sets)):
        i, j = sets[p]
        for a in range(shape[i]):
            for b in range(shape[j]):
                x, y, cell = firsts[i] + a, firsts[j] + b, starts[p] + a * shape[j] + b
                usual = alone[x] * alone[y] / total
                off = wanted[cell] - double[cell] - usual * (missing[x] + missing[y])
                size = max(wanted[cell], 0.0) + double[cell] + usual + 2
                theta[cell] += off / size / (1 + 0.05 * turn)


@compiled
def _drawn(logs: Any, uniform: Any) -> Any:
    """Return a value with chances in proportion to exp(logs)."""
    sums = np.cumsum(np.exp(logs - logs.max()))
    value = 0
    while value < len(sums) - 1 and sums[value] <= uniform * sums[-1]:
        value += 1
    return value
