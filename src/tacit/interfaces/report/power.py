"""The power curve: which error so many rows are enough for, and which is out of reach."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, log10

from tacit.core.errors import InvalidArgument
from tacit.interfaces.report.asked import Asked
from tacit.interfaces.report.blocks import CurveBlock
from tacit.learners.catalogue import named
from tacit.learners.contract.model import Model
from tacit.workflows.planning.goal import Goal
from tacit.workflows.planning.impossible import impossible_below
from tacit.workflows.planning.offers import CONTENDERS, Offer, needs, offers_for

STEPS = 16
LARGEST = Fraction(1, 2)
"""Guessing errs as much."""


def power_curve(model: Model, asked: Asked) -> CurveBlock | None:
    """Return the curve of the learner that was used, where it promises anything at all."""
    try:
        named(model.learner)
    except InvalidArgument:
        return None  # a learner that was retired since the model was written
    goals = [_goal(model, asked, alpha) for alpha in _alphas(model)]
    promised = [
        (offer.n, float(goal.alpha)) for goal in goals for offer in needs(model.learner, goal)
    ]
    if not promised:
        return None
    never = [(impossible_below(goal), float(goal.alpha)) for goal in goals]
    here = None if model.accuracy is None else (model.n, float(model.accuracy.alpha))
    return CurveBlock(tuple(promised), tuple(point for point in never if point[0] > 1), here)


def offers(model: Model, asked: Asked) -> tuple[Offer, ...]:
    """Return the learners that promise the same and assume no more, fewest rows first."""
    if model.accuracy is None or model.accuracy.alpha >= LARGEST:
        return ()
    return offers_for(_goal(model, asked, model.accuracy.alpha), CONTENDERS)


def _goal(model: Model, asked: Asked, alpha: Fraction) -> Goal:
    return Goal(
        model.concepts,
        alpha,
        asked.beta,
        asked.epsilon,
        asked.delta,
        len(model.labels),
        model.agnostic,
        n=model.n,
        best_error=model.best_error,
        labels_only=model.cost is None,
        public=0 if model.public_labelled else model.public,
        neighbours=model.unit.neighbours,
    )


def _alphas(model: Model) -> list[Fraction]:
    """Return errors from just below 1/2 to a quarter of what is promised, evenly in logarithms."""
    reached = Fraction(1, 4) if model.accuracy is None else min(model.accuracy.alpha, LARGEST)
    least = max(reached / 4, Fraction(1, 10**4))
    most = Fraction(49, 100)
    span = log10(most / least)
    found = [Fraction(round(float(most) / 10 ** (span * i / STEPS), 5)) for i in range(STEPS + 1)]
    return [Fraction(ceil(alpha * 10**5), 10**5) for alpha in found]
