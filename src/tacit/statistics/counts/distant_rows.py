"""Rows that stay where they are, and what can be asked of them: sums, and votes of blocks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self, TypeVar

from tacit.core import Random
from tacit.statistics.counts.label_gains import LabelGains
from tacit.statistics.many_rows import check_many
from tacit.statistics.private import PUBLIC, Private

if TYPE_CHECKING:
    from tacit.concepts.contract.concept_class import Concept, ConceptClass, HypothesisClass
    from tacit.statistics.counts.score_counts import ScoreCounts

T = TypeVar("T")


@dataclass(frozen=True, slots=True, repr=False)
class DistantRows(Private):
    """n rows with k labels on other machines, too many to be put together.

    Guarantee:
        Replacing one row replaces one row. Parts of a `split` hold each row at most once, however
        often they are asked, and by whom (docs/proofs/dealing.md).
    """

    n: int = field(metadata=PUBLIC)
    labels: int = field(metadata=PUBLIC)
    scored: ConceptClass[Any] | None = field(repr=False)
    """The class whose scores are all that is learned from, if there is one."""
    here: Callable[[bool], Any] = field(repr=False, compare=False)
    """Counts the rows here after all: jointly, or label by label."""

    def __post_init__(self) -> None:
        check_many(self.n)

    @abstractmethod
    def table(self) -> Any:
        """Bring the joint counts of all rows here."""

    @abstractmethod
    def split(self, sizes: Sequence[int], *, rng: Random) -> tuple[Self, ...]:
        """Deal the rows out in a uniform order: blocks of these sizes, which stay there too."""

    @abstractmethod
    def each(
        self, vote: Callable[..., T], sizes: Sequence[int], *, label: int | None = None, rng: Random
    ) -> list[T]:
        """Return what each block of a split votes: of joint counts, or of the counts of a label."""

    @abstractmethod
    def gains(self, concepts: ConceptClass[Any]) -> LabelGains:
        """Score a whole class on all labels."""

    @abstractmethod
    def scores(
        self,
        hypotheses: Sequence[Concept],
        outputs: HypothesisClass[Any],
        levels: Sequence[tuple[int, ...]],
    ) -> list[ScoreCounts]:
        """Count the rows by the scores of each label's hypothesis, at its levels."""

    @property
    def learned(self) -> LabelGains | Self:
        """What a learner is given of these rows."""
        return self if self.scored is None else self.gains(self.scored)
