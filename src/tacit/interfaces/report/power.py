"""The power curve: which error so many rows are enough for, and which is out of reach."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, log10

from tacit.core.accuracy import Accuracy
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.privacy import Privacy
from tacit.evaluation.impossible import impossible
from tacit.evaluation.plan import Goal, Offer, offers_for
from tacit.interfaces.report.asked import Asked
from tacit.interfaces.report.blocks import Curve
from tacit.learners.catalogue import named
from tacit.learners.listing import Request
from tacit.learners.model import Model

STEPS = 16
LARGEST = Fraction(1, 2)
"""Guessing errs as much."""


def power_curve(model: Model, asked: Asked) -> Curve | None:
    """Return the curve of the learner that was used, where it promises anything at all."""
    labels = len(model.labels)
    request = Request(
        model.concepts,
        Privacy(asked.epsilon, asked.delta),
        model.n,
        asked.alpha,
        asked.beta / labels,
        model.agnostic,
        labels,
    )
    try:
        learner = named(model.learner)(request)
        promised = [
            (learner.sample_size(Accuracy(alpha, asked.beta)), float(alpha))
            for alpha in _alphas(model)
        ]
    except (InvalidArgument, TooLarge):
        return None
    out_of_reach = [
        (max((bound.n for bound in impossible(goal(model, asked, alpha))), default=0), float(alpha))
        for alpha in _alphas(model)
    ]
    here = None if model.accuracy is None else (model.n, float(model.accuracy.alpha))
    shown = [point for point in out_of_reach if point[0] > 1]
    return Curve(tuple(promised), tuple(shown), here)


def offers(model: Model, asked: Asked) -> tuple[Offer, ...]:
    """Return the learners that promise the same, cheapest first."""
    if model.accuracy is None or not 0 < model.accuracy.alpha < LARGEST:
        return ()
    return offers_for(goal(model, asked, model.accuracy.alpha))


def goal(model: Model, asked: Asked, alpha: Fraction) -> Goal:
    """Return what was asked for, with this error."""
    return Goal(
        model.concepts,
        alpha,
        asked.beta,
        asked.epsilon,
        asked.delta,
        len(model.labels),
        model.agnostic,
    )


def _alphas(model: Model) -> list[Fraction]:
    """Return errors from just below 1/2 to a quarter of what is promised, evenly in logarithms."""
    reached = Fraction(1, 4) if model.accuracy is None else min(model.accuracy.alpha, LARGEST)
    least = max(reached / 4, Fraction(1, 10**4))
    most = Fraction(49, 100)
    span = log10(most / least)
    found = [Fraction(round(float(most) / 10 ** (span * i / STEPS), 5)) for i in range(STEPS + 1)]
    return [Fraction(ceil(alpha * 10**5), 10**5) for alpha in found]
