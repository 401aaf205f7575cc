"""What all private classifiers share: two classes, declared bounds, and a cost that is kept."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from tacit.concepts.contract.concept_class import family_of
from tacit.core import check
from tacit.core.budget import read_budget
from tacit.core.chance.randomness import is_secure
from tacit.core.errors import InvalidArgument
from tacit.data import Schema
from tacit.interfaces.estimators.accounting import charging
from tacit.interfaces.estimators.certificate import certificate
from tacit.interfaces.estimators.given.coins import coins
from tacit.interfaces.estimators.given.labelled import LabelledTable, labelled_table, share_right
from tacit.interfaces.estimators.given.tables import GivenTable, declared, seen, table_to_predict
from tacit.interfaces.estimators.given.weights import refuse
from tacit.interfaces.report import Asked, write_report
from tacit.learners.catalogue import named
from tacit.learners.contract.model import Model
from tacit.workflows import learn, predict, query, rules


@dataclass(kw_only=True, eq=False, repr=False)
class PrivateClassifier(ClassifierMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A binary classifier that is (epsilon, delta)-DP for replaced rows of its training table.

    Parameters:
        epsilon, delta: the budget of one `fit`.
        bounds, step: the public range of the features, as `(low, high)` for all, one pair for each,
            or a mapping from names; and the grid on it. Values outside count as the nearest end,
            and what is no number as the lower one.
        schema: instead of both, the declared domain of each column, of any type.
        classes: the two classes, no before yes; False and True for a y of that type. Else they are
            read off y, taken to be public, and what is refused about y depends on y.
        learner: a name from `tacit learn --list`; else it is chosen by public numbers.
        best_error: what the best rule errs at most, if you know; what is promised of the error then
            holds only if that is true, and needs fewer rows.
        ledger, dataset, analyst: where `fit` is charged, before anything is drawn.
        random_state: None for secret coins; anything else is reproducible, hence NOT private.

    Fitted:
        `model_`, `rule_`, `certificate_`, `cost_`, `privacy_`, `private_`, `schema_`, `classes_`,
        `n_features_in_`, and `feature_names_in_` where columns have names.
    """

    poor_score: ClassVar[bool] = False
    epsilon: Any = 1.0
    delta: Any = 0.0
    bounds: Any = None
    step: Any = None
    schema: Schema | None = None
    classes: Any = None
    learner: str | None = None
    best_error: Any = None
    ledger: Any = None
    dataset: str | None = None
    analyst: str = ""
    random_state: Any = None

    @abstractmethod
    def concept_class(self, sizes: tuple[int, ...]) -> str:
        """Return the class over columns with so many values each."""

    def learner_for(self, table: GivenTable) -> str:  # noqa: ARG002
        """Return the learner for a table, by its public numbers."""
        return "generic"

    def resolution(self, columns: int) -> int:  # noqa: ARG002
        """Return into how many equal parts a range is cut where no step is declared."""
        return 256

    def fit(self, X: Any, y: Any, **unknown: Any) -> PrivateClassifier:
        """Learn from a table; the cost is charged first, and a refusal costs nothing."""
        refuse(unknown)
        read_budget(self.epsilon, self.delta)
        given = labelled_table(self, X, y)
        rng = coins(self.random_state)
        with charging(self, declared(self), secure=is_secure(rng)) as charge:
            model = learn(**self.question(given.table, given.marks), rng=rng, charge=charge)
        return self.learned(model, given)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return one class for each row."""
        said = self._said(X)
        return np.asarray(self.classes_[said])

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of rows that are predicted as y says; it is not private."""
        said = self._said(X)
        share = share_right(said, y, [self.classes_], sample_weight)
        return float(super().score(X, y, sample_weight)) if share is None else share

    def sql(self, table: str = "data", dialect: str = "duckdb") -> str:
        """Return a SQL query that predicts for the rows of a table: 1 for the second class."""
        check_is_fitted(self)
        return query(self.model_, table, dialect)

    def report(self, path: str | Path) -> None:
        """Write a report that can be shown to anyone: a page .html, or Markdown .md."""
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

    def question(self, table: GivenTable, marks: Mapping[str, NDArray[np.bool_]]) -> dict[str, Any]:
        """Return what `tacit.data.learn` is asked for yes/no labels, all from one budget.

        With `labelled_table` it is the whole way of `fit` to the learner, but for coins and charge.
        """
        learner, concepts = self.learner or self.learner_for(table), self.concept_class(table.sizes)
        agnostic = named(learner).agnostic
        if self.best_error is not None and not agnostic:
            raise InvalidArgument(
                f"best_error is for labels that no rule explains, which {learner} makes no promise "
                "for: leave it out, or take another learner"
            )
        rows, schema = table.labelled(marks)
        return {
            "source": rows,
            "schema": schema,
            "concepts": concepts,
            "features": tuple(table.schema.columns),
            "labels": list(marks),
            "epsilon": self.epsilon,
            "delta": self.delta,
            "learner": learner,
            "agnostic": agnostic,
            "best_error": self.best_error,
        }

    def learned(self, model: Model, given: LabelledTable) -> PrivateClassifier:
        """Keep what was learned."""
        self.model_, self.schema_, self.classes_ = model, given.table.schema, given.classes[0]
        self.rule_ = rules(model)[0]
        self.certificate_ = certificate(model, public=given.read_off)
        self.cost_, self.privacy_, self.private_ = model.cost, model.privacy, model.secure
        return self

    def _said(self, X: Any) -> NDArray[np.intp]:
        check_is_fitted(self)
        table = table_to_predict(self, X, self.schema_)
        return predict(self.model_, table.rows)[:, 0].astype(np.intp)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.poor_score = self.poor_score
        tags.input_tags.allow_nan = tags.input_tags.string = True
        return tags
