"""What is chosen, measured and scored: probabilities, scores, several classes, numbers."""

from __future__ import annotations

import json
import pickle
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics import get_scorer, roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import tacit.estimators as est
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.data import Bits, Category, Integer, Real, Schema
from tacit.data.ledger import Cap, Ledger
from tacit.workflows import describe, learn, predictions

SCHEMA = Schema(
    {"age": Integer(0, 99), "dose": Integer(0, 9), "ward": Category(["north", "south", "west"])}
)
NAMES = ["age", "dose", "ward"]


def _table(n: int = 3000) -> pd.DataFrame:
    coin = np.random.default_rng(1)
    wards = coin.choice(["north", "south", "west"], n)
    return pd.DataFrame({"age": coin.integers(0, 100, n), "dose": coin.integers(0, 10, n)}).assign(
        ward=wards
    )


def _risk(table: pd.DataFrame) -> Any:
    return 1 / (1 + np.exp((50 - table["age"]) / 8 + (table["ward"] == "west")))


TABLE = _table()
COIN = np.random.default_rng(2)
ILL = pd.Series(COIN.random(len(TABLE)) < _risk(TABLE), name="ill")
WHERE = np.select([TABLE["age"] >= 60, TABLE["dose"] >= 5], ["home", "stay"], "move")
PAY = (TABLE["age"] / 2 + COIN.normal(0, 3, len(TABLE))).rename("pay")


def _classifier(**given: Any) -> Any:
    return est.PrivateClassifier(
        **{"schema": SCHEMA, "epsilon": 2, "delta": 1e-6, "random_state": 1} | given
    )


def test_two_classes_are_what_learn_says_and_its_risks() -> None:
    shell = _classifier().fit(TABLE, ILL)
    held = TABLE.assign(ill=ILL)
    schema = Schema(dict(SCHEMA.columns) | {"ill": Bits()})
    model = learn(
        held, schema, labels=["ill"], epsilon=2, delta=1e-6, hold_out="1/5", rng=Seeded(1)
    )
    assert shell.model_ == model
    told = [line for lines in predictions(model, held, risk=True) for line in lines]
    assert shell.predict(TABLE).astype(int).tolist() == [said for said, _ in told]
    sided = [max(risk, 0.5) if said else min(risk, 0.5) for said, risk in told]
    assert shell.predict_proba(TABLE)[:, 1].round(6).tolist() == sided
    assert (shell.predict_proba(TABLE).argmax(axis=1) == shell.predict(TABLE)).all()
    said = describe(model)
    assert shell.chosen_ == said["chosen"]
    assert shell.measured_ == said["measured"]
    assert json.loads(json.dumps(shell.measured_))["ill"]["rows"] == 600
    assert shell.rules_ == [shell.rule_]
    assert "errs" in shell.certificate_
    assert "on 600 rows it never saw" in shell.certificate_
    assert duckdb.sql(shell.sql("held")).df()["ill"].tolist() == [said for said, _ in told]


def test_probabilities_are_calibrated_and_scores_rank() -> None:
    shell = _classifier().fit(TABLE, ILL)
    fresh = _table(20000).assign(age=lambda table: table["age"][::-1].to_numpy())
    risks = shell.predict_proba(fresh)
    assert risks.sum(axis=1) == pytest.approx(1)
    truth = _risk(fresh)
    assert abs(risks[:, 1].mean() - truth.mean()) < 0.06
    high = risks[:, 1] > np.quantile(risks[:, 1], 0.7)
    assert abs(risks[high, 1].mean() - truth[high].mean()) < 0.1
    scores = shell.decision_function(fresh)
    assert ((scores > 0) == shell.predict(fresh)).all()
    drawn = np.random.default_rng(3).random(len(fresh)) < truth
    assert roc_auc_score(drawn, scores) > 0.85
    order = np.argsort(scores, kind="stable")
    assert (np.diff(risks[order, 1]) >= 0).all(), "risks rise with the score"


@pytest.mark.parametrize("hold_out", [0, 0.2])
def test_of_several_classes_the_most_likely_is_said(hold_out: float) -> None:
    shell = _classifier(hold_out=hold_out, epsilon=4).fit(TABLE, WHERE)
    assert shell.classes_.tolist() == ["home", "move", "stay"]
    assert shell.model_.labels == tuple(f"label is {name}" for name in shell.classes_)
    assert len(shell.rules_) == len(shell.model_.hypotheses) == 3
    assert shell.privacy_.epsilon <= 4
    scores = shell.decision_function(TABLE)
    assert scores.shape == (len(TABLE), 3)
    assert (shell.classes_[scores.argmax(axis=1)] == shell.predict(TABLE)).all()
    assert shell.score(TABLE, WHERE) > 0.7
    assert shell.score(TABLE, WHERE) == (shell.predict(TABLE) == WHERE).mean()
    if not hold_out:
        return
    risks = shell.predict_proba(TABLE)
    assert risks.sum(axis=1) == pytest.approx(1)
    assert (shell.classes_[risks.argmax(axis=1)] == shell.predict(TABLE)).all()
    assert set(shell.measured_) == set(shell.model_.labels)
    assert get_scorer("roc_auc_ovr")(shell, TABLE, WHERE) > 0.85


