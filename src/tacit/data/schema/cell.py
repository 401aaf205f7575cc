"""One cell of a table: any native value, read as number, text or day without ever failing."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any, TypeVar
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

BLANKS = " \t\n\r"
"""What is trimmed from both ends of a text before it is read."""

WHOLE = r"[+-]?[0-9]{1,38}(\.0*)?"
"""Texts that are read as integers, exactly."""

NUMBER = r"(?i)[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]+)?|[+-]?inf(inity)?"
"""Texts that are read as numbers, by the nearest float64."""

DAY = (
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?( ?(Z|[+-][0-9]{2}(:?[0-9]{2})?))?)?"
)
"""Texts that are read as days: ISO 8601, with a time of day and its zone or not."""

EPOCH = date(1970, 1, 1).toordinal()
FIRST, LAST = np.datetime64("0001-01-01"), np.datetime64("9999-12-31")
T = TypeVar("T")
_WHOLE, _NUMBER, _DAY = re.compile(WHOLE), re.compile(NUMBER), re.compile(DAY)
_HUGE = 10**40


def number(value: object) -> int | float | None:
    """Read a cell as a number; None for what is missing, not a number or unreadable.

    A text is read as an integer if it is one, else by the nearest float64; a 32-bit float is read
    by its shortest decimal, a complex number by its real part if that is all. True and false are
    not numbers.

    >>> [number(v) for v in (7, " 7.50 ", "1e3", "seven", float("nan"), True, None)]
    [7, 7.5, 1000.0, None, None, None, None]
    """
    return _asked(_number, value, int, float)


def _number(value: object) -> int | float | None:
    if isinstance(value, np.timedelta64):  # to NumPy a span of time is an integer
        return None
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return int(value)
    if isinstance(value, complex | np.complexfloating):
        return None if value.imag else number(value.real)
    if isinstance(value, np.float32 | np.float16):
        value = float(str(np.float32(value)))
    if isinstance(value, float | np.floating):
        return None if math.isnan(value) else float(value)
    if not isinstance(value, str | bytes | Decimal):
        return None
    read = (text(value) or "").strip(BLANKS)
    if _WHOLE.fullmatch(read):
        return int(read.split(".")[0])
    return float(read) if _NUMBER.fullmatch(read) else None


def text(value: object) -> str | None:
    """Write a cell as text that reads the same; None for what is missing or has no plain text.

    A date, and of a time its date, is written 2020-03-01. NaN is missing: pandas makes one of each
    gap as soon as a column holds a number.

    >>> [text(v) for v in ("f", True, 2, 2.0, 0.1, Decimal("2.00"), b"f", None, [1], math.nan)]
    ['f', 'true', '2', '2.0', '0.1', '2', 'f', None, None, None]
    """
    return _asked(_text, value, str)


def day(value: object) -> int | None:
    """Read a cell as a day, by its number in the calendar; None for what is no date.

    Of a time the date is read as it is written, in its own zone; years are 1 to 9999.

    >>> [day(v) for v in (date(2020, 3, 1), " 2020-03-01T23:59-11:00", "2020-02-30", "1.3.2020")]
    [737485, 737485, None, None]
    """
    read = (text(value) or "").strip(BLANKS)
    try:
        return date.fromisoformat(read[:10]).toordinal() if _DAY.fullmatch(read) else None
    except ValueError:
        return None


def whole_days(times: NDArray[np.datetime64]) -> NDArray[np.datetime64]:
    """Round times of any unit down to days; those that are not in the years 1 to 9999 are NaT.

    >>> whole_days(np.array(["1969-12-31T23", "20000-01-01T00"], "datetime64[h]")).tolist()
    [datetime.date(1969, 12, 31), None]
    """
    unit, _ = np.datetime_data(times.dtype)
    if unit not in ("generic", "ns", "ps", "fs", "as"):  # the others could overflow
        low, high = (np.datetime64(year).astype(times.dtype) for year in ("-9999", "19999"))
        times = np.minimum(np.maximum(times, low), high)
    days = times.astype("datetime64[s]").astype("datetime64[D]")
    return np.where((days >= FIRST) & (days <= LAST), days, np.datetime64("NaT", "D"))


def _asked(read: Callable[[object], T | None], value: object, *kinds: type) -> T | None:
    """Read a cell; an object whose own methods fail, or answer with another kind, is missing."""
    try:
        found = read(value)
    except Exception:
        return None
    return found if type(found) in kinds else None


def _text(value: object) -> str | None:
    match value:
        case str():
            return value.encode("utf-8", "replace").decode("utf-8")
        case bytes():
            return value.decode("utf-8", "replace")
        case bool() | np.bool_():
            return "true" if value else "false"
        case np.timedelta64():
            return None
        case date():
            return f"{value.year:04d}-{value.month:02d}-{value.day:02d}"
        case np.datetime64():
            days = whole_days(np.asarray(value))
            return None if np.isnat(days) else str(days)
        case int() | np.integer():
            return str(max(-_HUGE, min(int(value), _HUGE)))
        case float() | np.floating():
            return None if math.isnan(value) else _float_text(value)
        case Decimal():
            return _decimal_text(value)
        case UUID():
            return str(value)
        case complex() | np.complexfloating():
            return None if value.imag else text(value.real)
    return None


def _float_text(value: float | np.floating[Any]) -> str:
    real = float(value)
    if abs(real) < 1e16 and real.is_integer():
        return f"{int(real)}.0"
    return str(np.float32(value)) if isinstance(value, np.float32 | np.float16) else repr(real)


def _decimal_text(value: Decimal) -> str | None:
    if not value.is_finite():
        return None if value.is_nan() else str(float(value))
    if value and value.adjusted() > 40:
        return str(_HUGE if value > 0 else -_HUGE)
    if value == value.to_integral_value():
        return str(int(value))
    return str(value)
