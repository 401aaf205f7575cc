"""Points by the votes of positive rows: proper, and half as dear as by agreements."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

from tacit.concepts.contract.concept_class import listable
from tacit.concepts.line.points import Point, Points
from tacit.core import (
    Accuracy,
    Exact,
    InvalidArgument,
    PureCost,
    Random,
    check,
    hold,
    least,
)
from tacit.core.chance.law import Law, certain, collect
from tacit.core.numbers.least import least_share
from tacit.learners.contract import Proper, entry_of
from tacit.learners.points.stable_point import votes_of_positives
from tacit.mechanisms import VoteTally
from tacit.mechanisms.choice.vote_tally import DISTINCT, missed_votes
from tacit.statistics import LabelCounts

STEPS, STEP = 48, Fraction(7, 8)
"""Masses of the target from 0 up to alpha are looked at in so many steps, each an eighth nearer."""
FINE = 20
"""Failures are listed until they are 2^-20 of the one that is asked for."""
ROWS, FEW = 30, 16
"""Rows are planned for up to 2^30; far from what is needed few failures show it."""


class ByTally(PureCost):
    """Let positive rows vote for candidates, each other row abstain, and tell who has the votes."""

    __slots__ = ()

    agnostic: ClassVar[bool] = False
    """Never: where points do not explain the labels, votes may be split."""
    theorem: ClassVar[str] = "BKN10"
    """The key of the theorem that says what learners of points need: it is near."""
    largest_sample: ClassVar[int | None] = None

    @property
    @abstractmethod
    def candidates(self) -> int:
        """For how many candidates rows may vote."""

    @abstractmethod
    def suffices(self, n: int, accuracy: Accuracy, /, distinct: int = DISTINCT) -> bool:
        """Whether n rows certainly keep the promise, by so many failures at most."""

    def tally(self, n: int) -> VoteTally:
        """Return the tally of n rows; it is the same for all n between two powers of two."""
        return _tally(self.candidates, max(n - 1, 0).bit_length(), self.epsilon)

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        beta, n = check.probability(beta=beta), check.count(n=n)
        alpha = least_share(lambda alpha: self.suffices(n, Accuracy(alpha, beta)))
        return None if alpha is None else Accuracy(alpha, beta)


@dataclass(frozen=True, slots=True)
class TallyPointLearner(Proper[Points], ByTally):
    """Let each positive row vote for its point and each other row abstain; tell who has the votes.

    If nobody is told a uniform point is the answer.

    Guarantee:
        epsilon-DP on every sample; accurate, as in `Promising`. About (ln |X| + 2 ln(1 / beta)) /
        (epsilon alpha) rows are enough, where the exponential mechanism takes twice as many for
        large domains, and no proper learner does with fewer than (ln |X| - ln(1 / beta)) / (epsilon
        alpha).

    Exactness:
        As `VoteTally`; the uniform point is exact, too.

    Cost:
        `Pure(epsilon)`; time linear in the distinct points.

    >>> from tacit.core.chance.randomness import Seeded
    >>> learner = TallyPointLearner(Points(32), epsilon=1)
    >>> learner.sample_size(Accuracy(0.1, 0.05))
    338
    >>> rows = [(7, (1,))] * 60 + [(x, (0,)) for x in range(8, 400)]
    >>> learner(LabelCounts.of(rows, labels=1), rng=Seeded(0)).rule(["ward"])
    'ward is 7'

    Proof: docs/proofs/tally_point.md
    """

    concepts: Points
    epsilon: Fraction

    def __init__(self, concepts: Points, *, epsilon: Exact) -> None:
        hold(self, concepts=concepts).positive(epsilon=epsilon)

    @property
    def candidates(self) -> int:
        return self.concepts.size

    def suffices(self, n: int, accuracy: Accuracy, /, distinct: int = DISTINCT) -> bool:
        floor = accuracy.beta / (1 << FINE)
        missed = missed_votes(self.tally(n), floor, distinct)
        return all(
            missed.at_most(accuracy.beta / share - floor, n, mass)
            for mass, share in heavy_shares(accuracy.alpha, self.concepts.size - 1)
            if share > accuracy.beta
        )

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return the least n that keeps the promise, as do all larger ones; for large domains."""
        _, unlucky = heavy_shares(accuracy.alpha, self.concepts.size - 1)[0]
        if unlucky > accuracy.beta:
            raise InvalidArgument(
                f"no n suffices in so small a domain as {self.concepts}: a uniform point may weigh "
                "more than alpha; use GenericLearner"
            )
        return rows_from(self.suffices, accuracy)

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> Point:
        votes = votes_of_positives(self.concepts, sample, label)
        told = self.tally(sample.n)(votes, rng=rng)
        return self.concepts.draw(rng=rng) if told is None else Point(told)

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Point]:
        size = listable(self.concepts.size, what="points")
        anybody = collect((Point(z), Fraction(1, size)) for z in range(size))
        told = self.tally(sample.n).law(votes_of_positives(self.concepts, sample, label))
        return told.then(lambda z: anybody if z is None else certain(Point(z)))


@lru_cache(maxsize=256)
def heavy_shares(alpha: Fraction, others: int) -> tuple[tuple[Fraction, Fraction], ...]:
    """Return masses of the target, and which part of the others errs too much, up to the next one.

    Another answer errs more than alpha if its mass is more than alpha less the target's.
    """
    gap, shares = alpha, []
    for _ in range(STEPS):
        nearer = round(gap * STEP * (1 << 64)) * Fraction(1, 1 << 64)
        heavy = -(-(1 - alpha + nearer) // nearer) - 1 if nearer else others
        shares.append((alpha - gap, min(Fraction(1), Fraction(heavy, max(1, others)))))
        gap = nearer
    return *shares, (alpha - gap, Fraction(1))


def rows_from(suffices: Callable[[int, Accuracy, int], bool], accuracy: Accuracy) -> int:
    """Return the least n that suffices, as do all larger ones: where another tally begins, too."""
    n = least(lambda n: suffices(n, accuracy, DISTINCT))
    for power in range((n - 1).bit_length(), ROWS):
        start = (1 << power) + 1
        if not suffices(start, accuracy, FEW) and not suffices(start, accuracy, DISTINCT):
            n = least(lambda n: suffices(n, accuracy, DISTINCT), start)
    return n


@lru_cache(maxsize=1024)
def _tally(size: int, width: int, epsilon: Fraction) -> VoteTally:
    return VoteTally.planned(size, 1 << width, epsilon)


ENTRY = entry_of(
    TallyPointLearner,
    "tally-point",
    "the point with the votes of positive rows; half the rows of generic for large domains",
    families=("points",),
)
