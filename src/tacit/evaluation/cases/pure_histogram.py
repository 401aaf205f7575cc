"""Pure histograms over three keys, thresholds below and above n."""

from __future__ import annotations

from tacit.core.law import Law
from tacit.evaluation.verification import Case
from tacit.mechanisms.pure_histogram import PureHistogram
from tacit.statistics import Counts


def _case(epsilon: str, n: int, threshold: int, *, tight: bool = False) -> Case:
    mechanism = PureHistogram(epsilon, 3, threshold=threshold)

    def law(database: tuple[int, ...]) -> Law[tuple[tuple[int, int], ...]]:
        return mechanism.law(Counts.of(database))

    return Case(
        "pure-histogram",
        f"3 keys and one outside, n={n}, epsilon={epsilon}, T={threshold}",
        "mechanism",
        mechanism.cost,
        (0, 1, 2, 3),
        n,
        law,
        tight=tight,
    )


CASES = (
    _case("1", 3, 1, tight=True),
    _case("0.1", 3, 2, tight=True),
    _case("4", 3, 3, tight=True),
    _case("2", 3, 5),
)
