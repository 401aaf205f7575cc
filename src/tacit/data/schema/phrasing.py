"""What a range of codes says about a column, in the values of its table."""

from __future__ import annotations

from tacit.data.schema.bits import Bits
from tacit.data.schema.category import Category
from tacit.data.schema.columns import Column
from tacit.data.schema.real import Real

_FEW = 8


def span(name: str, column: Column, low: int, high: int | None) -> str:
    """Say that the code lies between two, both included; without `high`, up to the last one.

    The sentence is true of exactly the cells that have such a code: a real number's code stands
    for all numbers up to the next grid point, and out of range is what the schema says.

    >>> bmi = Real(10, 60, "0.1")
    >>> span("bmi", bmi, 85, 149), span("bmi", bmi, 0, 149), span("bmi", bmi, 85, None)
    ('bmi is at least 18.5 and below 25', 'bmi is below 25', 'bmi is at least 18.5')
    >>> span("bmi", Real(10, 60, 1, outside="null"), 20, None)
    'bmi is at least 30 (or missing or out of range)'
    >>> span("bmi", bmi, 0, 500), span("bmi", bmi, 501, None)
    ('always', 'never')
    """
    last = column.size - 1
    high = last if high is None else min(high, last)
    if low > high:
        return "never"
    if low <= 0 and high == last:
        return "always"
    if column.outside == "clip" or high < last:
        return f"{name} is {_inside(column, max(low, 0), high)}"
    if low == last:
        return f"{name} is {beyond(column)}"
    if not isinstance(column, Category | Bits):  # beyond the last value is out of range
        return f"{name} is at least {column.describe(low)} (or {beyond(column)})"
    return f"{name} is {_inside(column, max(low, 0), last - 1)} (or {beyond(column)})"


def shown(column: Column, code: int) -> str:
    """Write a code as its value; a class may have codes beyond the last one of the column."""
    last = column.size - 1
    if column.outside == "null" and code == last:
        return beyond(column)
    return column.describe(code) if code <= last else f"more than {column.describe(last)}"


def beyond(column: Column) -> str:
    """Say what the null code stands for."""
    kind = "another value" if isinstance(column, Category | Bits) else "out of range"
    return f"missing or {kind}"


def _inside(column: Column, low: int, high: int) -> str:
    if isinstance(column, Category | Bits):
        if high - low < _FEW:
            return " or ".join(column.describe(code) for code in range(low, high + 1))
        ends = f"{column.describe(low)} to {column.describe(high)}"
        return f"one of the {high - low + 1} categories from {ends}"
    clipped, top = column.outside == "clip", column.size - 1 - (column.outside == "null")
    least = f"at least {column.describe(low)}"
    if clipped and high == top:
        return least
    below = (
        f"below {column.describe(high + 1)}" if high < top else f"at most {column.describe(top)}"
    )
    if clipped and low == 0:
        return below
    if isinstance(column, Real):
        return f"{least} and {below}"
    if low == high:
        return column.describe(low)
    return f"between {column.describe(low)} and {column.describe(high)}"
