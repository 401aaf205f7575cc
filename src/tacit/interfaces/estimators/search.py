"""A search that is private: candidates on blocks of their own, the choice on rows of its own."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import KW_ONLY, dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.model_selection import ParameterGrid
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from tacit.core import check
from tacit.core.budget import read_budget
from tacit.core.chance.permutation import permutation
from tacit.core.chance.randomness import is_secure
from tacit.core.composition import price
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy
from tacit.core.unit import ROWS
from tacit.interfaces.estimators.accounting import charging
from tacit.interfaces.estimators.classifiers.classifier import BasePrivateClassifier, private_shell
from tacit.interfaces.estimators.given.coins import coins
from tacit.interfaces.estimators.given.tables import declared
from tacit.interfaces.estimators.given.weights import refuse
from tacit.interfaces.estimators.trainer import Trainer, agrees, forget, of_any
from tacit.mechanisms import HoldOutSelection
from tacit.workflows.releasing.policy import request_to_learn

OWN = ("epsilon", "delta", "classes", "ledger", "dataset", "analyst", "random_state")


def _inner_has(method: str, search: Any) -> bool:
    return hasattr(getattr(search, "best_estimator_", search.estimator), method)


@dataclass(eq=False, repr=False)
class PrivateSearchCV(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Choose parameters privately, whatever their number, at the price of one fit.

    `GridSearchCV` fits candidates times folds, each at the price of epsilon, and then tells scores
    that it computes on the rows themselves, which no budget covers. Here every candidate is trained
    on a block of rows of its own, and the choice is an exponential mechanism on rows that none has
    seen: one row is in one block, so that all of it together costs epsilon once. There are no
    folds, and no score is told.

    Parameters:
        estimator: a private classifier; its budget and ledger are the search's, its policy is kept.
        param_grid: as in `GridSearchCV`.
        holdout: the share of the rows that the choice is made on.

    Guarantee:
        Each `fit` is (epsilon, delta)-DP for replaced rows (docs/proofs/hold_out_selection.md).

    >>> import numpy as np
    >>> from tacit.estimators import PrivateThresholdClassifier
    >>> table = np.column_stack([np.arange(1000) % 7, np.arange(1000) % 100])
    >>> shell = PrivateThresholdClassifier(bounds=(0, 99), step=1)
    >>> search = PrivateSearchCV(shell, {"feature": [0, 1]}, random_state=1)
    >>> search.fit(table, table[:, 1] >= 50).best_params_
    {'feature': 1}
    >>> search.best_estimator_.rule_, search.privacy_.epsilon
    ('x1 is at least 48', Fraction(1, 1))
    """

    estimator: Any = None
    param_grid: Any = None
    _: KW_ONLY
    epsilon: Any = 1.0
    delta: Any = 0.0
    holdout: Any = 0.2
    classes: Any = None
    ledger: Any = None
    dataset: str | None = None
    analyst: str = ""
    random_state: Any = None

    def fit(self, X: Any, y: Any, **unknown: Any) -> PrivateSearchCV:
        """Train all candidates and choose one; the cost is charged first, once."""
        refuse(unknown)
        budget = read_budget(self.epsilon, self.delta)
        share = check.probability(holdout=self.holdout)
        offered, shells = self._candidates()
        read = [shell.given(X, y) for shell in shells]
        given = [replace(each, table=each.table.settled()) for each in read]
        n = given[0].table.n
        size = (n - max(1, int(n * share))) // len(shells)
        if size < 1:
            raise InvalidArgument(
                f"{len(shells)} candidates need a row each and one to choose by, got n_samples={n}"
            )
        asked = [shell.question(each) for shell, each in zip(shells, given, strict=True)]
        question = {"verb": "search", "candidates": list(map(request_to_learn, asked))}
        question |= {"holdout": str(share)}
        rules = [
            shell.keep_policy(each, question) for shell, each in zip(shells, asked, strict=True)
        ]
        rng = coins(self.random_state)
        trainers = [
            Trainer.of(shell, each, size, rule)
            for shell, each, rule in zip(shells, given, rules, strict=True)
        ]
        search = HoldOutSelection(
            trainers,
            sizes=[size] * len(shells),
            agrees=agrees,
            epsilon=budget.epsilon,
            alone=not budget.delta,
        )
        order = tuple(permutation(n, rng=rng).tolist())
        with ExitStack() as stack:
            charge, *_ = [  # each schema must be granted, the cost is charged once
                stack.enter_context(charging(self, schema, secure=is_secure(rng), rule=rules[0]))
                for schema in dict.fromkeys(map(declared, shells))
            ]
            charge(search.cost, budget.delta, f"a search among {len(shells)} classifiers", ROWS)
            chosen = search(order, rng=rng)
        self.best_index_, self.best_params_ = chosen.trainer, offered[chosen.trainer]
        trained, self.classes_ = chosen.hypothesis, given[0].classes[0]
        forget()
        model = replace(trained.model, accuracy=of_any(trained.model.accuracy, len(shells)))
        self.best_estimator_ = trained.shell.learned(model, trained.given)
        self.n_features_in_ = shells[0].n_features_in_
        if hasattr(shells[0], "feature_names_in_"):
            self.feature_names_in_ = shells[0].feature_names_in_
        self.cost_, self.private_ = search.cost, is_secure(rng)
        self.privacy_ = Privacy(price(search.cost, budget.delta).privacy.epsilon, budget.delta)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return what the chosen classifier says."""
        check_is_fitted(self)
        said: NDArray[Any] = self.best_estimator_.predict(X)
        return said

    @available_if(partial(_inner_has, "decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> NDArray[Any]:
        """Return the scores of the chosen classifier."""
        check_is_fitted(self)
        return np.asarray(self.best_estimator_.decision_function(X))

    @available_if(partial(_inner_has, "predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> NDArray[Any]:
        """Return the probabilities of the chosen classifier, if its candidates hold rows out."""
        check_is_fitted(self)
        return np.asarray(self.best_estimator_.predict_proba(X))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of rows that are predicted as y says; it is not private."""
        check_is_fitted(self)
        return float(self.best_estimator_.score(X, y, sample_weight))

    def declared_schema(self, X: Any) -> Any:
        """Return the schema by which a table will be read, such as a ledger is granted for."""
        return self._candidates()[1][0].declared_schema(X)

    def _candidates(self) -> tuple[list[dict[str, Any]], list[BasePrivateClassifier]]:
        shell = private_shell(self.estimator)
        offered = list(ParameterGrid({} if self.param_grid is None else self.param_grid))
        if own := sorted({name for params in offered for name in params} & set(OWN)):
            raise InvalidArgument(f"{own[0]} is the search's own: give it to PrivateSearchCV")
        own_settings = {name: getattr(self, name) for name in OWN if name != "random_state"}
        given = own_settings | {"random_state": None}
        return offered, [clone(shell).set_params(**(given | params)) for params in offered]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        if isinstance(self.estimator, BasePrivateClassifier):
            inner = self.estimator.__sklearn_tags__()
            tags.input_tags = inner.input_tags
            tags.classifier_tags.multi_class = inner.classifier_tags.multi_class
            tags.classifier_tags.poor_score = inner.classifier_tags.poor_score
        return tags
