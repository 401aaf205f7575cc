"""Let disjoint blocks of the data vote, and tell the winner if it is stable."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Generic, TypeVar

from tacit.core import Approximate, Exact, Random, TooLarge, check, hold
from tacit.core.chance.law import Law, certain, collect
from tacit.mechanisms.stable.stable_release import StableRelease
from tacit.statistics import Stable, Votes
from tacit.statistics.pieces_of_work import Spread, in_turn

R = TypeVar("R", bound=Hashable)
V = TypeVar("V", bound=Hashable)
ENUMERABLE = 1_000_000


@dataclass(frozen=True, slots=True)
class SubsampleAndAggregate(Generic[R, V]):
    """Run a procedure that need not be private on each block; tell what most blocks found.

    With `coins` every row is sent to a block by a fresh secret coin, drawn once and whatever the
    row holds; the sizes of the blocks are then random. Without, block j is the rows from j n // m
    to (j + 1) n // m of the n given, by position: the order must not depend on the values. In no
    case may a value choose its block: a replaced row would then change two blocks.

    `base(block)` is deterministic and total: it must answer for every block, the empty one
    included, with None where it has no vote, and must not raise: an exception is a release. With
    switch=False the maker promises more: that one replaced row never turns the base's vote for one
    candidate into a vote for another, only into None or from None. The winner then counts for more.

    Guarantee:
        (epsilon, delta)-DP whatever the base [NRS07 for the frame].

    Exactness:
        That of `StableRelease`; the coins are exact.

    Cost:
        `Approximate(epsilon, delta)`; one call of the base a block.

    >>> from tacit.core.chance.randomness import Seeded
    >>> most = SubsampleAndAggregate(max, blocks=40, epsilon=1, delta=1e-6, coins=False)
    >>> most((3,) * 80, rng=Seeded(0))
    3

    Proof: docs/proofs/subsample_and_aggregate.md
    """

    base: Callable[[tuple[R, ...]], V | None]
    blocks: int
    release: StableRelease
    coins: bool
    switch: bool

    def __init__(
        self,
        base: Callable[[tuple[R, ...]], V | None],
        *,
        blocks: int,
        epsilon: Exact,
        delta: Exact,
        coins: bool = True,
        switch: bool = True,
    ) -> None:
        hold(self, base=base, release=StableRelease(epsilon, delta), coins=coins, switch=switch)
        hold(self).count(blocks=blocks, least=1)

    @property
    def cost(self) -> Approximate:
        return self.release.cost

    def __call__(
        self, records: tuple[R, ...], *, rng: Random, spread: Spread = in_turn
    ) -> V | None:
        """Vote; return the winner, or None if it is not stable enough to be told.

        The blocks may vote elsewhere, by `spread`; which row is in which block is settled before.
        """
        if not self.coins:
            places = self._places(len(records))
        else:
            places = tuple(rng.below(self.blocks) for _ in records)
        return self.release(self._lead(places, records, spread), rng=rng)

    def law(self, records: tuple[R, ...]) -> Law[V | None]:
        """Return the exact law of the answer, over all assignments of the rows to the blocks."""
        return (
            self._places_law(len(records))
            .map(lambda places: self._lead(places, records))
            .then(self.release.law)
        )

    def failure(self, lead: int) -> Fraction:
        """Bound the probability of None when the winner has at least `lead` votes more than any.

        >>> most = SubsampleAndAggregate(max, blocks=40, epsilon=1, delta=1e-6)
        >>> float(most.failure(31)) <= 0.05
        True
        """
        lead = check.count(lead=lead)
        return self.release.failure(-(-lead // 2) if self.switch else lead)

    def _places(self, n: int) -> tuple[int, ...]:
        """Return the block of each row by position."""
        return tuple(
            j
            for j in range(self.blocks)
            for _ in range(j * n // self.blocks, (j + 1) * n // self.blocks)
        )

    def _places_law(self, n: int) -> Law[tuple[int, ...]]:
        if not self.coins:
            return certain(self._places(n))
        if self.blocks**n > ENUMERABLE:
            raise TooLarge(f"{self.blocks}^{n} assignments are too many to list; take fewer rows")
        each = Fraction(1, self.blocks**n)
        return collect((places, each) for places in product(range(self.blocks), repeat=n))

    def _lead(
        self, places: tuple[int, ...], records: tuple[R, ...], spread: Spread = in_turn
    ) -> Stable[V | None]:
        """Let each block vote, its rows in the order given."""
        blocks: list[list[R]] = [[] for _ in range(self.blocks)]
        for place, record in zip(places, records, strict=True):
            blocks[place].append(record)
        votes = spread(self.base, [(tuple(block),) for block in blocks])
        return Votes.of(votes, switch=self.switch).lead()
