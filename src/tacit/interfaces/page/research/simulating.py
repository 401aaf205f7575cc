"""Simulated points of the Plan page: what a learner needed on the worst populations found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from tacit.concepts.contract.specification import parse
from tacit.interfaces.page.families import PLANNED, specification
from tacit.interfaces.page.serving.fields import Fields
from tacit.learners.catalogue import CATALOGUE, named
from tacit.verify.enough.adversary import Adversary
from tacit.workflows.planning.goal import Axis
from tacit.workflows.planning.plan import goal_of

ALPHAS = ("0.05", "0.08", "0.12", "0.2", "0.3")
EPSILONS = ("0.5", "1", "2", "3", "5")
RUNS, TRIES, SCREENED = {True: 400, False: 60}, {True: 6, False: 0}, 40
LEAN = Fraction(1, 4)
"""Of labels that no rule explains, (1 + 1/4) / 2 agree with the best."""

MOST_ROWS = 200_000


def simulated(asked: Fields, tell: Callable[[str], None]) -> dict[str, Any]:
    """Return, for a few places of the curve, the rows that were needed in simulation."""
    axis: Axis = "alpha" if asked.choice("axis", ("alpha", "epsilon")) == "alpha" else "epsilon"
    concepts = parse(specification(asked.object("class"), PLANNED))
    name = asked.choice("learner", CATALOGUE)
    wanted = goal_of(
        concepts,
        alpha=None if axis == "alpha" else asked.number("alpha"),
        epsilon=None if axis == "epsilon" else asked.number("epsilon"),
        beta=asked.number("beta", default="0.05"),
        delta=asked.number("delta", default="0"),
        labels=asked.whole("labels", 1, 64, default=1),
        agnostic=asked.flag("agnostic"),
        best_error=asked.maybe("best_error"),
    )
    grid = ALPHAS if axis == "alpha" else EPSILONS
    points = []
    for place, x in enumerate(grid):
        tell(f"{place}/{len(grid)} simulating {axis} = {x}")
        goal = wanted.at(axis, Fraction(x))
        learner = named(name)(goal.request)
        promised = learner.sample_size(goal.accuracy)
        if promised > MOST_ROWS:
            continue
        lean = LEAN if goal.agnostic else Fraction(1)
        if goal.best_error is not None:
            lean = max(lean, 1 - 2 * goal.best_error)
        screened = Adversary(concepts, learner, goal.alpha, runs=SCREENED, lean=lean, tries=0)
        quick = screened.quick
        adversary = replace(screened, runs=RUNS[quick], tries=TRIES[quick])
        worst = max(
            adversary.populations(max(1, promised // 2)).values(),
            key=lambda population: adversary.chance(population, max(1, promised // 2)),
        )
        points.append([float(x), adversary.needed(worst, goal.beta, most=promised)])
    return {"axis": axis, "learner": name, "points": points}
