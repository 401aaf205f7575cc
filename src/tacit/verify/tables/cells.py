"""Messy cells, by how they are stored, and the columns that they are read as."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa

from tacit.data import Bits, Category, Column, Date, Integer, Real, Schema
from tacit.data.schema.coded_column import Outside


@dataclass(frozen=True, slots=True)
class Storage:
    """A way to store a column, which is public, and cells that are hard to read alike.

    `type` is Arrow's; None where each cell keeps a type of its own, as in a list.
    """

    name: str
    type: Any
    cells: tuple[Any, ...]


FLOAT = Storage(
    "float64", pa.float64(), (math.nan, 1.0, None, math.inf, -0.0, 2.5, -math.inf, 1e300)
)
SINGLE = Storage("float32", pa.float32(), (math.nan, 1.0, None, -math.inf, -0.0, 0.1))
WHOLE = Storage("int64", pa.int64(), (1, None, 4, -1, 2**53 + 1, -(2**63)))
UNSIGNED = Storage("uint64", pa.uint64(), (1, None, 4, 2**63, 2**64 - 1))
TRUTH = Storage("bool", pa.bool_(), (True, False, None))
DECIMAL = Storage(
    "decimal",
    pa.decimal128(20, 2),
    (Decimal(1), None, Decimal("0.50"), Decimal(-7), Decimal(10**15)),
)
TEXT = Storage(
    "text",
    pa.string(),
    (
        "1",
        None,
        "",
        "NA",
        " f ",
        "\ufeff1",
        "Infinity",
        "nan",
        '"1"',
        "1\0",
        "2001-01-01",
        "2001-02-30",
    ),
)
BYTES = Storage("bytes", pa.binary(), (b"1", None, b"\xff", b""))
DATE = Storage("date", pa.date32(), (date(2001, 1, 1), None, date(1, 1, 1)))
TIME = Storage(
    "time",
    pa.timestamp("us", "+14:00"),
    (datetime(2000, 12, 31, 9, tzinfo=UTC), None, datetime(2001, 1, 1, 10, tzinfo=UTC)),
)
MIXED = Storage(
    "objects",
    None,
    (
        1,
        None,
        math.nan,
        True,
        "f",
        10**40,
        Decimal("0.5"),
        b"\xff",
        np.float32(0.1),
        [1],
        date.max,
        np.datetime64("2001-01-01T23"),
        np.datetime64(99999, "Y"),
    ),
)
INFERRED = Storage("inferred", None, (None, True, 1, 2.5, "f", math.nan))
"""Cells of which a library makes a column of one type or of another, by all of them together."""
LINES = Storage(
    "lines",
    None,
    (
        b"1", b"\xef\xbb\xbf1", b"\xe9", b"", b"NA", b'"1', b"1\r", b"1\0", b" 1.0 ", b'"1"',
        b"Infinity", b"-9223372036854775809", b"2001-01-01T23:59+14:00", b"1.1.2001",
    ),
)  # fmt: skip
"""Raw bytes between two commas of a CSV file."""

LABEL = "label"
POLICIES: tuple[Outside, ...] = ("clip", "null")
KINDS: dict[str, Callable[[Outside], Column]] = {
    "integer": lambda outside: Integer(0, 3, outside),
    "real": lambda outside: Real(0, "1.5", "0.5", outside),
    "category": lambda outside: Category(["f", 1], outside),
    "bits": Bits,
    "words": lambda outside: Bits(outside, yes=["F", 4], no=["NA", 1]),
    "date": lambda outside: Date("2000-12-31", "2001-01-02", outside),
}
FEATURES = {f"{name}_{policy}": make(policy) for policy in POLICIES for name, make in KINDS.items()}
"""Each kind of column, with each policy."""


SCHEMA = Schema({**FEATURES, LABEL: Bits()})
