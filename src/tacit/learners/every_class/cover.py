"""Learn when the distribution of the points is known: choose from a cover of the class.

Of the papers: BNS16 Def 2.14.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, TypeVar

from tacit.concepts.contract.concept_class import Cells, Concept, ConceptClass, Gains, family_of
from tacit.concepts.contract.concept_class import Points as PointArray
from tacit.concepts.contract.hypothesis_set import Listed
from tacit.core import Accuracy, BoundedRangeCost, Exact, Law, Random, TooLarge, check, hold
from tacit.core.numbers.exact import told
from tacit.learners.contract import Proper, Request, entry_of, finest
from tacit.learners.every_class.representation import RepresentationLearner
from tacit.statistics import LabelCounts
from tacit.theory.dimensions.covers import Marginal, cover
from tacit.theory.representations.drawn import Fixed

C = TypeVar("C", bound=Concept)
FINEST = Fraction(1, 1 << 12)
"""No alpha is smaller where none is asked for: covers grow with 1 / alpha."""
PARTS = tuple(Fraction(j, 20) for j in (0, 1, 2, 3, 4, 6, 8))
"""Shares of alpha that are tried as radius of the cover."""
SMALL = 1 << 12
"""Concepts up to which the whole class is tried as its own cover."""
LISTED = 1 << 16
"""Concepts times points up to which a cover is sought greedily, in about a second."""


@dataclass(frozen=True, slots=True)
class CoverLearner(Proper[ConceptClass[C]], BoundedRangeCost):
    """Choose by agreements among concepts to one of which every concept is near.

    What is near depends on how the points are distributed: by `marginal`, which is public, or
    without it uniformly over the domain.

    Guarantee:
        epsilon-DP, of bounded range epsilon, on every sample and whatever the distribution is.
        Accurate, as in `Promising`, where points have a distribution within `drift` (in total
        variation) of the marginal [FX14]. Proper.

    Exactness:
        As `Exponential`; distances between concepts are exact.

    Cost:
        `BoundedRange(epsilon)` a label; time linear in the cover and the points.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> learner = CoverLearner(Thresholds(1024), epsilon=1, radius=0.01)
    >>> learner.size, learner.sample_size(Accuracy(0.1, 0.05))
    (50, 205)

    Proof: docs/proofs/cover.md
    """

    concepts: ConceptClass[C]
    epsilon: Fraction
    radius: Fraction
    marginal: Marginal | None
    drift: Fraction
    agnostic: bool

    theorem: ClassVar[str] = "FX14"
    largest_sample: ClassVar[int | None] = None

    def __init__(
        self,
        concepts: ConceptClass[C],
        *,
        epsilon: Exact,
        radius: Exact,
        marginal: Marginal | None = None,
        drift: Exact = 0,
        agnostic: bool = False,
    ) -> None:
        hold(self, concepts=concepts, marginal=marginal, agnostic=agnostic)
        hold(self).positive(epsilon=epsilon).small_probability(radius=radius, drift=drift)
        cover(concepts, self.radius, marginal)

    @classmethod
    def planned(
        cls, concepts: ConceptClass[C], *, accuracy: Accuracy, drift: Exact = 0, **public: Any
    ) -> CoverLearner[C]:
        """Return the learner whose radius needs the fewest rows for this accuracy.

        >>> from tacit.concepts.line.thresholds import Thresholds
        >>> goal = Accuracy(0.1, 0.05)
        >>> learner = CoverLearner.planned(Thresholds(64), epsilon=1, accuracy=goal)
        >>> learner.radius, learner.sample_size(goal)
        (Fraction(1, 100), 205)
        """
        drift = check.small_probability(drift=drift)
        left = check.probability(alpha=accuracy.alpha - drift)
        radii = [left * part for part in PARTS if part or concepts.size <= SMALL]
        made = (cls(concepts, radius=radius, drift=drift, **public) for radius in radii)
        return min(made, key=lambda learner: learner.sample_size(accuracy))

    @property
    def size(self) -> int:
        """The number of concepts in the cover."""
        return self._inner.representation.size

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return how many rows are enough; refuse what the cover is too coarse for."""
        return self._inner.sample_size(accuracy)

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        return self._inner.accuracy(n, beta)

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> C:
        chosen: Any = self._inner(sample, label=label, rng=rng)
        return chosen  # type: ignore[no-any-return]

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Any]:
        return self._inner.law(sample, label=label)

    @property
    def _inner(self) -> RepresentationLearner:
        centres = _Centres(cover(self.concepts, self.radius, self.marginal))
        near = Fixed(centres, self.concepts, self.radius + self.drift)
        return RepresentationLearner(near, epsilon=self.epsilon, agnostic=self.agnostic)


@dataclass(frozen=True, slots=True)
class _Centres:
    """A cover as a set to choose from; its members are listed when it comes to choosing."""

    cover: Sequence[Concept]

    @property
    def size(self) -> int:
        return len(self.cover)

    def cells(self, points: PointArray, gains: Gains, /) -> Cells[Concept]:
        return Listed(self.cover).cells(points, gains)


def _make(request: Request) -> CoverLearner[Any]:
    """Make the learner for points that are uniform over the domain."""
    concepts = request.concepts
    if concepts.uniform_cover(Fraction(1, 2)) is None:
        values = concepts.size * concepts.domain_size
        if values > LISTED:
            raise TooLarge(
                f"{family_of(concepts)} as given have {told(values)} values, and covers are "
                f"sought among {LISTED}: take another learner, such as generic"
            )
    public: dict[str, Any] = {"epsilon": request.privacy.epsilon, "agnostic": request.agnostic}

    def planned(alpha: Fraction) -> tuple[int, CoverLearner[Any]]:
        goal = Accuracy(alpha, request.beta)
        learner = CoverLearner.planned(request.concepts, accuracy=goal, **public)
        return learner.sample_size(goal), learner

    return finest(planned, request, least=FINEST)


ENTRY = entry_of(
    CoverLearner,
    "cover",
    "from a cover of the class, if points are uniform over the columns' values",
    make=_make,
    assumes="uniform points",
)