def test_declared_classes_may_be_numbers_and_need_not_occur() -> None:
    labels = np.select([WHERE == "home", WHERE == "stay"], [1.0, 2.5], 7)
    shell = _classifier(classes=(1, 2.5, True + 6, "never"), epsilon=9).fit(TABLE, labels)
    assert shell.model_.labels == tuple(f"label is {one}" for one in ("1", "2.5", "7", "never"))
    assert "public" not in shell.certificate_
    assert (shell.predict(TABLE) != "never").mean() > 0.9
    odd = [[1, 2]] * 100 + list(labels[100:])
    assert clone(shell).fit(TABLE, odd).private_ is False, "no label is a reason to stop"
    assert "classes were read off y" in _classifier().fit(TABLE, WHERE).certificate_
    with pytest.raises(InvalidArgument, match="two or more different values"):
        _classifier(classes=(1, 1.0, 2)).fit(TABLE, labels)
    with pytest.raises(InvalidArgument, match="two or more different values"):
        _classifier(classes=(1,)).fit(TABLE, labels)


MEASURED: list[BaseEstimator] = [
    est.PrivateThresholdClassifier(schema=SCHEMA),
    est.PrivateRuleClassifier(schema=SCHEMA),
    est.PrivateHalfspaceClassifier(schema=Schema({"age": Real(0, 95, 5), "dose": Integer(0, 9)})),
    est.MultiLabelPrivateClassifier(est.PrivateThresholdClassifier(schema=SCHEMA)),
]


@pytest.mark.parametrize("shell", MEASURED, ids=lambda shell: type(shell).__name__)
def test_every_classifier_has_scores_and_if_measured_probabilities(shell: BaseEstimator) -> None:
    inner = getattr(shell, "estimator", shell)
    table = TABLE[list(inner.schema.names)]
    plain = clone(shell).set_params(random_state=1).fit(table, ILL)
    assert ((plain.decision_function(table) > 0) == plain.predict(table)).all()
    assert plain.measured_ == {}
    for without in (shell, plain):
        assert not hasattr(without, "predict_proba")
        with pytest.raises(AttributeError) as refused:
            without.predict_proba(table)
        assert "hold_out=0.2" in str(refused.value.__cause__)
    held = clone(shell)
    getattr(held, "estimator", held).set_params(hold_out=0.2)
    assert hasattr(held, "predict_proba")
    with pytest.raises(NotFittedError):
        held.predict_proba(table)
    held.set_params(random_state=1).fit(table, ILL)
    risks = held.predict_proba(table)
    assert risks.shape == (len(table), 2)
    assert held.privacy_ == plain.privacy_, "holding rows out costs rows, not epsilon"
    assert held.measured_["ill"]["rows"] == 600
    assert roc_auc_score(ILL, risks[:, 1]) > 0.6
    again = pickle.loads(pickle.dumps(held))
    assert (again.predict_proba(table) == risks).all()


def test_many_labels_have_a_pair_of_probabilities_each() -> None:
    inner = est.PrivateRuleClassifier(schema=SCHEMA, hold_out=0.2, epsilon=3)
    both = est.MultiLabelPrivateClassifier(inner, random_state=1)
    labels = np.column_stack([ILL, TABLE["dose"] < 4]).astype(int)
    risks = both.fit(TABLE, labels).predict_proba(TABLE)
    assert [risk.shape for risk in risks] == [(len(TABLE), 2)] * 2
    assert roc_auc_score(labels[:, 1], risks[1][:, 1]) > 0.9
    assert not hasattr(both, "decision_function")


def test_too_few_rows_to_hold_out_are_told_so() -> None:
    shell = _classifier(classes=(False, True)).fit(TABLE[:4], ILL[:4])
    assert shell.measured_ == {}
    assert not hasattr(shell, "predict_proba")


def test_a_class_and_a_learner_can_be_named() -> None:
    shell = _classifier(concepts="rules(width=1)").fit(TABLE, ILL)
    assert shell.chosen_["learner"] == "generic"
    assert shell.chosen_["why"] == "it was asked for"
    named = _classifier(concepts="rules(width=1)", learner="short-rules").fit(TABLE, ILL)
    assert named.model_.learner == "short-rules"
    with pytest.raises(InvalidArgument, match="hold_out"):
        _classifier(hold_out=1).fit(TABLE, ILL)


