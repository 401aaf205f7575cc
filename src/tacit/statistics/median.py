"""The median of integers, with its distance to an unsteady sample."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from tacit.core import InvalidArgument, check
from tacit.statistics.private_integers import integer
from tacit.statistics.slow_integer import Steady


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
