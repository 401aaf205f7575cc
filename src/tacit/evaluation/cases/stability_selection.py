"""Stability selection: all databases of three keys, curves that end below n and far above."""

from __future__ import annotations

from tacit.core.cost import Approximate
from tacit.core.law import Law
from tacit.evaluation.verification import Case
from tacit.mechanisms.stability_selection import StabilitySelection
from tacit.statistics import Counts

UNIVERSE = ("a", "b", "c")


def _case(epsilon: str, delta: str, n: int, *, prefilter: int = 0, tight: bool = False) -> Case:
    mechanism = StabilitySelection(epsilon, delta, prefilter=prefilter)
    claim = Approximate(epsilon, mechanism.achieved_delta) if tight else mechanism.cost

    def law(database: tuple[str, ...]) -> Law[tuple[str, ...]]:
        return mechanism.law(Counts.of(database))

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
)
