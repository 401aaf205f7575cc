"""An integer that one record moves little, and how long that stays so."""

from __future__ import annotations

from dataclasses import dataclass, field

from tacit.core import hold
from tacit.statistics.private import PUBLIC, Private
from tacit.statistics.private_integers import integer


@dataclass(frozen=True, slots=True, repr=False)
class Steady(Private):
    """An integer value, a proposed bound on its local sensitivity, and the distance to its failure.

    Guarantee:
        The maker promises, for all neighbouring databases: the distances differ by at most 1; if
        the values differ by more than `bound`, both distances are at most 1. The natural distance
        is the least number of replaced records of which the last moves the value by more than the
        bound: 1 where the local sensitivity exceeds it, 2 where it does after one replacement.

    >>> Steady(bound=2, value=41, distance=3)
    Steady(bound=2, value=<private>, distance=<private>)
    """

    bound: int = field(metadata=PUBLIC)
    value: int
    distance: int

    def __post_init__(self) -> None:
        hold(self).count(bound=self.bound, least=1)
        hold(self, value=integer(self.value, name="value"))
        read = integer(self.distance, name="distance", least=0)
        hold(self, distance=read)
