"""Simulated points of the Plan page: what a learner needed on the worst populations found."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tacit.concepts.contract.specification import parse
from tacit.core.accuracy import Accuracy
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy
from tacit.interfaces.page.families import PLANNED, specification
from tacit.interfaces.page.serving.fields import Fields
from tacit.learners.catalogue import CATALOGUE, named
from tacit.learners.contract.entry import Request
from tacit.verify.enough.adversary import Adversary

ALPHAS = ("0.05", "0.08", "0.12", "0.2", "0.3")
EPSILONS = ("0.5", "1", "2", "3", "5")
RUNS, TRIES, SCREENED = {True: 400, False: 60}, {True: 6, False: 0}, 40
LEAN = Fraction(1, 4)
"""Of labels that no rule explains, (1 + 1/4) / 2 agree with the best."""

MOST_ROWS = 200_000


def simulated(asked: Fields, tell: Callable[[str], None]) -> dict[str, Any]:
    """Return, for a few places of the curve, the rows that were needed in simulation."""
    axis = asked.choice("axis", ("alpha", "epsilon"))
    concepts = parse(specification(asked.object("class"), PLANNED))
    name = asked.choice("learner", CATALOGUE)
    beta, delta = asked.number("beta", default="0.05"), asked.number("delta", default="0")
    labels, agnostic = asked.whole("labels", 1, 64, default=1), asked.flag("agnostic")
    fixed = asked.number("epsilon" if axis == "alpha" else "alpha")
    grid = ALPHAS if axis == "alpha" else EPSILONS
    points = []
    for place, x in enumerate(grid):
        tell(f"{place}/{len(grid)} simulating {axis} = {x}")
        alpha, epsilon = (x, fixed) if axis == "alpha" else (fixed, x)
        goal = Accuracy(alpha, beta)
        if not 0 < 2 * goal.alpha < 1:
            raise InvalidArgument("alpha must lie between 0 and 1/2")
        request = Request(
            concepts, Privacy(epsilon, delta), 1, goal.alpha, goal.beta / labels, agnostic, labels
        )
        learner = named(name)(request)
        promised = learner.sample_size(goal)
        if promised > MOST_ROWS:
            continue
        adversary = Adversary(
            concepts,
            learner,
            goal.alpha,
            runs=SCREENED,
            lean=LEAN if agnostic else Fraction(1),
            tries=0,
        )
        runs = RUNS[adversary.quick]
        adversary = Adversary(
            concepts,
            learner,
            goal.alpha,
            runs=runs,
            tries=TRIES[adversary.quick],
            lean=adversary.lean,
        )
        worst = max(
            adversary.populations(max(1, promised // 2)).values(),
            key=lambda population: adversary.chance(population, max(1, promised // 2)),
        )
        points.append([float(x), adversary.needed(worst, goal.beta, most=promised)])
    return {"axis": axis, "learner": name, "points": points}
