"""What all private classifiers share: classes, and a probability of each where it was measured."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, clone
from sklearn.utils.metaestimators import available_if

from tacit.core.errors import InvalidArgument
from tacit.data.schema.outcome import adding_up, combine_category
from tacit.interfaces.estimators.given.labelled import LabelledTable, labelled_table, share_right
from tacit.interfaces.estimators.given.tables import secret_number
from tacit.interfaces.estimators.predictor import PrivatePredictor, has_risks
from tacit.learners.contract.model import Model


@dataclass(kw_only=True, eq=False, repr=False)
class BasePrivateClassifier(ClassifierMixin, PrivatePredictor):  # type: ignore[misc]
    """A classifier that is (epsilon, delta)-DP for replaced rows of its training table.

    Parameters:
        classes: the two classes, no before yes; False and True for a y of that type. Else they are
            read off y, taken to be public, and what is refused about y depends on y.

    Fitted:
        `rule_`, `classes_`, and what `PrivatePredictor` keeps.
    """

    poor_score: ClassVar[bool] = False
    several: ClassVar[bool] = False
    """Whether there may be more than two classes."""
    classes: Any = None

    def given(self, X: Any, y: Any) -> LabelledTable:
        """Read a table and its labels as they are declared; nothing is drawn or charged."""
        return labelled_table(self, X, y, several=self.several)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return one class for each row: what the rule says, or of several the most likely."""
        points = self._points(X)
        return np.asarray(self.classes_[codes_said(self.model_, points)])

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return scores: of two classes one a row, above 0 for the second; else one a class."""
        points = self._points(X)
        return decisions(self.model_, points)

    @available_if(has_risks)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each class, as rows of such scores had it when measured."""
        points = self._points(X)
        if len(self.model_.labels) == 1:
            side = self.model_.risks if self.model_.weights else partial(sided, self.model_)
            return np.hstack([1 - (risks := side(points)), risks])
        return adding_up(self.model_.risks(points))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of rows that are predicted as y says; it is not private."""
        points = self._points(X)
        said = codes_said(self.model_, points)
        share = share_right(said, y, [self.classes_], sample_weight)
        return float(super().score(X, y, sample_weight)) if share is None else share

    def learned(self, model: Model, given: LabelledTable) -> Any:
        """Keep what was learned."""
        super().learned(model, given)
        self.classes_, self.rule_ = given.classes[0], self.rules_[0]
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self.several
        tags.classifier_tags.poor_score = self.poor_score
        return tags


def private_shell(estimator: Any) -> BasePrivateClassifier:
    """Return a clone of what must be a private classifier."""
    if not isinstance(estimator, BasePrivateClassifier):
        raise InvalidArgument(
            "estimator must be a private classifier of tacit.estimators, got "
            f"{type(estimator).__name__}"
        )
    if secret_number(estimator):
        raise InvalidArgument(
            "neighbours='added' is for a classifier by itself: a search and several labels deal "
            "rows into parts whose sizes are public; leave it 'replaced'"
        )
    shell: BasePrivateClassifier = clone(estimator)
    return shell


def codes_said(model: Model, points: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the place of the class of each point, of several that of the greatest decision."""
    if len(model.labels) == 1:
        return model.predict(points)[:, 0].astype(np.int64)
    return combine_category(decisions(model, points))


def sided(model: Model, points: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return risks that are above one half where the rule says yes, and nowhere else.

    The rule was learned from more rows than measured it, and errs less on average where both
    disagree, though not always (docs/estimators.md).
    """
    risks, above = model.risks(points), np.nextafter(0.5, 1)
    yes = model.predict(points)
    return np.asarray(np.where(yes, np.maximum(risks, above), np.minimum(risks, 0.5)))


def decisions(model: Model, points: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return scores, shifted so that none is 0; of several classes log-odds, where measured.

    Scores of different hypotheses have no common scale, and what was measured of them has.
    """
    if len(model.labels) > 1 and model.measured:
        risks = model.risks(points)
        return np.asarray(np.log(risks / (1 - risks)))
    scores = model.scores(points).astype(np.float64) + 0.5
    return scores[:, 0] if len(model.labels) == 1 else scores
