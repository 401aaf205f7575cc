"""Counts, means and quantiles of all houses' rows together, each with an interval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import ceil
from typing import Any

import numpy as np

from tacit.core import check
from tacit.core.budget import read_share
from tacit.core.errors import InvalidArgument
from tacit.data.schema.schema import Schema
from tacit.workflows.counting.answers import TableAnswers, TableNumber
from tacit.workflows.counting.bins import Bins, numbers_of, read_bins
from tacit.workflows.counting.count import BINS, MOST, mean_of, within
from tacit.workflows.sites.axes import ColumnAxis
from tacit.workflows.sites.joining import JoinedTables
from tacit.workflows.sites.question import Wanted

NARROW = 64
"""Parts of a column whose quantiles are asked for."""


def ask(
    schema: Schema,
    *,
    by: Sequence[str] = (),
    mean: Sequence[str] = (),
    quantiles: Mapping[str, Sequence[str]] | None = None,
    confidence: str = "0.95",
) -> tuple[dict[str, Any], list[Wanted]]:
    """Ask for a cross-table, for sums of columns in its cells, and for columns in narrow parts."""
    axes = tuple(ColumnAxis(each) for each in read_bins(schema, by, BINS))
    wanted = [Wanted(axes, Fraction(1))] * bool(axes)
    for name in mean:
        wanted.append(Wanted(axes, Fraction(1), Bins(name, numbers_of(schema, name, bits=True))))
    for name in quantiles or {}:
        wanted.append(Wanted((ColumnAxis(narrowly(name, numbers_of(schema, name))),), Fraction(1)))
    if not wanted:
        raise InvalidArgument("nothing is asked: name columns to count by, or a mean or quantiles")
    levels = {name: [str(read_level(at)) for at in ats] for name, ats in (quantiles or {}).items()}
    given = {"by": list(by), "mean": list(mean), "quantiles": levels}
    return given | {"confidence": str(read_share(confidence=confidence))}, wanted


def made(joined: JoinedTables) -> TableAnswers:
    """Say all numbers, each with an interval that holds with the probability that was asked."""
    question, given = joined.question, joined.question.given
    schema, miss = question.schema, 1 - Fraction(given["confidence"])
    bins = read_bins(schema, given["by"], BINS)
    answers, n = list[TableNumber](), MOST if joined.n is None else joined.n
    labels, place = list(product(*(each.labels for each in bins))), 0
    rows = [(n, n, n)] * len(labels)
    if bins:
        noisy = joined.cells(0).ravel().astype(int).tolist()
        own, rows = (
            [within(c, joined.width(0, share), n) for c in noisy] for share in (miss, miss / 2)
        )
        answers += [TableNumber(*ends, cell=cell) for ends, cell in zip(own, labels, strict=True)]
        place = 1
    if given["mean"] and not bins and joined.n is None:
        raise InvalidArgument("a mean of all rows needs their number, which is secret: count by")
    for name in given["mean"]:
        wide = joined.width(place, miss / 2 if bins else miss)
        for cell, total, many in zip(labels, joined.sums[place], rows, strict=True):
            ends = mean_of(schema[name], total, wide, many)
            answers.append(TableNumber(*ends, of=name, cell=cell))
        place += 1
    for name, levels in given["quantiles"].items():
        answers.extend(_quantiles(joined, place, name, levels, miss))
        place += 1
    return TableAnswers(
        by=tuple(each.name for each in bins),
        answers=tuple(answers),
        n=joined.n,
        noise="discrete Gaussian" if question.tables[0].gaussian else "discrete Laplace",
        confidence=1 - miss,
        cost=question.cost,
        privacy=question.privacy,
        secure=joined.secure,
        unit=question.unit,
    )


def narrowly(name: str, column: Any, parts: int = NARROW) -> Bins:
    """Cut a column into so many parts of equal width, or one a code."""
    many = min(column.inside, parts)
    null = (column.inside,) if column.outside == "null" else ()
    return Bins(name, column, (*(i * column.inside // many for i in range(many)), *null))


def read_level(level: str) -> Fraction:
    """Read a level from 0 to 1."""
    read = check.nonnegative(level=level)
    if read > 1:
        raise InvalidArgument(f"a quantile has a level from 0 to 1, got {read}")
    return read


def _quantiles(
    joined: JoinedTables, place: int, name: str, levels: Sequence[str], miss: Fraction
) -> Iterator[TableNumber]:
    """Read quantiles off noisy counts of parts, of which no sum is off by more than its width."""
    if joined.n is None:
        raise InvalidArgument("quantiles have ranks, and the number of rows is secret here")
    n, axis = joined.n, joined.question.tables[place].by[0]
    assert isinstance(axis, ColumnAxis)
    column: Any = axis.bins.column
    cells, many = joined.cells(place), axis.size
    rest = n - np.append(np.cumsum(cells[:0:-1])[::-1], 0)  # the same by the parts behind
    upto = np.where(np.arange(1, many + 1) > many // 2, rest, np.cumsum(cells))
    each = miss / max(many - 1, 1)
    wide = [joined.width(place, each, cells=min(j, many - j)) for j in range(1, many)] + [0]
    starts = [*axis.bins.edges, column.inside]
    rising = np.maximum.accumulate(np.clip(upto, 0, n))
    for level in levels:
        rank = max(1, ceil(Fraction(level) * n))
        first = next(j for j in range(many) if upto[j] + wide[j] >= rank)
        last = next(j for j in range(many) if upto[j] - wide[j] >= rank)
        at = min(max(int(np.searchsorted(rising, rank)), first), last)
        before = rising[at - 1] if at else 0.0
        inside = (rank - before) / max(rising[at] - before, 1.0)
        code = starts[at] + int(min(max(inside, 0), 1) * (starts[at + 1] - 1 - starts[at]))
        value, low, high = map(column.decode, (code, starts[first], starts[last + 1] - 1))
        yield TableNumber(value, low, high, of=name, level=Fraction(level))
