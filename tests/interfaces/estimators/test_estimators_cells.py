"""Labels and refusals: none shows a cell, and with declared classes no label is one's reason."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from tacit.core.errors import InvalidArgument
from tacit.data import Category, Real, Schema
from tacit.estimators import (
    MultiLabelPrivateClassifier,
    PrivateParityClassifier,
    PrivateRuleClassifier,
    PrivateSearchCV,
    PrivateThresholdClassifier,
)
from tacit.interfaces.estimators.given.tables import table_to_fit

AGES = np.arange(20.0, 100.0).repeat(9).reshape(-1, 1)
SICK = (AGES.ravel() >= 65).astype(float)


def classifier(**told: Any) -> PrivateThresholdClassifier:
    return PrivateThresholdClassifier(bounds=(0, 120), step=1, epsilon=1, random_state=1, **told)


@pytest.mark.parametrize(
    ("X", "y", "said"),
    [
        (np.array([[1 + 2j], [31415.0]]), [0, 1], "Complex data not supported"),
        (np.array([31415.0, 1.0]), [0, 1], "Reshape your data"),
        ([31415.0, 1.0], [0, 1], "Reshape your data"),
        (np.full((1, 1, 1), 31415.0), [0], "it has 3 dimensions"),
        (np.empty((0, 1)), [], "0 sample"),
        ([[31415.0]], [0, 1], "inconsistent numbers of samples"),
        ([[31415.0], [1]], [[0, 1], [1, 0]], "should be a 1d array"),
        ([[31415.0], [1]], None, "requires y"),
    ],
)
def test_a_refusal_for_a_form_shows_no_cell(X: Any, y: Any, said: str) -> None:
    with pytest.raises(InvalidArgument, match=said) as refused:
        classifier(classes=(0, 1)).fit(X, y)
    assert "31415" not in f"{refused.value!r} {refused.value.__cause__!r}"


@pytest.mark.parametrize("labels", [["Alice Smith", 0.5, 1], [0.5, 31415.25, 1.0], [1j, 31415, 0]])
def test_a_refusal_for_labels_shows_none(labels: Any) -> None:
    with pytest.raises((ValueError, TypeError)) as refused:
        classifier().fit([[1], [2], [3]], labels)
    said = f"{refused.value!r} {refused.value.__cause__!r}"
    assert "Alice" not in said
    assert "31415" not in said


ODD: tuple[Any, ...] = (
    np.nan,
    np.inf,
    7.0,
    None,
    pd.NA,
    pd.NaT,
    "ill",
    [1],
    np.array([1, 0]),
    np.array("x"),
    {},
)


def _with(odd: Any) -> dict[str, Any]:
    cells = np.empty(len(SICK), dtype=object)
    cells[:] = SICK
    cells[0] = odd
    held = {"list": list(cells), "objects": cells, "pandas": pd.Series(cells, dtype=object)}
    texts = ["yes" if cell == 1.0 else "no" for cell in SICK]
    if isinstance(odd, str) or odd is None or odd is pd.NA:
        held["string"] = pd.Series([odd, *texts[1:]], dtype="string")
        held["str"] = pd.Series([odd, *texts[1:]], dtype="str")
        held["category"] = pd.Series([odd, *texts[1:]], dtype="category")
    return held


@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_with_declared_classes_no_label_is_a_reason_to_stop(odd: Any) -> None:
    for kind, labels in _with(odd).items():
        classes = ("no", "yes") if kind in ("string", "str", "category") else (0, 1)
        fitted = classifier(classes=classes).fit(AGES, labels)
        assert fitted.rule_ == "x0 is at least 65"
        assert fitted.score(AGES, labels) == pytest.approx(719 / 720)
        assert "public" not in fitted.certificate_
        many = MultiLabelPrivateClassifier(classifier(classes=classes), random_state=1)
        assert many.fit(AGES, labels).predict([[20.0]]).tolist() == [classes[0]]


def test_both_labels_of_a_row_are_read() -> None:
    both = np.column_stack([SICK, 1 - SICK]).astype(object)
    both[0] = [None, "?"]
    many = MultiLabelPrivateClassifier(classifier(classes=(0, 1)), random_state=1)
    for labels in (both, both.tolist(), pd.DataFrame(both)):
        assert many.fit(AGES, labels).predict([[20.0]]).shape == (1, 2)
        assert many.score(AGES, both) > 0.9


def test_yes_and_no_are_classes_by_their_type() -> None:
    for labels in (np.zeros(720, dtype=bool), pd.array([False, None] * 360, dtype="boolean")):
        fitted = classifier().fit(AGES, pd.Series(labels))
        assert fitted.classes_.tolist() == [False, True]
        assert not fitted.predict(AGES).any()
        assert "public" not in fitted.certificate_
    told = classifier().fit(AGES, SICK)
    assert "The classes were read off y, and are taken to be public" in told.certificate_


@pytest.mark.parametrize(
    "classes", [(0, None), (0, float("nan")), ("1", 1), ("a", " a"), ("", "a")]
)
def test_classes_that_cannot_be_told_apart_are_refused(classes: Any) -> None:
    with pytest.raises(InvalidArgument, match="two different values"):
        classifier(classes=classes).fit(AGES, SICK)


def test_features_of_yes_and_no_are_one_and_zero() -> None:
    bits = np.stack(np.meshgrid(*[[False, True]] * 3), axis=-1).reshape(-1, 3).repeat(40, axis=0)
    odd = bits[:, 0] ^ bits[:, 2]
    shell = PrivateParityClassifier(bounds=(0, 1), step=1, random_state=1)
    frame = pd.DataFrame(bits, columns=["x0", "x1", "x2"])
    for table in (bits, bits.astype(object), bits.tolist(), frame, frame.astype("boolean")):
        assert shell.fit(table, odd).rule_ == "the number of ones among x0 and x2 is odd"


def test_a_column_may_be_called_as_a_label_is() -> None:
    frame = pd.DataFrame({"label": AGES.ravel()})
    search = PrivateSearchCV(
        classifier(classes=(0, 1)), {"step": [1, 2]}, epsilon=4, random_state=1
    )
    assert search.fit(frame, SICK).best_estimator_.rule_.startswith("label is at least")


@pytest.mark.parametrize("policy", ["clip", "null"])
def test_a_search_takes_rows_of_every_type(policy: Any) -> None:
    texts = pa.array([None, *map(str, AGES.ravel()[1:])], pa.string_view())
    wards = pa.array(["north", None] * 360, pa.string_view())
    schema = Schema({"age": Real(0, 120, 1, policy), "ward": Category(["north", 7], policy)})
    table = pa.table({"age": texts, "ward": wards})
    shell = PrivateRuleClassifier(schema=schema, classes=(0, 1))
    search = PrivateSearchCV(shell, {"width": [1, 2]}, epsilon=20, random_state=1)
    assert search.fit(table, SICK).score(table, SICK) > 0.9
    read = table_to_fit(shell, table)
    assert read.settled().points().tolist() == read.points().tolist()
    assert read.settled().take([5, 0]).points().tolist() == read.points()[[5, 0]].tolist()


def test_the_promise_of_a_chosen_model_is_that_of_all_candidates() -> None:
    search = PrivateSearchCV(
        classifier(classes=(0, 1)), {"step": [1, 2]}, epsilon=4, random_state=1
    ).fit(AGES, SICK)
    promised = search.best_estimator_.model_.accuracy
    assert promised is None or float(promised.beta) == 0.1
