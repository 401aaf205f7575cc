"""From a model and a table to what the model says of each row, in the order of the rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.rules.rules import Rule
from tacit.core.errors import InvalidArgument
from tacit.data.reading.coding import Coding
from tacit.data.reading.opened import Opened, as_text
from tacit.data.reading.reduction import open_table, point_batches, points
from tacit.data.reading.source import KEPT, Source, check_names
from tacit.data.schema.date import Date
from tacit.data.schema.outcome import (
    Outcome,
    adding_up,
    combine_category,
    combine_number,
    descending,
)
from tacit.data.schema.schema import Schema
from tacit.learners.contract.model import Model

DIGITS = 6
"""Of a risk, or of a number between two values, that is written."""
_KINDS = {"bits": "int", "category": "string"}


def predict(model: Model, source: Source) -> NDArray[np.bool_]:
    """Return what a model says of each row: one row a row of the table, one column a label.

    Cells are read by the schema that the model carries, as they were when it was learned.

    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.data import Bits, Integer
    >>> from tacit.workflows import learn
    >>> schema = Schema({"age": Integer(0, 120), "sick": Bits()})
    >>> people = {"age": list(range(20, 100)) * 9, "sick": [a >= 65 for a in range(20, 100)] * 9}
    >>> model = learn(people, schema, concepts="thresholds", features=["age"], labels=["sick"],
    ...               epsilon=1, rng=Seeded(1))
    >>> predict(model, {"age": [64, 65, None]}).tolist()
    [[False], [True], [False]]
    """
    none: NDArray[Any] = np.zeros((0, len(model.labels)), dtype=np.bool_)
    return np.concatenate([none, *(model.predict(points) for points in _points(model, source))])


def outcomes_of(model: Model) -> tuple[Outcome, ...]:
    """Return the label columns of a model, each with the marks that were learned of it."""
    schema = Schema.parse(model.schema)
    named = model.outcomes or tuple((name, ()) for name in model.labels)
    found = tuple(Outcome(name, schema[name], cuts) for name, cuts in named)
    if tuple(mark for outcome in found for mark in outcome.marks) != model.labels:
        raise InvalidArgument("not a model: its labels are not what its outcomes are asked")
    return found


@dataclass(frozen=True, slots=True)
class Saying:
    """What a model says of rows, column by column; it can be sent to where the rows are.

    Of a yes/no label 0 or 1, the most likely value of a category, and of a number its median and
    the ends of an interval of 80 %; then with `risk` a risk for each mark, which add up to 1 over
    the values of a category and do not rise with a number. Where nothing was measured, the answers
    of the rules stand for the risks of categories and numbers.
    """

    model: Model
    risk: bool = False

    @property
    def coding(self) -> Coding:
        """How the columns that the model reads are read."""
        return Coding.of(Schema.parse(self.model.schema), self.model.features)

    @property
    def columns(self) -> list[tuple[str, str]]:
        """The names of what is said, and its types as SQL calls them."""
        found = [
            (f"{outcome.name}{end}", _KINDS.get(outcome.kind, _number(outcome)))
            for outcome in outcomes_of(self.model)
            for end in (("", "_low", "_high") if outcome.nested else ("",))
        ]
        return found + [(f"{label}_risk", "double") for label in self.model.labels if self.risk]

    @property
    def used(self) -> list[int]:
        """The features on which anything may depend: of rules those that they name."""
        rules = [held for held in self.model.hypotheses if isinstance(held, Rule)]
        if len(rules) < len(self.model.hypotheses):
            return list(range(len(self.model.features)))
        return sorted({literal.column for rule in rules for literal in rule.literals})

    def __call__(self, cells: Sequence[Any]) -> list[list[Any]]:
        """Say it of rows whose raw cells are Arrow arrays, one for each feature."""
        return self.said(np.stack(self.coding.codes(cells), axis=1))

    def said(self, codes: NDArray[np.int64]) -> list[list[Any]]:
        """Say it of rows of codes."""
        rows = points(codes)
        model, said = self.model, self.model.predict(rows)
        needed = self.risk or (model.measured and model.outcomes)
        risks = model.risks(rows) if needed else said.astype(np.float64)
        columns: list[list[Any]] = []
        beside: list[list[float]] = []
        first = 0
        for outcome in outcomes_of(model):
            marks = slice(first, first + len(outcome.marks))
            columns += _told(outcome, said[:, marks], risks[:, marks])
            told = risks[:, marks]
            if outcome.nested or outcome.exclusive:
                told = descending(told) if outcome.nested else adding_up(told)
            beside += told.round(DIGITS).T.tolist() if self.risk else []
            first = marks.stop
        return columns + beside


def opened_for(saying: Saying, source: Source, keep: Sequence[str] = ()) -> Opened:
    """Open a table that a model is to be asked of, and refuse one without its columns."""
    opened = open_table(source, saying.coding, KEPT)
    check_names(opened, keep, "name a column to keep (--keep) that it has, once")
    said = [name for name, _ in saying.columns]
    if twice := sorted({name for name in (*keep, *said) if (*keep, *said).count(name) > 1}):
        raise InvalidArgument(
            f"keep (--keep): {twice[0]!r} would be written twice; keep other columns"
        )
    return opened


def predictions(
    model: Model, source: Source, *, risk: bool = False, keep: Sequence[str] = ()
) -> Iterator[list[list[Any]]]:
    """Yield lines of a table of predictions, some at a time, so that files need not fit in memory.

    First come the columns to `keep`, as they stand in the table, then what `Saying` says.
    """
    saying = Saying(model, risk)
    opened, read = opened_for(saying, source, keep), saying.coding.names
    for cells in opened.batches([*read, *keep]):
        kept = [as_text(column).to_pylist() for column in cells[len(read) :]]
        yield [list(line) for line in zip(*kept, *saying(cells[: len(read)]), strict=True)]


def _told(outcome: Outcome, said: NDArray[np.bool_], risks: NDArray[np.float64]) -> list[list[Any]]:
    """Return the columns that tell one outcome."""
    if outcome.kind == "bits":
        return [said[:, 0].astype(int).tolist()]
    if outcome.kind == "category":
        return [[outcome.column.decode(int(code)) for code in combine_category(risks)]]
    return [
        part.astype(str).tolist() if part.dtype.kind == "M" else part.round(DIGITS).tolist()
        for part in combine_number(outcome, risks)
    ]


def _number(outcome: Outcome) -> str:
    """Return the type of a number; dates are written as texts."""
    return "string" if isinstance(outcome.column, Date) else "double"


def _points(model: Model, source: Source) -> Iterator[NDArray[np.int64]]:
    return point_batches(source, Schema.parse(model.schema), model.features, KEPT)
