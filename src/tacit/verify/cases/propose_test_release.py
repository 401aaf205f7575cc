"""Propose-test-release: the median of a few small integers."""

from __future__ import annotations

from tacit.mechanisms.stable.propose_test_release import ProposeTestRelease
from tacit.statistics.median import median
from tacit.verify.enumeration import Case
from tacit.verify.route import Route
from tacit.verify.sampling import Probe


def _case(
    mechanism: ProposeTestRelease,
    n: int,
    universe: tuple[int, ...],
    *,
    bound: int,
    tight: bool = False,
) -> Case:
    high = max(universe)

    law = Route(
        mechanism,
        lambda database: median(database, low=0, high=high, bound=bound),
        lambda steady: mechanism.law(steady, low=0, high=high),
        lambda told: None if told is None else min(max(told, 0), high),
    )

    parameters = f"epsilon={mechanism.epsilon}, delta={mechanism.delta}, share={mechanism.share}"
    return Case(
        "propose-test-release",
        f"median of {n} in {universe}, bound={bound}, {parameters}",
        "mechanism",
        mechanism.cost,
        universe,
        n,
        law,
        tight=tight,
    )


SMALL = tuple(range(5))
FAR_APART = (0, 1, 60)

CASES = (
    _case(ProposeTestRelease(1, "0.01"), 3, SMALL, bound=1),
    _case(ProposeTestRelease(2, "1/10"), 4, SMALL, bound=2),
    _case(ProposeTestRelease(1, "1/5"), 5, SMALL, bound=1),
    _case(ProposeTestRelease("1/2", "1/4", share="3/4"), 7, (0, 1, 2), bound=1),
    _case(ProposeTestRelease(1, "0.01"), 5, FAR_APART, bound=1, tight=True),
    _case(ProposeTestRelease(3, "1e-6", share="1/3"), 3, FAR_APART, bound=2, tight=True),
    _case(ProposeTestRelease(6, "1/100"), 3, SMALL, bound=1),
)

PROBES = (
    Probe(
        _case(ProposeTestRelease("1/10", "1/100"), 1000, SMALL, bound=1),
        database=(*(2,) * 560, *(3,) * 440),
    ),
    Probe(
        _case(ProposeTestRelease(8, "1e-9"), 1000, SMALL, bound=1),
        database=(*(2,) * 504, *(3,) * 496),
    ),
)
