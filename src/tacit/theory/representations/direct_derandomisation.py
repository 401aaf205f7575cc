"""From a representation that is drawn to one that is fixed, without protocols in between.

Of the papers: BNS19 Thm 41.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np

from tacit.core import Exact, InvalidArgument, Random, check
from tacit.core.numbers.enclosures import real, upper
from tacit.theory.representations.drawn import drawn
from tacit.theory.representations.representation import (
    ProbabilisticRepresentation,
    Rows,
    represents,
)


def direct_draws(
    size: int, concepts: int, points: int, *, failure: Exact, slack: Exact
) -> tuple[int, int]:
    """Return (t, m): some t draws together represent within alpha + slack, by samples of m points.

    A distribution that none of the N t hypotheses suits has a multiset of m points, m > ln(N t) /
    (2 slack^2), that none suits within alpha; each of |C| C(|X| + m - 1, m) concepts and multisets
    has t bad draws with probability beta^t; t is least with less than one expected
    (docs/proofs/communication.md).

    >>> direct_draws(8, 256, 256, failure="1/3", slack="0.1")
    (403, 404)
    """
    beta, gap = check.probability(failure=failure), check.probability(slack=slack)
    t = 1
    while True:
        m = _sample(size * t, gap)
        if concepts * comb(points + m - 1, m) * beta.numerator**t < beta.denominator**t:
            return t, m
        t += 1


def fixed_from_drawn(
    representation: ProbabilisticRepresentation,
    concepts: Rows,
    alpha: Exact,
    *,
    rng: Random,
    most: int = 10**4,
) -> tuple[int, Rows]:
    """Draw sets until together they alpha-represent the class; return how many, and their union.

    >>> from tacit.core.chance.randomness import Seeded
    >>> points = np.eye(4, dtype=bool)
    >>> halves = ProbabilisticRepresentation((points[:2], points[2:]), (Fraction(1, 2),) * 2)
    >>> draws, union = fixed_from_drawn(halves, points, "1/4", rng=Seeded(3))
    >>> len(union)
    4
    """
    union = np.zeros((0, concepts.shape[1]), dtype=np.bool_)
    for draws in range(1, check.count(most=most, least=1) + 1):
        among = representation.sets[drawn(representation.probabilities, rng=rng)]
        union = np.unique(np.concatenate((union, among)), axis=0)
        if represents(union, concepts, alpha):
            return draws, union
    raise InvalidArgument(f"{most} draws do not represent the class within alpha={alpha}")


def _sample(hypotheses: int, slack: Fraction) -> int:
    """Return an integer above ln(hypotheses) / (2 slack^2), the next one if no bound says else."""
    return int(upper(lambda: real(hypotheses).log() / (2 * real(slack) ** 2))) + 1
