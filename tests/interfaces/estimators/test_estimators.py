"""The scikit-learn shells: their contract, and that they say what the learners say."""

from __future__ import annotations

import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import check_estimator

import tacit.estimators as est
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, NotExact, TacitError
from tacit.data import Bits, Category, Integer, Real, Schema, read_points
from tacit.interfaces.estimators.given.declaring import from_bounds
from tacit.workflows import learn, rules

CERTAIN: dict[str, Any] = {"epsilon": 1000, "bounds": (-10, 10)}
"""With so much epsilon the best rule is chosen, and checks of accuracy are fair."""

CHECKED: tuple[BaseEstimator, ...] = (
    est.PrivateThresholdClassifier(**CERTAIN, feature=1),
    est.PrivateIntervalClassifier(**CERTAIN, feature=1),
    est.PrivatePointClassifier(**CERTAIN),
    est.PrivateBoxClassifier(**CERTAIN),
    est.PrivateRuleClassifier(**CERTAIN),
    est.PrivateHalfspaceClassifier(**CERTAIN, delta=1e-6),
    est.PrivateParityClassifier(**CERTAIN),
    est.MultiLabelPrivateClassifier(est.PrivateThresholdClassifier(**CERTAIN, feature=1)),
    est.PrivateSearchCV(
        est.PrivateThresholdClassifier(bounds=(-10, 10)), {"feature": [0, 1]}, epsilon=1000
    ),
    est.PrivateSynthesizer(**CERTAIN),
    est.PrivateClassifier(**CERTAIN),
    est.PrivateClassifier(**CERTAIN, delta=1e-6),
    est.PrivateClassifier(**CERTAIN, hold_out=0),
    est.PrivateRegressor(**CERTAIN, y_bounds=(-3, 3)),
    est.PrivateRuleClassifier(**CERTAIN, hold_out=0.3),
)

NEEDS_MORE = {
    "check_array_api_input",  # SCIPY_ARRAY_API is not set
    "check_classifiers_multilabel_output_format_decision_function",  # there is no such method
    "check_classifiers_multilabel_output_format_predict_proba",  # nothing is held out
    "check_estimator_sparse_tag",  # scipy without sparse arrays
}

AGAINST_PRIVACY = {"check_supervised_y_no_nan": "no cell, be it of y, is a reason to stop"}

SINGLE = list(CHECKED[:7])


def _name(shell: BaseEstimator) -> str:
    return type(shell).__name__


@pytest.mark.parametrize("shell", CHECKED, ids=_name)
def test_the_contract_of_scikit_learn_holds(shell: BaseEstimator) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = AGAINST_PRIVACY if isinstance(shell, est.PrivateRegressor) else None
        results = check_estimator(
            shell, on_skip=None, on_fail="raise", expected_failed_checks=expected
        )
    assert len(results) >= 38
    assert {each["status"] for each in results} <= {"passed", "skipped", "xfail"}
    assert {each["check_name"] for each in results if each["status"] == "xfail"} == set(
        expected or ()
    )
    assert {each["check_name"] for each in results if each["status"] == "skipped"} <= NEEDS_MORE


def _people(n: int = 900) -> tuple[pd.DataFrame, pd.Series]:
    ages = 20 + np.arange(n) * 37 % 80
    frame = pd.DataFrame({"age": ages, "bmi": 15 + (np.arange(n) * 7 % 300) / 10})
    return frame, pd.Series(ages >= 65, name="sick")


AGES = {"bounds": {"age": (0, 120), "bmi": (10, 60)}, "step": {"age": 1, "bmi": "0.1"}}


def test_a_shell_says_what_the_learner_says() -> None:
    frame, sick = _people()
    shell = est.PrivateThresholdClassifier(**AGES, random_state=5).fit(frame, sick)
    schema = Schema({"age": Integer(0, 120), "sick": Bits()})
    table = {"age": frame["age"].to_numpy(), "sick": sick.to_numpy()}
    model = learn(
        table, schema, concepts="thresholds", features=["age"], labels=["sick"], epsilon=1,
        rng=Seeded(5),
    )  # fmt: skip
    assert shell.model_ == model
    assert shell.rule_ == rules(model)[0]
    said = model.predict(read_points(table, schema, ["age"]))[:, 0]
    assert shell.predict(frame).tolist() == said.tolist()


