"""From a drawn representation to a fixed one by samples: enough lists together suit everybody.

And what that says of learners: proofs in docs/proofs/sparsification.md.

Of the papers: BNS19 Thm 41, BNS19 Cor 42, BNS19 Cor 43.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import comb

import numpy as np
from scipy.stats import binom

from tacit.core import Accuracy, Exact, InvalidArgument, Random, TooLarge, check
from tacit.core.numbers.enclosures import log_lower, log_upper, real, upper
from tacit.probability.binomial_masses import between
from tacit.theory.enough.selection import representation
from tacit.theory.representations.accurate_converse import local_bound
from tacit.theory.representations.drawn import drawn
from tacit.theory.representations.majorities import outvoted, votes_for
from tacit.theory.representations.representation import (
    ProbabilisticRepresentation,
    Rows,
    represents,
)
from tacit.theory.representations.sparsification import labelled_samples

QUARTER = Fraction(1, 4)  # the accuracy that the papers ask of a fixed representation
SAMPLES = tuple(int(2 ** (k / 8)) for k in range(24, 105))  # points: eight sizes an octave
MOST_BITS = 900  # of a size whose products with chances are floats
MORE_VOTES = 12  # beyond the fewest votes that come near enough
NEAR = 6  # a sixth to either side of the best sample is gone through


@dataclass(frozen=True, slots=True)
class UnionPlan:
    """So many lists of `size` hypotheses, passed by samples of so many points with few mistakes."""

    lists: int
    size: int
    sample: int
    mistakes: int
    share: Fraction

    @property
    def hypotheses(self) -> int:
        """How many hypotheses the union has at most."""
        return self.lists * self.size


def union_lists(
    size: int,
    *,
    points: int,
    concepts: int,
    near: tuple[Exact, Exact],
    goal: Exact = QUARTER,
    sample: int,
    mistakes: int,
    share: Exact,
) -> UnionPlan:
    """Return how many lists of an (alpha, beta)-representation hold a fixed one, at least once.

    A list passes a sample if one of its members makes at most `mistakes` on it. Of the samples that
    a list fails with probability at most `share`, t > ln(samples) / ln(1 / share) lists together
    pass all, for some draw. Under any distribution such a sample comes, and none of the hypotheses
    beyond `goal` passes it, unless (beta + P[Bin(m, alpha) > a]) / share + t N P[Bin(m, goal) <= a]
    reaches 1, which is refused (docs/proofs/communication.md) [BNS19 Thm 41, one-sided].

    >>> union_lists(
    ...     13, points=16, concepts=16, near=("1/16", "1/12"), sample=100, mistakes=11, share="1/2"
    ... ).hypotheses
    858
    """
    alpha = check.small_probability(alpha=near[0])
    beta = check.small_probability(beta=near[1])
    share, goal = check.probability(share=share), check.probability(goal=goal)
    m, a = check.count(sample=sample, least=1), check.count(mistakes=mistakes)
    samples = labelled_samples(points, concepts, m)
    t = int(log_upper(Fraction(samples)) / log_lower(1 / share)) + 1
    often = (beta + 1 - between(0, a, m, alpha)) / share + t * size * between(0, a, m, goal)
    if often >= 1:
        raise InvalidArgument("sample is too small for this share; take more points")
    return UnionPlan(t, size, m, a, share)


def least_union(
    size: int, *, points: int, concepts: int, near: tuple[Exact, Exact], goal: Exact = QUARTER
) -> UnionPlan:
    """Search samples, mistakes and shares for the smallest union; what is found is exact.

    >>> plan = least_union(13, points=16, concepts=16, near=("1/16", "1/12"))
    >>> plan.lists < 66
    True
    """
    alpha, beta, wide = (float(check.exact(value=v)) for v in (*near, goal))
    found: list[tuple[float, int, int, float]] = []
    for m in SAMPLES:
        found += _shares(size, points, concepts, (alpha, beta, wide), m)
    if not found:
        raise InvalidArgument("near must be a closer representation for this goal")
    middle = min(found)[1]
    for m in range(max(1, middle - middle // NEAR), middle + middle // NEAR):
        found += _shares(size, points, concepts, (alpha, beta, wide), m)
    for _, m, a, share in sorted(found):
        try:
            exact = Fraction(share).limit_denominator(10**6)
            return union_lists(
                size,
                points=points,
                concepts=concepts,
                near=near,
                goal=goal,
                sample=m,
                mistakes=a,
                share=exact,
            )
        except InvalidArgument:
            continue
    raise InvalidArgument("near must be a closer representation for this goal")


def fixed_by_union(
    representation: ProbabilisticRepresentation,
    concepts: Rows,
    plan: UnionPlan,
    *,
    goal: Exact = QUARTER,
    rng: Random,
    most: int = 100,
) -> Rows:
    """Draw the lists of a plan until their union represents the class, which is checked exactly.

    >>> from tacit.core.chance.randomness import Seeded
    >>> cube = np.array([[i >> 2 & 1, i >> 1 & 1, i & 1] for i in range(8)], dtype=bool)
    >>> halves = ProbabilisticRepresentation((cube[:4], cube[4:]), (Fraction(1, 2),) * 2)
    >>> len(fixed_by_union(halves, cube, UnionPlan(8, 4, 1, 0, Fraction(1, 2)), rng=Seeded(1)))
    8
    """
    for _ in range(check.count(most=most, least=1)):
        lists = [drawn(representation.probabilities, rng=rng) for _ in range(plan.lists)]
        union = np.concatenate([representation.sets[i] for i in sorted(set(lists))])
        union = np.unique(union, axis=0)
        if represents(union, concepts, goal):
            return union
    raise InvalidArgument(f"{most} unions of {plan.lists} lists do not represent the class")


@dataclass(frozen=True, slots=True)
class RowsByFixedSize:
    """How many rows a pure private learner needs, by the size of fixed representations alone.

    `size` is how many hypotheses represent the class within 1/4, at least; `drawn` how many are in
    no list of a (1/16, 1/12)-representation, for lack of which learners have `lower` rows or more.
    `upper` rows are enough if `size` is attained. `lower` is 0 where the size is below the number
    of lists: the paper's condition that DRepDim is at least N log d [BNS19 Cor 43].

    >>> goal = Accuracy("1/20", "1/20")
    >>> large = RowsByFixedSize.of(2**64, points=64, concepts=2**64, epsilon=1, accuracy=goal)
    >>> large.drawn > 2**50, large.lower, large.upper
    (True, 53, 59798)
    >>> RowsByFixedSize.of(16, points=256, concepts=256, epsilon=1, accuracy=goal).lower
    0
    """

    size: int
    drawn: int
    lower: int
    upper: int

    @classmethod
    def of(
        cls, size: int, *, points: int, concepts: int, epsilon: Exact, accuracy: Accuracy
    ) -> RowsByFixedSize:
        """Compute both: by unions of the learner's outputs, and by majorities of the fixed set."""
        near, alpha = (Fraction(1, 16), Fraction(1, 12)), accuracy.alpha
        if alpha > near[0]:
            raise InvalidArgument(f"alpha must be at most 1/16 for these constants, got {alpha}")
        if size.bit_length() > MOST_BITS:
            raise TooLarge(f"size must be below 2^{MOST_BITS}: the search is in floating point")
        union = partial(least_union, points=points, concepts=concepts, near=near)
        drawn = (size - 1) // union(check.count(size=size, least=2)).lists
        while drawn and union(drawn).hypotheses >= size:
            drawn -= 1
        lower = 0
        if drawn > 1:
            lower = local_bound(
                drawn + 1, epsilon=epsilon, alpha=alpha, beta=accuracy.beta, near=near
            )
        first = votes_for(QUARTER, alpha / 2)
        bounds = [
            representation(
                epsilon=epsilon, size=size**k, alpha=alpha, approximation=outvoted(k, QUARTER)
            )
            for k in range(first, first + MORE_VOTES, 2)
        ]
        enough = [each.sample_size(accuracy.beta) for each in bounds if each.factor < 1]
        return cls(size, drawn, lower, min(enough))


def _shares(
    size: int, points: int, concepts: int, rates: tuple[float, float, float], m: int
) -> list[tuple[float, int, int, float]]:
    """Return (lists, m, a, share) for each number of mistakes that some share allows."""
    alpha, beta, wide = rates
    logs = _log(labelled_samples(points, concepts, m))
    allowed = np.arange(math.floor(alpha * m), math.ceil(wide * m))
    missed, lucky = beta + binom.sf(allowed, m, alpha), size * binom.cdf(allowed, m, wide)
    found = []
    for a, often, each in zip(allowed.tolist(), missed.tolist(), lucky.tolist(), strict=True):
        share = often
        for _ in range(60):  # share = often / (1 - lists each): from below to the least fixed point
            if share >= 1:
                break
            share = often / max(1 - (logs / -math.log(share) + 1) * each, often)
        if 0 < share < 1:
            share = min(share * (1 + 1e-6), (1 + share) / 2)
            found.append((logs / -math.log(share), m, a, share))
    return found


def _log(number: int) -> float:
    shift = max(number.bit_length() - 60, 0)
    return math.log(number >> shift) + shift * math.log(2)


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
