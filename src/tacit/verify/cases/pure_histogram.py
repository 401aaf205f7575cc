"""Pure histograms over three keys, thresholds below and above n."""

from __future__ import annotations

from tacit.mechanisms.noise.pure_histogram import PureHistogram
from tacit.statistics import Counts
from tacit.verify.cases.stability_histogram import one_key, told_up_to
from tacit.verify.enumeration import Case
from tacit.verify.route import Route
from tacit.verify.sampling import Probe

OFTEN = (*(0,) * 985, *(1,) * 10, *(2,) * 5)


def _case(
    epsilon: str, n: int, threshold: int, *, tight: bool = False, most: int | None = None
) -> Case:
    mechanism = PureHistogram(epsilon, 3, threshold=threshold)

    law = Route(mechanism, Counts.of, shown=told_up_to(max(n, threshold)))

    return Case(
        "pure-histogram",
        f"3 keys and one outside, n={n}, epsilon={epsilon}, T={threshold}",
        "mechanism",
        mechanism.cost,
        (0, 1, 2, 3),
        n,
        law if most is None else one_key(mechanism, epsilon, 0, most),
        tight=tight,
    )


CASES = (
    _case("1", 3, 1, tight=True),
    _case("0.1", 3, 2, tight=True),
    _case("4", 3, 3, tight=True),
    _case("2", 3, 5),
    _case("6", 2, 1),
)

PROBES = (
    Probe(_case("1/10", 1000, 980, most=1030), database=OFTEN),
    Probe(_case("8", 1000, 984, most=990), database=OFTEN),
)
