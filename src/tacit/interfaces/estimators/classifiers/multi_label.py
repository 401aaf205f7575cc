"""Many labels from one budget."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from tacit.core.budget import read_budget
from tacit.interfaces.estimators.classifiers.classifier import (
    BasePrivateClassifier,
    decisions,
    private_shell,
    sided,
)
from tacit.interfaces.estimators.given.coins import coins
from tacit.interfaces.estimators.given.labelled import labelled_table, share_right
from tacit.interfaces.estimators.given.tables import table_to_predict
from tacit.interfaces.estimators.given.weights import refuse
from tacit.interfaces.estimators.predictor import has_risks, keep
from tacit.workflows import query


def _has_one_label(estimator: Any) -> bool:
    """Whether y was of one dimension; scores of several labels have no common scale."""
    if isinstance(getattr(estimator, "classes_", None), list):
        raise AttributeError("scores of several labels: predict_proba, with hold_out=0.2")  # noqa: TRY004
    return True


@dataclass(eq=False, repr=False)
class MultiLabelPrivateClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The same classifier for each column of y, all of them within the estimator's one budget.

    `MultiOutputClassifier` fits one clone for each label, and each costs epsilon: it is all on the
    ledger, and it is k epsilon. Here epsilon is for all labels together, by the best composition
    that is proved for the learner. A y of one dimension is one label.

    Guarantee:
        Each `fit` is (epsilon, delta)-DP for replaced rows of X with all their labels.

    >>> import numpy as np
    >>> from tacit.estimators import PrivateThresholdClassifier
    >>> ages = np.arange(20, 100).repeat(99).reshape(-1, 1)
    >>> labels = np.column_stack([ages >= 65, ages < 40]).astype(int)
    >>> shell = PrivateThresholdClassifier(bounds=(0, 120), step=1)
    >>> both = MultiLabelPrivateClassifier(shell, random_state=1).fit(ages, labels)
    >>> both.rules_, both.privacy_.epsilon
    (['x0 is at least 65', 'x0 is below 40'], Fraction(1, 1))
    >>> both.predict([[20], [50], [80]]).tolist()
    [[0, 1], [0, 0], [1, 0]]
    """

    estimator: Any = None
    _: KW_ONLY
    random_state: Any = None

    def fit(
        self, X: Any, y: Any, groups: Any = None, **unknown: Any
    ) -> MultiLabelPrivateClassifier:
        """Learn all labels from a table, of `groups` as one classifier does; charged first."""
        refuse(unknown)
        shell = private_shell(self.estimator)
        read_budget(shell.epsilon, shell.delta)
        given = labelled_table(shell, X, y, many=True).of(groups)
        rng = coins(shell.random_state if self.random_state is None else self.random_state)
        keep(self, shell.drawn(given, rng), given)
        self.estimator_ = shell
        self.classes_: Any = given.classes[0] if given.flat else given.classes
        self.n_features_in_ = shell.n_features_in_
        if hasattr(shell, "feature_names_in_"):
            self.feature_names_in_ = shell.feature_names_in_
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return one class for each row and each label, in the shape of y."""
        said = self._said(X)
        if not isinstance(self.classes_, list):
            return np.asarray(self.classes_[said[:, 0]])
        return np.column_stack([c[said[:, place]] for place, c in enumerate(self.classes_)])

    @available_if(_has_one_label)  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return a score for each row, above 0 for the second class."""
        points = self._points(X)
        return decisions(self.model_, points)

    @available_if(has_risks)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Any:
        """Return the probabilities of both classes, as an array a label for a y of several."""
        points = self._points(X)
        risks = sided(self.model_, points)
        told = [np.column_stack([1 - risk, risk]) for risk in risks.T]
        return told if isinstance(self.classes_, list) else told[0]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of rows all of whose labels are predicted as y says; not private."""
        said = self._said(X)
        classes = self.classes_ if isinstance(self.classes_, list) else [self.classes_]
        share = share_right(said, y, classes, sample_weight)
        return float(super().score(X, y, sample_weight)) if share is None else share

    def sql(self, table: str = "data", dialect: str = "duckdb") -> str:
        """Return a SQL query that predicts all labels for the rows of a table."""
        check_is_fitted(self)
        return query(self.model_, table, dialect)

    def declared_schema(self, X: Any) -> Any:
        """Return the schema by which a table will be read, such as a ledger is granted for."""
        return private_shell(self.estimator).declared_schema(X)

    def _said(self, X: Any) -> NDArray[np.intp]:
        points = self._points(X)
        return np.asarray(self.model_.predict(points), dtype=np.intp)

    def _points(self, X: Any) -> NDArray[np.int64]:
        check_is_fitted(self)
        return table_to_predict(self.estimator_, X, self.schema_).points()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.multi_label = True
        tags.target_tags.multi_output = True
        if isinstance(self.estimator, BasePrivateClassifier):
            inner = self.estimator.__sklearn_tags__()
            tags.input_tags = inner.input_tags
            tags.classifier_tags.poor_score = inner.classifier_tags.poor_score
        return tags
