"""A distribution over all cells that fits noisy marginals: post-processing of releases."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.sanitizers.attributes import Attributes
from tacit.sanitizers.cut import Cut
from tacit.sanitizers.rounding import simplex

Chosen = tuple[int, ...]
Told = tuple[Chosen, tuple[int, ...], float]
"""A set of attributes, the noisy counts that were released of it, and the noise's variance."""
SMALL = 1e-6
CLEAR = 2.0
"""An interaction is fitted if its square is so many times what noise would make of it."""
STEPS, SWEEPS, LAST = 10, 2, 16


@dataclass(slots=True)
class MarginalModel:
    """Expected counts of all cells, from the interactions of attributes that noise cannot explain.

    A table over a set of attributes is the sum of an interaction for each subset: what a marginal
    says beyond all smaller ones. Of each the estimates of all releases are averaged, weighed by
    their precision. The model starts uniform. Where it is off by clearly more than noise, the
    interaction joins those that are fitted, by scaling in turn: the model of greatest entropy with
    these interactions [Csi75]. The others stay near what it says, so their noise is not learned.

    >>> model = MarginalModel(Attributes.binary(2), 100)
    >>> model.observe((0,), np.array([80, 20]), 1.0)
    >>> model.observe((1,), np.array([51, 49]), 1.0)
    >>> model.finished().round(1).tolist()
    [40.8, 39.2, 10.2, 9.8]
    """

    attributes: Attributes
    n: int
    cells: NDArray[np.float64] = field(init=False)
    sums: dict[Chosen, tuple[float, Any]] = field(default_factory=dict)
    fitted: list[Chosen] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.cells = np.full(self.attributes.size, self.n / self.attributes.size)

    def copy(self) -> MarginalModel:
        """Return a model that can be changed without changing this one."""
        twin = MarginalModel(self.attributes, self.n, dict(self.sums), list(self.fitted))
        twin.cells = self.cells.copy()
        return twin

    def observe(self, chosen: Chosen, noisy: NDArray[np.int64], variance: float) -> None:
        """Fit one more noisy marginal, whose counts have noise of this variance."""
        table = noisy.astype(np.float64).reshape([self.attributes.shape[i] for i in chosen])
        terms = []
        for width in range(1, len(chosen) + 1):
            for places in combinations(range(len(chosen)), width):
                rest = tuple(p for p in range(len(chosen)) if p not in places)
                part = table.sum(axis=rest)
                terms.append(tuple(chosen[p] for p in places))
                self._add(terms[-1], part, variance * table.size / part.size)
        self._learn(terms)

    def observe_parities(self, told: Iterable[tuple[Chosen, int]], variance: float) -> None:
        """Fit noisy numbers of rows with an even sum over some bits, a number for each set.

        For a single bit it is twice that number.
        """
        terms = []
        for chosen, seen in told:
            scale = 2 if len(chosen) == 1 else 1
            signs = 1 - 2 * (np.indices((2,) * len(chosen)).sum(axis=0) % 2)
            table = (2 * seen / scale - self.n) / signs.size * signs
            self._add(chosen, table, 4 * variance / (scale**2 * signs.size))
            terms.append(chosen)
        self._learn(terms)

    def finished(self) -> NDArray[np.float64]:
        """Fit all that is clear once more, the rest a little, and return the counts of all cells.

        What is not clear may be chance in the drawing of the n rows: of an interaction that the
        model already has, it makes n over the cells of its table. So the model takes over the share
        that is due to that, and not to noise.
        """
        self._learn(list(self.sums))
        for term in [t for t in self.sums if t not in self.fitted]:
            now = self._cut(term).marginal
            precision, total = self.sums[term]
            here, chance = _interaction(now), self.n / now.size
            share = chance / (chance + 1 / precision)
            self.sums[term] = (precision, share * total + (1 - share) * precision * here)
            self.fitted.append(term)
        for sweep in range(LAST):
            self._sweep(self.fitted, min(1.0, 8 / (1 + sweep)))
        return self.cells

    def _add(self, term: Chosen, table: NDArray[np.float64], variance: float) -> None:
        precision, before = self.sums.get(term, (0.0, 0.0))
        self.sums[term] = (precision + 1 / variance, before + _interaction(table) / variance)

    def _learn(self, terms: list[Chosen]) -> None:
        """Let interactions join, the clearest ones first, and fit these; at last fit all."""
        known = len(self.fitted)
        for _ in range(STEPS):
            excess = {t: self._excess(t) for t in terms if t not in self.fitted}
            clear = sorted((t for t in excess if excess[t] > 0), key=lambda t: -excess[t])
            if not clear:
                break
            self.fitted += clear[: max(1, len(clear) // 3)]
            for _ in range(SWEEPS):
                self._sweep([t for t in self.fitted if t in terms], 1.0)
        if known < len(self.fitted):
            self._sweep(self.fitted, 1.0)

    def _excess(self, term: Chosen) -> float:
        """Return how many times its noise the square of an interaction is, beyond what is clear."""
        now = self._cut(term).marginal
        precision, total = self.sums[term]
        off = total / precision - _interaction(now)
        return float((off**2).sum() * precision / max(1, prod(s - 1 for s in now.shape))) - CLEAR

    def _sweep(self, terms: list[Chosen], step: float) -> None:
        for term in terms:
            cut = self._cut(term)
            now = cut.marginal
            precision, total = self.sums[term]
            off = total / precision - _interaction(now)
            wanted = simplex((now + off).ravel(), self.n).reshape(now.shape)
            cut.scale(((wanted + SMALL) / (now + SMALL)) ** step)

    def _cut(self, term: Chosen) -> Cut:
        return Cut.of(self.cells, self.attributes.shape, term)


def _interaction(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what a table says beyond its margins: all sums along an axis are zero.

    >>> _interaction(np.array([[3.0, 1.0], [1.0, 1.0]])).tolist()
    [[0.5, -0.5], [-0.5, 0.5]]
    """
    for axis in range(table.ndim):
        table = table - table.mean(axis=axis, keepdims=True)
    return table
