"""Learners that deal the rows to blocks first, in a uniform order."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import Any, Generic, TypeVar

from tacit.core import Random, TooLarge
from tacit.core.chance.law import Law, mixture
from tacit.statistics import LabelCounts

Row = tuple[Any, bool] | None
MOST_ROWS = 12
"""Rows whose deals are listed at most: two blocks of six have 924 of them."""
H = TypeVar("H", covariant=True)


def deals(
    sample: LabelCounts, sizes: Sequence[int], *, label: int = 0
) -> Iterator[tuple[Fraction, tuple[LabelCounts, ...]]]:
    """Yield the outcomes of `sample.split` up to the order of rows, with their probabilities.

    >>> sample = LabelCounts.of([(7, (1,)), (7, (1,)), (9, (0,))], labels=1)
    >>> [weight for weight, _ in deals(sample, [1, 1])]
    [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)]
    """
    if sample.n > MOST_ROWS:
        raise TooLarge(f"a law over all ways to deal rows is for at most {MOST_ROWS} rows")
    points, marks = sample.rows(label)
    held: Counter[Row] = Counter(
        (tuple(x) if isinstance(x, list) else x, mark)
        for x, mark in zip(points.tolist(), marks.tolist(), strict=True)
    )
    if nulls := sample.n - len(marks):
        held[None] = nulls
    return _deals(held, list(sizes), sample)


def _deals(
    held: Counter[Row], sizes: list[int], sample: LabelCounts
) -> Iterator[tuple[Fraction, tuple[LabelCounts, ...]]]:
    if not sizes:
        yield Fraction(1), ()
        return
    rows, counts = list(held), list(held.values())
    ways = comb(sum(counts), sizes[0])
    for taken in product(*(range(c + 1) for c in counts)):
        if sum(taken) == sizes[0]:
            weight = Fraction(prod(comb(c, k) for c, k in zip(counts, taken, strict=True)), ways)
            block = _block(dict(zip(rows, taken, strict=True)), sample)
            rest = Counter({row: c - k for row, c, k in zip(rows, counts, taken, strict=True)})
            for share, others in _deals(+rest, sizes[1:], sample):
                yield weight * share, (block, *others)


def _block(taken: dict[Row, int], sample: LabelCounts) -> LabelCounts:
    rows = [(row[0], (row[1],)) for row, k in taken.items() if row is not None for _ in range(k)]
    if not rows:
        return LabelCounts(
            sum(taken.values()), 1, sample.points[:0], sample.totals[:0], sample.positives[:0, :1]
        )
    return replace(LabelCounts.of(rows, labels=1), n=sum(taken.values()))


class Dealt(Generic[H]):
    """One label from blocks of rows; which row is in which block does not depend on what it holds.

    A replaced row is in one block only, so blocks compose in parallel.
    """

    __slots__ = ()

    @abstractmethod
    def block_sizes(self, n: int) -> Sequence[int]:
        """Return how many of n rows each block has."""

    @abstractmethod
    def learn(self, blocks: Sequence[LabelCounts], *, rng: Random) -> H:
        """Learn from given blocks."""

    @abstractmethod
    def blocks_law(self, blocks: Sequence[LabelCounts]) -> Law[Any]:
        """Return the exact law of what is learned from given blocks."""

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> H:
        """Learn one label."""
        return self.learn(sample.split(self.block_sizes(sample.n), label=label, rng=rng), rng=rng)

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Any]:
        """Return the exact law of the hypothesis, over all ways to deal few rows."""
        dealt = deals(sample, self.block_sizes(sample.n), label=label)
        return mixture((weight, self.blocks_law(blocks)) for weight, blocks in dealt)
