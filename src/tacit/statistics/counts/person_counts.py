"""The rows of each person: what every person gives as much to as any other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core import InvalidArgument, Random, TooLarge, check
from tacit.core.chance.coins import below, coins
from tacit.core.chance.permutation import permutation
from tacit.kernels.reading.places import Places
from tacit.kernels.reading.shares import shares
from tacit.statistics.counts.counts import Counts
from tacit.statistics.counts.joint_counts import JointCounts
from tacit.statistics.pieces_of_work import Spread, in_turn
from tacit.statistics.private import PUBLIC, Private

Ints = NDArray[np.int64]
MOST_DRAWS = 1 << 16
"""Ways to draw that are listed for a law at most."""
_LISTED = 1 << 22
_BITS = 62


@dataclass(frozen=True, slots=True, repr=False)
class PersonCounts(Private):
    """n persons, each with one row or more: codes of `features` columns, and marks after them.

    `codes` are the different rows; entries starts[i] to starts[i + 1] are person i's: `times` rows
    of those codes each. Persons are in the order of their identifiers, entries in that of codes.

    Guarantee:
        Replacing all rows of one person, by any number of others, replaces one person here. What is
        `drawn` is one row of each person, by coins of that person's own: so one row is replaced. A
        `mean` with a weight W are n W rows, W of which are each person's: so W are replaced.

    >>> rows = np.array([[3, 0], [3, 0], [7, 1]])
    >>> visits = PersonCounts.of(np.array([[5], [5], [9]]), rows, features=1)
    >>> repr(visits).startswith("PersonCounts(n=2, features=1, codes=<private>")
    True
    >>> from tacit.core.chance.randomness import Seeded
    >>> drawn = visits.drawn(rng=Seeded(1))
    >>> drawn.points.tolist(), drawn.totals.tolist(), visits.mean(60).totals.tolist()
    ([3, 7], [1, 1], [60, 60])
    """

    n: int = field(metadata=PUBLIC)
    features: int = field(metadata=PUBLIC)
    codes: Ints
    starts: Ints
    cells: Ints
    times: Ints
    spread: Spread = field(default=in_turn, repr=False, compare=False)

    @classmethod
    def of(
        cls, persons: Ints, rows: Ints, times: Ints | None = None, *, features: int
    ) -> PersonCounts:
        """Group rows of words, each there once or so many `times`, by the words of their person."""
        if not len(rows):
            none = np.zeros(0, dtype=np.int64)
            return cls(0, features, rows, np.zeros(1, dtype=np.int64), none, none)
        (who, _), (cells, listed) = _numbered(persons), _numbered(rows)
        bits, who = int(cells.max()).bit_length(), who - who.min()
        over = int(who.max()).bit_length() + bits - _BITS
        if over > 0 and len(_begins(np.sort(short := who >> over))) == len(_begins(np.sort(who))):
            who = short  # hashes differ in their first bits, and are in the same order by these
        elif over > 0:
            (who, _), (cells, listed) = _ranked(persons), _ranked(rows)
            bits = int(cells.max()).bit_length()
        keys = (who << bits) + cells
        if times is None:
            keys.sort()
        else:
            order = np.argsort(keys)
            keys, times = keys[order], times[order]
        new = _begins(keys)
        held = np.diff(new, append=len(keys)) if times is None else np.add.reduceat(times, new)
        keys = keys[new]
        starts = _begins(keys >> bits)
        found, cells = _distinct(keys & (1 << bits) - 1)
        codes = found[:, None] if listed is None else listed[found]
        return cls(len(starts), features, codes, np.append(starts, len(keys)), cells, held)

    def drawn(self, *, rng: Random) -> JointCounts | Counts[Any]:
        """Return one row of each person, each of that person's rows being as likely as another."""
        return self._given(1, below(self._many, rng=rng))

    def draws(self) -> Iterator[tuple[Fraction, JointCounts | Counts[Any]]]:
        """Yield what `drawn` may return, with probabilities; for few persons with few rows."""
        many = self._many.tolist()
        if (ways := prod(many)) > MOST_DRAWS:
            raise TooLarge(f"a law over all ways to draw rows is for at most {MOST_DRAWS} of them")
        for firsts in product(*map(range, many)):
            yield Fraction(1, ways), self._given(1, np.array(firsts, dtype=np.int64))

    def mean(self, weight: int) -> JointCounts | Counts[Any]:
        """Return n W rows, W of each person, in which equal rows have their share of W.

        No share of rows up to some codes, in their order, is off by as much as 1 of W.
        """
        return self._given(weight, (self._many - 1) // 2)

    @property
    def _many(self) -> Ints:
        """How many rows each person has."""
        if not self.n:
            return self.times[:0]
        return np.add.reduceat(self.times, self.starts[:-1])

    def split(self, sizes: Sequence[int], *, rng: Random) -> tuple[PersonCounts, ...]:
        """Deal the persons out in a uniform order: blocks of these sizes."""
        if sum(sizes) > self.n or any(size < 0 for size in sizes):
            raise InvalidArgument(f"blocks of {list(sizes)} cannot be dealt from {self.n} persons")
        order = permutation(self.n, rng=rng)
        ends = np.cumsum([0, *sizes]).tolist()
        return tuple(
            self.only(np.sort(order[start : start + size]))
            for start, size in zip(ends, sizes, strict=False)
        )

    def deals(self, sizes: Sequence[int]) -> Iterator[tuple[Fraction, tuple[PersonCounts, ...]]]:
        """Yield what `split` into two blocks, all persons together, may return."""
        first, _ = sizes
        everyone = frozenset(range(self.n))
        for some in combinations(range(self.n), first):
            parts = (some, sorted(everyone - set(some)))
            blocks = tuple(self.only(np.array(part, dtype=np.int64)) for part in parts)
            yield Fraction(1, comb(self.n, first)), blocks

    def tossed(self, share: Fraction, *, rng: Random) -> tuple[PersonCounts, PersonCounts]:
        """Deal each person by a coin of their own: the second block has this share of them."""
        held = coins(self.n, share, rng=rng)
        return self.only(np.flatnonzero(~held)), self.only(np.flatnonzero(held))

    def tosses(
        self, share: Fraction
    ) -> Iterator[tuple[Fraction, tuple[PersonCounts, PersonCounts]]]:
        """Yield what `tossed` may return, with probabilities."""
        for heads in product((False, True), repeat=self.n):
            held, k = np.array(heads, dtype=np.bool_), sum(heads)
            blocks = self.only(np.flatnonzero(~held)), self.only(np.flatnonzero(held))
            yield share**k * (1 - share) ** (self.n - k), blocks

    def of_features(self, many: int) -> PersonCounts:
        """Return the same persons, of whose rows the first so many features are kept."""
        who = np.repeat(np.arange(self.n), np.diff(self.starts))[:, None]
        rows = np.delete(self.codes, np.s_[many : self.features], axis=1)[self.cells]
        found = PersonCounts.of(who, rows, self.times, features=many)
        return replace(found, spread=self.spread)

    def only(self, persons: Ints) -> PersonCounts:
        """Return some of the persons, by their places."""
        many = np.diff(self.starts)[persons]
        starts = np.append(0, np.cumsum(many))
        entries = np.repeat(self.starts[persons] - starts[:-1], many) + np.arange(starts[-1])
        return replace(
            self,
            n=len(persons),
            starts=starts,
            cells=self.cells[entries],
            times=self.times[entries],
        )

    def _given(self, weight: int, firsts: Ints) -> JointCounts | Counts[Any]:
        check.count(weight=weight, least=1)
        many = len(self.codes)
        totals = shares(self.starts, self.cells, self.times, firsts, weight, many)
        held = totals > 0
        codes, totals, d = self.codes[held], totals[held], self.features
        points = codes[:, 0] if d == 1 else codes[:, :d]
        if (labels := codes.shape[1] - d) == 0:
            names = points.tolist() if d == 1 else map(tuple, points.tolist())
            return Counts(weight * self.n, dict(zip(names, totals.tolist(), strict=True)))
        marks = codes[:, d:] > 0
        return JointCounts(weight * self.n, labels, points, marks, totals, spread=self.spread)


def _begins(keys: Ints) -> Ints:
    """Return where another key begins, of sorted ones."""
    new = np.ones(len(keys), dtype=np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=new[1:])
    return np.flatnonzero(new)


def _numbered(words: Ints) -> tuple[Ints, Ints | None]:
    """Tell rows of words by one number each, in their order; None if that is the only word."""
    return (words[:, 0], None) if words.shape[1] == 1 else _ranked(words)


def _ranked(words: Ints) -> tuple[Ints, Ints]:
    """Return the place of each row of words among the different ones, sorted, and these."""
    places = Places(words.shape[1])
    met = places.of(words)
    listed = places.words
    order = np.lexsort(listed.T[::-1])
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.arange(len(order))
    return ranks[met], listed[order]


def _distinct(cells: Ints) -> tuple[Ints, Ints]:
    """Return the different cells, sorted, and the place of each among them."""
    if (most := int(cells.max())) >= _LISTED:
        found, places = np.unique(cells, return_inverse=True)
        return found, places
    used = np.zeros(most + 1, dtype=np.bool_)
    used[cells] = True
    return np.flatnonzero(used), (np.cumsum(used) - 1)[cells]
