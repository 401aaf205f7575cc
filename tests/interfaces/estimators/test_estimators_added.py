"""Estimators where a row more or less is protected, and how many there are is secret."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from tacit.core.cost import Added
from tacit.core.errors import InvalidArgument
from tacit.estimators import MultiLabelPrivateClassifier, PrivateClassifier, PrivateRegressor
from tacit.interfaces.estimators.fit_audits import CASES
from tacit.interfaces.estimators.predictor import has_risks
from tacit.verify.enumeration import verify

AGES = np.arange(20, 100).repeat(20).reshape(-1, 1)
ASKED: dict[str, Any] = {"bounds": (0, 127), "step": 1, "neighbours": "added"}
TWO: dict[str, Any] = {**ASKED, "classes": (0, 1)}


def test_a_row_added_is_protected_and_the_number_of_rows_is_told_with_noise() -> None:
    shell = PrivateClassifier(epsilon=4, **TWO)
    shell.fit(AGES, (AGES.ravel() >= 60).astype(int))
    assert isinstance(shell.cost_, Added)
    assert "for one row, added or removed; there are about" in shell.certificate_
    assert 0 <= shell.measured_["label"]["low"] <= shell.measured_["label"]["high"] < 0.2
    assert shell.predict([[25], [95]]).tolist() == [0, 1]
    assert not hasattr(shell, "predict_proba")
    with pytest.raises(AttributeError, match="ranking"):
        has_risks(shell)


def test_a_number_is_predicted() -> None:
    regressor = PrivateRegressor(epsilon=4, y_bounds=(0, 60), random_state=1, **ASKED)
    said = regressor.fit(AGES, AGES.ravel() / 2).predict([[30], [90]])
    assert abs(said - [15, 45]).max() < 8


@pytest.mark.parametrize("frame", [np.asarray, pd.DataFrame])
@pytest.mark.parametrize("groups", [False, True])
def test_no_rows_at_all_are_a_table(frame: Any, groups: bool) -> None:
    """Neither a message nor a refusal tells whether there are any."""
    whose: dict[str, Any] = {"groups": []} if groups else {}
    shell = PrivateClassifier(rows=1000, random_state=1, **TWO).fit(frame(AGES[:0]), [], **whose)
    assert shell.model_.n == 1000


@pytest.mark.parametrize(
    ("asked", "X", "why"),
    [
        (ASKED, AGES, "declare them"),
        (TWO, AGES.tolist(), "as a frame or an array"),
        (TWO | {"neighbours": "other"}, AGES, "replaced or added"),
        (TWO | {"neighbours": "replaced", "rows": 9}, AGES, "where their number is secret"),
    ],
)
def test_what_would_tell_their_number_is_refused(asked: Any, X: Any, why: str) -> None:
    with pytest.raises(InvalidArgument, match=why):
        PrivateClassifier(**asked).fit(X, AGES.ravel() >= 60)


def test_rows_are_not_dealt_into_parts_of_a_secret_size() -> None:
    with pytest.raises(InvalidArgument, match="public"):
        MultiLabelPrivateClassifier(PrivateClassifier(**TWO)).fit(AGES, AGES >= 60)


def test_the_law_of_a_fit_from_the_rows_on_is_verified() -> None:
    """Of all tables of up to two rows, beside those with one row more."""
    (case,) = (c for c in CASES if "fit added" in c.setting and c.target.endswith("numpy"))
    found = verify(case)
    assert found.verdict == "verified"
    assert found.pairs > 30


@pytest.mark.parametrize(("wide", "labels"), [(0, 1), (1, 2)])
def test_a_refusal_for_a_form_says_nothing_of_the_number_of_rows(wide: int, labels: int) -> None:
    X, y = np.zeros((7321, wide)), np.zeros((7321, labels))
    with pytest.raises(InvalidArgument, match=r"\(n, ") as refused:
        PrivateClassifier(**ASKED, classes=[0, 1]).fit(X, y[:, 0] if labels == 1 else y)
    assert "7321" not in str(refused.value)