FRAMES: tuple[Callable[[pd.DataFrame], Any], ...] = (
    lambda frame: frame,
    lambda frame: frame.set_index(np.arange(len(frame))[::-1] * 3),
    pl.from_pandas,
    pa.Table.from_pandas,
)


@pytest.mark.parametrize("convert", FRAMES)
def test_frames_of_all_kinds_say_the_same(convert: Callable[[pd.DataFrame], Any]) -> None:
    frame, sick = _people()
    given = convert(frame)
    shell = est.PrivateBoxClassifier(**AGES, random_state=1).fit(given, sick.to_numpy())
    assert shell.feature_names_in_.tolist() == ["age", "bmi"]
    expected = est.PrivateBoxClassifier(**AGES, random_state=1).fit(frame, sick.to_numpy())
    assert shell.model_ == expected.model_
    assert (shell.predict(given) == expected.predict(frame)).all()


@pytest.mark.parametrize("convert", FRAMES)
def test_a_schema_reads_columns_of_any_type(convert: Callable[[pd.DataFrame], Any]) -> None:
    frame, _ = _people()
    frame["ward"] = np.where(np.arange(len(frame)) % 3 == 0, "north", "south")
    sick = ((frame["ward"] == "north") & (frame["age"] >= 60)).rename("sick")
    frame.loc[5, "bmi"] = np.nan
    schema = Schema(
        {"age": Integer(0, 120), "bmi": Real(10, 60, 1), "ward": Category(["north", "south"])}
    )
    shell = est.PrivateRuleClassifier(schema=schema, epsilon=4, random_state=1)
    given = convert(frame)
    shell.fit(given, sick)
    assert shell.rule_ == "age is at least 60 and ward is north"
    assert (shell.predict(given) == sick).mean() > 0.99
    assert shell.model_.labels == ("sick",)
    assert shell.feature_names_in_.tolist() == ["age", "bmi", "ward"]
    search = est.PrivateSearchCV(shell, {"width": [1, 2]}, epsilon=50, random_state=1)
    assert search.fit(given, sick).best_params_ == {"width": 2}


def test_sql_predicts_what_predict_does() -> None:
    frame, sick = _people()
    for shell in (est.PrivateRuleClassifier(**AGES), est.PrivateHalfspaceClassifier(**AGES)):
        shell.set_params(random_state=2, epsilon=3, delta=1e-6).fit(frame, sick)
        relation = duckdb.sql(shell.sql("frame")).df()
        assert relation["sick"].tolist() == shell.predict(frame).astype(int).tolist()


def test_bounds_become_grids() -> None:
    names = ["a", "b"]
    schema = from_bounds([(0, 1), ("1/3", 3)], [1, None], names, [0, 1], parts=4)
    assert schema["a"] == Integer(0, 1)
    assert schema["b"] == Real("1/3", "7/3", "2/3")
    assert from_bounds(np.array([[0, 8], [0, 4]]), None, names, [1], parts=4)["b"].size == 4
    assert from_bounds((0, 1), 0.25, names, [0, 1], parts=4)["b"] == Real(0, 1, "1/4")


@settings(max_examples=60)
@given(
    st.fractions(-50, 50, max_denominator=40),
    st.fractions(Fraction(1, 10), 50, max_denominator=40),
    st.integers(2, 64),
    st.floats(-200, 200),
)
def test_a_cell_of_a_grid_holds_its_numbers(
    low: Fraction, width: Fraction, parts: int, value: float
) -> None:
    column = from_bounds((low, low + width), None, ["x"], [0], parts=parts)["x"]
    assert column.size == parts
    part = (Fraction(value) - low) * parts // width
    nearest = min(max(int(part), 0), parts - 1)
    edges = {float(low + width * i / parts) for i in range(parts + 1)}
    assert column.code(value) == nearest or value in edges


@pytest.mark.parametrize("epsilon", [float("nan"), float("inf"), 0, -1, "much", "1e400000", 1e9])
def test_an_epsilon_that_no_one_means_is_refused(epsilon: Any) -> None:
    frame, sick = _people(20)
    for shell in (
        est.PrivateThresholdClassifier(**AGES, epsilon=epsilon),
        est.PrivateSynthesizer(bounds=(0, 120), epsilon=epsilon),
        est.MultiLabelPrivateClassifier(est.PrivateBoxClassifier(**AGES, epsilon=epsilon)),
        est.PrivateSearchCV(est.PrivateBoxClassifier(**AGES), {}, epsilon=epsilon),
    ):
        with pytest.raises(InvalidArgument, match="epsilon"):
            shell.fit(frame, sick)


