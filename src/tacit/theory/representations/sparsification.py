"""A drawn representation with few outcomes of its coins: some lists stand for all.

The proof goes through a learner without privacy; proofs in docs/proofs/sparsification.md.

Of the papers: BNS19 Remark 11, BNS19 Obs 36, BNS19 Def 37, BNS19 Claim 38, BNS19 Claim 39, BNS19
Thm 40.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import listable
from tacit.core import Exact, InvalidArgument, Random, check, hold
from tacit.core.chance.law import Law, collect
from tacit.core.numbers.enclosures import log_upper
from tacit.probability.binomial_masses import between
from tacit.theory.representations.drawn import drawn
from tacit.theory.representations.representation import ProbabilisticRepresentation, Rows

Sample = tuple[int, ...]
"""Points by their numbers, in any order, each as often as it was drawn."""


class WorstPopulation(NamedTuple):
    """How often a learner fails on the worst population, between two numbers.

    `concept` and `population` have the failure `lower`: rows drawn evenly from that population.
    """

    lower: Fraction
    upper: Fraction
    concept: int
    population: Sample


@dataclass(frozen=True, slots=True, eq=False)
class SampleLearner:
    """Draw a set, return its hypothesis of least error on a sample of m rows, or fail above gamma.

    Not private: a part of the proof that few sets stand for all [BNS19 Def 37].

    >>> halves = ProbabilisticRepresentation(
    ...     (np.array([[0, 0]], dtype=bool), np.array([[1, 1]], dtype=bool)), (Fraction(1, 2),) * 2
    ... )
    >>> learner = SampleLearner(halves, m=4, gamma="1/4")
    >>> learner.failure((0, 0, 0, 1), np.array([True, False])), learner.mistakes
    (Fraction(1, 2), 1)
    >>> worst = learner.failures(np.array([[True, False]]), population=8)
    >>> worst.population, round(float(worst.lower), 4), float(worst.upper)
    ((0, 0, 0, 0, 1, 1, 1, 1), 0.6875, 0.75...)
    """

    representation: ProbabilisticRepresentation
    m: int
    gamma: Fraction

    def __init__(
        self, representation: ProbabilisticRepresentation, *, m: int, gamma: Exact
    ) -> None:
        hold(self, representation=representation).count(m=m, least=1)
        hold(self).small_probability(gamma=gamma)

    @property
    def mistakes(self) -> int:
        """The most mistakes on a sample that are no failure."""
        return int(self.gamma * self.m)

    def __call__(
        self, sample: Sequence[int], labels: Sequence[bool], *, rng: Random
    ) -> tuple[bool, ...] | None:
        """Learn from points and their labels; None if it fails."""
        among = self.representation.sets[drawn(self.representation.probabilities, rng=rng)]
        return self._best(among, sample, labels)

    def law(self, sample: Sequence[int], labels: Sequence[bool]) -> Law[tuple[bool, ...] | None]:
        """Return the exact law of what is learned; None is a failure."""
        pairs = zip(self.representation.sets, self.representation.probabilities, strict=True)
        return collect((self._best(among, sample, labels), p) for among, p in pairs)

    def failure(
        self, sample: Sequence[int], concept: Sequence[bool] | NDArray[np.bool_]
    ) -> Fraction:
        """Return the probability of a failure on a sample that a concept labels."""
        return self.law(sample, [bool(concept[x]) for x in sample])[None]

    def failures(self, concepts: Rows, *, population: int) -> WorstPopulation:
        """Bound how often it fails on i.i.d. rows of any distribution, labelled by a concept.

        Rows of the distribution D, m of them, are m of `population` rows of D, chosen at random: so
        the failure is at most that of the worst population, drawn from without replacement, and at
        least that of the worst one drawn from with replacement. The two approach each other.
        """
        if check.count(population=population) < self.m:
            raise InvalidArgument(f"population must be at least m={self.m}, got {population}")
        points = concepts.shape[1]
        listable(
            comb(points + population - 1, population) * comb(points + self.m - 1, self.m),
            what="pairs of a population and a sample",
        )
        samples, every = list(_samples(points, self.m)), list(_samples(points, population))
        held = [Counter(sample) for sample in samples]
        found = WorstPopulation(Fraction(-1), Fraction(-1), 0, ())
        for number, concept in enumerate(concepts):
            missed = [self.failure(sample, concept) for sample in samples]
            for rows in every:
                have = Counter(rows)
                without = [prod(comb(have[x], k) for x, k in part.items()) for part in held]
                ways = [
                    factorial(self.m)
                    * prod(Fraction(have[x] ** k, factorial(k)) for x, k in part.items())
                    for part in held
                ]
                high = sum((w * p for w, p in zip(without, missed, strict=True)), Fraction(0))
                low = sum((w * p for w, p in zip(ways, missed, strict=True)), Fraction(0))
                high, low = high / comb(population, self.m), low / population**self.m
                if low > found.lower:
                    found = WorstPopulation(low, found.upper, number, rows)
                found = found._replace(upper=max(found.upper, high))
        return found

    def promised(self, alpha: Exact, beta: Exact) -> Fraction:
        """Bound its failure where the sets (alpha, beta)-represent the class [BNS19 Claim 38].

        >>> once = ProbabilisticRepresentation((np.eye(2, dtype=bool),), (Fraction(1),))
        >>> float(SampleLearner(once, m=30, gamma="1/5").promised("1/10", "1/20")) < 2 / 20 + 0.03
        True
        """
        alpha, beta = _pair((alpha, beta))
        return beta + 1 - between(0, self.mistakes, self.m, alpha)

    def excess(self, other: SampleLearner, concepts: Rows) -> tuple[Fraction, Sample, int]:
        """Return by how much more it fails than another one, on the worst sample of a concept."""
        every = ((x, c) for c in range(len(concepts)) for x in _samples(concepts.shape[1], self.m))
        return max(
            (self.failure(x, concepts[c]) - other.failure(x, concepts[c]), x, c) for x, c in every
        )

    def thinned(
        self, beta: Exact, concepts: Rows, *, rng: Random, most: int = 100
    ) -> SampleLearner:
        """Draw so many sets that some draw fails at most beta more on any sample, until one does.

        t > ln(samples) / (2 beta^2) are enough [BNS19 Claim 39, one-sided]; what is drawn is
        checked on every sample of every concept.
        """
        beta, (many, points) = check.probability(beta=beta), concepts.shape
        samples = labelled_samples(points, many, self.m)
        lists = int(log_upper(Fraction(samples)) / (2 * beta * beta)) + 1
        for _ in range(check.count(most=most, least=1)):
            few = sparsified(self.representation, lists, rng=rng)
            learner = SampleLearner(few, m=self.m, gamma=self.gamma)
            if learner.excess(self, concepts)[0] <= beta:
                return learner
        raise InvalidArgument(f"{most} draws of {lists} sets fail more than that; draw more often")

    def _best(
        self, among: Rows, sample: Sequence[int], labels: Sequence[bool]
    ) -> tuple[bool, ...] | None:
        wrong = (among[:, list(sample)] != np.array(labels, dtype=np.bool_)).sum(axis=1)
        best = int(wrong.argmin())
        return tuple(among[best].tolist()) if wrong[best] <= self.mistakes else None


def union_of(representation: ProbabilisticRepresentation) -> Rows:
    """Return all hypotheses of all sets: within alpha if the sets are, but for beta < 1.

    >>> points = np.eye(3, dtype=bool)
    >>> each = ProbabilisticRepresentation(tuple(points[:, None]), (Fraction(1, 3),) * 3)
    >>> union_of(each).shape
    (3, 3)
    """
    return np.unique(np.concatenate(representation.sets), axis=0)


def _samples(points: int, m: int) -> Iterator[Sample]:
    return combinations_with_replacement(range(points), m)


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
