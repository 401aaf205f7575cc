"""Propose-test-release: the median of a few small integers."""

from __future__ import annotations

from tacit.core.law import Law
from tacit.evaluation.verification import Case
from tacit.mechanisms.propose_test_release import ProposeTestRelease
from tacit.statistics.median import median


def _case(
    mechanism: ProposeTestRelease,
    n: int,
    universe: tuple[int, ...],
    *,
    bound: int,
    tight: bool = False,
) -> Case:
    high = max(universe)

    def law(database: tuple[int, ...]) -> Law[int | None]:
        steady = median(database, low=0, high=high, bound=bound)
        return mechanism.law(steady, low=0, high=high)

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
)
