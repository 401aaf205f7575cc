"""The power curve: which error so many rows are enough for, and which is out of reach."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, log10
from typing import NamedTuple

from tacit.core.accuracy import Accuracy
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.privacy import Privacy
from tacit.interfaces.report.asked import Asked
from tacit.interfaces.report.blocks import Curve
from tacit.learners.catalogue import CATALOGUE, named
from tacit.learners.contract.entry import Entry, Request
from tacit.learners.contract.model import Model
from tacit.theory.impossible.lower_bounds import two_concepts, without_privacy

STEPS = 16
LARGEST = Fraction(1, 2)
"""Guessing errs as much."""


class Offer(NamedTuple):
    """A learner that promises as much, and the rows it needs."""

    name: str
    rows: int
    theorem: str


def power_curve(model: Model, asked: Asked) -> Curve | None:
    """Return the curve of the learner that was used, where it promises anything at all."""
    alphas = _alphas(model)
    offered = [_offer(named(model.learner), model, asked, alpha) for alpha in alphas]
    promised = [
        (offer.rows, float(alpha))
        for offer, alpha in zip(offered, alphas, strict=True)
        if offer is not None
    ]
    if not promised:
        return None
    never = [(_never(model, asked, alpha), float(alpha)) for alpha in alphas]
    here = None if model.accuracy is None else (model.n, float(model.accuracy.alpha))
    return Curve(tuple(promised), tuple(point for point in never if point[0] > 1), here)


def offers(model: Model, asked: Asked) -> list[Offer]:
    """Return the learners that promise the same and assume no more, fewest rows first."""
    if model.accuracy is None or model.accuracy.alpha >= LARGEST:
        return []
    alpha = model.accuracy.alpha
    listings = [each for each in CATALOGUE.values() if not each.assumes and not each.beaten_by]
    found = [_offer(listing, model, asked, alpha) for listing in listings]
    return sorted((each for each in found if each is not None), key=lambda each: each.rows)


def _offer(listing: Entry, model: Model, asked: Asked, alpha: Fraction) -> Offer | None:
    labels = len(model.labels)
    request = Request(
        model.concepts,
        Privacy(asked.epsilon, asked.delta),
        model.n,
        alpha,
        asked.beta / labels,
        model.agnostic,
        labels,
    )
    try:
        learner = listing(request)
        rows = learner.sample_size(Accuracy(alpha, asked.beta))
    except (InvalidArgument, TooLarge):
        return None
    if learner.largest_sample is not None and rows > learner.largest_sample:
        return None
    return Offer(listing.name, rows, learner.theorem)


def _never(model: Model, asked: Asked, alpha: Fraction) -> int:
    """Return so many rows that fewer are never enough, for any private learner."""
    dimension, beta = model.concepts.vc.lower, asked.beta
    private = two_concepts(epsilon=asked.epsilon, delta=asked.delta, alpha=alpha, beta=beta)
    return max(private, without_privacy(dimension, alpha=alpha, beta=beta))


def _alphas(model: Model) -> list[Fraction]:
    """Return errors from just below 1/2 to a quarter of what is promised, evenly in logarithms."""
    reached = Fraction(1, 4) if model.accuracy is None else min(model.accuracy.alpha, LARGEST)
    least = max(reached / 4, Fraction(1, 10**4))
    most = Fraction(49, 100)
    span = log10(most / least)
    found = [Fraction(round(float(most) / 10 ** (span * i / STEPS), 5)) for i in range(STEPS + 1)]
    return [Fraction(ceil(alpha * 10**5), 10**5) for alpha in found]
