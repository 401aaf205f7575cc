"""An integer that one record moves little, and how long that stays so: such as the median."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field

from tacit.core import InvalidArgument, check, hold
from tacit.statistics.private import PUBLIC, Private, integer


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
        hold(self, distance=integer(self.distance, name="distance", least=0))


def median(records: Iterable[int], *, low: int, high: int, bound: int) -> Steady:
    """Return the lower median and how many records must change until one moves it far.

    Records outside of [low, high] are read as the nearest end.

    Guarantee:
        The distance is exactly the least number of replaced records of which the last moves the
        median by more than `bound`, so the promise of `Steady` holds
        [NRS07; docs/proofs/propose_test_release.md]. Time n log n.

    >>> steady = median([1, 5, 5, 6, 9], low=0, high=10, bound=2)
    >>> steady.value, steady.distance
    (5, 2)
    """
    check.count(bound=bound, least=1)
    if high - low <= bound:
        raise InvalidArgument(
            f"bound must be less than high - low = {high - low}, got {bound}; "
            "no median moves more, so DiscreteLaplace needs no test"
        )
    read = (integer(record, name="records") for record in records)
    ordered = [low, *sorted(min(max(record, low), high) for record in read), high]
    middle = (check.count(records=len(ordered) - 2, least=1) + 1) // 2
    distance = min(
        bisect_right(ordered, ordered[i] + bound, lo=middle) - i
        for i in range(middle + 1)
        if ordered[i] + bound < high
    )
    return Steady(bound=bound, value=ordered[middle], distance=distance)
