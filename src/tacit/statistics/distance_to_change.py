"""A value together with how far the data is from giving another one."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from tacit.core import hold
from tacit.statistics.private import Private
from tacit.statistics.private_integers import integer, key

V = TypeVar("V", bound=Hashable)


@dataclass(frozen=True, slots=True, repr=False)
class Stable(Private, Generic[V]):
    """A value and an integer distance.

    Guarantee:
        The maker promises, for all neighbouring databases: with equal values the distances differ
        by at most 1; with different values both distances are at most 1; distance 0 means that
        the value must not be told.

    >>> Stable("winner", 3)
    Stable(value=<private>, distance=<private>)
    """

    value: V
    distance: int

    def __post_init__(self) -> None:
        hold(self, distance=integer(self.distance, name="distance", least=0))
        hold(self, value=key(self.value))
