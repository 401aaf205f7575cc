"""Scores of a whole hypothesis class, grouped into cells of equal score."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tacit.core import InvalidArgument, NotExact, TooLarge, hold
from tacit.statistics.counts.label_gains import LabelGains
from tacit.statistics.private import PUBLIC, Private, integer

if TYPE_CHECKING:
    from tacit.concepts.contract.concept_class import Cells, ConceptClass
    from tacit.statistics.counts.label_counts import LabelCounts

H = TypeVar("H", bound=Hashable)
C = TypeVar("C", bound=Any)
LARGEST = 1 << 60


@dataclass(frozen=True, slots=True, repr=False)
class ScoreProfile(Private, Generic[H]):
    """Cells of hypotheses with equal integer score: higher is better.

    `member(cell, rank)` is the hypothesis of that rank in a cell, for ranks below the cell's
    multiplicity; a uniform rank is a uniform hypothesis. The union of the cells is the public
    class: which cells there are may depend on the data, what they add up to may not.

    Guarantee:
        The maker promises that replacing one record moves each hypothesis' score by at most
        `sensitivity`.

    >>> ScoreProfile.of([3, 1, 2])
    ScoreProfile(sensitivity=1, scores=<private>, multiplicities=<private>, member=<private>)
    """

    sensitivity: int = field(metadata=PUBLIC)
    scores: NDArray[np.int64]
    multiplicities: NDArray[Any]
    member: Callable[[int, int], H]

    def __init__(
        self,
        scores: Sequence[int] | NDArray[np.int64],
        multiplicities: Sequence[int] | NDArray[Any],
        member: Callable[[int, int], H],
        *,
        sensitivity: int = 1,
    ) -> None:
        hold(self, scores=_integers(scores, name="scores"))
        hold(self, multiplicities=_integers(multiplicities, name="multiplicities"), member=member)
        hold(self).count(sensitivity=sensitivity, least=1)
        far = self.scores.dtype == object or self.scores.min(initial=0) < -LARGEST
        if far or self.scores.max(initial=0) > LARGEST:
            raise InvalidArgument("scores must be integers below 2^60 in absolute value")
        if len(self.scores) != len(self.multiplicities):
            raise InvalidArgument("scores and multiplicities must have one entry a cell each")
        if self.multiplicities.min(initial=0) < 0:
            raise InvalidArgument("multiplicities must be at least 0")
        if not self.multiplicities.max(initial=0) > 0:
            raise InvalidArgument("a profile needs at least one hypothesis")

    @classmethod
    def of(
        cls, scores: Sequence[int] | NDArray[np.int64], *, sensitivity: int = 1
    ) -> ScoreProfile[int]:
        """Make the profile of an enumerated class: one cell a hypothesis, named by its index."""
        return ScoreProfile.among(range(len(scores)), scores, sensitivity=sensitivity)

    @classmethod
    def among(
        cls,
        members: Sequence[C],
        scores: Sequence[int] | NDArray[np.int64],
        *,
        sensitivity: int = 1,
    ) -> ScoreProfile[C]:
        """Make the profile of hypotheses that are listed with their scores.

        >>> ScoreProfile.among(["no", "yes"], [3, 5]).member(1, 0)
        'yes'
        """
        ones = np.ones(len(members), dtype=np.int64)
        return ScoreProfile(scores, ones, lambda cell, _: members[cell], sensitivity=sensitivity)

    @classmethod
    def agreements(
        cls, concepts: ConceptClass[C], sample: LabelCounts | LabelGains, *, label: int = 0
    ) -> ScoreProfile[C]:
        """Make the profile of a class by its agreements with one label, without listing the class.

        >>> from tacit.concepts.line.thresholds import Thresholds
        >>> from tacit.statistics import LabelCounts
        >>> sample = LabelCounts.of([(3, (0,)), (9, (1,))], labels=1)
        >>> ScoreProfile.agreements(Thresholds(1024), sample).size == 2**1024
        True
        """
        if isinstance(sample, LabelGains):
            return _scored(concepts, sample, label)
        check_rows(concepts, sample.n)
        cells = concepts.cells(*inside(concepts, sample.points, sample.gains(label)))
        return _agreeing(cells, sample.negatives(label))

    @classmethod
    def agreements_of_labels(
        cls, concepts: ConceptClass[C], sample: LabelCounts | LabelGains, *, labels: int
    ) -> Iterator[ScoreProfile[C]]:
        """Yield what `agreements` returns for the first labels; some classes score them together.

        >>> from tacit.concepts.rules.conjunctions import Conjunctions
        >>> from tacit.statistics import LabelCounts
        >>> sample = LabelCounts.of([((0, 1), (0, 1)), ((1, 1), (1, 1))], labels=2)
        >>> profiles = ScoreProfile.agreements_of_labels(Conjunctions(2, 1), sample, labels=2)
        >>> [profile.scores.tolist() for profile in profiles]
        [[1, 0, 2, 1, 1], [2, 1, 1, 0, 2]]
        """
        if isinstance(sample, LabelGains):
            return (_scored(concepts, sample, label) for label in range(labels))
        if labels == 1 or not isinstance(concepts, _ScoresLabels):
            return (cls.agreements(concepts, sample, label=j) for j in range(labels))
        check_rows(concepts, sample.n)
        points, totals = inside(concepts, sample.points, sample.totals)
        _, positives = inside(concepts, sample.points, sample.positives[:, :labels])
        negatives = (totals.sum() - positives.sum(axis=0)).tolist()
        scored = concepts.cells_of_labels(points, totals, positives)
        return (_agreeing(*pair) for pair in zip(scored, negatives, strict=True))

    @property
    def size(self) -> int:
        """The number of hypotheses, as an exact integer."""
        return sum(int(m) for m in self.multiplicities)


@runtime_checkable
class _ScoresLabels(Protocol):
    """A class that scores all labels in the time that one takes, or little more."""

    def cells_of_labels(
        self, points: NDArray[Any], totals: NDArray[np.int64], positives: NDArray[np.int64], /
    ) -> Iterator[Cells[Any]]: ...


def check_rows(concepts: ConceptClass[Any], n: int) -> None:
    """Refuse by the public number of rows what the class could refuse by their values only."""
    if concepts.largest_sample is not None and n > concepts.largest_sample:
        most = concepts.largest_sample
        if not most:
            raise TooLarge(
                f"{concepts} are too many to score one by one: take a learner that does without, "
                "such as margin (--learner margin), or choose rules"
            )
        raise TooLarge(
            f"{concepts} can be scored on at most {most} rows, there are {n}: give the columns "
            "fewer values, or choose rules"
        )


def _scored(concepts: ConceptClass[C], sample: LabelGains, label: int) -> ScoreProfile[C]:
    listed: Any = concepts
    return _agreeing(listed.scored(sample.gains[label]), int(sample.zeros[label]))


def _agreeing(cells: Cells[C], negatives: int) -> ScoreProfile[C]:
    scores, many = cells.gains + negatives, cells.multiplicities
    scores.flags.writeable = many.flags.writeable = False
    return ScoreProfile(scores, many, cells.member)


def inside(
    concepts: ConceptClass[Any], points: NDArray[Any], gains: NDArray[np.int64]
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Clip points into the domain and merge those that meet: the class is public, they are not.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> [part.tolist() for part in inside(Thresholds(2), np.array([9, 3]), np.array([1, 2]))]
    [[3], [3]]
    """
    if not len(points):
        points = points.reshape((0,) if concepts.features == 1 else (0, concepts.features))
    clipped = concepts.clip(points)
    if clipped is points or not (clipped != points).any():
        return points, gains
    place: dict[Any, int] = {}
    names = (tuple(point) if isinstance(point, list) else point for point in clipped.tolist())
    places = [place.setdefault(name, len(place)) for name in names]
    merged = np.zeros((len(place), *gains.shape[1:]), dtype=np.int64)
    np.add.at(merged, places, gains)
    return np.array(list(place), dtype=clipped.dtype), merged


def _integers(values: Sequence[int] | NDArray[Any], *, name: str) -> NDArray[Any]:
    """Read a vector of integers: int64 where they fit, Python integers where they do not.

    An array that nobody can write to is kept as it is, others are copied.
    """
    if isinstance(values, np.ndarray) and values.dtype != object:
        if values.ndim != 1 or not np.issubdtype(values.dtype, np.signedinteger):
            raise NotExact(f"{name} must be a vector of signed integers, got {values.dtype}")
        kept = values.dtype == np.int64 and values.flags.owndata and not values.flags.writeable
        read = values if kept else values.astype(np.int64)
    else:
        items = [integer(value, name=name) for value in values]
        small = all(-LARGEST <= item <= LARGEST for item in items)
        read = np.array(items, dtype=np.int64 if small else object)
    read.flags.writeable = False
    return read
