"""Codes and counts in a frame's own engine, for columns where no engine could do it differently."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add
from typing import Any

import narwhals.stable.v2 as nw

from tacit.data.reading.coding import Coding, words
from tacit.data.schema.bits import Bits
from tacit.data.schema.columns import Column
from tacit.data.schema.integer import Integer

_LAST = (1 << 63) - 1
_SIGNED = (nw.Int8, nw.Int16, nw.Int32, nw.Int64)
_WHOLE = (*_SIGNED, nw.UInt8, nw.UInt16, nw.UInt32)


def native_counts(frame: nw.LazyFrame[Any], coding: Coding) -> nw.LazyFrame[Any] | None:
    """Count a frame of raw columns c0, ... by `coding.keys`; None where that is not certain.

    Engines differ in text, in rounding, in NaN and in overflow, but not in how they compare and
    subtract integers that fit: integers have no value that is left out of a least and a greatest
    one, so even an optimiser that decides a comparison by these decides it truly. So columns must
    be stored as integers, or bits of the usual words as integers or truth values.
    """
    if any(outcome.kind != "bits" for outcome in coding.outcomes):
        return None
    types = frame.collect_schema().dtypes()
    codes = [_code(i, *pair) for i, pair in enumerate(zip(coding.columns, types, strict=True))]
    features, marks = codes[: coding.features], codes[coding.features :]
    if any(code is None for code in codes):
        return None
    keys = [code.alias(f"x{i}") for i, code in enumerate(features) if code is not None]
    ones = [mark for mark in marks if mark is not None]
    if coding.jointly:
        keys += [_packed(ones, word).alias(f"m{i}") for i, word in enumerate(words(len(ones)))]
        ones = []
    sums = [one.alias(f"n{j + 1}") for j, one in enumerate(ones)]
    counted = frame.select(*keys, *sums).group_by(*coding.keys)
    added = counted.agg(nw.len().alias("n0"), *(nw.col(name).sum() for name in coding.sums[1:]))
    return added.select(*coding.keys, *(nw.col(name).cast(nw.Int64) for name in coding.sums))


def _code(place: int, column: Column, dtype: Any) -> nw.Expr | None:
    """Return a column's code; NULL is neither below nor above nor equal to anything."""
    cell = nw.col(f"c{place}")
    if isinstance(column, Bits) and column.usual and dtype in (*_WHOLE, nw.Boolean):
        yes, no = (cell, ~cell) if dtype == nw.Boolean else (cell == 1, cell == 0)
        rest = _whole(0) if column.outside == "clip" else _if(no, 0, _whole(2))
        return _if(yes, 1, rest)
    if not isinstance(column, Integer) or dtype not in _WHOLE or column.high == _LAST:
        return None
    whole = cell if dtype == nw.Int64 else cell.cast(nw.Int64)
    low, high = column.low, column.high
    if column.outside == "null":
        held = nw.when((whole >= low) & (whole <= high)).then(whole).otherwise(_whole(high + 1))
    else:
        upper = nw.when(whole >= low).then(whole).otherwise(_whole(low))
        held = _if(whole > high, high, upper)
    return held - low if low else held


def _packed(marks: Sequence[nw.Expr], word: range) -> nw.Expr:
    return reduce(add, (marks[j] * (1 << j - word[0]) for j in word))


def _if(condition: nw.Expr, value: int, rest: nw.Expr) -> nw.Expr:
    return nw.when(condition).then(_whole(value)).otherwise(rest)


def _whole(value: int) -> nw.Expr:
    return nw.lit(value, dtype=nw.Int64)
