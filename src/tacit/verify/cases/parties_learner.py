"""What two parties learn together: a function of their messages, and no more private than these."""

from __future__ import annotations

from itertools import product

from tacit.concepts.rules.conjunctions import Conjunctions
from tacit.learners.rules.parties_learner import PartiesLearner, PartyTables
from tacit.statistics import LabelCounts
from tacit.verify.enumeration import Case
from tacit.verify.route import Route
from tacit.verify.sampling import Probe

Row = tuple[tuple[int, ...], tuple[int]]


FEW: tuple[Row, ...] = ((((0,), (1,)),) * 60) + ((((0,), (0,)),) * 940)
FEWER: tuple[Row, ...] = ((((0,), (1,)),)) + ((((0,), (0,)),) * 999)
"""Positive rows that violate a literal about as often as the cut of the noisy test."""


def _case(dims: int, n: int, epsilon: str, beta: str, other: tuple[Row, ...]) -> Case:
    """Let the second party hold fixed rows."""
    learner = PartiesLearner(Conjunctions(dims, dims), epsilon=epsilon, parties=2, beta=beta)
    domain = list(product((0, 1), repeat=dims))
    universe: tuple[Row, ...] = (*((x, (1,)) for x in domain), (domain[0], (0,)))
    held = LabelCounts.of(other, labels=1)

    law = Route(learner, lambda rows: PartyTables((LabelCounts.of(rows, labels=1), held)))

    setting = f"conjunction of {dims}, n={n} and {len(other)}, epsilon={epsilon}, beta={beta}"
    return Case("parties-learner", setting, "learner", learner.cost, universe, n, law)


CASES = (
    _case(1, 4, "1", "1/20", (((0,), (1,)),)),
    _case(1, 5, "2", "1/2", (((1,), (1,)), ((0,), (0,)))),
    _case(2, 2, "1/2", "1/4", (((0, 1), (1,)),)),
    _case(1, 3, "6", "1/4", (((0,), (1,)),)),
)

PROBES = tuple(
    Probe(_case(1, 1000, epsilon, "1/4", (((0,), (1,)),)), database=database)
    for epsilon, database in (("1/20", FEW), ("8", FEWER))
)
