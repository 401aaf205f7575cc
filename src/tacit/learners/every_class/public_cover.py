"""Learn with public points: choose among one concept for each labelling of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, TypeVar

from tacit.concepts import Concept, ConceptClass
from tacit.concepts.contract.concept_class import family_of
from tacit.concepts.contract.hypothesis_set import Listed
from tacit.core import (
    Accuracy,
    BoundedRangeCost,
    Decay,
    Exact,
    InvalidArgument,
    Law,
    Random,
    TooLarge,
    hold,
)
from tacit.core.budget import read_best_error
from tacit.core.numbers.least import greatest
from tacit.learners.contract import Choice, entry_of
from tacit.learners.contract.learner import AccuracyGrid, Proper
from tacit.statistics import LabelCounts
from tacit.statistics.counts.label_counts import Point, as_points, distinct
from tacit.theory.enough.public_cover import PublicCoverBound, labellings

C = TypeVar("C", bound=Concept)
LISTED = 1 << 18
"""Labellings of the public points: seconds of work to list them."""
WORK = 1 << 32
"""Stand-ins times different points of the rows: about half a minute's work."""
ASSUMED = "public rows drawn as the private ones"
"""What the promise takes for granted; privacy does not."""


@dataclass(frozen=True, slots=True)
class PublicCoverLearner(Proper[ConceptClass[C]], BoundedRangeCost, AccuracyGrid):
    """Choose by agreements among stand-ins: one concept for each labelling of the public points.

    `public` is the number of public rows, `points` the different points among them; without these
    the learner can be planned with, and not be called.

    Guarantee:
        epsilon-DP, of bounded range epsilon, on every sample and whatever the public points are:
        they are no part of the sample. Accurate, as in `Promising`, where the public points are
        independent draws from the distribution of the rows' points [ABM19]. Proper.

    Exactness:
        As `Exponential`.

    Cost:
        `BoundedRange(epsilon)` a label; time linear in the stand-ins and the points.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> from tacit.core.chance.randomness import Seeded
    >>> learner = PublicCoverLearner(Thresholds(64), [10, 40, 70], epsilon=4)
    >>> rows = [(x, (x >= 40,)) for x in range(80)]
    >>> learner(LabelCounts.of(rows, labels=1), rng=Seeded(1)).rule(["dose"])
    'dose is at least 41'
    >>> PublicCoverLearner(Thresholds(64), 150, epsilon=1).sample_size(Accuracy(0.1, 0.05))
    248

    Proof: docs/proofs/public_cover.md
    """

    concepts: ConceptClass[C]
    public: int
    points: tuple[Point, ...] | None = field(repr=False)
    epsilon: Fraction
    agnostic: bool
    best_error: Fraction | None

    theorem: ClassVar[str] = "ABM19"
    grid: ClassVar[int] = 10_000

    def __init__(
        self,
        concepts: ConceptClass[C],
        public: Sequence[Point] | int,
        *,
        epsilon: Exact,
        agnostic: bool = False,
        best_error: Exact | None = None,
    ) -> None:
        many = public if isinstance(public, int) else len(public)
        hold(self, concepts=concepts, agnostic=agnostic)
        hold(self).count(public=many, least=1).positive(epsilon=epsilon)
        hold(self, points=None if isinstance(public, int) else _points(concepts, public))
        hold(self, best_error=None if best_error is None else read_best_error(best_error))
        if labellings(concepts, many) > LISTED:
            most = greatest(lambda m: labellings(concepts, m) <= LISTED, high=many)
            raise TooLarge(
                f"{many} public rows may be labelled in too many ways by {family_of(concepts)}: "
                f"give up to {most} of them (--public)"
            )

    @property
    def largest_sample(self) -> int:
        """As many rows as the stand-ins can be scored on."""
        return WORK // self._bound.size

    def suffices(self, n: int, accuracy: Accuracy, /) -> bool:
        return self._bound.suffices(n, accuracy)

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return the least n that is proved to keep the promise; refuse too few public rows."""
        return self._bound.sample_size(accuracy)

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> C:
        chosen: Any = self._choice(sample, label=label, rng=rng)
        return chosen  # type: ignore[no-any-return]

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Any]:
        return self._choice.law(sample, label=label)

    @property
    def _choice(self) -> Choice:
        if self.points is None:
            raise InvalidArgument("this learner was made for a plan: give it the public points")
        return Choice(_stand_ins(self.concepts, self.points), self.concepts, self.epsilon)

    @property
    def _bound(self) -> PublicCoverBound:
        decay = Decay.of(self.epsilon / 2)
        return PublicCoverBound(self.concepts, self.public, decay, self.agnostic, self.best_error)


def _points(concepts: ConceptClass[Any], public: Sequence[Point]) -> tuple[Point, ...]:
    """Return the different points among those that are public, inside the domain."""
    inside, _ = distinct(concepts.clip(as_points(list(public))))
    return tuple(tuple(x) if isinstance(x, list) else x for x in inside.tolist())


@lru_cache(maxsize=8)
def _stand_ins(concepts: ConceptClass[Any], points: tuple[Point, ...]) -> Listed:
    """Return one concept for each labelling of the points: found once for all labels."""
    return Listed(concepts.dichotomies(as_points(list(points))))


ENTRY = entry_of(
    PublicCoverLearner,
    "public-cover",
    "among one rule for each labelling of public rows without labels (--public)",
    assumes=ASSUMED,
    public=True,
)
