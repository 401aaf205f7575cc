"""Random neighbouring tables: only the codes of the replaced row may differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core.chance.randomness import Random
from tacit.core.errors import TacitError
from tacit.data import Bits, Category, Column, Date, Integer, Real, Schema, read_points
from tacit.data.reading.coding import Coding
from tacit.data.reading.reduction import joint_counts, label_counts, open_table
from tacit.data.reading.source import Source
from tacit.verify.tables import cells
from tacit.verify.tables.cells import FEATURES, LABEL, Storage
from tacit.verify.tables.writers import Columns, Writer

UNUSED = "note"
"""A column that no schema names; in a CSV file it may be long, which moves all that follows."""
LONGEST = 200
DOMAINS: tuple[Column, ...] = (
    *FEATURES.values(),
    Integer(-(2**53) - 9, 2**53 + 9),
    Integer(2**63 - 99, 2**63 - 1, outside="null"),
    Real(10, 60, "0.1"),
    Real("-1/3", "1/3", "1/3", outside="null"),
    Category([f"v{i}" for i in range(80)]),
    Category(["true", "1", "NA", "nan", "é"], outside="null"),
)
LABELS: tuple[Column, ...] = (
    Bits(),
    Bits(),
    Bits(yes=["v7", 1]),
    Category(["true", "1", "nan"], outside="null"),
    Integer(0, 60, outside="null"),
    Date("2000-12-31", "2001-01-02"),
)
"""What the label may be: an outcome of one mark or of several."""
_PIECES = (b"v7", b"true", b"0", b"59.9", b"1e3", b"\xc3\xa9", b'""', b" ", b";")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two tables that differ in the row at `place`, what they are called, and their domains."""

    writer: str
    first: Source
    second: Source
    place: int
    schema: Schema


def draw_pair(writer: Writer, folder: Path, *, rows: int, rng: Random) -> Pair:
    """Write two tables of so many rows, of random columns and cells, that differ in one row."""
    names = [f"x{i}" for i in range(1 + rng.below(4))]
    schema = Schema({**{name: _one(DOMAINS, rng) for name in names}, LABEL: _one(LABELS, rng)})
    stored = {name: _one(writer.storages, rng) for name in (*names, LABEL, UNUSED)}
    first = {name: (kept, _cells(kept, name, rows, rng)) for name, kept in stored.items()}
    place = rng.below(rows)
    second = {name: (kept, _replaced(kept, name, held, place, rng))
              for name, (kept, held) in first.items()}  # fmt: skip
    return Pair(
        writer.name,
        _written(writer, first, folder / "first"),
        _written(writer, second, folder / "second"),
        place,
        schema,
    )


def violation(pair: Pair) -> str | None:
    """Say what else than the replaced row's codes differs between two neighbouring tables."""
    first, second = (_read(source, pair.schema) for source in (pair.first, pair.second))
    if isinstance(first, str) or isinstance(second, str):
        return None if str(first) == str(second) else f"{first} | {second}"
    if first.shape != second.shape:
        return f"{len(first)} rows | {len(second)} rows"
    changed = np.flatnonzero((first != second).any(axis=1))
    if set(changed.tolist()) - {pair.place}:
        return f"row {pair.place} was replaced, and the codes of rows {changed.tolist()} changed"
    for source, codes in ((pair.first, first), (pair.second, second)):
        if not _counted_alike(source, pair.schema, codes):
            return "rows are counted by other codes than they are predicted by"
    return None


def _read(source: Source, schema: Schema) -> NDArray[np.int64] | str:
    try:
        return read_points(source, schema, schema.names)
    except TacitError as error:
        told = str(error)
    return told.replace(str(source), "")


def _counted_alike(source: Source, schema: Schema, codes: NDArray[np.int64]) -> bool:
    """Whether counts are those of the codes: of records, and of points mark by mark."""
    coding = Coding.of(schema, [name for name in schema.names if name != LABEL], [LABEL])
    opened, marks = open_table(source, coding), coding.outcomes[0].marked(codes[:, -1])
    joint, single = joint_counts(opened, coding), label_counts(opened, coding)
    seen: Counter[Any] = Counter()
    sums: Counter[Any] = Counter()
    for point, row in zip(codes[:, :-1].tolist(), marks.tolist(), strict=True):
        seen[(*point, *row)] += 1
        sums.update((*point, j) for j in [-1, *np.flatnonzero(row).tolist()])
    records = zip(_rows(joint.points), joint.marks.tolist(), joint.totals.tolist(), strict=True)
    ones = zip(_rows(single.points), single.totals, single.positives.tolist(), strict=True)
    added = {(*p, j): m for p, n, held in ones for j, m in enumerate([int(n), *held], start=-1)}
    return seen == {(*p, *row): n for p, row, n in records} and sums == Counter(added)


def _rows(points: NDArray[np.int64]) -> list[list[int]]:
    return [list(row) for row in points.reshape(len(points), -1).tolist()]


def _written(writer: Writer, table: Columns, folder: Path) -> Source:
    folder.mkdir(parents=True, exist_ok=True)
    return writer(table, folder / "table")


def _cells(storage: Storage, name: str, rows: int, rng: Random) -> list[Any]:
    """Draw cells of few different ones: columns of one value and a gap are what misleads."""
    palette = [_cell(storage, name, rng) for _ in range(1 + rng.below(2) * rng.below(4))]
    return [_one(palette, rng) for _ in range(rows)]


def _replaced(storage: Storage, name: str, held: Sequence[Any], place: int, rng: Random) -> Any:
    return [*held[:place], _cell(storage, name, rng), *held[place + 1 :]]


def _cell(storage: Storage, name: str, rng: Random) -> Any:
    """Draw a cell, the first ones more often; in a CSV file of pieces, if unused of any length."""
    first = _one(storage.cells[: 1 + rng.below(len(storage.cells))], rng)
    if storage is not cells.LINES:
        return first
    more = first + _one(_PIECES, rng) if rng.below(2) else first
    return more + b"." * rng.below(LONGEST) if name == UNUSED else more


def _one(choices: Sequence[Any], rng: Random) -> Any:
    return choices[rng.below(len(choices))]
