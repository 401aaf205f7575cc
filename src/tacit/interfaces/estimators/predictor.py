"""What all private predictors share: a declared domain, one budget, and a cost that is kept."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted

from tacit.concepts.contract.concept_class import family_of
from tacit.core import check
from tacit.core.budget import read_budget
from tacit.core.chance.randomness import Random, is_secure
from tacit.core.errors import InvalidArgument
from tacit.core.unit import Neighbours
from tacit.data import Schema
from tacit.data.reading.in_memory import with_labels
from tacit.interfaces.estimators.accounting import charging, keep_policy
from tacit.interfaces.estimators.given.coins import coins
from tacit.interfaces.estimators.given.labelled import LabelledTable
from tacit.interfaces.estimators.given.tables import (
    GivenTable,
    declared,
    secret_number,
    seen,
    table_to_predict,
)
from tacit.interfaces.estimators.given.weights import refuse
from tacit.interfaces.output.promise import promise
from tacit.interfaces.report import Asked, write_report
from tacit.learners.catalogue import named
from tacit.learners.contract.model import Model
from tacit.mechanisms.measuring.statement import measured, measured_in_secret
from tacit.workflows import learn, query, rules
from tacit.workflows.learned.question import AUTO
from tacit.workflows.naming import describe
from tacit.workflows.releasing.policy import Kept, request_to_learn, to_learn

NOT_MEASURED = (
    "probabilities are read off rows that were held out, and there are none: fit with hold_out=0.2 "
    "and at least ten rows"
)

NO_RANKING = (
    "probabilities are read off a ranking, which is not measured where how many rows there are is "
    "secret: use predict, or neighbours='replaced'"
)


@dataclass(kw_only=True, eq=False, repr=False)
class PrivatePredictor(BaseEstimator, ABC):  # type: ignore[misc]
    """An estimator that is (epsilon, delta)-DP for replaced rows of its training table, or persons.

    Parameters:
        epsilon, delta: the budget of one `fit`.
        bounds, step: the public range of the features, as `(low, high)` for all, one pair for each,
            or a mapping from names; and the grid on it. Values outside count as the nearest end,
            and what is no number as the lower one.
        schema: instead of both, the declared domain of each column, of any type.
        learner: a name from `tacit learn --list`; else it is chosen by public numbers.
        best_error: what the best rule errs at most, if you know; what is promised of the error then
            holds only if that is true, and needs fewer rows.
        hold_out: the share of the rows that measures what the others taught; 0 for none.
        ledger, dataset, analyst: where `fit` is charged, before anything is drawn.
        policy: the path of a policy (docs/pack.md); what it forbids is refused, with the clause.
        random_state: None for secret coins; anything else is reproducible, hence NOT private.

    Fitted:
        `model_`, `rules_`, `chosen_`, `measured_`, `certificate_`, `cost_`, `privacy_`, `private_`,
        `schema_`, `n_features_in_`, and `feature_names_in_` where columns have names.
    """

    epsilon: Any = 1.0
    delta: Any = 0.0
    bounds: Any = None
    step: Any = None
    schema: Schema | None = None
    learner: str | None = None
    best_error: Any = None
    hold_out: Any = 0
    ledger: Any = None
    dataset: str | None = None
    analyst: str = ""
    policy: Any = None
    random_state: Any = None

    @abstractmethod
    def given(self, X: Any, y: Any) -> LabelledTable:
        """Read a table and its labels as they are declared; nothing is drawn or charged."""

    def concept_class(self, sizes: tuple[int, ...]) -> str:  # noqa: ARG002
        """Return the class over columns with so many values each: unless it is named, any."""
        return str(getattr(self, "concepts", AUTO))

    def learner_for(self, table: GivenTable) -> str:  # noqa: ARG002
        """Return the learner for a table, by its public numbers."""
        return AUTO

    def resolution(self, columns: int) -> int:  # noqa: ARG002
        """Return into how many equal parts a range is cut where no step is declared."""
        return 256

    def fit(self, X: Any, y: Any, groups: Any = None, **unknown: Any) -> Any:
        """Learn from a table; the cost is charged first, and a refusal costs nothing.

        With `groups`, which say whose each row is, all rows of one person are protected as one.
        """
        refuse(unknown)
        read_budget(self.epsilon, self.delta)
        given = self.given(X, y).of(groups)
        return self.learned(self.drawn(given, coins(self.random_state)), given)

    def drawn(self, given: LabelledTable, rng: Random) -> Model:
        """Keep the policy, charge, and learn all labels of a table."""
        asked = self.question(given)
        kept = self.keep_policy(asked)

        def rehearse(made_up: Model) -> None:
            describe(made_up)
            if kept is not None:
                kept.policy.check_tried(made_up)

        with charging(self, declared(self), secure=is_secure(rng), rule=kept) as charge:
            return learn(**asked, rng=rng, charge=charge, rehearsal=rehearse)

    def keep_policy(
        self, asked: dict[str, Any], question: dict[str, Any] | None = None
    ) -> Kept | None:
        """Refuse what the policy forbids, of what `question` says is asked, or of all of it."""
        facts = to_learn(str(asked["concepts"]), asked["learner"], hold_out=self.hold_out)
        whole = question or request_to_learn(asked)
        unit = {name: asked[name] for name in ("person", "neighbours")}
        return keep_policy(self, whole, **unit, **facts)

    def question(self, given: LabelledTable) -> dict[str, Any]:
        """Return what `tacit.data.learn` is asked for all labels, from one budget.

        With `given` it is the whole way of `fit` to the learner, but for coins and charge.
        """
        table = given.table
        learner, concepts = self.learner or self.learner_for(table), self.concept_class(table.sizes)
        agnostic = learner == AUTO or named(learner).agnostic
        if self.best_error is not None and not agnostic:
            raise InvalidArgument(
                f"best_error is for labels that no rule explains, which {learner} makes no promise "
                "for: leave it out, or take another learner"
            )
        rows, schema = table.labelled(given.marks, given.column)
        return {
            "source": with_labels(rows, given.persons) if given.persons else rows,
            "schema": schema,
            "concepts": concepts,
            "features": tuple(table.schema.columns),
            "labels": list(given.marks),
            "epsilon": self.epsilon,
            "delta": self.delta,
            "learner": learner,
            "agnostic": agnostic,
            "best_error": self.best_error,
            "hold_out": self.hold_out,
            "person": list(given.persons),
            "weights": self.weights_for(given),
            "neighbours": getattr(self, "neighbours", Neighbours.REPLACED),
            "rows": getattr(self, "rows", None),
        }

    def weights_for(self, given: LabelledTable) -> dict[str, Any]:  # noqa: ARG002
        """Return how many false alarms a miss of a label costs, where that is said."""
        return {}

    def learned(self, model: Model, given: LabelledTable) -> Any:
        """Keep what was learned."""
        return keep(self, model, given)

    def sql(self, table: str = "data", dialect: str = "duckdb") -> str:
        """Return a SQL query that answers for the rows of a table: 1 for yes, a column a rule."""
        check_is_fitted(self)
        return query(self.model_, table, dialect)

    def report(self, path: str | Path) -> None:
        """Write a report that can be shown to anyone: a page .html, paper .pdf, or Markdown .md."""
        check_is_fitted(self)
        asked = Asked(
            family_of(self.model_.concepts),
            check.exact(epsilon=self.epsilon),
            check.exact(delta=self.delta),
            None,
            check.exact(beta="0.05"),
            self.dataset,
            self.analyst,
        )
        write_report(Path(path), self.model_, asked)

    def declared_schema(self, X: Any) -> Schema:
        """Return the schema by which a table will be read, such as a ledger is granted for.

        Nothing of the table is looked at but the names and the number of its columns.
        """
        return seen(clone(self), X)

    def _points(self, X: Any) -> NDArray[np.int64]:
        check_is_fitted(self)
        return table_to_predict(self, X, self.schema_).points()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = True
        return tags


def keep(estimator: Any, model: Model, given: LabelledTable) -> Any:
    """Let an estimator keep a model, and what may be told about it."""
    estimator.model_, estimator.schema_ = model, given.table.schema
    estimator.rules_ = rules(model)
    estimator.measured_ = (
        measured_in_secret(model.labels, model.grouped)
        if model.unit.added
        else measured(model.labels, model.measured, model.weights, model.always)
    )
    why = model.why or "it was asked for"
    estimator.chosen_ = {"class": str(model.concepts), "learner": model.learner, "why": why}
    estimator.certificate_ = certificate(model, public=given.read_off)
    estimator.cost_, estimator.privacy_ = model.cost, model.privacy
    estimator.private_ = model.secure
    return estimator


def has_risks(estimator: Any) -> bool:
    """Whether rows are, or will be, held out; else say how, as `available_if` wants it."""
    model: Model | None = getattr(estimator, "model_", None)
    shell = getattr(estimator, "estimator", estimator)
    if secret_number(shell):
        raise AttributeError(NO_RANKING)
    if shell.hold_out == 0 if model is None else not model.measured:
        raise AttributeError(NOT_MEASURED)
    return True


PUBLIC = "\nThe classes were read off y, and are taken to be public; classes=... declares them."


def certificate(model: Model, *, public: bool) -> str:
    """Say what was spent, for what change of the table, what is promised and what was measured.

    Classes that were read off the labels are `public` only because somebody says so.
    """
    spent = f"ε = {float(model.of_rows.epsilon):.6g}, δ = {float(model.of_rows.delta):.6g}"
    whose, named = "any one", ", ".join(model.unit.person)
    if named:
        whose, named = "all rows of any one", f" ({named})"
    private = f"Private: {spent} for replacing {whose} of the {model.n} {model.unit.many}{named}."
    if model.unit.added:
        private = f"Private: {spent} for {model.unit.said}; there are about {model.n}."
    if not model.secure:
        private = f"NOT PRIVATE: the coins were seeded. Secret coins would give {spent}."
    taken = PUBLIC if public else ""
    said = " ".join(promise(model)).replace(" It assumes:", "\nIt assumes:")
    told = "".join(
        f"\nMeasured: {model.labels[place]}: {model.said(place)}."
        for place in range(len(model.measured))
    )
    if model.unit.added and model.grouped:
        seen = f"{model.unit.tests} it never saw"
        errs = measured_in_secret(model.labels, model.grouped).items()
        told = "".join(
            f"\nMeasured: {name}: errs on {e['low']} to {e['high']} of {seen}." for name, e in errs
        )
    return f"{private}{taken}\nLearner: {model.learner}.\n{said}{told}"
