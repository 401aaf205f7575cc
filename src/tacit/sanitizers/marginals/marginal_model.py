"""A distribution over all cells that fits noisy marginals: post-processing of releases."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.algebra.parities import walsh_hadamard
from tacit.sanitizers.contract.attributes import Attributes
from tacit.sanitizers.contract.rounding import simplex
from tacit.sanitizers.marginals.array_axes import AxisCut

Table = NDArray[np.float64]
AttributeSet = tuple[int, ...]
Told = tuple[AttributeSet, tuple[int, ...], float]
"""A set of attributes, the noisy counts that were released of it, and the noise's variance."""
SMALL = 1e-6
"""Rows that are added above and below a quotient: nothing is divided by 0."""
STEADY = 1e-9
"""A share of the drawn variance that is added to the noise, lest a matrix be singular in floats."""
CLEAR, SURE = 16.0, 25.0
"""An interaction is fitted if its square is so many times its variance; of bits, the second."""
STEPS, SWEEPS, LAST = 64, 2, 16
"""Rounds in which interactions join, sweeps after each of them, and sweeps at the end, by trial."""
PORTION = 6
"""Of those that are clear, one in so many joins at once: what joins explains others."""


@dataclass(slots=True)
class MarginalModel:
    """Expected counts of all cells, from the interactions of attributes that noise cannot explain.

    A table over a set of attributes is the sum of an interaction for each subset: what a marginal
    says beyond all smaller ones. Of each the estimates of all releases are averaged, weighed by
    their precision. The model starts uniform. Where it is off by clearly more than noise and the
    drawing of rows, the interaction joins those that are fitted, by scaling in turn: the model of
    greatest entropy with these interactions [Csi75]. The others stay near what it says, so their
    noise is not learned.

    >>> model = MarginalModel(Attributes.binary(2), 100)
    >>> model.observe((0,), np.array([80, 20]), 1.0)
    >>> model.observe((1,), np.array([51, 49]), 1.0)
    >>> model.finished().round(1).tolist()
    [40.8, 39.2, 10.2, 9.8]
    """

    attributes: Attributes
    n: int
    cells: NDArray[np.float64] = field(init=False)
    sums: dict[AttributeSet, tuple[float, Any]] = field(default_factory=dict)
    fitted: list[AttributeSet] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.cells = np.full(self.attributes.size, self.n / self.attributes.size)

    def copy(self) -> MarginalModel:
        """Return a model that can be changed without changing this one."""
        twin = MarginalModel(self.attributes, self.n, dict(self.sums), list(self.fitted))
        twin.cells = self.cells.copy()
        return twin

    def observe(self, chosen: AttributeSet, noisy: NDArray[np.int64], variance: float) -> None:
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

    def observe_parities(self, told: Iterable[tuple[AttributeSet, int]], variance: float) -> None:
        """Fit noisy numbers of rows with an even sum over some bits, times `scales`."""
        terms, told = [], list(told)
        times = scales(max(len(chosen) for chosen, _ in told))
        for chosen, seen in told:
            scale = times[len(chosen) - 1]
            signs = 1 - 2 * (np.indices((2,) * len(chosen)).sum(axis=0) % 2)
            table = (2 * seen / scale - self.n) / signs.size * signs
            self._add(chosen, table, 4 * variance / (scale**2 * signs.size))
            terms.append(chosen)
        self._learn(terms)

    def finished(self) -> NDArray[np.float64]:
        """Fit all that is clear once more, and return counts of all cells; some may be negative.

        What is not clear may be small, or chance in the drawing of the rows: of bits it is
        `predicted`; else a share of it is added.
        """
        self._learn(list(self.sums))
        for _ in range(LAST):
            self._sweep(self.fitted)
        if self._bits:
            return predicted(self.cells, self.sums, self.fitted)
        return self._shrunk()

    def _shrunk(self) -> NDArray[np.float64]:
        """Add to the model a share of each interaction that is not clear.

        Of all interactions of as many attributes, how much they vary beyond noise is estimated, and
        the share is what is due to that [JS61].
        """
        wanted = self.cells.reshape(self.attributes.shape).copy()
        rest = [t for t in self.sums if t not in self.fitted]
        for width in {len(t) for t in rest}:
            off = self._off([t for t in rest if len(t) == width])
            noise = sum(self._freedom(t) / self.sums[t][0] for t in off)
            squared = sum(float((table**2).sum()) for table in off.values())
            beyond = max(0.0, squared - noise) / max(1, sum(map(self._freedom, off)))
            for term, table in off.items():
                share = beyond / (beyond + 1 / self.sums[term][0])
                thin = [s if i in term else 1 for i, s in enumerate(wanted.shape)]
                wanted += (share * table.size / wanted.size * table).reshape(thin)
        return wanted.ravel()

    def _add(self, term: AttributeSet, table: NDArray[np.float64], variance: float) -> None:
        precision, before = self.sums.get(term, (0.0, 0.0))
        self.sums[term] = (precision + 1 / variance, before + _interaction(table) / variance)

    def _learn(self, terms: list[AttributeSet]) -> None:
        """Let interactions join, small sets and the clearest ones first, and fit all of them."""
        for _ in range(STEPS):
            off = self._off([t for t in terms if t not in self.fitted])
            excess = {t: self._excess(t, table) for t, table in off.items()}
            least = min((len(t) for t in excess if excess[t] > 0), default=0)
            clear = [t for t in excess if excess[t] > 0 and len(t) == least]
            if not clear:
                break
            clear.sort(key=lambda t: -excess[t])
            self.fitted += clear[: max(1, len(clear) // PORTION)]
            for _ in range(SWEEPS):
                self._sweep(self.fitted)

    def _excess(self, term: AttributeSet, off: NDArray[np.float64]) -> float:
        """Return how many times its variance the square of an interaction is, beyond what is clear.

        It varies by noise; and by the drawing of rows from the model, which of bits is predicted.
        """
        precision, total = self.sums[term]
        squared = float((off**2).sum())
        if not self._bits:
            return squared * precision / max(1, self._freedom(term)) - CLEAR
        now, n = total / precision - off, max(1, self.n)
        drawn = max(0.0, n / off.size - float((now**2).sum()) / n)
        return squared / (1 / precision + drawn) - SURE

    @property
    def _bits(self) -> bool:
        return set(self.attributes.shape) == {2}

    def _off(self, terms: list[AttributeSet]) -> dict[AttributeSet, NDArray[np.float64]]:
        """Return by how much interactions differ from the model's."""
        off: dict[AttributeSet, NDArray[np.float64]] = {}
        if terms:
            tables = self.attributes.marginals(self.cells, max(map(len, terms)))
        for term in terms:
            precision, total = self.sums[term]
            now = tables[term].reshape([self.attributes.shape[i] for i in term])
            off[term] = total / precision - _interaction(now)
        return off

    def _freedom(self, term: AttributeSet) -> int:
        return prod(self.attributes.shape[i] - 1 for i in term)

    def _sweep(self, terms: list[AttributeSet]) -> None:
        for term in terms:
            cut = self._cut(term)
            now = cut.marginal
            precision, total = self.sums[term]
            off = total / precision - _interaction(now)
            wanted = simplex((now + off).ravel(), self.n).reshape(now.shape)
            cut.scale((wanted + SMALL) / (now + SMALL))

    def _cut(self, term: AttributeSet) -> AxisCut:
        return AxisCut.of(self.cells, self.attributes.shape, term)


def scales(width: int) -> tuple[int, ...]:
    """Return how often the rows are counted in parities of 1, 2, ... bits: most in those of few.

    >>> scales(2), scales(3)
    ((2, 1), (6, 3, 1))
    """
    return ((1,), (2, 1), (6, 3, 1))[min(width, 3) - 1]


def _interaction(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what a table says beyond its margins: all sums along an axis are zero.

    >>> _interaction(np.array([[3.0, 1.0], [1.0, 1.0]])).tolist()
    [[0.5, -0.5], [-0.5, 0.5]]
    """
    for axis in range(table.ndim):
        table = table - table.mean(axis=axis, keepdims=True)
    return table


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
    noise, model = wide / precision, walsh_hadamard(cells.astype(np.float64))
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
    expected: Table = cells * walsh_hadamard(tilt) + walsh_hadamard(added)
    return expected


def _beyond(off: Table, drawn: Table, noise: Table) -> float:
    """Return how much parities vary beyond noise and drawing, less its own standard deviation."""
    chance = drawn + np.diag(noise)
    usual = np.sqrt(2 * (chance**2).sum()) / len(off)
    return max(0.0, float((off**2 - np.diag(chance)).mean() - usual))
