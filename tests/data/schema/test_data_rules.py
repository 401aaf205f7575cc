"""What a model says about a table, in English and in SQL, is what it predicts: cell by cell."""

from __future__ import annotations

import math
import operator
import re
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from tacit.concepts.contract.concept_class import Concept
from tacit.concepts.contract.feature import ranged
from tacit.concepts.grid.boxes import Box
from tacit.concepts.line.intervals import Interval
from tacit.concepts.line.points import Point
from tacit.concepts.line.thresholds import Threshold
from tacit.concepts.rules.literals import Literal
from tacit.concepts.rules.rules import Rule
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.data import (
    Bits,
    Category,
    Column,
    Integer,
    Real,
    Schema,
    class_for,
    read_points,
)
from tacit.data.schema.cell import number
from tacit.data.schema.rule_class import round_cuts, rules_over
from tacit.learners.contract.model import Model
from tacit.workflows import expressions, learn, query, rules
from tacit.workflows.naming import features_of

BMI, AGE = Real(10, 60, "0.1"), Integer(18, 100)
NULL = Real(10, 60, "0.1", outside="null")
CELLS: list[Any] = [
    *(9, 9.99, 10, 10.05, 10.1, 18.4, 18.45, 18.5, 18.55, 24.9, 24.95, 24.999, 25, 25.0001, 59.9),
    *(59.95, 60, 60.01, 75, float("inf"), float("-inf"), float("nan"), None, 0.1 + 0.2),
]


def _model(schema: Schema, features: list[str], concepts: str, *hypotheses: Concept) -> Model:
    """Return a model that predicts what these hypotheses say, one label each."""
    source: dict[str, list[Any]] = {name: [None] for name in schema.names}
    made = learn(
        source,
        schema,
        concepts=concepts,
        features=features,
        labels=["sick"],
        epsilon=1,
        rng=Seeded(0),
    )
    labels = tuple(f"label {i}" for i in range(len(hypotheses)))
    return replace(made, hypotheses=hypotheses, labels=labels)


def _true(sentence: str, cell: Any, column: Any) -> bool:
    """Read an English rule about one column of numbers, on its own."""
    if sentence in ("always", "never"):
        return sentence == "always"
    said, value = sentence.partition(" is ")[2], number(cell)
    top = column.high + isinstance(column, Integer) if column.outside == "null" else math.inf
    if column.outside == "null":
        inside = value is not None and column.low <= value <= top
        if not inside or (isinstance(column, Integer) and value == top):
            return "missing or out of range" in said
    value = column.low if value is None else value
    said = re.sub(r"( \(or )?missing or out of range\)?$", "", said)
    if between := re.fullmatch(r"(?:between (\S+) and )?(\d+)", said):
        return int(between[1] or between[2]) <= value < int(between[2]) + 1
    tests = {"at least": operator.ge, "below": operator.lt, "at most": operator.le}
    parts = [part.rpartition(" ") for part in said.split(" and ") if part]
    held = [tests[words](value, float(Fraction(bound))) for words, _, bound in parts]
    return bool(held) and all(held)


