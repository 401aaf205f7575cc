"""Learners that deal the rows to blocks first, in a uniform order."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import Any, Generic, TypeVar

from numpy.typing import NDArray

from tacit.core import Random, TooLarge
from tacit.core.chance.law import Law, mixture
from tacit.statistics import JointCounts, LabelCounts

Row = tuple[Any, tuple[bool, ...]] | None
MOST_ROWS = 12
"""Rows whose deals are listed at most: two blocks of six have 924 of them."""
H = TypeVar("H", covariant=True)
S = TypeVar("S", LabelCounts, JointCounts)


def deals(
    sample: LabelCounts, sizes: Sequence[int], *, label: int = 0
) -> Iterator[tuple[Fraction, tuple[LabelCounts, ...]]]:
    """Yield the outcomes of `sample.split` up to the order of rows, with their probabilities.

    >>> sample = LabelCounts.of([(7, (1,)), (7, (1,)), (9, (0,))], labels=1)
    >>> [weight for weight, _ in deals(sample, [1, 1])]
    [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)]
    """
    points, marks = sample.rows(label)
    held = zip(_listed(points), ((mark,) for mark in marks.tolist()), strict=True)
    return _of_few(Counter(held), sample, sizes, _block)


def joint_deals(
    sample: JointCounts, sizes: Sequence[int]
) -> Iterator[tuple[Fraction, tuple[JointCounts, ...]]]:
    """Yield the outcomes of `JointCounts.split` likewise.

    >>> sample = JointCounts.of([(7, (1, 0)), (7, (1, 0)), (9, (0, 1))], labels=2)
    >>> [weight for weight, _ in joint_deals(sample, [2])]
    [Fraction(2, 3), Fraction(1, 3)]
    """
    marks = map(tuple, sample.marks.tolist())
    records = zip(_listed(sample.points), marks, strict=True)
    held = dict(zip(records, sample.totals.tolist(), strict=True))
    return _of_few(Counter(held), sample, sizes, _joint_block)


def _listed(points: NDArray[Any]) -> list[Any]:
    return [tuple(x) if isinstance(x, list) else x for x in points.tolist()]


def _of_few(
    held: Counter[Row], sample: S, sizes: Sequence[int], block: Callable[[Counter[Row], S], S]
) -> Iterator[tuple[Fraction, tuple[S, ...]]]:
    """Yield all deals of few rows; those that `held` lacks are null."""
    if sample.n > MOST_ROWS:
        raise TooLarge(f"a law over all ways to deal rows is for at most {MOST_ROWS} rows")
    if nulls := sample.n - held.total():
        held[None] = nulls
    return _deals(held, list(sizes), lambda taken: block(taken, sample))


def _deals(
    held: Counter[Row], sizes: list[int], block: Callable[[Counter[Row]], Any]
) -> Iterator[tuple[Fraction, tuple[Any, ...]]]:
    if not sizes:
        yield Fraction(1), ()
        return
    rows, counts = list(held), list(held.values())
    ways = comb(sum(counts), sizes[0])
    for taken in product(*(range(c + 1) for c in counts)):
        if sum(taken) == sizes[0]:
            weight = Fraction(prod(comb(c, k) for c, k in zip(counts, taken, strict=True)), ways)
            dealt = Counter(dict(zip(rows, taken, strict=True)))
            for share, rest in _deals(+(held - dealt), sizes[1:], block):
                yield weight * share, (block(dealt), *rest)


def _block(taken: Counter[Row], sample: LabelCounts) -> LabelCounts:
    rows = [row for row in taken.elements() if row is not None]
    if not rows:
        return LabelCounts(
            taken.total(), 1, sample.points[:0], sample.totals[:0], sample.positives[:0, :1]
        )
    return replace(LabelCounts.of(rows, labels=1), n=taken.total())


def _joint_block(taken: Counter[Row], sample: JointCounts) -> JointCounts:
    rows = [row for row in taken.elements() if row is not None]
    if not rows:
        return replace(
            sample,
            n=taken.total(),
            points=sample.points[:0],
            marks=sample.marks[:0],
            totals=sample.totals[:0],
        )
    return replace(JointCounts.of(rows, labels=sample.labels), n=taken.total())


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
        return self.learn(sample.split(self.block_sizes(sample.n), label=label, rng=rng), rng=rng)

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Any]:
        """Return the exact law of the hypothesis, over all ways to deal few rows."""
        dealt = deals(sample, self.block_sizes(sample.n), label=label)
        return mixture((weight, self.blocks_law(blocks)) for weight, blocks in dealt)
