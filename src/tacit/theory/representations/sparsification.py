"""A drawn representation with few outcomes of its coins: some lists stand for all.

Of the papers: BNS19 Remark 11, BNS19 Thm 40.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb

from tacit.core import check
from tacit.core.chance.randomness import Random
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.enclosures import log_upper
from tacit.core.numbers.exact import Exact
from tacit.probability.binomial_exact import between
from tacit.theory.representations.drawn import drawn
from tacit.theory.representations.representation import ProbabilisticRepresentation


def sparse_lists(
    size: int,
    *,
    points: int,
    concepts: int,
    near: tuple[Exact, Exact],
    goal: tuple[Exact, Exact],
    sample: int,
    mistakes: int,
    miss: Exact = 1,
) -> int:
    """Return how many lists, drawn from an (alpha, beta)-representation, make a sparse one.

    `near` is (alpha, beta), `goal` the wider (alpha_2, beta_2) that the even distribution over the
    lists has but for probability `miss`; with 1, such lists exist. A list passes a sample if one of
    its members makes at most `mistakes` on it: the shares that pass are near their means for all
    samples at once, and what passes is within alpha_2 [BNS19 Thm 40, with exact tails].

    >>> quarter = {"near": ("1/16", "1/12"), "goal": ("1/4", "1/2"), "sample": 126, "mistakes": 14}
    >>> sparse_lists(111, points=256, concepts=256, **quarter)
    782
    """
    (alpha, beta), (wide, often) = map(_pair, (near, goal))
    m, a = check.count(sample=sample, least=1), check.count(mistakes=mistakes)
    gap = often - beta - (1 - between(0, a, m, alpha)) - size * between(0, a, m, wide)
    if gap <= 0:
        raise InvalidArgument(
            "sample is too small for this goal; take more points, or a wider goal"
        )
    samples = labelled_samples(points, concepts, m)
    return int(log_upper(samples / check.positive(miss=miss)) / (2 * gap * gap)) + 1


def labelled_samples(points: int, concepts: int, m: int) -> int:
    """Bound the number of samples of m points, in no order, with the labels of a concept.

    >>> labelled_samples(2, 3, 1)
    4
    """
    ordered: int = (2 * points) ** m
    return min(ordered, comb(2 * points + m - 1, m), concepts * comb(points + m - 1, m))


def sparsified(
    representation: ProbabilisticRepresentation, lists: int, *, rng: Random
) -> ProbabilisticRepresentation:
    """Draw so many lists, and let the new coins choose evenly among them; equal ones are put once.

    `represents` of the result checks what was drawn.

    >>> from tacit.core.chance.randomness import Seeded
    >>> import numpy as np
    >>> points = np.eye(4, dtype=bool)
    >>> each = ProbabilisticRepresentation(tuple(points[:, None]), (Fraction(1, 4),) * 4)
    >>> few = sparsified(each, 100, rng=Seeded(0))
    >>> sum(few.probabilities), few.represents(points, 0, "7/8")
    (Fraction(1, 1), True)
    """
    counts = Counter(
        drawn(representation.probabilities, rng=rng)
        for _ in range(check.count(lists=lists, least=1))
    )
    return ProbabilisticRepresentation(
        tuple(representation.sets[i] for i in counts),
        tuple(Fraction(k, lists) for k in counts.values()),
    )


def _pair(pair: tuple[Exact, Exact]) -> tuple[Fraction, Fraction]:
    return check.small_probability(alpha=pair[0]), check.small_probability(beta=pair[1])
