"""Stability histograms: all databases of three keys, thresholds below and above n."""

from __future__ import annotations

from tacit.core.cost import Approximate
from tacit.core.law import Law
from tacit.evaluation.verification import Case
from tacit.mechanisms.stability_histogram import StabilityHistogram
from tacit.statistics import Counts

UNIVERSE = ("a", "b", "c")


def _case(epsilon: str, delta: str, n: int, *, prefilter: int = 0) -> Case:
    mechanism = StabilityHistogram(epsilon, delta, prefilter=prefilter)

    def law(database: tuple[str, ...]) -> Law[tuple[tuple[str, int], ...]]:
        return mechanism.law(Counts.of(database))

    return Case(
        "stability-histogram",
        f"3 keys, n={n}, epsilon={epsilon}, T={mechanism.threshold}, prefilter={prefilter}",
        "mechanism",
        Approximate(mechanism.epsilon, mechanism.achieved_delta),
        UNIVERSE,
        n,
        law,
        tight=True,
    )


CASES = (
    _case("1", "0.1389", 4),
    _case("1", "0.031", 4),
    _case("2", "0.0134", 5, prefilter=1),
    _case("1", "0.0511", 6, prefilter=3),
    _case("0.1", "0.3", 4),
    _case("0.2", "0.55", 4),
    _case("1", "1e-6", 3),
    _case("6", "0.01", 6),
)
