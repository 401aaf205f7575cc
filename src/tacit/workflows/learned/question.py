"""What is asked of a table, read and checked: all that is public but the number of its rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from tacit.concepts.contract.concept_class import ConceptClass, HypothesisClass
from tacit.concepts.rules.rules import Rules
from tacit.core.privacy import Privacy
from tacit.core.unit import Unit
from tacit.core.version import __version__
from tacit.data.reading.coding import Coding
from tacit.data.schema.classes import class_for
from tacit.data.schema.schema import Schema
from tacit.learners.catalogue import named
from tacit.learners.contract.entry import Entry, Request
from tacit.learners.contract.model import Model
from tacit.learners.every_class import label_private
from tacit.statistics.counts.dealt_rows import NEAR
from tacit.statistics.counts.distant_rows import DistantRows
from tacit.workflows.choosing import choose
from tacit.workflows.learned_rows import PublicRows, taken_jointly

AUTO = "auto"
"""The class, or the learner, that is chosen."""
GENERIC, SHORT = "generic", "short-rules"
"""Learners that take scores in place of rows, where rows are scored by their own engine; a stated
best error sharpens the promise of the first one."""


class ClassPlan(NamedTuple):
    """What is learned, by whom, and why, where that was chosen."""

    concepts: ConceptClass[Any]
    entry: Entry
    why: str = ""


@dataclass(frozen=True, slots=True)
class TableQuestion:
    """Columns and labels, who is protected, what is asked of a learner, and what is held out.

    `ask` makes the request for a class and a number of rows; `plan` is None where class and learner
    are chosen by that number. `edges` cut coordinate `place` of a point into the `groups`; `public`
    rows are learned with; `weights` say what a miss of each label costs, if it is not 1.
    """

    schema: Schema
    columns: tuple[str, ...]
    labels: tuple[str, ...]
    coding: Coding
    unit: Unit
    plan: ClassPlan | None
    ask: Callable[..., Request]
    share: Fraction
    place: int
    edges: tuple[int, ...]
    groups: tuple[str, ...]
    public: PublicRows
    weights: tuple[Fraction, ...] = ()

    def planned(self, rows: int, budget: Privacy) -> ClassPlan:
        """Return what is named, or what public numbers say is best."""
        if self.plan is not None:
            return self.plan
        best = choose(self.schema, self.columns, self.labels, rows, budget)
        concepts = class_for(best.concepts, self.schema, self.columns)
        entry = label_private.ENTRY if self.ask(concepts, n=1).labels_only else named(best.learner)
        return ClassPlan(concepts, entry, best.why)

    def taken(self, plan: ClassPlan, sample: Any) -> Any:
        """Return the rows as this learner takes them: many stay elsewhere if that is enough.

        It is enough where blocks vote, and for rules, of which only scores matter. Up to 2^20 rows
        are counted here, so that a seed gives what it gives on other engines.
        """
        if not isinstance(sample, DistantRows):
            return sample
        scored = plan.entry.name in (GENERIC, SHORT) and isinstance(plan.concepts, Rules)
        scored = scored and plan.concepts.scorable_by_rows(sample.labels)
        if sample.n <= NEAR or not (scored or plan.entry.polls):
            return sample.here(taken_jointly(self.coding, plan.entry, self.share))
        if scored and not self.share:
            return sample.gains(plan.concepts)
        return replace(sample, scored=plan.concepts if scored else None)

    def blank(
        self, plan: ClassPlan, outputs: HypothesisClass[Any], request: Request, **told: Any
    ) -> Model:
        """Return the model but for what is drawn."""
        return Model(
            concepts=plan.concepts,
            outputs=outputs,
            features=self.columns,
            labels=self.coding.marks,
            hypotheses=(),
            learner=plan.entry.name,
            agnostic=request.agnostic,
            secure=False,
            schema=self.schema.dump(),
            version=__version__,
            best_error=request.best_error,
            outcomes=outcomes_told(self.coding),
            why=plan.why,
            unit=self.unit,
            groups=self.groups,
            public=self.public.n,
            public_labelled=self.public.labelled is not None,
            weights=self.weights,
            **told,
        )

    def purpose(self, what: object) -> str:
        """Say what is learned, in public words."""
        return f"{what}: {', '.join(self.labels)} from {', '.join(self.columns)}"


def outcomes_told(coding: Coding) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return the label columns with their cuts, if some are no bits."""
    if all(outcome.kind == "bits" for outcome in coding.outcomes):
        return ()
    return tuple((outcome.name, outcome.cuts) for outcome in coding.outcomes)
