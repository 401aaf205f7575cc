"""How many rows two concepts alone ask of every private learner: exactly so many, for two."""

from __future__ import annotations

import math

import numpy as np

from tacit.core import check
from tacit.core.numbers.exact import Exact
from tacit.core.numbers.least import least
from tacit.theory.impossible.differing_rows import GUARD, LARGE, Floats, added, mean, number


def two_concepts(*, epsilon: Exact, delta: Exact, beta: Exact, mass: Exact) -> int:
    """Bound the rows of any private learner by two concepts that differ where the mass is.

    Whoever is wrong there has failed. If K rows fall there, K steps of privacy lead from the one
    concept's rows to the other's; halfway a learner can but guess, and each step back divides its
    chance of failing by e^epsilon at most, delta aside. With mass alpha, in the limit from above,
    the concepts must agree on the rest; with mass 1 they need not. A learner that tells the two
    apart by noisy majority fails no more often, so for a class of two such concepts nothing better
    can be proved [docs/proofs/lower_bounds.md].

    >>> two_concepts(epsilon=1, delta=0, beta=0.05, mass=0.1)
    56
    >>> two_concepts(epsilon="1/2", delta="1e-6", beta=0.05, mass=0.05)
    206
    """
    rate, slack = number(epsilon=epsilon), float(check.small_probability(delta=delta))
    failure, share = number(beta=beta), min(float(check.positive(mass=mass)), 1.0)
    shift = added(rate, slack)

    def possible(n: int) -> bool:
        return mean(n, share, lambda rows: failing(rows, rate, slack)) <= failure + GUARD

    about = _fewest(rate, slack, failure + GUARD + shift, share)
    return about if about > LARGE else least(possible, low=about)


def failing(rows: Floats, rate: float, slack: float) -> Floats:
    """Return how often a learner fails at least if so many rows tell the two concepts apart.

    >>> failing(np.arange(4.0), 1.0, 0.0).round(4).tolist()
    [0.5, 0.2689, 0.1839, 0.0989]
    """
    half, shift = np.floor(rows / 2), added(rate, slack)
    guess = np.where(rows % 2 == 0, 0.5, (1 - slack) / (1 + math.exp(min(rate, 700.0))))
    return np.maximum(0.0, np.exp(-rate * half) * (guess + shift) - shift)


def _fewest(rate: float, slack: float, failure: float, share: float) -> int:
    """Return so many rows that fewer are too few by Jensen's inequality.

    The chance of failing is at least c e^(-epsilon K / 2) - shift, which is convex in K.
    """
    shift, root = added(rate, slack), math.exp(min(rate, 700.0) / 2)
    odd = root * ((1 - slack) / (1 + root * root) + shift)
    chance = min(0.5 + shift, odd)
    if chance <= failure:
        return 0
    return math.floor(2 * math.log(chance / failure) / (rate * share) * (1 - GUARD))
