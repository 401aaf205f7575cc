"""The points of a scorecard as people add them up: column by column, in the values of the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.rules.scorecard import Scorecard, Steps, Weight
from tacit.data.schema.bits import Bits
from tacit.data.schema.category import Category
from tacit.data.schema.columns import Column
from tacit.data.schema.date import Date
from tacit.data.schema.phrasing import shown, span
from tacit.data.schema.real import Real, written
from tacit.data.schema.schema import Schema
from tacit.learners.contract.model import Model

FEW = 24
"""A number whose points change more often is told at some places only."""
LISTED = 1 << 20
"""Codes that are looked at one by one."""


@dataclass(frozen=True, slots=True)
class ColumnPoints:
    """What a column counts: words for some of its values, and their points.

    `rate` says how points grow, where they do so evenly and the values are only some of all.
    """

    column: str
    points: tuple[tuple[str, int], ...]
    rate: str = ""


def points_by_column(model: Model, label: int = 0) -> tuple[ColumnPoints, ...]:
    """Return the columns that count for a label; none if its hypothesis is no scorecard.

    Values with the same points are told together; of a number whose points change all the time
    the ends and the middle of its range.
    """
    card, schema = model.hypotheses[label], Schema.parse(model.schema)
    if not isinstance(card, Scorecard):
        return ()
    tops = getattr(model.outputs, "sizes", [schema[name].size for name in model.features])
    told = zip(model.features, card.weights, tops, strict=True)
    found = [_column(name, schema[name], weight, size - 1) for name, weight, size in told]
    return tuple(each for each in found if any(number for _, number in each.points))


def verdict(model: Model, place: int) -> str:
    """Say from how many points on a scorecard says yes, and if that is never or always."""
    card: Any = model.hypotheses[place]
    many = f"{card.threshold} points"
    match model.always[place]:
        case None:
            return f"yes from {many} on"
        case False:
            return f"no to every row, since no row reaches {many}; the points still rank rows"
    return f"yes to every row, since each has {many} or more; the points still rank rows"


def _column(name: str, column: Column, weight: Weight, top: int) -> ColumnPoints:
    def at(codes: NDArray[np.int64]) -> NDArray[np.int64]:
        return Scorecard((weight,), 0).score(np.minimum(codes, top))

    last = column.size - 1
    if isinstance(weight, Steps) or column.size <= LISTED:
        listed = (0, *weight.cuts) if isinstance(weight, Steps) else range(column.size)
        begun = np.array([code for code in listed if code <= last], dtype=np.int64)
        points = at(begun)
        new = np.r_[True, np.diff(points) != 0]
        starts = begun[new].tolist()
        told = isinstance(weight, Steps) or isinstance(column, Category | Bits)
        if told or len(starts) <= FEW:
            ends = [*(start - 1 for start in starts[1:]), last]
            said = [_said(name, column, *pair) for pair in zip(starts, ends, strict=True)]
            return ColumnPoints(name, tuple(zip(said, points[new].tolist(), strict=True)))
    missing = column.outside == "null"
    high, even = last - missing, isinstance(weight, int)
    codes = [high * part // 4 for part in ((0, 2, 4) if even else range(5))]
    codes += [last] if missing else []
    words = [shown(column, code) for code in codes]
    found = at(np.array(codes, dtype=np.int64)).tolist()
    step = (
        written(column.step)
        if isinstance(column, Real)
        else "day"
        if isinstance(column, Date)
        else "1"
    )
    rate = f"{weight} for each {step} above {shown(column, 0)}" if even else ""
    return ColumnPoints(name, tuple(zip(words, found, strict=True)), rate)


def _said(name: str, column: Column, low: int, high: int) -> str:
    words = span(name, column, low, high)
    return "any value" if words == "always" else words.removeprefix(f"{name} is ")
