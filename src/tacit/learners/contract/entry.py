"""How a learner is offered by name: what it is for, and how to make it from public things."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from tacit.concepts.contract.concept_class import ConceptClass, family_of
from tacit.core import Cost, InvalidArgument, Privacy
from tacit.learners.contract.learner import Learner, MultiLearner
from tacit.learners.many_labels.direct_sum import DirectSum
from tacit.statistics.counts.marks import Marks, joined


@dataclass(frozen=True, slots=True)
class Request:
    """Everything a learner may know before it sees the data.

    Budget and failure probability are for all labels together; the entry that is asked divides
    them, and nobody else. `alpha` is the accuracy that was asked for, None if nothing was.
    `parties` is the number of tables, for learners that take one from each party. `best_error` is
    what the best rule for a label is said to err at most, of arbitrary labels; None if nothing is.
    With `labels_only` features are public, and labels alone are to be protected.
    `alone` says that nothing is gained by a choice of bounded range: there is one label, or no
    delta. `public` are the points of public rows, or their number, which is enough for a plan.
    `outcomes` says which labels are the marks of one column, where that is known.
    """

    concepts: ConceptClass[Any]
    privacy: Privacy
    n: int
    alpha: Fraction | None
    beta: Fraction
    agnostic: bool
    labels: int = 1
    parties: int = 2
    best_error: Fraction | None = None
    labels_only: bool = False
    alone: bool = False
    public: tuple[Any, ...] | int = 0
    outcomes: tuple[Marks, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One learner of the catalogue.

    `families` are the classes it is for, none meaning all; `pure` that it spends no delta. With
    `make` labels are learned one by one, each with its share of the budget; with `make_jointly` all
    at once, from counts of records; with `make_by_outcome` too where some labels are the marks of
    one column, which a row moves together; `price` is the cost of what `make` makes, where that
    takes long, and `divides` that `make` finds one label's share of the budget by itself, from the
    number of labels. `assumes` says what else its promise needs of the points;
    `beaten_by` names a learner that never needs more rows, for searches that want the best only;
    `slow` says that it may take seconds to find how many rows it needs, `by_party` that it takes a
    table from each of several parties, `wrapper` that it is made from other learners of the
    catalogue, `labels_only` that it protects labels and not features, so that it has no cost,
    `public` that it is made from public rows, `polls` that it asks blocks of rows for votes, and
    nothing else, so that rows may stay where they are.
    """

    name: str
    summary: str
    families: tuple[str, ...]
    pure: bool
    proper: bool
    agnostic: bool
    theorem: str
    make: Callable[[Request], Learner[Any]] | None = None
    make_jointly: Callable[[Request], MultiLearner[Any]] | None = None
    make_by_outcome: Callable[[Request], MultiLearner[Any]] | None = None
    price: Callable[[Request], Cost] | None = None
    divides: bool = False
    assumes: str = ""
    beaten_by: str = ""
    slow: bool = False
    by_party: bool = False
    wrapper: bool = False
    labels_only: bool = False
    public: bool = False
    polls: bool = False

    def __call__(self, request: Request, /) -> MultiLearner[Any]:
        """Make the learner of all labels, or say why it is not for this request."""
        self.check(request)
        if self.make_jointly is not None:
            return self.make_jointly(request)
        if self.make_by_outcome is not None and joined(request.outcomes):
            return self.make_by_outcome(request)
        assert self.make is not None
        make, price, total, labels = self.make, self.price, request.privacy, request.labels
        each = replace(request, beta=request.beta / labels)  # all succeed if none of them fails
        if self.divides:
            return DirectSum(make(each), labels)
        delta = total.delta if labels == 1 else total.delta / (2 * labels)

        def share(epsilon: Fraction) -> Request:
            privacy = Privacy(epsilon, 0 if self.pure else delta)
            alone = labels == 1 or not total.delta
            return replace(each, privacy=privacy, labels=1, alone=alone)

        return DirectSum.within(
            total,
            labels,
            lambda epsilon: make(share(epsilon)),
            None if price is None else lambda epsilon: price(share(epsilon)),
        )

    def suits(self, request: Request) -> bool:
        """Whether it is for such a class, such labels and such a budget."""
        try:
            self.check(request)
        except InvalidArgument:
            return False
        return True

    def check(self, request: Request) -> None:
        """Refuse a class, labels or a budget that it is not for, whatever the number of rows."""
        family = family_of(request.concepts)
        if self.families and family not in self.families:
            raise InvalidArgument(
                f"learner {self.name!r} is for {self.classes}, not for {family}; name no "
                "learner to have one chosen, or see: tacit learn --list"
            )
        if self.labels_only and not request.labels_only:
            raise InvalidArgument(
                f"learner {self.name!r} protects labels and not features: if these are public, use "
                "tacit learn or tacit plan --labels-only (labels_only=True); else choose another"
            )
        if self.public and not request.public:
            raise InvalidArgument(
                f"learner {self.name!r} is made from public rows: give some (--public), or choose "
                "another learner"
            )
        if request.agnostic and not self.agnostic:
            raise InvalidArgument(
                f"learner {self.name!r} promises nothing for labels that no rule explains: "
                "say --realisable (agnostic=False), or choose another learner"
            )
        if not self.pure and not request.privacy.delta:
            raise InvalidArgument(
                f"learner {self.name!r} needs a delta above 0, such as --delta 1e-6"
            )

    @property
    def joins(self) -> bool:
        """Whether marks of one column are learned together, from counts of records."""
        return self.make_by_outcome is not None

    @property
    def contends(self) -> bool:
        """Whether it may need the fewest rows of all, and assumes nothing but what is asked."""
        return self.decides and not self.beaten_by

    @property
    def decides(self) -> bool:
        """Whether it assumes nothing, or only of public rows, which are asked for."""
        return self.public or not self.assumes

    @property
    def classes(self) -> str:
        """The classes it is for, in words."""
        return ", ".join(self.families) or "every class"
