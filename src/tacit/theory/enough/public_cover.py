"""How many private rows a choice needs among one concept for each labelling of public points.

Proof in docs/proofs/public_cover.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.core import Accuracy, Decay, InvalidArgument, TooLarge, least
from tacit.core.numbers.enclosures import Enclosure, log_lower, real, upper
from tacit.probability.binomial_tails import above, bits_for
from tacit.theory.enough.agnostic import AgnosticBound, ExcessBound
from tacit.theory.enough.best_error import BestErrorBound
from tacit.theory.enough.brackets import BracketBound
from tacit.theory.enough.chain import AgnosticChainBound
from tacit.theory.enough.selection import SelectionBound
from tacit.theory.solving.class_table import sauer

PARTS = 40
"""Into how many parts alpha is cut: how far a stand-in is from its concept is told in these."""


def labellings(concepts: ConceptClass[Any], points: int) -> int:
    """Bound how many ways a class labels so many points: by VC dimension, chains and size.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> labellings(Thresholds(64), 150), labellings(Thresholds(64, "both"), 150)
    (151, 301)
    """
    many = [sauer(concepts.vc.upper, points)]
    if concepts.chains is not None:
        many.append(1 + concepts.chains * points)
    return min([*many, *_size(concepts)])


@dataclass(frozen=True, slots=True)
class PublicCoverBound:
    """Choose among the stand-ins of a class for `public` points, drawn as the rows' points are.

    A concept's stand-in differs from it on mass A, random with the public points; given them, the
    choice among at most `size` stand-ins fails with probability at most f(A), f rising. So it fails
    with at most the sum of f's rises, each times the chance that A is beyond the last place: a_j =
    j alpha / 40.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> bound = PublicCoverBound(Thresholds(64), 150, Decay.of(Fraction(1, 2)), agnostic=False)
    >>> bound.size, bound.sample_size(Accuracy(0.1, 0.05))
    (151, 248)
    """

    concepts: ConceptClass[Any]
    public: int
    decay: Decay
    agnostic: bool
    best_error: Fraction | None = None

    @property
    def size(self) -> int:
        """How many stand-ins there are at most."""
        return labellings(self.concepts, self.public)

    def apart(self, distance: Fraction) -> Fraction:
        """Bound the chance that a concept's stand-in differs from it on mass above `distance`."""
        return _apart(self.concepts, self.public, distance)

    def failure(self, n: int, alpha: Fraction) -> Fraction:
        """Bound the chance that n rows lead to an error above alpha, or above the best's by it."""
        return _failure(self, n, alpha)

    def suffices(self, n: int, accuracy: Accuracy) -> bool:
        """Whether n rows certainly keep the failure at or below beta."""
        return self.failure(n, accuracy.alpha) <= accuracy.beta

    def sample_size(self, accuracy: Accuracy) -> int:
        """Return the least n that suffices; refuse what so few public points cannot promise."""
        if self.apart(accuracy.alpha * (PARTS - 1) / PARTS) >= accuracy.beta:
            raise InvalidArgument(
                f"{self.public} public rows are too few to promise this, however many private ones "
                "there are: take more of them, or leave them out"
            )
        return least(lambda n: self.suffices(n, accuracy), low=1)

    def given(self, near: Fraction, size: int, n: int, gap: Fraction) -> Fraction:
        """Bound the chance to err gap more than the best stand-in, which errs `near` more."""
        if not self.agnostic:
            paired = SelectionBound(size, gap, near, self.decay)
            found = paired.failure(n) if paired.factor < 1 else Fraction(1)
            return min(found, self._stated(size, near).failure(n, gap))
        return min(bound.failure(n, gap) for bound in self._bounds(size, near))

    def _stated(self, size: int, near: Fraction) -> BestErrorBound:
        chains, columns = self.concepts.chains, self.concepts.interval_columns
        return BestErrorBound(size, self._rate, near, chains, columns)

    def _bounds(self, size: int, near: Fraction) -> Iterator[ExcessBound]:
        chains, columns = self.concepts.chains, self.concepts.interval_columns
        yield AgnosticBound(size, self._rate)
        if chains is not None:
            yield AgnosticChainBound(size, chains, self.decay)
        elif columns is not None:
            yield BracketBound(size, columns, self._rate)
        if self.best_error is not None:
            yield self._stated(size, self.best_error + near)

    @property
    def _rate(self) -> Fraction:
        return log_lower(1 / self.decay.ratio)


@lru_cache(maxsize=1 << 12)
def _failure(bound: PublicCoverBound, n: int, alpha: Fraction) -> Fraction:
    """Add the rises up; a model and its rehearsal ask for the same ones."""
    total, before, beyond = Fraction(0), Fraction(0), Fraction(1)
    size = bound.size
    for part in range(1, PARTS):
        near = alpha * part / PARTS
        fails = max(before, bound.given(near, size, n, alpha - near))
        total += (fails - before) * beyond
        before, beyond = fails, min(beyond, bound.apart(near))
        if before == 1:
            return total
    return min(Fraction(1), total + (1 - before) * beyond)


@lru_cache(maxsize=1 << 12)
def _apart(concepts: ConceptClass[Any], points: int, distance: Fraction) -> Fraction:
    """Bound the chance that so many points leave a concept a stand-in further away than that.

    By what `sides` lose, by chains or by all concepts, which no point may hit, and by a second
    sample of as many points [docs/proofs/baseline.md].
    """

    def smallest() -> Enclosure:
        missing, doubled = real(1 - distance) ** points, sauer(concepts.vc.upper, 2 * points)
        found = real(1).min(2 * real(doubled) * real(2) ** -int(distance * points))
        for many in (concepts.chains, *_size(concepts)):
            found = found if many is None else found.min(real(many) * missing)
        if concepts.sides is None:
            return found
        return found.min(above(points, 1 - distance, points - concepts.sides + 1))

    return upper(smallest, bits_for(points))


def _size(concepts: ConceptClass[Any]) -> list[int]:
    """Return how many concepts there are, or nothing if they are too many to count."""
    try:
        return [concepts.size]
    except TooLarge:
        return []
