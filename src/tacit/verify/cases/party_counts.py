"""One party's message, as the others see it: together with all that they hold themselves."""

from __future__ import annotations

from itertools import product
from typing import Any

from tacit.core.chance.law import Law
from tacit.core.chance.law import product as jointly
from tacit.learners.rules.parties import PartyCounts
from tacit.statistics import LabelCounts
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, labelled
from tacit.verify.sampling import Probe

Row = tuple[tuple[int, ...], tuple[int]]


def _case(
    dims: int,
    n: int,
    epsilon: str,
    other: tuple[Row, ...],
    *,
    monotone: bool,
    near: tuple[int, int] | None = None,
) -> Case:
    """Let the other party hold fixed rows; its view is its rows, its noise, and the transcript."""
    counts = PartyCounts(dims, epsilon=epsilon, monotone=monotone)
    domain = list(product((0, 1), repeat=dims))
    universe: tuple[Row, ...] = (*((x, (1,)) for x in domain), (domain[0], (0,)))

    low, high = near or (0, n)

    def law(database: tuple[Row, ...]) -> Law[Any]:
        said = law_of(LabelCounts.of(database, labels=1))
        answered = counts.law(LabelCounts.of(other, labels=1), low=0, high=max(len(other), 1))
        return jointly([said, answered]).map(lambda transcript: (other, transcript))

    def law_of(sample: LabelCounts) -> Law[Any]:
        return counts.law(sample, low=low, high=high)

    def cut(told: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(min(max(count, low), high) for count in told)

    drawn = Route(counts, labelled, law_of, cut)

    kind = "monotone" if monotone else "any"
    setting = f"{kind} conjunction of {dims}, n={n} and {len(other)}, epsilon={epsilon}"
    return Case(
        "party-counts", setting, "learner", counts.cost, universe, n, law, tight=True, drawn=drawn
    )


CASES = (
    _case(1, 3, "1", (((0,), (1,)),), monotone=True),
    _case(1, 5, "1/10", (((1,), (1,)), ((0,), (0,))), monotone=True),
    _case(1, 4, "2", (((0,), (1,)),), monotone=False),
    _case(2, 3, "1/2", (((0, 1), (1,)),), monotone=True),
    _case(1, 3, "6", (((0,), (1,)),), monotone=True),
)

PROBES = tuple(
    Probe(_case(1, 1000, epsilon, (((0,), (1,)),), monotone=True, near=near), neighbours=1)
    for epsilon, near in (("1/10", (300, 380)), ("8", (320, 345)))
)
