"""Cells in refusals: none is shown, and with declared classes no label is a reason to stop."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from tacit.estimators import (
    MultiLabelPrivateClassifier,
    PrivateSearchCV,
    PrivateThresholdClassifier,
)

AGES = np.arange(20.0, 100.0).repeat(9).reshape(-1, 1)
SICK = (AGES.ravel() >= 65).astype(float)


def classifier(**told: Any) -> PrivateThresholdClassifier:
    return PrivateThresholdClassifier(bounds=(0, 120), step=1, epsilon=1, random_state=1, **told)


@pytest.mark.parametrize(
    "odd", [pd.DataFrame({"age": ["Alice Smith 1971", "3"]}), np.array([[1 + 2j], [31415.0]])]
)
@pytest.mark.parametrize("classes", [None, (0, 1)])
def test_a_refusal_shows_no_cell(odd: Any, classes: Any) -> None:
    with pytest.raises(ValueError, match="not a finite number") as refused:
        classifier(classes=classes).fit(odd, [0, 1])
    said = f"{refused.value!r} {refused.value.__cause__!r}"
    assert "Alice" not in said
    assert "31415" not in said


@pytest.mark.parametrize("strange", [np.nan, np.inf, 7.0])
def test_with_declared_classes_no_label_is_a_reason_to_stop(strange: float) -> None:
    labels = SICK.copy()
    labels[0] = strange
    assert classifier(classes=(0, 1)).fit(AGES, labels).rule_ == "x0 is at least 65"
    both = np.column_stack([labels, labels])
    many = MultiLabelPrivateClassifier(classifier(classes=(0, 1)), random_state=1)
    assert many.fit(AGES, both).predict([[20.0]]).shape == (1, 2)


def test_the_promise_of_a_chosen_model_is_that_of_all_candidates() -> None:
    search = PrivateSearchCV(
        classifier(classes=(0, 1)), {"step": [1, 2]}, epsilon=4, random_state=1
    ).fit(AGES, SICK)
    promised = search.best_estimator_.model_.accuracy
    assert promised is None or float(promised.beta) == 0.1
