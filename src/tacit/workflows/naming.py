"""A model in the words of its table: rules for people, expressions for SQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from tacit.concepts.contract.feature import Feature
from tacit.core.dialect import DUCKDB, Dialect, dialect_named
from tacit.data.schema.columns import Column
from tacit.data.schema.date import Date
from tacit.data.schema.integer import Integer
from tacit.data.schema.outcome import Outcome
from tacit.data.schema.phrasing import shown, span
from tacit.data.schema.real import Real, written
from tacit.data.schema.schema import Schema
from tacit.learners.contract.model import Model
from tacit.mechanisms.measuring.calibration import Calibration
from tacit.mechanisms.measuring.reading import Reading
from tacit.workflows.predicting import outcomes_of


def features_of(schema: Schema, names: Sequence[str], dialect: Dialect = DUCKDB) -> list[Feature]:
    """Return the columns' names with their codings.

    >>> from tacit.concepts.contract import feature
    >>> (age,) = features_of(Schema({"age": Integer(18, 120)}), ["age"])
    >>> age, feature.shown(age, 47), feature.ranged(age, 47), age.coded
    ('age', '65', 'age is at least 65', '(age - 18)')
    """
    return [
        _feature(name, schema[name], dialect, partial(_term, name, schema[name], dialect))
        for name in names
    ]


def rules(model: Model) -> list[str]:
    """Say for each label when it is predicted, in the values of the table."""
    features = features_of(Schema.parse(model.schema), model.features)
    return [hypothesis.rule(features) for hypothesis in model.hypotheses]


def expressions(model: Model, dialect: str = "duckdb") -> dict[str, str]:
    """Return for each label a SQL expression over the raw columns that is 1 or 0."""
    spoken = dialect_named(dialect)
    return _answers(model, features_of(Schema.parse(model.schema), model.features, spoken))


def query(model: Model, table: str, dialect: str = "duckdb") -> str:
    """Return a query that predicts all labels for the rows of a table.

    Of a category or a number it gives one answer, then 0 or 1 for each question that was learned of
    it. The answer is the value that is likeliest by what the rules say: yes or no, and not how
    clearly; of a number the range that it lies in, as many questions up as are answered yes.

    The columns of the table are read as text first, so they may be stored in any type: a cell that
    is no number does not stop the query, it follows the schema's policy. Only columns that some
    hypothesis uses are read.
    """
    spoken, schema = dialect_named(dialect), Schema.parse(model.schema)
    quoted, used = spoken.identifier, set[str]()

    def term(name: str) -> str:
        used.add(name)
        return quoted(name)

    features = [_feature(n, schema[n], spoken, partial(term, n)) for n in model.features]
    answers = _answers(model, features).items()
    names = [name for name in model.features if name in used]
    said = _select([f"{sql} AS {quoted(label)}" for label, sql in answers])
    if not names:
        return _with_answers(model, f"{said}\nFROM {quoted(table)}", spoken)
    read = [f"{schema[n].read_sql(n, spoken)} AS {quoted(n)}" for n in names]
    code = [f"{schema[n].coded_sql(quoted(n), spoken)} AS {quoted(n)}" for n in names]
    inner = f"(\n{_select(read)}\nFROM {quoted(table)}{spoken.fence}\n) AS cells"
    whole = f"{said}\nFROM (\n{_select(code)}\nFROM {inner}{spoken.fence}\n) AS codes"
    return _with_answers(model, whole, spoken)


def _with_answers(model: Model, asked: str, dialect: Dialect) -> str:
    """Put one answer before the questions of each label that is a category or a number."""
    if not model.outcomes:
        return asked
    columns, first = [], 0
    for outcome in outcomes_of(model):
        marks = [dialect.identifier(mark) for mark in outcome.marks]
        if outcome.kind != "bits":
            told = model.measured[first : first + len(marks)]
            cases = _ranges(outcome, marks) if outcome.nested else _likeliest(outcome, marks, told)
            tests = (f"WHEN {test} THEN {dialect.literal(word)}" for test, word in cases)
            columns.append(f"CASE {' '.join(tests)} END AS {dialect.identifier(outcome.name)}")
        columns += marks
        first += len(marks)
    return f"{_select(columns)}\nFROM (\n{asked}{dialect.fence}\n) AS answers"


def _ranges(outcome: Outcome, marks: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield how many questions are answered yes, and between which cuts the number lies then."""
    ends = pairwise([0, *outcome.cuts, outcome.column.inside])
    for yes, (low, high) in enumerate(ends):
        said = span("", outcome.column, low, high - 1).removeprefix(" is ")
        yield f"{' + '.join(marks)} = {yes}", said


def _likeliest(
    outcome: Outcome, marks: Sequence[str], told: Sequence[Reading]
) -> Iterator[tuple[str, str]]:
    """Yield answers and values from the greatest risk down, the first of equals first.

    Each value has two risks, one an answer; the first whose answer a row has is its greatest.
    """
    risks = [Calibration.of_answers(each).shares for each in told] or [(0.0, 1.0)] * len(marks)
    if not outcome.exclusive:  # one mark: whether it is the second value
        marks, risks = [*marks, *marks], [(1 - risks[0][0], 1 - risks[0][1]), *risks]
    pairs = ((-risks[place][yes], place, yes) for place in range(len(marks)) for yes in (0, 1))
    for _, place, yes in sorted(pairs):
        yield f"{marks[place]} = {yes}", outcome.column.describe(place)


def describe(model: Model) -> dict[str, Any]:
    """Return the model's JSON object with its rules in English."""
    return model.encode(rules=_said(model))


def model_text(model: Model) -> str:
    """Return the text of a model's file: `describe`, as `Model.loads` reads it back."""
    return model.dumps(rules=_said(model))


def _said(model: Model) -> dict[str, str]:
    return dict(zip(model.labels, rules(model), strict=True))


def _answers(model: Model, features: Sequence[str]) -> dict[str, str]:
    constant = {"always": "1", "never": "0"}
    return {
        label: constant.get(hypothesis.rule(features))
        or f"CASE WHEN {hypothesis.sql(features)} THEN 1 ELSE 0 END"
        for label, hypothesis in zip(model.labels, model.hypotheses, strict=True)
    }


def _feature(name: str, column: Column, dialect: Dialect, term: Callable[[], str]) -> Feature:
    return Feature(
        name,
        show=partial(shown, column),
        span=partial(span, name, column),
        coded=_coded(name, column),
        term=term,
        dialect=dialect,
    )


def _select(columns: Sequence[str]) -> str:
    return "SELECT\n  " + ",\n  ".join(columns)


def _term(name: str, column: Column, dialect: Dialect) -> str:
    return f"({column.code_sql(name, dialect)})"


def _coded(name: str, column: Column) -> str:
    match column:
        case Integer(low=0):
            return name
        case Integer(low=low):
            return f"({name} - {low})" if low > 0 else f"({name} + {-low})"
        case Real():
            sign = "-" if column.low > 0 else "+"
            above = f"({name} {sign} {written(abs(column.low))})" if column.low else name
            return f"floor({above}/{written(column.step)})"
        case Date():
            return f"(days from {column.low} to {name})"
    return name
