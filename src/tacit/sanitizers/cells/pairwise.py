"""Counts modelled by attributes that interact in pairs: post-processing of a noisy histogram."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.sanitizers.cells.expectation import Table, expected
from tacit.sanitizers.contract.rounding import simplex
from tacit.sanitizers.marginals.array_axes import AxisCut

Pair = tuple[int, int]
ROUNDS, EXACT = 40, 10
SMALL = 1e-9


def pairwise(
    noisy: NDArray[Any],
    shape: tuple[int, ...],
    total: int,
    ratio: float,
    pairs: Iterable[Pair] | None = None,
) -> Table:
    """Return a model of the counts, from counts with noise of this ratio.

    Alternately the counts are expected from the model and the noisy counts, and the model is fitted
    to all pairs of these, or to those told, by one round of scaling in turn [Csi75].

    >>> pairwise(np.array([9, 1, -2, 12]), (2, 2), 20, 0.4).round(1).tolist()
    [8.2, 0.5, 0.0, 11.2]
    """
    chosen = tuple(combinations(range(len(shape)), 2)) if pairs is None else tuple(pairs)
    model = np.full(noisy.size, total / noisy.size)
    estimate = simplex(noisy, total)
    for done in range(ROUNDS):
        for pair in chosen:
            wanted, now = (AxisCut.of(t, shape, pair) for t in (estimate, model))
            now.scale((wanted.marginal + SMALL) / (now.marginal + SMALL))
        exact = done >= ROUNDS - EXACT
        given = expected(noisy, model + SMALL, total=total, ratio=ratio, exact=exact)
        estimate = simplex(given, total)
    return model + SMALL


def clearest_tree(table: Table, shape: tuple[int, ...]) -> list[Pair]:
    """Return pairs that join all attributes and together say most of each other [CL68].

    >>> clearest_tree(np.array([36.0, 9, 1, 4, 4, 1, 9, 36]), (2, 2, 2))
    [(0, 1), (1, 2)]
    """
    said = {}
    for pair in combinations(range(len(shape)), 2):
        joint = AxisCut.of(table, shape, pair).marginal + SMALL
        apart = joint.sum(axis=0) * joint.sum(axis=1, keepdims=True) / joint.sum()
        said[pair] = float((joint * np.log(joint / apart)).sum())
    part, tree = list(range(len(shape))), []
    for one, other in sorted(said, key=lambda pair: (-said[pair], pair)):
        if part[one] != part[other]:
            tree.append((one, other))
            part = [part[one] if p == part[other] else p for p in part]
    return sorted(tree)
