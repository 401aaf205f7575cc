"""The domains that families share: a line of integers, and a cube of yes/no columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self, TypeVar

import numpy as np

from tacit.concepts.contract.concept_class import Concept, ConceptClass, Points, clip, listable
from tacit.core import InvalidArgument, check, hold
from tacit.core.numbers.exact import told

C = TypeVar("C", bound=Concept)


@dataclass(frozen=True, slots=True, init=False)
class LineClass(ConceptClass[C]):
    """A class over {0, ..., values - 1}, where values = 2^bits if bits are given."""

    values: int

    features: ClassVar[int] = 1

    def __init__(self, bits: int | None = None, *, values: int | None = None) -> None:
        hold(self, values=line_length(bits, values))

    def __str__(self) -> str:
        bits = self.values.bit_length() - 1
        told = f"bits={bits}" if self.values == 1 << bits else f"values={self.values}"
        return f"{self.family}({told})"

    @classmethod
    def over(cls, sizes: Sequence[int], _: Sequence[bool], /) -> Self:
        """Return the class over one column."""
        return cls(values=cls.one_column(sizes))

    @classmethod
    def one_column(cls, sizes: Sequence[int], /) -> int:
        """Return how many values the one column has, at least 2; refuse several columns."""
        if len(sizes) > 1:
            raise InvalidArgument(
                f"{cls.family} are over one column, the features are {len(sizes)}: name one, or "
                "choose a class over several, such as boxes or rules"
            )
        return max(2, sizes[0])

    @property
    def bits(self) -> int:
        """How many bits hold a point."""
        return (self.values - 1).bit_length()

    @property
    def domain_size(self) -> int:
        return self.values

    def clip(self, points: Points, /) -> Points:
        return clip(points, self.values)

    def domain(self) -> Points:
        return np.arange(listable(self.values, what="points"), dtype=np.int64)


@dataclass(frozen=True, slots=True)
class CubeClass(ConceptClass[C]):
    """A class over {0, 1}^dims."""

    dims: int

    boolean: ClassVar[bool] = True

    def __post_init__(self) -> None:
        within(check.count(dims=self.dims, least=1), said="dims")

    @property
    def features(self) -> int:
        return self.dims

    @property
    def domain_size(self) -> int:
        return 1 << self.dims

    def clip(self, points: Points, /) -> Points:
        return clip(points, 2)

    def domain(self) -> Points:
        """Return all points; point number x has the binary digits of x, lowest first."""
        numbers = np.arange(listable(self.domain_size, what="points"), dtype=np.int64)
        return numbers[:, None] >> np.arange(self.dims) & 1


WIDEST = 4096
"""Bits of a point, all columns together, of a class that is learned or read from a text. Every
number that is drawn or written then has fewer digits than the 4,300 that Python writes."""

LONGEST, PLANNED = 1 << 20, 1 << 16
"""Bits of a point of a line that is only planned for, from Python, and from a text."""


def within(bits: int, *, said: str, up_to: int = WIDEST) -> int:
    """Return the bits of a point; refuse too many of them, before anything is made of them.

    >>> within(1 << 14, said="bits x dims")
    Traceback (most recent call last):
    tacit.core.errors.InvalidArgument: bits x dims is 16384, and points have up to 4096 bits: ...
    """
    if bits > up_to:
        raise InvalidArgument(
            f"{said} is {told(bits)}, and points have up to {up_to} bits: take fewer columns, or "
            "columns of fewer values"
        )
    return bits


def line_length(bits: int | None, values: int | None) -> int:
    """Return the number of values of {0, ..., 2^bits - 1}, or of {0, ..., values - 1}.

    >>> line_length(7, None), line_length(None, 121)
    (128, 121)
    """
    if (bits is None) == (values is None):
        raise InvalidArgument(
            "a line needs bits or values, one of the two, such as bits=7 or values=121"
        )
    if bits is not None:
        return 1 << within(check.count(bits=bits, least=1), said="bits", up_to=LONGEST)
    assert values is not None
    read = check.count(values=values, least=2)
    within((read - 1).bit_length(), said="the bits of values", up_to=LONGEST)
    return read
