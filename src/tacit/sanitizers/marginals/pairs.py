"""Synthetic rows of many columns: all pairs are measured, and rows are matched to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core import Exact, InvalidArgument, Privacy, Random, TooLarge, check, hold
from tacit.core.chance.law import Law
from tacit.core.composition import calibrate
from tacit.core.cost import Cost, Gaussian, Sequential
from tacit.mechanisms import DiscreteGaussian, DiscreteGaussianVector
from tacit.sanitizers.contract.attributes import LARGEST, counted
from tacit.sanitizers.contract.rounding import simplex
from tacit.sanitizers.contract.synthetic import SyntheticRows
from tacit.sanitizers.marginals.marginal import CHECK, clipped_law
from tacit.sanitizers.marginals.matched_rows import most_random
from tacit.statistics import Counts

Table = NDArray[np.float64]

TIMES = 2
"""Tables of the outcome with each other attribute are counted so many times over before noise is
added: what is then divided has half the deviation, and that of all tables grows by a quarter for 10
attributes, by a fifth for 15."""


@dataclass(frozen=True, slots=True)
class PairSanitizer:
    """Measure the table of each pair of attributes, and make rows that have nearly these tables.

    What a noisy table says beyond its margins is shrunk as far as it may be noise [JS61]. Rows are
    drawn from the most random table that has these pairs, so what no pair says stays as it would be
    by chance, or as if attributes were independent; then single values change while that brings the
    tables nearer, and the nearer rows are taken. At last the greatest error of the rows over all
    conjunctions of up to `width` attributes, a number that one row moves by 1, is released with
    noise. Where one of the attributes is the `outcome` that others shall foretell, its tables have
    less noise than the others.

    Guarantee:
        rho-zCDP, in two parts as `cost` lists them. With probability at least 1 - beta no
        conjunction of at most `width` attributes is off by more than `promised(rows, beta)`, for
        every database.

    Exactness:
        Noise as `DiscreteGaussian`, clipped to public ends, at last to 0 and n. The rows are a
        function of what was released, and computed in floats.

    Cost:
        As the tree of `cost`; time linear in the rows, for each pair, and in the check for each
        set of `width` attributes. The number of cells does not matter.

    >>> from tacit.core.chance.randomness import Seeded
    >>> sanitizer = PairSanitizer([2, 3, 1000, 4], rho="1/50")
    >>> made = sanitizer(Counts.of([(0, 1, 7, 3), (1, 2, 900, 0)] * 5000), rng=Seeded(1))
    >>> made.n, float(sanitizer.promised(made, 0.05)) < 0.05
    (10000, True)

    Proof: docs/proofs/pair_sanitizer.md
    """

    shape: tuple[int, ...]
    rho: Fraction
    width: int
    outcome: int | None

    def __init__(
        self,
        shape: Sequence[int],
        *,
        rho: Exact,
        width: int | None = None,
        outcome: int | None = None,
    ) -> None:
        shape = tuple(check.count(values=s, least=1) for s in shape)
        hold(self, shape=shape).positive(rho=rho)
        hold(self).count(width=min(3, len(shape)) if width is None else width, least=1)
        if len(shape) < 2 or self.width > len(shape):
            raise InvalidArgument(f"width must be at most {len(shape)}, of two attributes or more")
        hold(self, outcome=outcome)
        if outcome is not None:
            check.count(outcome=outcome, up_to=len(shape) - 1)
        if pair_cells(shape) > LARGEST:
            raise TooLarge(f"there are {pair_cells(shape)} cells of pairs, more than {LARGEST}")

    @classmethod
    def within(
        cls,
        shape: Sequence[int],
        privacy: Privacy,
        *,
        width: int | None = None,
        outcome: int | None = None,
    ) -> PairSanitizer:
        """Return the sanitizer with the greatest rho that keeps this promise; it needs a delta."""
        if not privacy.delta:
            raise InvalidArgument("pairs are measured with Gaussian noise: give a delta above 0")
        made = partial(cls, shape, width=width, outcome=outcome)
        return made(rho=calibrate(privacy, lambda rho: made(rho=rho).cost))

    @property
    def cost(self) -> Cost:
        return Sequential(self._noise.cost, Gaussian(self._check.sigma_squared))

    def __call__(self, counts: Counts[Any], /, *, rng: Random) -> SyntheticRows:
        n, (rows, times) = counts.n, self._read(counts)
        noisy = np.clip(self._noise(self._pairs(rows, times), rng=rng), *self._ends(n))
        made = self.made(noisy.astype(np.int64), n)
        off = self._check(self._largest(rows, times, made), rng=rng)
        return SyntheticRows.of(self.shape, made, [min(max(int(off), 0), n)])

    def law(self, counts: Counts[Any], /) -> Law[SyntheticRows]:
        """Return the law of the rows, on few cells and rows; its slack is of Gaussian noise."""
        n, (rows, times) = counts.n, self._read(counts)

        def checked(told: tuple[int, ...]) -> Law[SyntheticRows]:
            made = np.array(_remade(self, told, n), dtype=np.int64).reshape(-1, len(self.shape))
            off = self._largest(rows, times, made)
            seen = clipped_law(self._check.sigma_squared, (off,), 0, n)
            return seen.map(lambda least: SyntheticRows.of(self.shape, made, least))

        values = tuple(self._pairs(rows, times).tolist())
        return clipped_law(self._noise.sigma_squared, values, *self._ends(n)).then(checked)

    def promised(self, made: SyntheticRows, beta: Exact) -> Fraction:
        """Return the error that is promised for these rows: what was measured, and its noise."""
        off = made.deviations[0] + self._check.deviation(beta) - 1
        return min(Fraction(1), Fraction(off, made.n)) if made.n else Fraction(1)

    def made(self, noisy: NDArray[np.int64], n: int) -> NDArray[np.int64]:
        """Make rows that have nearly these tables; a function of public things."""
        return rows_like(self.shape, noisy, n, float(self._noise.sigma_squared), self.outcome)

    def _largest(
        self, rows: NDArray[np.int64], times: NDArray[np.int64], made: NDArray[np.int64]
    ) -> int:
        """Return the greatest error of the rows over all conjunctions: one of each width is due."""
        return max(
            int(abs(counted(rows, self.shape, c, times) - counted(made, self.shape, c)).max())
            for width in range(1, self.width + 1)
            for c in self._sets(width)
        )

    def _pairs(self, rows: NDArray[np.int64], times: NDArray[np.int64]) -> NDArray[np.int64]:
        told = [
            times_of(pair, self.outcome) * counted(rows, self.shape, pair, times)
            for pair in self._sets(2)
        ]
        return np.concatenate(told)

    def _ends(self, n: int) -> tuple[int, int]:
        """Between what the counts of pairs are clipped."""
        most = n if self.outcome is None else TIMES * n
        return -most, 2 * most

    def _read(self, counts: Counts[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return rows of codes and how often each occurs; a row that is none has code 0 everywhere.

        Codes outside are clipped: each row is read by itself.
        """
        width, times = len(self.shape), list(counts.table.values())
        names = [
            name
            if isinstance(name, tuple) and len(name) == width and set(map(type, name)) == {int}
            else (0,) * width
            for name in counts.table
        ]
        rows = [[min(max(c, 0), s - 1) for c, s in zip(n, self.shape, strict=True)] for n in names]
        rows.append([0] * width)
        times.append(counts.n - sum(times))
        return np.array(rows, dtype=np.int64), np.array(times, dtype=np.int64)

    def _sets(self, width: int) -> combinations[tuple[int, ...]]:
        return combinations(range(len(self.shape)), width)

    @property
    def _noise(self) -> DiscreteGaussianVector:
        """A replaced row moves two counts of each pair by 1, or by `TIMES` with the outcome."""
        squared = 2 * sum(times_of(pair, self.outcome) ** 2 for pair in self._sets(2))
        return DiscreteGaussianVector(squared / (2 * (1 - CHECK) * self.rho), squared)

    @property
    def _check(self) -> DiscreteGaussian:
        return DiscreteGaussian(1 / (2 * CHECK * self.rho))


