"""Two ways to count coded rows: group them, or sort them when most are different."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.data.engine import WEIGHT, Table

Counted = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
"""Points, sorted; how many rows each has; and how many of those are positive, label by label."""

_SAMPLE = 1 << 14
_SORTED = 1 << 25
_WORD = 62


def by_groups(coded: Table, features: int, labels: int) -> Counted:
    """Count by one group-by on the codes x0, ..., with the sums of the labels y0, ..."""
    keys = ", ".join(f"x{i}" for i in range(features))
    rows, weight = (f"sum({WEIGHT})", f" * {WEIGHT}") if coded.weighted else ("count(*)", "")
    sums = [f"coalesce(sum(y{j}{weight}), 0)" for j in range(labels)]
    numbers = ", ".join(f"CAST({s} AS BIGINT) AS n{j}" for j, s in enumerate([rows, *sums]))
    counted = coded.relation.aggregate(f"{keys}, {numbers}", keys)
    table = counted.order(keys).to_arrow_table()
    counts = _columns(table, "n", labels + 1)
    return points(table, features), counts[:, 0].copy(), counts[:, 1:]


def by_sorting(coded: Table, labels: int) -> Counted:
    """Count by sorting, one feature and its labels packed into one integer."""
    marks = "".join(f" + coalesce(y{j}, 0) * {1 << j}" for j in range(labels))
    packed = coded.relation.project(f"CAST(x0 * {1 << labels}{marks} AS BIGINT) AS key")
    keys = packed.order("key").to_arrow_table().column("key").to_numpy()
    codes = keys >> labels
    starts = np.concatenate(([0], np.flatnonzero(codes[1:] != codes[:-1]) + 1))
    positives = np.empty((len(starts), labels), dtype=np.int64)
    for j in range(labels):
        positives[:, j] = np.add.reduceat(keys >> j & 1, starts)
    return codes[starts], np.diff(starts, append=len(keys)), positives


def by_records(
    coded: Table, features: int, labels: int
) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.int64]]:
    """Count by points and labels together: points, their labels, and how many rows have both."""
    words = [range(start, min(start + _WORD, labels)) for start in range(0, labels, _WORD)]
    sums = (" + ".join(f"coalesce(y{j}, 0) * {1 << j - w[0]}" for j in w) for w in words)
    packed = ", ".join(f"CAST({s} AS BIGINT) AS m{i}" for i, s in enumerate(sums))
    codes = ", ".join(f"x{i}" for i in range(features))
    kept = f", {WEIGHT}" if coded.weighted else ""
    keys = ", ".join([codes, *(f"m{i}" for i in range(len(words)))])
    rows = f"sum({WEIGHT})" if coded.weighted else "count(*)"
    counted = coded.relation.project(f"{codes}, {packed}{kept}").aggregate(
        f"{keys}, CAST({rows} AS BIGINT) AS n0", keys
    )
    table = counted.order(keys).to_arrow_table()
    numbers = _columns(table, "m", len(words))
    marks = [numbers[:, i] >> j - w[0] & 1 for i, w in enumerate(words) for j in w]
    return points(table, features), np.column_stack(marks) > 0, _columns(table, "n", 1)[:, 0].copy()


def mostly_different(coded: Table) -> bool:
    """Whether the first rows mostly differ in their first code, and all fit into memory."""
    if not coded.again or coded.weighted:
        return False
    first = coded.relation.limit(_SAMPLE).project("x0").to_arrow_table().column("x0").to_numpy()
    if 2 * len(np.unique(first)) <= len(first):
        return False
    ((rows,),) = coded.relation.aggregate("count(*)").fetchall()
    return int(rows) <= _SORTED


def points(table: Any, features: int) -> NDArray[np.int64]:
    """Return the codes x0, ... of an Arrow table as integers, or as vectors of integers."""
    codes = _columns(table, "x", features)
    return codes[:, 0] if features == 1 else codes


def _columns(table: Any, letter: str, width: int) -> NDArray[np.int64]:
    if width == 1:
        return np.asarray(table.column(f"{letter}0").to_numpy())[:, None]
    return np.stack([table.column(f"{letter}{i}").to_numpy() for i in range(width)], axis=1)