def test_pipelines_searches_and_ledgers_take_it(tmp_path: Path) -> None:
    piped = make_pipeline(FunctionTransformer(), _classifier()).fit(TABLE, WHERE)
    assert piped.predict_proba(TABLE).shape == (len(TABLE), 3)
    shell = est.PrivateClassifier(schema=SCHEMA, hold_out=0.3)
    grid = {"concepts": ["rules(width=1)", "rules(width=2)"]}
    search = est.PrivateSearchCV(shell, grid, epsilon=30, random_state=1).fit(TABLE, WHERE)
    assert search.best_params_ == {"concepts": "rules(width=2)"}
    assert search.predict_proba(TABLE).sum(axis=1) == pytest.approx(1)
    assert search.decision_function(TABLE).shape == (len(TABLE), 3)
    assert search.score(TABLE, WHERE) > 0.8
    ledger = Ledger.create(tmp_path / "budget.db")
    charged = _classifier(random_state=None, ledger=ledger.path, dataset="people", epsilon=1)
    ledger.grant("people", charged.declared_schema(TABLE), Cap(2, "1e-5"))
    charged.fit(TABLE, WHERE)
    assert 0.99 < ledger.datasets()[0].account.total.epsilon <= 1
    page = tmp_path / "page.md"
    charged.report(page)
    assert "never saw" in page.read_text()


def _regressor(**given: Any) -> Any:
    return est.PrivateRegressor(
        **{"schema": SCHEMA, "epsilon": 4, "delta": 1e-6, "y_bounds": (0, 50), "random_state": 1}
        | given
    )


def test_a_number_has_a_median_and_intervals_that_do_not_cross() -> None:
    shell = _regressor().fit(TABLE, PAY)
    assert shell.score(TABLE, PAY) > 0.6
    ends = [shell.predict_interval(TABLE, share=share) for share in (0.2, 0.5, 0.8, 0.95)]
    middle = shell.predict(TABLE)
    for narrow, wide in pairwise(ends):
        assert (wide[:, 0] <= narrow[:, 0]).all()
        assert (narrow[:, 1] <= wide[:, 1]).all()
        assert ((narrow[:, 0] <= middle) & (middle <= narrow[:, 1])).all()
    inside = (ends[2][:, 0] <= PAY) & (ends[2][:, 1] >= PAY)
    assert inside.mean() > 0.7
    assert middle.min() >= 0
    assert middle.max() <= 50
    assert shell.model_.labels[0] == "pay is at least 10"
    again = pickle.loads(pickle.dumps(shell))
    assert (again.predict(TABLE) == middle).all()
    assert shell.privacy_.epsilon <= 4


def test_cuts_are_declared_or_round() -> None:
    shell = _regressor(cuts=[10, 25], y_step=5).fit(TABLE, PAY.to_numpy())
    assert shell.model_.labels == ("label is at least 10", "label is at least 25")
    assert duckdb.sql(shell.sql("TABLE")).df().shape == (len(TABLE), 3)
    plain = _regressor(cuts=[10, 25], hold_out=0).fit(TABLE, PAY)
    assert set(plain.predict(TABLE)) <= {5.0, 17.5, 37.475, 37.5, 10.0, 25.0, 17.45}
    for asked, said in (
        ({"cuts": [60]}, "can be cut above 0 and up to"),
        ({"y_bounds": None}, "y_bounds must be declared, from public knowledge"),
        ({"y_bounds": (3, 3)}, "high must be greater than low"),
    ):
        with pytest.raises(InvalidArgument, match=said):
            _regressor(**asked).fit(TABLE, PAY)
    with pytest.raises(InvalidArgument, match="share must lie strictly between"):
        shell.predict_interval(TABLE, share=1)


def test_no_cell_of_y_is_a_reason_to_stop() -> None:
    odd = [None, float("nan"), "7", "much", [1], 2**80, True] * 400
    shell = _regressor().fit(TABLE[: len(odd)], odd)
    clean = _regressor().fit(TABLE[: len(odd)], [0, 0, 7, 0, 0, 2**80, 1] * 400)
    assert shell.model_ == clean.model_
    assert np.isfinite(shell.score(TABLE[: len(odd)], odd))


def test_a_miss_may_cost_more_than_an_alarm() -> None:
    table = _table()
    label = np.random.default_rng(2).random(len(table)) < _risk(table) / 3
    shown = {"schema": SCHEMA, "epsilon": 2, "delta": 1e-6, "random_state": 1}
    plain, careful = (
        est.PrivateClassifier(weight=weight, **shown).fit(table, label) for weight in (1, 8)
    )
    assert careful.predict(table).sum() > plain.predict(table).sum()
    assert "weighted" in next(iter(careful.measured_.values()))
    assert "a miss weighing 8 false alarms" in careful.certificate_
    assert (careful.predict_proba(table)[:, 1] < 0.5).any()
    with pytest.raises(InvalidArgument, match="two classes"):
        est.PrivateClassifier(weight=2, **shown).fit(table[["age", "dose", "ward"]], table["ward"])
