"""The lower bounds that bind whoever meets a goal, each with the witness that it needs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache, partial

from tacit.concepts.contract.named_problem import InnerProduct, OnTheLine
from tacit.core.group_privacy import group_privacy
from tacit.core.privacy import Privacy
from tacit.core.unit import Neighbours
from tacit.theory.communication.bits import line_bound
from tacit.theory.impossible.fingerprints import (
    labels_of_uniform_points,
    many_labels,
    many_thresholds,
)
from tacit.theory.impossible.lower_bound import LowerBound, coins
from tacit.theory.impossible.mistake_trees import littlestone_bound, path_bound
from tacit.theory.impossible.packing import packing, rank_bound
from tacit.theory.impossible.protocols import protocol_bound
from tacit.theory.impossible.unseen_points import unseen, vc_bound
from tacit.theory.impossible.witnesses import (
    Dimension,
    PackedConcepts,
    agreeing,
    differing,
    line,
)
from tacit.workflows.planning.goal import Goal

Bounds = Iterator[LowerBound]


@lru_cache(maxsize=1 << 12)
def impossible(goal: Goal) -> tuple[LowerBound, ...]:
    """Return every lower bound that binds some learner that the goal allows, the largest first.

    Where records are added, that binds which is proved for replaced ones at twice the epsilon, and
    delta (1 + e^epsilon): whoever protects an added record protects a replaced one so much.
    """
    if goal.neighbours is Neighbours.ADDED:
        twice = group_privacy(Privacy(goal.epsilon, goal.delta), 2)
        plain = replace(goal, neighbours=Neighbours.REPLACED)
        if twice is None:
            return tuple(bound for bound in impossible(plain) if not bound.private)
        return impossible(replace(plain, epsilon=twice.epsilon, delta=twice.delta))
    told = _without_privacy, _of_two, _of_codes, _of_trees, _of_packings
    found = [bound for each in told for bound in each(goal)]
    every = not goal.labels_only and not goal.public  # public points show how points are drawn
    holds = (b for b in found if b.n > 0 and (every or b.labels_only or not b.private))
    return tuple(sorted(holds, key=lambda b: -b.n))


def strongest(goal: Goal) -> LowerBound | None:
    """Return the largest bound that binds all learners that the goal allows.

    >>> from dataclasses import replace
    >>> from fractions import Fraction
    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> goal = Goal(Thresholds(32), Fraction(1, 20), Fraction(1, 20), Fraction(1))
    >>> strongest(goal).n, strongest(replace(goal, proper=True)).n
    (113, 320)
    """
    return next(binding(goal), None)


def binding(goal: Goal, *, uniform: bool = False) -> Bounds:
    """Yield the bounds that bind all learners that the goal allows, the largest first.

    If points are uniform, those that hold for such points.
    """
    for bound in impossible(goal):
        if (goal.proper or not bound.proper) and (bound.uniform or not uniform):
            yield bound


def impossible_below(goal: Goal) -> int:
    """Return so many rows that fewer are never enough, for any learner that the goal allows."""
    bound = strongest(goal)
    return 0 if bound is None else bound.n


def _without_privacy(goal: Goal) -> Bounds:
    """Points that no row shows, coins that too few rows tell apart, parities of too low a rank."""
    concepts, accuracy = goal.concepts, {"alpha": goal.alpha, "beta": goal.beta}
    if (pair := agreeing(concepts)) is not None:
        yield LowerBound("unseen point", unseen(**accuracy), "EHKV89", pair, private=False)
    shattered = Dimension("VC", concepts.vc.lower, concepts.vc.why)
    rows = vc_bound(concepts.vc.lower, **accuracy)
    yield LowerBound("unseen points", rows, "EHKV89", shattered, private=False)
    if isinstance(concepts.problem, InnerProduct) and _told_apart(goal):
        rows = rank_bound(concepts.problem.dims, beta=goal.beta)
        yield LowerBound("rank", rows, "BNS16", shattered, private=False, uniform=True)
    if _arbitrary(goal) and (pair := differing(concepts)) is not None:
        rows = coins(goal.labels, **accuracy)
        yield LowerBound("coins", rows, "AB99", pair, private=False, agnostic=True)


def _of_two(goal: Goal) -> Bounds:
    """Two concepts for each label, which few rows tell apart: their points are the same."""
    labels, spent = goal.labels, {"epsilon": goal.epsilon, "delta": goal.delta, "beta": goal.beta}
    one, bound = labels == 1, partial(LowerBound, labels_only=True)
    agree = agreeing(goal.concepts)
    if (pair := differing(goal.concepts)) is not None and not (one and agree):
        name, key = ("two concepts", "DR14") if one else ("labels of a point", "BNS16")
        yield bound(name, packing(1 << labels, **spent), key, pair)
    if (pair := agree) is not None:
        name, key = ("two concepts", "DR14") if one else ("packing of labels", "BNS16")
        yield bound(name, packing(1 << labels, **spent, mass=goal.alpha), key, pair)
    if not one:
        vc = goal.concepts.vc
        rows = _path(goal, vc.lower, labels=labels)
        yield bound("labels of a shattered set", rows, "BNS16", Dimension("VC", vc.lower, vc.why))


def _of_codes(goal: Goal) -> Bounds:
    """Labels that are a code: whoever learns all of them privately must see many rows."""
    concepts, budget = goal.concepts, {"epsilon": goal.epsilon, "delta": goal.delta}
    asked = {**budget, "alpha": goal.alpha, "beta": goal.beta}
    bound = partial(LowerBound, labels_only=True)
    if (pair := agreeing(concepts)) is not None and _arbitrary(goal):
        rows = many_labels(goal.labels, **asked)
        yield bound("fingerprinting", rows, "BNS16", pair, agnostic=True)
        if isinstance(concepts.problem, InnerProduct):
            name = "fingerprinting, uniform points"
            rows = labels_of_uniform_points(goal.labels, **asked)
            yield bound(name, rows, "BNS16", pair, agnostic=True, uniform=True)
    if (found := line(concepts)) is not None:
        rows = many_thresholds(goal.labels, line=found.length, **asked)
        yield bound("fingerprinting of thresholds", rows, "BNS16", found)


def _of_trees(goal: Goal) -> Bounds:
    concepts = goal.concepts
    depth, asked = concepts.littlestone.lower, {"epsilon": goal.epsilon, "beta": goal.beta}
    tree = Dimension("Littlestone", depth, concepts.littlestone.why)
    rows = _path(goal, depth)
    yield LowerBound("paths of a mistake tree", rows, "BNS19", tree)
    if goal.delta:
        return
    rows = littlestone_bound(depth, **asked, alpha=goal.alpha)
    yield LowerBound("Littlestone dimension", rows, "FX14", tree, pure=True)
    if isinstance(concepts.problem, OnTheLine):
        rows = protocol_bound(partial(line_bound, concepts.problem.p), **asked, alpha=goal.alpha)
        yield LowerBound("protocols for lines", rows, "FX14", tree, pure=True)


def _path(goal: Goal, depth: int, labels: int = 1) -> int:
    return path_bound(
        depth,
        epsilon=goal.epsilon,
        delta=goal.delta,
        alpha=goal.alpha,
        beta=goal.beta,
        labels=labels,
    )


def _of_packings(goal: Goal) -> Bounds:
    """Packings of the family, and of all its concepts where uniform points tell them apart."""
    concepts, labels = goal.concepts, goal.labels
    spent = {"epsilon": goal.epsilon, "delta": goal.delta, "beta": goal.beta}
    for packed in concepts.packings:
        if packed.share * goal.alpha >= 1:
            continue
        k = labels if packed.common else 1
        rows = packing(packed.concepts**k, **spent, mass=packed.share * goal.alpha)
        witness, name = PackedConcepts(packed, k), f"packing of {concepts.family}"
        bound = partial(LowerBound, labels_only=packed.common)
        yield bound(name, rows, "BKN10", witness, proper=packed.proper)
        if packed.common and _told_apart(goal):
            rows = packing(packed.concepts**k, **spent)
            yield bound(f"{name}, uniform points", rows, "BNS16", witness, uniform=True)


def _arbitrary(goal: Goal) -> bool:
    """Whether even the best rule may err as on coins: not if it is said to err less."""
    return goal.agnostic and goal.best_error is None


def _told_apart(goal: Goal) -> bool:
    """Whether no function errs by alpha on two concepts, where points are uniform."""
    apart = goal.concepts.distance
    return apart is not None and 2 * goal.alpha < apart
