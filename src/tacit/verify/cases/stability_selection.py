"""Stability selection: all databases of three keys, curves that end below n and far above."""

from __future__ import annotations

from tacit.core.cost import Approximate
from tacit.mechanisms.stable.stability_selection import StabilitySelection
from tacit.statistics import Counts
from tacit.verify.enumeration import Case
from tacit.verify.route import Route
from tacit.verify.sampling import Probe

UNIVERSE = ("a", "b", "c")


def _case(epsilon: str, delta: str, n: int, *, prefilter: int = 0, tight: bool = False) -> Case:
    mechanism = StabilitySelection(epsilon, delta, prefilter=prefilter)
    claim = Approximate(epsilon, mechanism.achieved_delta) if tight else mechanism.cost

    law = Route(mechanism, Counts.of)

    return Case(
        "stability-selection",
        f"3 keys, n={n}, epsilon={epsilon}, delta={delta}, prefilter={prefilter}",
        "mechanism",
        claim,
        UNIVERSE,
        n,
        law,
        tight=tight,
    )


CASES = (
    _case("2", "0.2", 7, tight=True),
    _case("1", "0.3", 8, tight=True),
    _case("3", "0.05", 9, prefilter=1, tight=True),
    _case("1", "1e-6", 4),
    _case("0.1", "0.01", 5),
    _case("6", "0.01", 4),
)

PROBES = tuple(
    Probe(
        _case(epsilon, delta, 1000), database=("a",) * often + ("b",) * 10 + ("c",) * (990 - often)
    )
    for epsilon, delta, often in (("1/10", "1/100", 60), ("8", "1e-9", 6))
)
