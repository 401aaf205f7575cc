"""Finite families of counting queries over a finite domain."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tacit.core import InvalidArgument, check
from tacit.sanitizers.contract.attributes import Attributes


class Queries(Protocol):
    """Sets of cells, all to be answered at once."""

    @property
    def attributes(self) -> Attributes:
        """The domain."""

    @property
    def count(self) -> int:
        """How many queries there are."""

    def answers(self, values: NDArray[Any], /) -> NDArray[Any]:
        """Add up the values of the cells of each query."""

    def scale(self, values: NDArray[np.float64], index: int, factor: float, /) -> None:
        """Multiply the values of the cells of one query, in place."""


@dataclass(frozen=True, slots=True)
class MarginalQueries:
    """All conjunctions of at least one and at most `width` attributes.

    >>> MarginalQueries(Attributes.binary(20), 3).count
    9920
    """

    attributes: Attributes
    width: int

    def __post_init__(self) -> None:
        if check.count(width=self.width, least=1) > len(self.attributes.shape):
            raise InvalidArgument(
                f"width must be at most {len(self.attributes.shape)}, got {self.width}"
            )

    @property
    def count(self) -> int:
        """How many conjunctions there are."""
        return sum(self.attributes.conjunctions(w) for w in range(1, self.width + 1))

    def answers(self, values: NDArray[Any], /) -> NDArray[Any]:
        """Add up the values of the cells of each conjunction, small ones first."""
        parts = list(self.attributes.marginals(values, self.width).values())
        return np.concatenate(parts[1:])

    def scale(self, values: NDArray[np.float64], index: int, factor: float, /) -> None:
        """Multiply the values of the cells of one conjunction, in place."""
        shape = self.attributes.shape
        for width in range(1, self.width + 1):
            for chosen in self.attributes.choices(width):
                sizes = [shape[i] for i in chosen]
                if index < prod(sizes):
                    place: list[Any] = [slice(None)] * len(shape)
                    for i, code in zip(chosen, np.unravel_index(index, sizes), strict=True):
                        place[i] = code
                    values.reshape(shape)[tuple(place)] *= factor
                    return
                index -= prod(sizes)
        raise InvalidArgument("there is no such query")


@dataclass(frozen=True, eq=False)
class ListedQueries:
    """Queries given one by one, as lines of 0 and 1 over the cells.

    >>> ListedQueries.thresholds(4).answers(np.array([1, 2, 3, 4])).tolist()
    [1, 3, 6, 10]
    """

    matrix: NDArray[np.bool_]

    @classmethod
    def thresholds(cls, size: int) -> ListedQueries:
        """Return the sets of all points up to each one."""
        return cls(np.tri(check.count(size=size, least=1), dtype=np.bool_))

    @classmethod
    def differences(cls, matrix: NDArray[np.bool_]) -> ListedQueries:
        """Return the sets on which two lines of a matrix differ, each once [BNS16 Lemma 3.7].

        >>> ListedQueries.differences(np.tri(3, dtype=np.bool_)).count
        3
        """
        one, other = np.triu_indices(len(matrix), 1)
        return cls(np.unique(matrix[one] ^ matrix[other], axis=0))

    @cached_property
    def attributes(self) -> Attributes:
        """The domain: one attribute."""
        return Attributes([self.matrix.shape[1]])

    @property
    def count(self) -> int:
        """How many queries there are."""
        return len(self.matrix)

    def answers(self, values: NDArray[Any], /) -> NDArray[Any]:
        """Add up the values of the cells of each query."""
        summed: NDArray[Any] = self.matrix.astype(values.dtype) @ values
        return summed

    def scale(self, values: NDArray[np.float64], index: int, factor: float, /) -> None:
        """Multiply the values of the cells of one query, in place."""
        values[self.matrix[index]] *= factor
