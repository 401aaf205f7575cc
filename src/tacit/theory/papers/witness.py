"""One instance on which a printed statement fails, or has room, as two numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple, TypeAlias


class Inequality(NamedTuple):
    """Two numbers, of which it is said that the first is at most the second."""

    least: Fraction
    most: Fraction

    @property
    def holds(self) -> bool:
        """Whether what is said is true."""
        return self.least <= self.most


class Witness(NamedTuple):
    """What is said of one instance: by the paper, or by a careless reader of it, and by us.

    Real numbers enter as rationals beside them, on the side that makes the verdict safe.
    """

    printed: Inequality
    ours: Inequality | None = None

    @property
    def refutes(self) -> bool:
        """Whether the printed inequality fails, and ours, if there is one, does not."""
        return not self.printed.holds and (self.ours is None or self.ours.holds)

    @property
    def loosens(self) -> bool:
        """Whether the printed inequality holds and has room."""
        return self.printed.least < self.printed.most


Witnesses: TypeAlias = Mapping[str, Callable[[], Witness]]
"""What makes the witness of an erratum, by its id."""


def said(least: Fraction | int, most: Fraction | int) -> Inequality:
    """Return the inequality of two rational numbers.

    >>> said(1, Fraction(1, 2)).holds
    False
    """
    return Inequality(Fraction(least), Fraction(most))
