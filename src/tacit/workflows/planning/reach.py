"""The least error, or budget, that so many rows are enough for."""

from __future__ import annotations

import math
from collections.abc import Collection
from fractions import Fraction
from functools import partial

from tacit.learners.catalogue import CATALOGUE
from tacit.workflows.planning.decimals import decimal, least_decimal, place_of
from tacit.workflows.planning.goal import Axis, Goal
from tacit.workflows.planning.offers import CONTENDERS, Offer, asked, cheapest

FINEST = 9
"""Accuracies and budgets are sought among decimals of four digits from 10^-9 on."""
LAST: dict[Axis, Fraction] = {"alpha": Fraction(4999, 10**4), "epsilon": Fraction(500)}
"""The easiest goals: an error just below guessing, a budget that is hardly private."""


def reach(
    unknown: Axis, goal: Goal, rows: int, among: Collection[str] = CONTENDERS
) -> Offer | None:
    """Return what some learner promises with so many rows, for the least alpha or epsilon.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> goal = Goal(Thresholds(32), Fraction(1, 20), Fraction(1, 20), Fraction(1))
    >>> found = reach("alpha", goal, 600)
    >>> found.name, float(found.goal.alpha), found.n
    ('tree-threshold', 0.06386, 600)
    """

    def goal_at(place: int) -> Goal:
        return goal.at(unknown, decimal(place, finest=FINEST))

    def excess(name: str, place: int) -> float:
        said = asked(name, goal_at(place))
        return math.inf if said.learner is None else _ratio(said.n, min(rows, said.largest or rows))

    winner, place = "", place_of(float(LAST[unknown]), finest=FINEST)
    # who is slow comes last: what others reached leaves little to ask
    for name in sorted(among, key=lambda name: CATALOGUE[name].slow):
        if CATALOGUE[name].contends and excess(name, place) <= 0:
            least = least_decimal(partial(excess, name), place, finest=FINEST)
            winner, place = (name, least) if least < place or not winner else (winner, place)
    return cheapest(goal_at(place), (winner,)) if winner else None


def _ratio(n: int, rows: int) -> float:
    """Return ln(n / rows), exact in its sign."""
    log = math.log(max(n, 1)) - math.log(rows)
    return min(log, -0.0) if n <= rows else max(log, 1e-15)
