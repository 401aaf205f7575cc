"""Stability histograms: all databases of three keys, thresholds below and above n."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from tacit.core.chance.law import Law
from tacit.core.cost import Approximate
from tacit.core.numbers.decay import Decay
from tacit.core.numbers.exact import Exact, rational
from tacit.mechanisms.noise.pure_histogram import PureHistogram
from tacit.mechanisms.stable.stability_histogram import StabilityHistogram, told_count
from tacit.statistics import Counts
from tacit.verify.enumeration import Case
from tacit.verify.route import Route
from tacit.verify.sampling import Probe

UNIVERSE = ("a", "b", "c")


def told_up_to(most: int) -> Callable[[tuple[tuple[Any, int], ...]], tuple[tuple[Any, int], ...]]:
    """Tell counts above `most` as that, as the law of a histogram does."""
    return lambda told: tuple((key, min(count, most)) for key, count in told)


def one_key(
    mechanism: StabilityHistogram | PureHistogram, epsilon: Exact, key: Hashable, most: int
) -> Route:
    """What is told of one key, counts above `most` told as that: enough where n is large."""
    decay = Decay.of(rational(epsilon) / 2)

    def law_of(counts: Counts[Any]) -> Law[Any]:
        return told_count(key, counts[key], decay, least=mechanism.threshold, most=most)

    def cut(told: tuple[tuple[Any, int], ...]) -> tuple[tuple[Any, int], ...]:
        return tuple((name, min(count, most)) for name, count in told if name == key)

    return Route(mechanism, Counts.of, law_of, cut)


def _case(epsilon: str, delta: str, n: int, *, prefilter: int = 0, most: int | None = None) -> Case:
    mechanism = StabilityHistogram(epsilon, delta, prefilter=prefilter)

    whole = Route(mechanism, Counts.of, shown=told_up_to(max(n, mechanism.threshold)))
    law = whole if most is None else one_key(mechanism, epsilon, "a", most)

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

PROBES = tuple(
    Probe(_case(epsilon, delta, 1000, most=most), database=("a",) * often + ("b",) * (1000 - often))
    for epsilon, delta, often, most in (("1/10", "1/100", 100, 200), ("8", "1e-9", 6, 20))
)