@pytest.mark.parametrize("column", [BMI, NULL, AGE, Integer(18, 100, outside="null")])
def test_english_and_sql_say_what_is_predicted(column: Column) -> None:
    last = column.size - 1
    ends = [0, 1, 7, last // 3, last - 2, last - 1, last]
    families: dict[str, list[Concept]] = {
        "intervals": [Interval(1, 0), *(Interval(s, t) for s in ends for t in ends if s <= t)],
        "thresholds": [Threshold(at, up) for at in ends for up in (True, False)],
        "points": [Point(at) for at in ends],
    }
    schema = Schema({"x": column, "sick": Bits()})
    table = pa.table({"x": pa.array(CELLS, pa.float64())})
    for family, hypotheses in families.items():
        model = _model(schema, ["x"], family, *hypotheses)
        predicted = model.predict(read_points(table, schema, ["x"]))
        for sentence, answers in zip(rules(model), predicted.T.tolist(), strict=True):
            assert [_true(sentence, cell, column) for cell in CELLS] == answers, sentence
        assert _run(query(model, "people"), table) == predicted.tolist()
        said = ", ".join(expressions(model).values())
        assert _run(f"SELECT {said} FROM people", table) == predicted.tolist()


def _run(sql: str, table: Any) -> list[list[bool]]:
    connection = duckdb.connect()
    connection.register("people", table)
    return [list(map(bool, answers)) for answers in connection.execute(sql).fetchall()]


def test_a_cell_of_a_real_column_reaches_up_to_the_next() -> None:
    schema = Schema({"bmi": BMI, "age": AGE, "sick": Bits()})
    box = Box((Interval(85, 149), Interval(0, 82)))
    (sentence,) = rules(_model(schema, ["bmi", "age"], "boxes", box))
    assert sentence == "bmi is at least 18.5 and below 25"
    never = Box((Interval(85, 149), Interval(83, 90)))
    (sentence,) = rules(_model(schema, ["bmi", "age"], "boxes(bits=9, dims=2)", never))
    assert sentence == "never"


def test_categories_are_named() -> None:
    wards = Category([f"w{i}" for i in range(12)], outside="null")
    (ward, smoker) = features_of(Schema({"w": wards, "smoker": Bits()}), ["w", "smoker"])
    assert ranged(ward, 2, 3) == "w is w2 or w3"
    assert ranged(ward, 0, 9) == "w is one of the 10 categories from w0 to w9"
    assert ranged(ward, 11) == "w is w11 (or missing or another value)"
    assert ranged(ward, 12) == "w is missing or another value"
    assert ranged(smoker, 1) == "smoker is yes"


def test_the_class_has_as_many_values_as_the_column() -> None:
    schema = Schema({"age": Integer(0, 120), "one": Integer(5, 5), "bmi": BMI})
    sizes = {
        ("thresholds", "age"): "thresholds(values=121, direction=both)",
        ("intervals", "bmi"): "intervals(values=501)",
        ("points", "one"): "points(bits=1)",
    }
    for (family, name), text in sizes.items():
        assert str(class_for(family, schema, [name])) == text
    assert str(class_for("boxes", schema, ["age", "bmi"])) == "boxes(values=121x501)"
    assert class_for("thresholds", schema, ["age"]).size == 242


def test_sql_runs_where_a_typo_made_a_column_text() -> None:
    schema = Schema({"age": AGE, "bmi": BMI, "ward": Category([1, 2]), "sick": Bits()})
    cells = {
        "age": ["18", "65", "6S", "", None, "65.9", " 70 ", "1e2", "nan"],
        "bmi": ["18.5", "24.95", "25,0", "x", "25", None, "18.4999", "inf", "-1"],
        "ward": ["1", "2", "2.0", "two", "", None, "1.0", "3", " 2"],
    }
    table = pa.table(cells)
    for name, hypothesis in (
        ("age", Interval(47, 60)),
        ("bmi", Interval(0, 149)),
        ("ward", Point(1)),
    ):
        family = "points" if name == "ward" else "intervals"
        model = _model(schema, [name], family, hypothesis)
        predicted = model.predict(read_points(table, schema, [name])).tolist()
        assert [True] in predicted
        assert [False] in predicted
        assert _run(query(model, "people"), table) == predicted


RULED = Schema(
    {
        "age": Integer(0, 120),
        "bmi": Real(10, 60, "0.1", outside="null"),
        "ward": Category(["n", "s", "w"]),
        "smoker": Bits(),
        "sick": Bits(),
    }
)


def test_rules_speak_of_round_cuts_and_categories() -> None:
    made = class_for("rules", RULED, ["age", "bmi", "ward", "smoker"])
    features = features_of(RULED, ["age", "bmi", "ward", "smoker"])
    said = [literal.rule(features) for literal in made.literals]  # type: ignore[attr-defined]
    assert said[:2] == ["age is at least 10", "age is below 10"]
    assert "bmi is at least 10 and below 15" in said
    assert "bmi is at least 55 (or missing or out of range)" in said
    assert said[-12:] == [
        *("bmi is at least 60 (or missing or out of range)",),
        "bmi is at least 10 and below 60",
        *("bmi is missing or out of range", "bmi is neither missing nor out of range"),
        *("ward is n", "ward is not n", "ward is s", "ward is not s", "ward is w", "ward is not w"),
        *("smoker is no", "smoker is yes"),
    ]


def test_rules_predict_what_they_say_in_sql() -> None:
    names = ["age", "bmi", "ward", "smoker"]
    made = class_for("rules(width=3)", RULED, names)
    rng = np.random.default_rng(0)
    table = pa.table(
        {
            "age": rng.integers(-5, 130, 200).tolist(),
            "bmi": [None if x < 9 else x for x in rng.integers(80, 620, 200) / 10],
            "ward": rng.choice(["n", "s", "w", "?"], 200).tolist(),
            "smoker": rng.choice(["yes", "no", ""], 200).tolist(),
        }
    )
    points = read_points(table, RULED, names)
    drawn = [made.draw(rng=Seeded(seed)) for seed in range(30)]
    model = _model(RULED, names, "rules(width=3)", *drawn)
    assert Model.decode(model.encode()) == model
    assert _run(query(model, "people"), table) == model.predict(points).tolist()


def test_bounds_of_one_column_are_said_as_one_range() -> None:
    names = features_of(RULED, ["age", "bmi", "ward", "smoker"])
    low, lower, high = Literal(0, ">=", 40), Literal(0, ">=", 20), Literal(0, "<", 65)
    yes = Literal(3, "=", 1)
    said = {
        (lower, low): "age is at least 40",
        (low, high): "age is between 40 and 64",
        (lower, yes, high): "age is between 20 and 64 and smoker is yes",
        (Literal(0, "<", 40), low): "never",
        (Literal(2, "=", 0), Literal(2, "=", 1)): "never",
        (low, Literal(3, "=", 1), Literal(3, "!=", 1)): "never",
        (Literal(0, "<", 40), Literal(0, "=", 121)): "never",
        (Literal(2, "=", 0), Literal(2, "!=", 1)): "ward is n and ward is not s",
    }
    assert {literals: Rule(literals).rule(names) for literals in said} == said


def test_cut_points_are_public_and_round() -> None:
    for low, high, most in ((0, 120, 16), (18, 100, 16), (10, 60, 3), (-7, 7, 5), (5, 5, 3)):
        cuts = round_cuts(Fraction(low), Fraction(high), most)
        assert len(cuts) <= most
        assert all(low < cut <= high for cut in cuts)
        assert len({b - a for a, b in pairwise(cuts)}) <= 1
    assert [float(cut) for cut in round_cuts(Fraction(0), Fraction(1, 2), 3)] == [0.2, 0.4]


def test_a_cut_off_the_grid_is_the_grid_point_above_it() -> None:
    column = Real("1/2", "199/2", 3)
    made = rules_over(Schema({"x": column}), ["x"], "width=1, cuts=9")
    codes = [literal.value for literal in made.literals if literal.comparison == ">="]
    for cut, code in zip(range(10, 100, 10), codes, strict=True):
        point = column.point(code)
        assert point is not None
        assert cut <= point < cut + 3


def test_too_many_rules_are_refused_before_the_table_is_read() -> None:
    with pytest.raises(TooLarge, match="lower the width"):
        class_for("rules(width=9, cuts=100)", RULED, ["age", "bmi"])
    with pytest.raises(InvalidArgument, match="at least one"):
        class_for("rules", Schema({"one": Integer(5, 5)}), ["one"])
