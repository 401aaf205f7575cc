"""One party's message, as the others see it: together with all that they hold themselves."""

from __future__ import annotations

from itertools import product
from typing import Any

from tacit.core.law import Law
from tacit.core.law import product as jointly
from tacit.evaluation.verification import Case
from tacit.learners.parties import PartyCounts
from tacit.statistics import LabelCounts

Row = tuple[tuple[int, ...], tuple[int]]


def _case(dims: int, n: int, epsilon: str, other: tuple[Row, ...], *, monotone: bool) -> Case:
    """Let the other party hold fixed rows; its view is its rows, its noise, and the transcript."""
    counts = PartyCounts(dims, epsilon=epsilon, monotone=monotone)
    domain = list(product((0, 1), repeat=dims))
    universe: tuple[Row, ...] = (*((x, (1,)) for x in domain), (domain[0], (0,)))

    def law(database: tuple[Row, ...]) -> Law[Any]:
        said = counts.law(LabelCounts.of(database, labels=1), low=0, high=n)
        answered = counts.law(LabelCounts.of(other, labels=1), low=0, high=max(len(other), 1))
        return jointly([said, answered]).map(lambda transcript: (other, transcript))

    kind = "monotone" if monotone else "any"
    setting = f"{kind} conjunction of {dims}, n={n} and {len(other)}, epsilon={epsilon}"
    return Case("party-counts", setting, "learner", counts.cost, universe, n, law, tight=True)


CASES = (
    _case(1, 3, "1", (((0,), (1,)),), monotone=True),
    _case(1, 5, "1/10", (((1,), (1,)), ((0,), (0,))), monotone=True),
    _case(1, 4, "2", (((0,), (1,)),), monotone=False),
    _case(2, 3, "1/2", (((0, 1), (1,)),), monotone=True),
)
