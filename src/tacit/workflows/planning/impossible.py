"""The lower bounds that apply to a goal."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tacit.concepts.algebra.lines import Lines
from tacit.concepts.algebra.parities import Parities
from tacit.concepts.line.points import Points
from tacit.concepts.line.thresholds import Thresholds
from tacit.core.errors import TooLarge
from tacit.theory.communication.lines import line_bound
from tacit.theory.impossible import lower_bounds
from tacit.theory.impossible.lower_bounds import LowerBound

if TYPE_CHECKING:
    from tacit.workflows.planning.plan import Goal


def impossible(goal: Goal) -> tuple[LowerBound, ...]:
    """Return every lower bound that applies, the largest first."""
    found = [*_for_everybody(goal), *_for_pure(goal), *_for_many_labels(goal)]
    return tuple(sorted((b for b in found if b.n > 0), key=lambda b: -b.n))


def _for_everybody(goal: Goal) -> list[LowerBound]:
    alpha, beta = goal.alpha, goal.beta
    found = [
        LowerBound(
            "without privacy",
            lower_bounds.without_privacy(goal.concepts.vc.lower, alpha=alpha, beta=beta),
            "EHKV89",
            "every learner",
        )
    ]
    if _varied(goal):
        rows = lower_bounds.two_concepts(
            epsilon=goal.epsilon, delta=goal.delta, alpha=alpha, beta=beta
        )
        found.append(LowerBound("two concepts", rows, "DR14", "every private learner"))
    if _varied(goal) and goal.agnostic:
        rows = lower_bounds.coins(goal.labels, alpha=alpha, beta=beta)
        found.append(LowerBound("coins", rows, "AB99", "every learner of arbitrary labels"))
    return found


def _for_pure(goal: Goal) -> list[LowerBound]:
    if goal.delta:
        return []
    epsilon, alpha, beta = goal.epsilon, goal.alpha, goal.beta
    tree = lower_bounds.littlestone_bound(
        goal.concepts.littlestone.lower, epsilon=epsilon, alpha=alpha, beta=beta
    )
    found = [LowerBound("Littlestone dimension", tree, "FX14", "pure learners")]
    if isinstance(goal.concepts, Lines):
        rows = lower_bounds.protocol_bound(
            partial(line_bound, goal.concepts.p), epsilon=epsilon, alpha=alpha, beta=beta
        )
        found.append(LowerBound("protocols for lines", rows, "FX14", "pure learners"))
    if isinstance(goal.concepts, Points) and goal.concepts.size > 2:
        rows = lower_bounds.packing(goal.concepts.size - 1, epsilon=epsilon, beta=beta, mass=alpha)
        found.append(LowerBound("packing of points", rows, "BKN10", "pure and proper learners"))
    if isinstance(goal.concepts, Thresholds) and goal.concepts.domain_size > 4:
        rows = lower_bounds.packing(
            goal.concepts.domain_size - 2, epsilon=epsilon, beta=beta, mass=2 * alpha
        )
        found.append(LowerBound("packing of thresholds", rows, "BKN10", "pure, proper learners"))
    return found


def _for_many_labels(goal: Goal) -> list[LowerBound]:
    if not _varied(goal):
        return []
    found = []
    if not goal.delta:
        rows = lower_bounds.packing(
            1 << goal.labels, epsilon=goal.epsilon, beta=goal.beta, mass=goal.alpha
        )
        found.append(LowerBound("packing of labels", rows, "BNS16", "pure learners"))
        if isinstance(goal.concepts, Parities) and 4 * goal.alpha < 1:
            size = 1 << goal.labels * goal.concepts.dims
            rows = lower_bounds.packing(size, epsilon=goal.epsilon, beta=goal.beta)
            found.append(LowerBound("packing of parities", rows, "BNS16", "pure learners"))
    if goal.agnostic:
        rows = lower_bounds.many_labels(
            goal.labels, epsilon=goal.epsilon, delta=goal.delta, alpha=goal.alpha
        )
        applies = "learners of arbitrary labels, expected error"
        found.append(LowerBound("fingerprinting", rows, "BNS16", applies))
    return found


def _varied(goal: Goal) -> bool:
    """Whether there are two concepts; where they are too many to count there are."""
    try:
        return goal.concepts.size > 1
    except TooLarge:
        return True
