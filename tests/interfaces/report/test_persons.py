"""Who is protected, as a report says it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tacit.data import Bits, Integer, Schema
from tacit.interfaces.output.promise import promise
from tacit.interfaces.report import Asked, write_report
from tacit.workflows import learn

SCHEMA = Schema({"age": Integer(0, 120), "ill": Bits()})
VISITS = {"who": [i // 3 for i in range(900)], "age": [20 + i // 9 for i in range(900)]}
VISITS["ill"] = [int(age >= 60) for age in VISITS["age"]]


@pytest.mark.parametrize("labels_only", [False, True])
def test_persons_are_named_and_counted(tmp_path: Path, *, labels_only: bool) -> None:
    asked: Any = {"concepts": "thresholds", "labels": ["ill"], "epsilon": 1, "person": ["who"]}
    model = learn(VISITS, SCHEMA, **asked, labels_only=labels_only)
    question = Asked("thresholds", Fraction(1), Fraction(0), None, Fraction(1, 20), None, "")
    write_report(tmp_path / "r.md", model, question)
    text = (tmp_path / "r.md").read_text()
    assert "Learned from 300 persons" in text
    assert "all rows of one person (who)" in text
    assert "the number of persons is public" in text
    assert "people with several rows: no promise" not in text
    assert ("The labels of all rows of a person" in text) is labels_only
    if not labels_only:
        assert "no bound is proved" in text
        assert "no bound is proved" in promise(model)[0]
