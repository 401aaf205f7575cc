"""Points over any domain, drawn representations: buckets of hashes, and single parts of them.

A third one, without coins, is `reed_solomon`. Proofs in docs/proofs/representation_learner.md.

Of the papers: BNS19 Claim 35, BNS19 Ex 3, BNS19 Ex 4, BNS16 Cor 3.3.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import ClassVar

from tacit.concepts.algebra.hashes import Hash, Hashes
from tacit.concepts.contract.hypothesis_set import HypothesisSet, Listed, Together
from tacit.concepts.outputs.bucket import Bucket, Buckets
from tacit.concepts.outputs.never import NEVER, OrNever
from tacit.core import Exact, InvalidArgument, Random, check, hold, least
from tacit.theory.representations.drawn import Lottery, draws_until, evenly, independent

HASHES = 12
"""Hashes that are drawn together, at most: more never help for failures above e^-12."""
GRID = 1 << 64  # shares are rounded down to its reciprocal, so that powers stay short


@dataclass(frozen=True, slots=True)
class PairwisePoints:
    """Hypotheses drawn one by one: yes where a linear hash, drawn anew, is 0.

    Guarantee:
        A hypothesis says yes at a point z with probability `chance`, and if so at another point
        with probability at most `also`, no more than if the two were independent. So given yes at z
        its error has mean at most `also`, whatever the distribution; by Markov's inequality it is
        within `approximation` of z with probability at least `share` [BNS19 Claim 35, with its
        roundings corrected].

    >>> [PairwisePoints.least(64, a, b).size for a, b in (("1/4", "1/4"), ("0.1", "0.05"))]
    [22, 119]
    """

    outputs: Hashes
    approximation: Fraction
    size: int

    together: ClassVar[int] = 0
    """Unknown."""

    def __init__(self, outputs: Hashes, approximation: Exact, size: int) -> None:
        hold(self, outputs=outputs)
        near = check.probability(approximation=approximation)
        hold(self, approximation=near).count(size=size, least=1)
        if not self.share:
            raise InvalidArgument(f"approximation={near} needs more buckets than {outputs.buckets}")

    @classmethod
    def least(cls, bits: int | None, approximation: Exact, failure: Exact) -> PairwisePoints:
        """Return the fewest hypotheses of this kind that fail with at most this probability.

        The share is largest if about 2 / approximation parts are made.
        """
        near, beta = (
            check.probability(approximation=approximation),
            check.probability(failure=failure),
        )
        parts = {max(2, floor(2 / near)), max(2, ceil(2 / near))}
        once = max((cls(Hashes(r, bits), near, 1) for r in parts), key=lambda each: each.share)
        return cls(once.outputs, near, draws_until(1 - once.share, beta))

    @property
    def chance(self) -> Fraction:
        """The probability of a yes at a point: the share of residues that are 0."""
        return Fraction(self._residues, self._prime)

    @property
    def also(self) -> Fraction:
        """The probability of a yes at another point, given one: at most, exactly if one block.

        Two distinct residues are sent to a uniform pair of distinct residues.
        """
        folded = Fraction(self.outputs.blocks - 1, self._prime)
        return Fraction(self._residues - 1, self._prime - 1) + folded

    @property
    def share(self) -> Fraction:
        """The probability that one hypothesis is near a point, at least; in steps of 2^-64."""
        near = self.chance * (1 - self.also / self.approximation)
        return Fraction(floor(near * GRID), GRID)

    @property
    def failure(self) -> Fraction:
        """The probability that none of them is, at most."""
        return (1 - self.share) ** self.size

    def draw(self, *, rng: Random) -> HypothesisSet:
        """Draw the hashes, and take the part of each that is 0."""
        return Listed([Bucket(self.outputs.draw(rng=rng), 0) for _ in range(self.size)])

    def lottery(self) -> Lottery:
        """Yield all lists, where they are few."""
        drawn = independent(evenly(self.outputs.seeds()), self.size)
        return ((p, Listed([Bucket(each, 0) for each in hashes])) for p, hashes in drawn)

    @property
    def _prime(self) -> int:
        return (1 << self.outputs.exponent) - 1

    @property
    def _residues(self) -> int:
        return -(-self._prime // self.outputs.buckets)


@dataclass(frozen=True, slots=True)
class BucketedPoints:
    """All buckets of a few random hashes, and never.

    Guarantee:
        Never is within `approximation` of a point of no more mass than that. Of any other point the
        bucket has an error of mean at most (1 - approximation) times the collision probability; by
        Markov's inequality it is within `approximation`, except with probability at most their
        ratio, for each hash independently.

    >>> [BucketedPoints.least(64, a, b).size for a, b in (("1/4", "1/4"), ("0.1", "0.05"))]
    [13, 76]
    """

    hashes: Hashes
    approximation: Fraction
    draws: int

    together: ClassVar[int] = 0
    """Unknown."""

    def __init__(self, hashes: Hashes, approximation: Exact, draws: int) -> None:
        hold(self, hashes=hashes)
        near = check.probability(approximation=approximation)
        hold(self, approximation=near).count(draws=draws, least=1)
        if self.failure >= 1:
            raise InvalidArgument(f"approximation={near} needs more buckets than {hashes.buckets}")

    @classmethod
    def least(cls, bits: int | None, approximation: Exact, failure: Exact) -> BucketedPoints:
        """Return the fewest hypotheses of this kind that fail with at most this probability."""
        beta, near = check.probability(failure=failure), check.probability(near=approximation)

        two = Hashes(2, bits)
        apart = None if two.long else (1 << two.exponent) - 1  # a bucket for each point: none meet

        def width(draws: int) -> int:
            def few(wide: int) -> bool:
                return ((1 - near) * Hashes(wide, bits).collision / near) ** draws <= beta

            return least(lambda wide: (apart is not None and wide >= apart) or few(wide), low=2)

        widths = {draws: width(draws) for draws in range(1, HASHES + 1)}
        draws = min(widths, key=lambda d: d * widths[d])
        return cls(Hashes(widths[draws], bits), near, draws)

    @property
    def outputs(self) -> OrNever:
        """Buckets of hashes, and never."""
        return OrNever(self.hashes)

    @property
    def size(self) -> int:
        """One hypothesis a bucket, and never."""
        return self.draws * self.hashes.buckets + 1

    @property
    def failure(self) -> Fraction:
        """The probability that no bucket of the point is near it, at most."""
        near = self.approximation
        return ((1 - near) * self.hashes.collision / near) ** self.draws

    def draw(self, *, rng: Random) -> HypothesisSet:
        """Draw the hashes."""
        return _with_never([self.hashes.draw(rng=rng) for _ in range(self.draws)])

    def lottery(self) -> Lottery:
        """Yield all sets, where they are few."""
        drawn = independent(evenly(self.hashes.seeds()), self.draws)
        return ((p, _with_never(hashes)) for p, hashes in drawn)


def _with_never(hashes: Iterable[Hash]) -> Together:
    return Together((*(Buckets(each) for each in hashes), Listed([NEVER])))