@pytest.mark.parametrize("epsilon", [True, None, [1], 1j])
def test_an_epsilon_that_is_no_number_is_refused(epsilon: Any) -> None:
    frame, sick = _people(20)
    with pytest.raises(NotExact, match="epsilon must be a number"):
        est.PrivateThresholdClassifier(**AGES, epsilon=epsilon).fit(frame, sick)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "bounds must be declared, from public knowledge"),
        ({"bounds": (1, 1)}, "high must be greater than low"),
        ({"bounds": (0, float("inf"))}, "high must be finite"),
        ({"bounds": [(0, 1)]}, "for each feature: there are 1 for 2"),
        ({"bounds": {"bmi": (0, 1)}}, "declared for column 'age' too"),
        ({"bounds": 7}, "bounds cannot be read from int"),
        ({"bounds": "wide"}, "bounds cannot be read from str"),
        ({"bounds": [(0, 1, 2), (0, 1)]}, "must be a pair"),
        ({"bounds": (0, 1), "step": 0.3}, "multiple of step"),
        ({"bounds": (0, 1), "step": -1}, "step must be greater than 0"),
        ({"bounds": (0, 1), "feature": 2}, "X has 2 feature"),
        ({"bounds": (0, 1), "feature": "AGE"}, "is no column"),
        ({"bounds": (0, 1), "feature": 0.0}, "a column's name or place"),
        ({"bounds": (0, 1), "feature": True}, "a column's name or place"),
        ({"bounds": (0, 1), "delta": 1.5}, "delta"),
        ({"bounds": (0, 1), "learner": "magic"}, "learner 'magic' is not known"),
        ({"bounds": (0, 1), "learner": "parity"}, "for parities, not for thresholds"),
        ({"bounds": (0, 1), "classes": (1, 1)}, "two different values"),
        ({"bounds": (0, 1), "classes": (0, 1, 2)}, "two different values"),
        ({"bounds": (0, 1), "random_state": -1}, "random_state"),
        ({"bounds": (0, 1), "random_state": "seed"}, "random_state"),
        ({"bounds": (0, 1), "best_error": 0.5}, "best_error .* must be below 1/2"),
        ({"bounds": (0, 1), "best_error": "few"}, "best_error must be"),
        (
            {"bounds": (0, 1), "best_error": 0.1, "learner": "prefix-threshold"},
            "prefix-threshold makes no",
        ),
        ({"schema": {"age": (0, 1)}}, "must be a tacit.data.Schema"),
        ({"schema": Schema({"age": Bits()}), "step": 1}, "leave bounds and step out"),
        ({"schema": Schema({"bmi": Bits()})}, "the schema has no column 'age'"),
    ],
)
def test_what_is_public_and_wrong_is_refused(given: dict[str, Any], said: str) -> None:
    frame, sick = _people(20)
    before = est.unrecorded()
    with pytest.raises(InvalidArgument, match=said):
        est.PrivateThresholdClassifier(**given).fit(frame, sick)
    assert est.unrecorded() == before


def test_a_best_error_is_promised_from() -> None:
    frame, sick = _people(600)
    public: dict[str, Any] = {"bounds": (0, 120), "step": 1, "feature": "age", "random_state": 1}
    free = est.PrivateThresholdClassifier(**public).fit(frame, sick)
    shell = est.PrivateThresholdClassifier(**public, best_error="0.05")
    known = shell.fit(frame, sick)
    assert known.model_.accuracy.alpha < free.model_.accuracy.alpha
    assert known.model_.best_error == Fraction(1, 20)
    assert "and the best rule errs at most 0.05" in known.certificate_
    both = est.MultiLabelPrivateClassifier(shell).fit(frame, np.column_stack([sick, ~sick]))
    assert "the best rule errs at most 0.05" in both.certificate_


