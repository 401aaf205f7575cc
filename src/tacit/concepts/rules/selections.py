"""Which literals a conjunction takes: at most so many, and one a group."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import listable
from tacit.concepts.contract.domains import WIDEST
from tacit.core import InvalidArgument, check
from tacit.core.numbers.exact import told
from tacit.kernels.bits.packing import bit_sets, pack


@dataclass(frozen=True, slots=True)
class Selections:
    """Sets of at most `width` literals, at most one of each group of `choices` consecutive ones.

    Their order is by size, then lexicographic; `places` says where each size begins.

    >>> little = Selections(groups=2, choices=2, width=2)
    >>> little.size, [little.pick(index) for index in range(6)]
    (9, [(), (0,), (1,), (2,), (3,), (0, 2)])
    """

    groups: int
    choices: int
    width: int

    def __post_init__(self) -> None:
        check.count(groups=self.groups, least=1)
        check.count(choices=self.choices, least=1)
        if check.count(width=self.width, least=1) > self.groups:
            raise InvalidArgument(f"width must be at most {self.groups}, got {told(self.width)}")
        if min(self.groups, self.width * self.literals.bit_length()) > WIDEST:
            raise InvalidArgument(
                f"up to {self.width} of {self.literals} literals are too many to count; lower "
                "width, or use fewer literals"
            )

    @property
    def literals(self) -> int:
        """How many literals there are."""
        return self.groups * self.choices

    @property
    def size(self) -> int:
        """How many selections there are."""
        return sum(self._sizes())

    @property
    def places(self) -> NDArray[np.int64]:
        """The index of the first selection of each size; then the number of all."""
        return np.array([0, *accumulate(self._sizes())], dtype=np.int64)

    def pick(self, index: int) -> tuple[int, ...]:
        """Return the selection at an index."""
        size = 0
        for size, many in enumerate(self._sizes()):  # noqa: B007
            if index < many:
                break
            index -= many
        chosen: list[int] = []
        group = 0
        while len(chosen) < size:
            group += 1
            rest = self._sized(size - len(chosen) - 1, among=self.groups - group)
            if index < self.choices * rest:
                choice, index = divmod(index, rest)
                chosen.append((group - 1) * self.choices + choice)
            else:
                index -= self.choices * rest
        return tuple(chosen)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Yield all selections in order, of families small enough to list."""
        listable(self.size, what="conjunctions")
        for size in range(self.width + 1):
            for chosen in combinations(range(self.literals), size):
                if len({literal // self.choices for literal in chosen}) == size:
                    yield chosen

    def reach(self, truths: NDArray[np.bool_]) -> dict[int, tuple[int, ...]]:
        """Return a shortest selection for each set of points on which one can hold, as bits.

        Line j of `truths` says where literal j holds; literals of one group exclude each other.
        Grown from shorter ones, at O(literals) each. The one for the empty set may break the rule
        of one literal a group.
        """
        lines, everywhere = bit_sets(pack(truths)), (1 << truths.shape[1]) - 1
        found: dict[int, tuple[int, ...]] = {everywhere: ()}
        frontier = [everywhere]
        for _ in range(self.width):
            longer = []
            for where in frontier:
                for literal, line in enumerate(lines):
                    if where & line not in found:
                        found[where & line] = tuple(sorted((*found[where], literal)))
                        longer.append(where & line)
            frontier = longer
        return found

    def _sizes(self) -> Iterator[int]:
        """Yield how many selections there are of each size, each from the one before."""
        many = 1
        for size in range(self.width + 1):
            yield many
            many = many * (self.groups - size) * self.choices // (size + 1)

    def _sized(self, size: int, among: int) -> int:
        return comb(among, size) * int(self.choices**size)
