"""The lower bounds that apply to a goal, and whom they bind."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache, partial

from tacit.concepts.contract.named_problem import InnerProduct, OnTheLine
from tacit.core.errors import TooLarge
from tacit.theory.communication.lines import line_bound
from tacit.theory.enough.rank import rank_bound
from tacit.theory.impossible.lower_bounds import (
    LowerBound,
    coins,
    littlestone_bound,
    many_labels,
    packing,
    protocol_bound,
    two_concepts,
    vc_bound,
)
from tacit.workflows.planning.goal import Goal


@lru_cache(maxsize=1 << 12)
def impossible(goal: Goal) -> tuple[LowerBound, ...]:
    """Return every lower bound that applies, the largest first."""
    found = [*_for_everybody(goal), *_for_pure(goal), *_for_many_labels(goal)]
    return tuple(sorted((b for b in found if b.n > 0), key=lambda b: -b.n))


def strongest(goal: Goal, *, uniform: bool = False) -> LowerBound | None:
    """Return the largest bound that binds all learners that the goal allows.

    If points are uniform, of the bounds that hold for those.

    >>> from dataclasses import replace
    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> goal = Goal(Thresholds(32), Fraction(1, 20), Fraction(1, 20), Fraction(1))
    >>> strongest(goal).n, strongest(replace(goal, proper=True)).n
    (86, 312)
    """
    binding = (each for each in impossible(goal) if each.binds(proper=goal.proper))
    return next((each for each in binding if each.uniform or not uniform), None)


def impossible_below(goal: Goal) -> int:
    """Return so many rows that fewer are never enough, for any learner that the goal allows."""
    bound = strongest(goal)
    return 0 if bound is None else bound.n


def _for_everybody(goal: Goal) -> Iterator[LowerBound]:
    concepts, accuracy = goal.concepts, {"alpha": goal.alpha, "beta": goal.beta}
    rows = vc_bound(concepts.vc.lower, **accuracy)
    yield LowerBound("without privacy", rows, "EHKV89", "every learner")
    if isinstance(concepts.problem, InnerProduct) and _told_apart(goal):
        rows = rank_bound(concepts.problem.dims, beta=goal.beta)
        yield LowerBound("rank", rows, "BNS16", "every learner", uniform=True)
    if _varied(goal):
        rows = two_concepts(epsilon=goal.epsilon, delta=goal.delta, **accuracy)
        yield LowerBound("two concepts", rows, "DR14", "every private learner")
    if _varied(goal) and goal.agnostic:
        rows = coins(goal.labels, **accuracy)
        yield LowerBound("coins", rows, "AB99", "every learner of arbitrary labels")


def _for_pure(goal: Goal) -> Iterator[LowerBound]:
    if goal.delta:
        return
    concepts, whom = goal.concepts, "pure learners"
    asked = {"epsilon": goal.epsilon, "alpha": goal.alpha, "beta": goal.beta}
    rows = littlestone_bound(concepts.littlestone.lower, **asked)
    yield LowerBound("Littlestone dimension", rows, "FX14", whom)
    if isinstance(concepts.problem, OnTheLine):
        rows = protocol_bound(partial(line_bound, concepts.problem.p), **asked)
        yield LowerBound("protocols for lines", rows, "FX14", whom)
    if (packed := concepts.packing) is not None:
        rows = _packed(goal, packed.concepts, mass=packed.share * goal.alpha)
        whom = "pure and proper learners"
        yield LowerBound(f"packing of {concepts.family}", rows, "BKN10", whom, proper=True)


def _for_many_labels(goal: Goal) -> Iterator[LowerBound]:
    if not _varied(goal):
        return
    concepts, labels = goal.concepts, goal.labels
    if not goal.delta:
        rows = _packed(goal, 1 << labels, mass=goal.alpha)
        yield LowerBound("packing of labels", rows, "BNS16", "pure learners")
    if not goal.delta and _told_apart(goal):
        rows = _packed(goal, concepts.size**labels)
        yield LowerBound(
            f"packing of {concepts.family}", rows, "BNS16", "pure learners", uniform=True
        )
    if goal.agnostic:
        whom = "learners of arbitrary labels, expected error"
        budget = {"epsilon": goal.epsilon, "delta": goal.delta}
        rows = many_labels(labels, **budget, alpha=goal.alpha)
        yield LowerBound("fingerprinting", rows, "BNS16", whom, expected=True)
        rows = many_labels(labels, **budget, alpha=goal.expected_error)
        whom = "every private learner of arbitrary labels"
        yield LowerBound("fingerprinting, but for beta", rows, "BNS16", whom)


def _packed(goal: Goal, families: int, mass: Fraction | int = 1) -> int:
    return packing(families, epsilon=goal.epsilon, beta=goal.beta, mass=mass)


def _told_apart(goal: Goal) -> bool:
    """Whether no function errs by alpha on two concepts, where points are uniform."""
    apart = goal.concepts.distance
    return apart is not None and 2 * goal.alpha < apart


def _varied(goal: Goal) -> bool:
    """Whether there are two concepts; where they are too many to count there are."""
    try:
        return goal.concepts.size > 1
    except TooLarge:
        return True