def test_an_array_has_the_columns_of_a_schema_in_order() -> None:
    schema = Schema({"age": Integer(0, 120), "sex": Category(["f", "m"])})
    table = np.array([[70, "f"], [30, "m"]] * 200, dtype=object)
    shell = est.PrivateThresholdClassifier(schema=schema, random_state=1)
    assert shell.fit(table, np.array([1, 0] * 200)).rule_.startswith("age is at least")
    assert shell.predict(table[:2]).tolist() == [1, 0]
    with pytest.raises(InvalidArgument, match="X has 3 features, the schema 2 columns"):
        shell.fit(np.zeros((4, 3)), [0, 1, 0, 1])


def test_bounds_and_a_schema_read_every_cell_alike() -> None:
    ages = np.array([[30.0], [np.nan], [np.inf], [1e300], [-5.0]] * 50)
    labels = np.array([0, 1, 1, 1, 7] * 50)
    shell = est.PrivateThresholdClassifier(classes=(0, 1), random_state=1)
    declared = clone(shell).set_params(schema=Schema({"x0": Integer(0, 120)}))
    bounded = clone(shell).set_params(bounds=(0, 120), step=1)
    assert declared.fit(ages, labels).model_ == bounded.fit(ages, labels).model_
    assert declared.predict(ages).tolist() == bounded.predict(ages).tolist()


def test_declared_classes_need_not_occur() -> None:
    ages = np.arange(100).reshape(-1, 1)
    shell = est.PrivateThresholdClassifier(
        epsilon=50, bounds=(0, 99), step=1, classes=("well", "ill"), random_state=1
    )
    shell.fit(ages, np.repeat("well", 100))
    assert shell.classes_.tolist() == ["well", "ill"]
    assert set(shell.predict(ages)) == {"well"}
    with pytest.raises(InvalidArgument, match="one class only: declare both"):
        est.PrivateThresholdClassifier(bounds=(0, 99)).fit(ages, np.zeros(100))


def test_weights_are_refused_with_a_reason() -> None:
    frame, sick = _people(20)
    weights = np.ones(20)
    for shell in (CHECKED[0], CHECKED[7], CHECKED[8]):
        with pytest.raises(InvalidArgument, match="privacy is promised for one row"):
            clone(shell).fit(frame, sick, sample_weight=weights)
    with pytest.raises(TypeError, match="got colours too"):
        clone(CHECKED[0]).fit(frame, sick, colours=weights)


def test_secret_coins_are_the_default_and_seeds_are_marked() -> None:
    frame, sick = _people()
    secret = est.PrivateThresholdClassifier(**AGES).fit(frame, sick)
    assert secret.private_
    assert secret.certificate_.startswith("Private: ε = 1, δ = 0 for replacing any one of the 900")
    for seed in (3, np.int64(3), np.random.RandomState(3)):
        seeded = est.PrivateThresholdClassifier(**AGES, random_state=seed).fit(frame, sick)
        assert not seeded.private_
        assert seeded.certificate_.startswith("NOT PRIVATE")


@pytest.mark.parametrize("shell", SINGLE, ids=_name)
def test_a_fitted_shell_survives_a_pickle_and_one_column(shell: BaseEstimator) -> None:
    values = np.arange(-9, 9).repeat(20).reshape(-1, 1)
    given = {"random_state": 1} | ({"feature": 0} if hasattr(shell, "feature") else {})
    fitted = clone(shell).set_params(**given).fit(values, values.ravel() >= 0)
    again = pickle.loads(pickle.dumps(fitted))
    assert (again.predict(values) == fitted.predict(values)).all()
    assert again.certificate_ == fitted.certificate_
    if not shell.poor_score:
        assert fitted.score(values, values.ravel() >= 0) > 0.9


def test_halfspaces_of_many_columns_need_a_delta() -> None:
    rng = np.random.default_rng(0)
    table = rng.normal(size=(2000, 6))
    label = table.sum(axis=1) >= 0
    with pytest.raises(TacitError, match="too many: choose another learner"):
        est.PrivateHalfspaceClassifier(bounds=(-5, 5)).fit(table, label)
    shell = est.PrivateHalfspaceClassifier(bounds=(-5, 5), delta=1e-6, random_state=1)
    assert shell.fit(table, label).model_.learner == "margin"
    assert shell.score(table, label) > 0.85