def times_of(pair: Sequence[int], outcome: int | None) -> int:
    """Return how many times over a table is counted."""
    return TIMES if outcome in pair else 1


def pair_cells(shape: Sequence[int]) -> int:
    """Return how many cells the tables of all pairs have together.

    >>> pair_cells([2, 3, 4])
    26
    """
    return (sum(shape) ** 2 - sum(s**2 for s in shape)) // 2


def rows_like(
    shape: tuple[int, ...],
    noisy: NDArray[np.int64],
    n: int,
    variance: float,
    outcome: int | None = None,
) -> NDArray[np.int64]:
    """Make n rows that have nearly these tables of all pairs, each cell with so much noise."""
    tables, start = dict[tuple[int, ...], Table](), 0
    for pair in combinations(range(len(shape)), 2):
        sizes = [shape[i] for i in pair]
        held = noisy[start : start + sizes[0] * sizes[1]].reshape(sizes)
        tables[pair] = held / times_of(pair, outcome)
        start += held.size
    spread = {pair: variance / times_of(pair, outcome) ** 2 for pair in tables}
    alone = [simplex(_alone(shape, tables, spread, i), n) for i in range(len(shape))]
    wanted = {
        pair: _shrunk(t, np.outer(*(alone[i] for i in pair)) / max(n, 1), spread[pair])
        for pair, t in tables.items()
    }
    return most_random(n, shape, alone, wanted)


def _alone(
    shape: tuple[int, ...],
    tables: Mapping[tuple[int, ...], Table],
    spread: Mapping[tuple[int, ...], float],
    i: int,
) -> Table:
    """Average the margins of an attribute, weighed by their precision: short sums are good."""
    held = [(pair, pair.index(i)) for pair in tables if i in pair]
    weights = [1 / (shape[pair[1 - place]] * spread[pair]) for pair, place in held]
    margins = [tables[pair].sum(axis=1 - place) for pair, place in held]
    return np.average(margins, axis=0, weights=weights)


def _shrunk(table: Table, alone: Table, variance: float) -> Table:
    """Return what independence says, and of what the table adds the share that is due.

    How much cells vary beyond noise is estimated for the whole table, and laid upon the cells in
    proportion to what independence expects there.
    """
    off = table - alone
    off = off - off.mean(axis=0, keepdims=True)
    off = off - off.mean(axis=1, keepdims=True)
    free = (table.shape[0] - 1) * (table.shape[1] - 1)
    weight = np.maximum(alone, 0.5)
    beyond = max(0.0, float((off**2).sum()) - free * variance) * weight / weight.sum()
    shrunk: Table = alone + off * beyond / (beyond + variance)
    return shrunk


@lru_cache(maxsize=1 << 15)
def _remade(sanitizer: PairSanitizer, told: tuple[int, ...], n: int) -> tuple[int, ...]:
    return tuple(sanitizer.made(np.array(told), n).ravel().tolist())
