"""Blocks learn by the standard optimal algorithm and vote; a choice by score if they differ."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Concept, ConceptClass, HypothesisClass, family_of
from tacit.concepts.outputs.point_sets import PointSet, Tables
from tacit.core import check
from tacit.core.accuracy import Accuracy
from tacit.core.chance.law import Law, certain, mixture
from tacit.core.chance.randomness import Random
from tacit.core.cost import Approximate, BoundedRange, Sequential
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.frozen import hold
from tacit.core.numbers.decay import Decay
from tacit.core.numbers.enclosures import real, round_up, upper
from tacit.core.numbers.exact import Exact
from tacit.core.numbers.least import least, least_share
from tacit.learners.contract.dealing import deals
from tacit.learners.contract.entry import Request
from tacit.learners.contract.making import entry
from tacit.learners.every_class.generic import GenericLearner
from tacit.mechanisms import StableRelease
from tacit.statistics import LabelCounts, Votes
from tacit.theory.dimensions.optimal_predictor import LARGEST, OptimalPredictor
from tacit.theory.enough.selection import realisable
from tacit.theory.enough.vote import badly_told

ALMOST = Fraction(1, 100)
TINY = 32


@dataclass(frozen=True, slots=True)
class StableErmLearner:
    """Let each block of rows learn by the standard optimal algorithm, and tell the winner.

    Where the data leaves little choice, blocks agree, and what they found is told. Where they
    differ too much, a concept is chosen by the exponential mechanism with the other half of
    epsilon. A study object: for a class that can be listed the generic learner promises more.

    Guarantee:
        (epsilon / 2, delta)-DP for the vote and bounded range epsilon / 2 for the choice, on every
        sample. On n >= `sample_size` i.i.d. rows labelled by a concept, the error is at most alpha
        with probability at least 1 - beta (the frame is [BLM20]'s, without its tournament).
        Improper.

    Exactness:
        As `StableRelease` and `Exponential`.

    Cost:
        Both, one after the other; for classes of at most 4096 concepts times points.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> from tacit.core.chance.randomness import Seeded
    >>> learner = StableErmLearner(Thresholds(3), epsilon=2, delta="1e-6")
    >>> rows = [(x, (x >= 4,)) for x in (0, 3, 4, 7)] * 400
    >>> learner(LabelCounts.of(rows, labels=1), rng=Seeded(1)).rule(["x"])
    'x is 4, or x is 5, or x is 6, or x is 7'

    Proof: docs/proofs/stable_erm.md
    """

    concepts: ConceptClass[Any]
    epsilon: Fraction
    delta: Fraction
    blocks: int
    _optimal: OptimalPredictor = field(repr=False, compare=False)
    _places: dict[tuple[int, ...], int] = field(repr=False, compare=False)

    proper: ClassVar[bool] = False
    """Never: the optimal algorithm predicts by version spaces."""
    agnostic: ClassVar[bool] = False
    """Never: a block that no concept explains abstains."""
    theorem: ClassVar[str] = "BLM20"
    """The key of the theorem behind the frame."""

    def __init__(
        self,
        concepts: ConceptClass[Any],
        *,
        epsilon: Exact,
        delta: Exact,
        blocks: int | None = None,
    ) -> None:
        hold(self, concepts=concepts).positive(epsilon=epsilon).probability(delta=delta)
        blocks = 2 * self._release.distance(ALMOST) if blocks is None else blocks
        hold(self).count(blocks=blocks, least=1)
        if concepts.size * concepts.domain_size > LARGEST:
            raise InvalidArgument(
                f"{family_of(concepts)} as given are too large for the optimal algorithm: it takes "
                f"{LARGEST} concepts times points; choose the generic learner"
            )
        domain = concepts.domain()
        table = np.array([concept(domain) for concept in concepts.concepts()])
        hold(self, _optimal=OptimalPredictor(table))
        codes = domain.reshape(len(domain), -1).tolist()
        hold(self, _places={tuple(code): i for i, code in enumerate(codes)})

    @property
    def hypotheses(self) -> HypothesisClass[Any]:
        """All functions on the domain."""
        return Tables(self.concepts)

    @property
    def cost(self) -> Sequential:
        """What learning one label costs."""
        return Sequential(Approximate(self.epsilon / 2, self.delta), BoundedRange(self.epsilon / 2))

    @property
    def largest_sample(self) -> int | None:
        """As many rows as the class can score."""
        return self.concepts.largest_sample

    def failure(self, n: int, alpha: Exact) -> Fraction:
        """Bound the probability that n rows lead to an error above alpha."""
        alpha = check.probability(alpha=alpha)
        chosen = realisable(Decay.of(self.epsilon / 4), size=self.concepts.size, alpha=alpha)
        told = self._badly_told(check.count(n=n) // self.blocks, alpha)
        return min(Fraction(1), chosen.failure(n) + told)

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return the least n for which the bound keeps the promise.

        First the size of the blocks, then what the choice needs beyond that.
        """
        alpha, beta = accuracy.alpha, accuracy.beta
        size = least(lambda s: self._badly_told(s, alpha) < beta)
        start = self.blocks * size
        return least(lambda n: self.failure(n, alpha) <= beta, low=start)

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        """Return the least alpha, rounded up, that n rows are enough for, or None."""
        beta, n = check.probability(beta=beta), check.count(n=n)
        alpha = least_share(lambda share: self.failure(n, share) <= beta)
        return None if alpha is None else Accuracy(alpha, beta)

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> PointSet:
        """Learn one label."""
        sizes = [sample.n // self.blocks] * self.blocks
        votes = Votes.of(sample.each(self.vote, sizes, label=label, rng=rng))
        told = self._release(votes.lead(), rng=rng)
        return told or self._table(self._generic(sample, label=label, rng=rng))

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Any]:
        """Return the exact law of the hypothesis, over all deals of few rows to the blocks."""
        sizes = [sample.n // self.blocks] * self.blocks
        return mixture(
            (weight, self.law_of_votes(map(self.vote, blocks), sample, label=label))
            for weight, blocks in deals(sample, sizes, label=label)
        )

    def law_of_votes(
        self, votes: Iterable[PointSet | None], sample: LabelCounts, /, *, label: int = 0
    ) -> Law[Any]:
        """Return the exact law of the hypothesis, given the blocks' votes."""
        told: Law[Any] = self._release.law(Votes.of(votes).lead())
        chosen = self._generic.law(sample, label=label).map(self._table)
        return told.then(lambda found: chosen if found is None else certain(found))

    def vote(self, block: LabelCounts) -> PointSet | None:
        """Return what the optimal algorithm predicts after the block's rows; None if it cannot.

        The rows are taken in the order of the domain, yes before no, so that it does not matter in
        which order they came.
        """
        if not len(block.points):
            return None
        points = self.concepts.clip(block.points).reshape(len(block.points), -1).tolist()
        counts = zip(points, block.positives[:, 0].tolist(), block.totals.tolist(), strict=True)
        rows = {
            (self._places[tuple(point)], mark)
            for point, ones, total in counts
            for mark, held in ((True, ones), (False, total - ones))
            if held
        }
        space = self._optimal.learned(sorted(rows, key=lambda row: (row[0], not row[1])))
        return self._listed(self._optimal.predictions(space)) if space else None

    def _table(self, concept: Concept) -> PointSet:
        return self._listed(concept(self.concepts.domain()))

    def _listed(self, said: NDArray[np.bool_]) -> PointSet:
        """Return the function with these values on the points of the domain."""
        return PointSet(tuple(sorted(code for code, place in self._places.items() if said[place])))

    def _badly_told(self, size: int, alpha: Fraction) -> Fraction:
        """Bound the probability that a function of error above alpha is told.

        A block of this size is for such a function only if all its rows agree with it.
        """
        if not size:
            return Fraction(1)
        agrees = round_up(upper(lambda: real(1 - alpha) ** size), 64)
        told = _told(self._release, self.blocks)
        return badly_told(min(agrees, Fraction(1)), told, 1 << self.concepts.domain_size)

    @property
    def _release(self) -> StableRelease:
        return StableRelease(self.epsilon / 2, self.delta)

    @property
    def _generic(self) -> GenericLearner[Any]:
        return GenericLearner(self.concepts, epsilon=self.epsilon / 2)


@lru_cache(maxsize=64)
def _told(release: StableRelease, blocks: int) -> tuple[Fraction, ...]:
    """Return how likely a winner with 0, 1, ... votes is told, at the most."""
    table = release.table
    return tuple(table.probability(-(-votes // 2)) for votes in range(blocks + 1))


def _make(request: Request) -> StableErmLearner:
    if request.concepts.size > TINY:
        raise TooLarge(
            f"{family_of(request.concepts)} as given have more than {TINY} concepts; "
            "take another learner"
        )
    epsilon, delta = request.privacy.epsilon, request.privacy.delta
    return StableErmLearner(request.concepts, epsilon=epsilon, delta=delta)


ENTRY = entry(
    StableErmLearner,
    "stable-erm",
    "votes of the standard optimal algorithm; for tiny classes, to study",
    beaten_by="generic",
    make=_make,
    slow=True,
)