def test_boxes_of_many_columns_or_rows_are_found_by_ascent() -> None:
    rng = np.random.default_rng(0)
    table = rng.uniform(size=(2000, 5))
    label = (table[:, 0] >= 0.5) & (table[:, 1] >= 0.25)
    shell = est.PrivateBoxClassifier(bounds=(0, 1), random_state=1).fit(table, label)
    assert shell.model_.learner == "box-ascent"
    assert shell.model_.accuracy is None
    fine = est.PrivateBoxClassifier(bounds=(0, 1), step="1/127", random_state=1)
    many = rng.uniform(size=(80_000, 2))
    assert fine.fit(many, many[:, 0] >= 0.5).model_.learner == "box-ascent"
    assert fine.fit(many[:500], many[:500, 0] >= 0.5).model_.learner == "generic"


def test_a_parity_of_many_columns_is_found_by_linear_algebra() -> None:
    rng = np.random.default_rng(1)
    bits = rng.integers(0, 2, size=(4000, 20))
    shell = est.PrivateParityClassifier(epsilon=8, bounds=(0, 1), step=1, random_state=1)
    shell.fit(bits, bits[:, 3] ^ bits[:, 17])
    assert shell.model_.learner == "parity"
    assert shell.rule_ == "the number of ones among x3 and x17 is odd"


def test_a_pipeline_reads_the_last_step_and_a_report_is_written(tmp_path: Path) -> None:
    frame, sick = _people()
    tens = FunctionTransformer(lambda table: table // 10 * 10, feature_names_out="one-to-one")
    shell = est.PrivateThresholdClassifier(bounds=(0, 120), step=10, random_state=1)
    pipe = make_pipeline(tens.set_output(transform="pandas"), shell).fit(frame, sick)
    assert pipe[-1].rule_ in ("age is at least 60", "age is at least 70")
    pipe[-1].report(tmp_path / "rule.md")
    assert "SEEDED" in (tmp_path / "rule.md").read_text()


def test_labels_together_cost_one_budget() -> None:
    frame, sick = _people(4000)
    labels = pd.DataFrame({"old": sick, "young": frame["age"] < 40, "never": False})
    shell = est.PrivateThresholdClassifier(**AGES, epsilon=2, delta=1e-6)
    both = est.MultiLabelPrivateClassifier(shell, random_state=1).fit(frame, labels)
    assert both.privacy_.epsilon <= 2
    assert both.model_.labels == ("old", "young", "never")
    assert (both.predict(frame) == labels.to_numpy()).mean() > 0.97
    assert [array.tolist() for array in both.classes_] == [[0, 1]] * 3
    relation = duckdb.sql(both.sql("frame")).df()
    assert (relation.to_numpy() == both.predict(frame)).all()
    texts = np.where(labels.to_numpy()[:, :2], "yes", "no").astype(object)
    again = est.MultiLabelPrivateClassifier(shell, random_state=1).fit(frame, texts)
    assert set(again.predict(frame).ravel()) == {"yes", "no"}
    with pytest.raises(InvalidArgument, match="must be a private classifier"):
        est.MultiLabelPrivateClassifier(FunctionTransformer()).fit(frame, labels)


def test_tacit_without_estimators_does_not_import_scikit_learn() -> None:
    code = "import sys, tacit, tacit.workflows.learning, tacit.interfaces.cli.command\n"
    code += "sys.exit('sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_missing_scikit_learn_is_said_with_the_command() -> None:
    code = "import sys; sys.modules['sklearn'] = None\nimport tacit.estimators"
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert "pip install 'tacit[sklearn]'" in done.stderr


@settings(max_examples=16)
@given(st.integers(0, 10**6), st.integers(20, 200), st.sampled_from(SINGLE))
def test_predictions_follow_the_rows(seed: int, n: int, shell: BaseEstimator) -> None:
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(n, 2))
    label = rng.integers(0, 2, size=n)
    fresh = clone(shell).set_params(classes=(0, 1), random_state=seed)
    fitted = clone(fresh).fit(table, label)
    order = rng.permutation(n)
    assert (fitted.predict(table)[order] == fitted.predict(table[order])).all()
    same = (
        clone(shell).set_params(classes=(0, 1), random_state=seed).fit(table[order], label[order])
    )
    assert same.model_ == fitted.model_
