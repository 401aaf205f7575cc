"""Two ways to count coded rows: group them, or sort them when most are different."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.data.engine import WEIGHT, Relation, Table

Counted = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
"""Points, sorted; how many rows each has; and how many of those are positive, label by label."""
Recorded = tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.int64]]
"""Points and their labels, sorted; how many rows have both."""

_SAMPLE = 1 << 14
_SORTED = 1 << 25
_WORD = 62


def by_groups(coded: Table, features: int, labels: int) -> Counted:
    """Count by one group-by on the codes x0, ..., with the sums of the labels y0, ..."""
    return read_groups(grouped(coded, features, labels), features, labels)


def grouped(coded: Table, features: int, labels: int) -> Relation:
    """Return the codes x0, ..., the number of their rows n0, and n1, ... of positive ones."""
    keys = ", ".join(letters("x", features))
    rows, ones = "count(*)", "coalesce(count_if(y{} = 1), 0)"
    if coded.weighted:
        rows, ones = f"sum({WEIGHT})", f"coalesce(sum(y{{}} * {WEIGHT}), 0)"
    sums = [ones.format(j) for j in range(labels)]
    numbers = ", ".join(f"CAST({s} AS BIGINT) AS n{j}" for j, s in enumerate([rows, *sums]))
    return coded.relation.aggregate(f"{keys}, {numbers}", keys)


def read_groups(counted: Relation, features: int, labels: int) -> Counted:
    """Read what `grouped` gives, sorted."""
    table = counted.order(", ".join(letters("x", features))).to_arrow_table()
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


def recorded(coded: Table, features: int, labels: int) -> Relation:
    """Return the codes x0, ..., the labels as bits of m0, ..., and the number of rows n0."""
    held = words(labels)
    sums = (" + ".join(f"coalesce(y{j}, 0) * {1 << j - word[0]}" for j in word) for word in held)
    packed = ", ".join(f"CAST({s} AS BIGINT) AS m{i}" for i, s in enumerate(sums))
    codes = ", ".join(letters("x", features))
    kept = f", {WEIGHT}" if coded.weighted else ""
    keys = ", ".join([codes, *letters("m", len(held))])
    rows = f"sum({WEIGHT})" if coded.weighted else "count(*)"
    return coded.relation.project(f"{codes}, {packed}{kept}").aggregate(
        f"{keys}, CAST({rows} AS BIGINT) AS n0", keys
    )


def read_records(counted: Relation, features: int, labels: int) -> Recorded:
    """Read what `recorded` gives, sorted."""
    packed = words(labels)
    keys = [*letters("x", features), *letters("m", len(packed))]
    table = counted.order(", ".join(keys)).to_arrow_table()
    numbers = _columns(table, "m", len(packed))
    marks = [numbers[:, i] >> j - word[0] & 1 for i, word in enumerate(packed) for j in word]
    return points(table, features), np.column_stack(marks) > 0, _columns(table, "n", 1)[:, 0].copy()


def words(labels: int) -> list[range]:
    """Return which labels are packed into which word.

    >>> words(64)
    [range(0, 62), range(62, 64)]
    """
    return [range(start, min(start + _WORD, labels)) for start in range(0, labels, _WORD)]


def letters(letter: str, count: int) -> list[str]:
    """Return numbered names.

    >>> letters("x", 2)
    ['x0', 'x1']
    """
    return [f"{letter}{i}" for i in range(count)]


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
