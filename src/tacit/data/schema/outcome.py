"""Outcomes: what a label column says of a row, as one or more marks of 0 or 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tacit.core.errors import InvalidArgument
from tacit.core.frozen import hold
from tacit.core.numbers.exact import Exact
from tacit.data.schema.bits import Bits
from tacit.data.schema.category import Category
from tacit.data.schema.columns import Column, Ordered
from tacit.data.schema.date import Date
from tacit.data.schema.rule_class import cut_codes

CUTS = 7
"""Cut points of a number, unless they are given."""
SHARE = 0.8
"""The probability of the interval that is told of a number."""
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A label column and the marks that are learned of it, each a yes/no question.

    Bits are one mark. A category of two values is one mark, whether it is the second; of more it
    is one mark a value, of which at most one is 1 (`exclusive`). A number or a date is one mark a
    cut point, whether it is at least that, each of which implies those before it (`nested`). All
    of it is public. A cell that does not read has, for bits, the mark 0; for other columns the
    marks of the value that `outside = "clip"` gives it, and under "null" all marks are 0.

    >>> from tacit.data import Integer
    >>> Outcome.of("ward", Category(["A", "B", "C"])).marks
    ('ward is A', 'ward is B', 'ward is C')
    >>> income = Outcome.of("income", Integer(0, 100), cuts=[20, 40])
    >>> income.marks, income.marked(np.array([10, 20, 99])).astype(int).tolist()
    (('income is at least 20', 'income is at least 40'), [[0, 0], [1, 0], [1, 1]])
    """

    name: str
    column: Column
    cuts: tuple[int, ...] = ()
    """The codes of the cut points, ascending; none unless the column is of numbers or dates."""

    def __post_init__(self) -> None:
        if isinstance(self.column, Bits) and self.column.outside == "null":
            raise InvalidArgument(
                f'label {self.name!r} must be declared outside = "clip": a label is 0 or 1, and '
                "what is neither counts as 0"
            )
        if self.column.inside < 2:
            raise InvalidArgument(
                f"label {self.name!r} has one value by declaration, so there is nothing to learn; "
                "declare the values that it may have, or choose another label"
            )
        cuts = tuple(self.cuts)
        ordered = isinstance(self.column, Ordered)
        if ordered != bool(cuts) or any(type(cut) is not int for cut in cuts):
            raise InvalidArgument(f"label {self.name!r}: a number has cut points, others have none")
        if any(not 0 < cut < self.column.inside for cut in cuts) or sorted({*cuts}) != [*cuts]:
            raise InvalidArgument(f"label {self.name!r}: cuts must be ascending codes of values")
        hold(self, cuts=cuts)

    @classmethod
    def of(
        cls, name: str, column: Column, *, cuts: Sequence[Exact | date] | None = None
    ) -> Outcome:
        """Return the outcome of a column; a number is cut at up to 7 round values, or at these."""
        if not isinstance(column, Ordered):
            if cuts is not None:
                raise InvalidArgument(f"label {name!r} is no number, and cannot be cut")
            return cls(name, column)
        if column.inside < 2:
            return cls(name, column, (1,))  # which is refused
        found = cut_codes(name, column, CUTS, cuts)
        return cls(name, column, tuple(found or ([column.inside // 2] if cuts is None else [])))

    @property
    def kind(self) -> str:
        """Whether it is "bits", a "category" or a "number", which may be a date."""
        named = {Bits: "bits", Category: "category"}
        return named.get(type(self.column), "number")

    @property
    def exclusive(self) -> bool:
        """Whether at most one of several marks is 1."""
        return self.kind == "category" and self.column.inside > 2

    @property
    def nested(self) -> bool:
        """Whether each mark implies those before it."""
        return self.kind == "number"

    @property
    def marks(self) -> tuple[str, ...]:
        """What each mark says, in words; of bits the column's name."""
        if self.kind == "bits":
            return (self.name,)
        says, tell = "is at least" if self.nested else "is", self.column.describe
        return tuple(f"{self.name} {says} {tell(code)}" for code in self._codes)

    def marked(self, codes: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return the marks of rows, one column a mark, from the codes of the label column."""
        held, asked = codes[:, None], np.array(self._codes, dtype=np.int64)
        if self.nested:
            return np.asarray((held >= asked) & (held < self.column.inside))
        return np.asarray(held == asked)

    @property
    def _codes(self) -> Sequence[int]:
        """The codes that marks ask for."""
        if self.nested:
            return self.cuts
        return range(self.column.inside) if self.exclusive else (1,)


class Spread(NamedTuple):
    """A number that is foretold: its median, and the ends of a central interval, row by row."""

    median: NDArray[Any]
    low: NDArray[Any]
    high: NDArray[Any]


def combine_category(risks: Floats) -> NDArray[np.int64]:
    """Return the place of the most likely value, the first of equals; post-processing.

    `risks` has one column a mark: of a category of two values the risk of the second one.

    >>> combine_category(np.array([[0.2, 0.5, 0.1], [0.9, 0.1, 0.3]])).tolist()
    [1, 0]
    >>> combine_category(np.array([[0.4], [0.6]])).tolist()
    [0, 1]
    """
    if risks.shape[1] == 1:
        return np.asarray(risks[:, 0] > 0.5, dtype=np.int64)
    return np.asarray(np.argmax(risks, axis=1), dtype=np.int64)


def combine_number(outcome: Outcome, risks: Floats, *, share: float = SHARE) -> Spread:
    """Return median and central interval of a number from the risks of its marks; post-processing.

    The risks of "at least" each cut point are made descending (`descending`), so that they are a
    distribution: all of it from the lowest to the highest declared value, evenly inside a bin.
    Dates are told as days.

    >>> from tacit.data import Integer
    >>> income = Outcome.of("income", Integer(0, 100), cuts=[20, 40])
    >>> told = combine_number(income, np.array([[0.75, 0.25], [0.5, 0.5]]), share=0.5)
    >>> told.median.tolist(), told.low.tolist(), told.high.tolist()
    ([30.0, 20.0], [20.0, 10.0], [40.0, 70.0])
    """
    if not outcome.nested or risks.shape[1:] != (len(outcome.cuts),):
        raise InvalidArgument("risks must have one column for each cut point of a number")
    if not 0 < share < 1:
        raise InvalidArgument(f"share must lie strictly between 0 and 1, got {share}")
    column: Any = outcome.column
    ends = np.ones((len(risks), 1)), np.zeros((len(risks), 1))
    reached = np.hstack([ends[0], descending(risks), ends[1]])
    places = np.array([0, *outcome.cuts, column.inside - 1], dtype=np.float64)
    rows = np.arange(len(risks))

    def quantile(level: float) -> NDArray[Any]:
        at = (reached > 1 - level).sum(axis=1) - 1
        above, below = reached[rows, at], reached[rows, at + 1]
        inside = (above - (1 - level)) / (above - below)
        code = places[at] + inside * (places[at + 1] - places[at])
        if isinstance(column, Date):
            days = np.floor(code).astype("timedelta64[D]")
            return np.asarray(np.datetime64(column.low, "D") + days)
        step = float(getattr(column, "step", 1))
        return np.asarray(float(column.low) + step * code)

    return Spread(quantile(0.5), quantile((1 - share) / 2), quantile((1 + share) / 2))


def adding_up(risks: Floats) -> Floats:
    """Return the risks of exclusive marks as probabilities that add up to 1; post-processing.

    A row for which every mark was told a risk of 0 has all of them alike: nothing warns of a row.

    >>> adding_up(np.array([[0.5, 0.5, 0.25], [0.0, 0.0, 0.0]])).round(3).tolist()
    [[0.4, 0.4, 0.2], [0.333, 0.333, 0.333]]
    """
    whole = risks.sum(axis=1, keepdims=True)
    even = np.where(whole > 0, risks, 1.0)
    return np.asarray(even / even.sum(axis=1, keepdims=True))


def descending(risks: Floats) -> Floats:
    """Return the nearest descending probabilities, row by row, by least squares.

    >>> descending(np.array([[0.5, 0.75, 0.25]])).tolist()
    [[0.625, 0.625, 0.25]]
    """
    k = risks.shape[1]
    sums = np.cumsum(np.hstack([np.zeros((len(risks), 1)), risks]), axis=1)
    found = np.full(risks.shape, np.inf)
    for first in range(k):  # the least over first of the greatest over last of the mean between
        most = np.full(len(risks), -np.inf)
        for last in reversed(range(first, k)):
            most = np.maximum(most, (sums[:, last + 1] - sums[:, first]) / (last + 1 - first))
            found[:, last] = np.minimum(found[:, last], most)
    return np.asarray(np.clip(found, 0.0, 1.0))
