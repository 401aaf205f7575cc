"""Halfspaces through a deep point of what blocks of rows say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from tacit.concepts.halfspace import Halfspace
from tacit.concepts.halfspaces import Halfspaces
from tacit.concepts.scorecard import Scorecard
from tacit.concepts.scorecards import Scorecards
from tacit.core import check
from tacit.core.accuracy import Accuracy
from tacit.core.balls import ball, log_upper, upper
from tacit.core.cost import BoundedRange
from tacit.core.errors import InvalidArgument
from tacit.core.exact import Exact
from tacit.core.law import Law, mixture
from tacit.core.randomness import Random
from tacit.core.search import least
from tacit.learners.dealing import deals
from tacit.learners.listing import Listing, Request
from tacit.learners.margin import columns_of
from tacit.mechanisms.centre_point import CentrePoint, Place
from tacit.statistics import Counts, LabelCounts, ScoreProfile

GRID = 10**7
LISTED = 4096
"""No class has more concepts: the weights of all of them give the grid of weights."""


@dataclass(frozen=True, slots=True)
class CentrePointHalfspaceLearner:
    """Fit a halfspace to each of `blocks` blocks; choose a point deep among their weights.

    A halfspace w . x >= theta is a point (w, theta). Where a point errs, so do at least as many
    blocks as it is deep: the errors lie in a halfspace of the weights.

    Guarantee:
        epsilon-DP on every sample, and given the deal of bounded range epsilon: a row is in one
        block. On n >= `sample_size` i.i.d. rows labelled by a halfspace, the error is at most alpha
        with probability at least 1 - beta [BNS19, Ex. 8]; proof in docs/proofs/centre_point.md. The
        generic learner needs far fewer rows; this one shows the road that needs no class to be
        counted, only points to be deep.

    Exactness:
        As `CentrePoint`.

    Cost:
        `BoundedRange(epsilon)`; one fit a block, and the depth of every point of the grid.

    >>> from tacit.core.randomness import Seeded
    >>> learner = CentrePointHalfspaceLearner.planned(
    ...     Halfspaces(bits=3, dims=1), epsilon=1, accuracy=Accuracy("0.2", "0.1")
    ... )
    >>> learner.blocks, learner.sample_size(Accuracy("0.2", "0.1"))
    (106, 14204)
    >>> rows = [(x, (x >= 5,)) for x in range(8)] * 400
    >>> learner(LabelCounts.of(rows, labels=1), rng=Seeded(1)).rule(["dose"])
    'dose is at least 5'
    """

    concepts: Halfspaces
    epsilon: Fraction
    blocks: int

    def __init__(self, concepts: Halfspaces, *, epsilon: Exact, blocks: int) -> None:
        object.__setattr__(self, "concepts", concepts)
        object.__setattr__(self, "epsilon", check.positive(epsilon=epsilon))
        object.__setattr__(self, "blocks", check.count(blocks=blocks, least=1))
        if concepts.dims > 2 or concepts.size > LISTED:
            raise InvalidArgument(
                f"{concepts} is too large for points to be deep: at most 2 columns and {LISTED} "
                "halfspaces"
            )

    @classmethod
    def planned(
        cls, concepts: Halfspaces, *, epsilon: Exact, accuracy: Accuracy
    ) -> CentrePointHalfspaceLearner:
        """Return the learner with twice as many blocks as lose no depth at beta / 2 to noise."""
        one = cls(concepts, epsilon=epsilon, blocks=1)
        blocks = least(lambda k: one._centre.depth(k, accuracy.beta / 2) >= 1, start=1)
        return cls(concepts, epsilon=epsilon, blocks=2 * blocks)

    @property
    def hypotheses(self) -> Scorecards:
        """Scorecards of the same columns: the point's own weights, not the simplest ones."""
        return columns_of(self.concepts)

    @property
    def cost(self) -> BoundedRange:
        """What learning one label costs."""
        return BoundedRange(self.epsilon)

    @property
    def proper(self) -> bool:
        """Not in writing: the function is a halfspace, its weights are whatever was chosen."""
        return False

    @property
    def agnostic(self) -> bool:
        """Never: blocks are trusted because they are consistent."""
        return False

    @property
    def theorem(self) -> str:
        """The key of the theorem behind `sample_size`."""
        return "BNS19"

    @property
    def largest_sample(self) -> int | None:
        """There is no limit."""
        return None

    def failure(self, n: int, alpha: Fraction) -> Fraction:
        """Bound the probability that the error exceeds alpha, at the best depth to hope for."""
        size, k = n // self.blocks, self.blocks
        best = Fraction(1)
        for depth in range(1, self._centre.best(k) + 1):
            shallow = self._centre.failure(depth, k)
            if shallow < best:
                best = min(best, shallow + self._poor(size, alpha * depth))
        return best

    def _poor(self, rows: int, total: Fraction) -> Fraction:
        """Bound the probability that the blocks' errors add up to more than this.

        The rows of a block times its error are at most ln(concepts) and an exponential variable.
        """
        k = self.blocks
        room = total * rows - k * log_upper(Fraction(self.concepts.size - 1))
        if room <= k:
            return Fraction(1)
        return upper(lambda: (k * ball(room / k).log() + k - ball(room)).exp(), 192)

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return the least multiple of the blocks for which the bound keeps the promise."""
        if self._centre.failure(1, self.blocks) >= accuracy.beta:
            raise InvalidArgument(
                f"blocks={self.blocks} are too few for beta={float(accuracy.beta):.3g}; see planned"
            )
        return self.blocks * least(
            lambda size: self.failure(size * self.blocks, accuracy.alpha) <= accuracy.beta
        )

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        """Return the least alpha, in steps of 10^-7, that the bound proves for n rows."""
        beta, n = check.probability(beta=beta), check.count(n=n)
        found = least(lambda i: i >= GRID or (i > 0 and self.failure(n, Fraction(i, GRID)) <= beta))
        return Accuracy(Fraction(found, GRID), beta) if found < GRID else None

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> Scorecard:
        """Learn one label."""
        sizes = [sample.n // self.blocks] * self.blocks
        blocks = sample.split(sizes, label=label, rng=rng)
        return self._read(self._centre(self._fits(blocks), rng=rng))

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Scorecard]:
        """Return the exact law over all ways to deal the rows, for few rows."""
        sizes = [sample.n // self.blocks] * self.blocks
        dealt = deals(sample, sizes, label=label)
        return mixture((weight, self.blocks_law(blocks)) for weight, blocks in dealt)

    def blocks_law(self, blocks: Sequence[LabelCounts]) -> Law[Scorecard]:
        """Return the exact law for given blocks."""
        return self._centre.law(self._fits(blocks)).map(self._read)

    @property
    def _centre(self) -> CentrePoint:
        lows, highs = _corners(self.concepts)
        sizes = [high - low + 1 for low, high in zip(lows, highs, strict=True)]
        return CentrePoint(sizes, self.epsilon)

    def _fits(self, blocks: Sequence[LabelCounts]) -> Counts[Place]:
        """Return each block's halfspace of most agreements, as a point of the grid."""
        lows, _ = _corners(self.concepts)
        found = []
        for block in blocks:
            profile = ScoreProfile.agreements(self.concepts, block)
            real = np.where(profile.multiplicities > 0, profile.scores, -1)
            fitted = profile.member(int(real.argmax()), 0)
            found.append(tuple(x - low for x, low in zip(_dual(fitted), lows, strict=True)))
        return Counts.of(found)

    def _read(self, place: Place) -> Scorecard:
        lows, _ = _corners(self.concepts)
        *weights, threshold = (x + low for x, low in zip(place, lows, strict=True))
        return Scorecard(tuple(weights), threshold)


def _dual(concept: Halfspace) -> tuple[int, ...]:
    return (*concept.weights, concept.threshold)


@lru_cache(maxsize=16)
def _corners(concepts: Halfspaces) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the corners of the smallest grid that holds the weights of all concepts."""
    duals = np.array([_dual(concept) for concept in concepts.concepts()])
    return tuple(duals.min(axis=0).tolist()), tuple(duals.max(axis=0).tolist())


def _make(request: Request) -> CentrePointHalfspaceLearner:
    concepts: Any = request.concepts
    accuracy = Accuracy(request.alpha or Fraction(1, 10), request.beta)
    return CentrePointHalfspaceLearner.planned(
        concepts, epsilon=request.privacy.epsilon, accuracy=accuracy
    )


LISTING = Listing(
    name="centre-point-halfspace",
    summary="a deep point among the halfspaces of blocks",
    families=("halfspaces",),
    pure=True,
    proper=False,
    agnostic=False,
    theorem="BNS19",
    make=_make,
)
