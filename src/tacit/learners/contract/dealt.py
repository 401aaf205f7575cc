"""Learners that deal the rows to blocks first, in a uniform order."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from tacit.core import Random
from tacit.core.chance.law import Law, mixture
from tacit.learners.contract.dealing import deals
from tacit.statistics import LabelCounts

H = TypeVar("H", covariant=True)


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
