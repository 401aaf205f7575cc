"""Tables that are not read row by row: what one cell holds changes how others are read."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from tacit.core.chance.law import Law
from tacit.mechanisms import PrivateQuantile
from tacit.statistics.counts.line_counts import LineCounts
from tacit.verify.broken.twin import Rows, twin
from tacit.verify.enumeration import Case
from tacit.verify.tables.watching import law_of

BITS = 2
LAST = (1 << BITS) - 1
MEDIAN = PrivateQuantile(BITS, level="1/2", epsilon=1)
CHUNK = 8
MARK = b"\xef\xbb\xbf"
Reader = Callable[[Sequence[Any], Path], list[int]]


def _read(*cells: Any, n: int = 3) -> Callable[[Reader], Case]:
    """Make a twin of a reader: the median of the codes that it reads from a file of these cells."""

    def made(read: Reader) -> Case:
        def law(rows: Rows) -> Law[Any]:
            with tempfile.TemporaryDirectory(prefix="tacit-") as folder:
                path = Path(folder) / "table"
                coded = law_of(
                    lambda: tuple(read([cells[row] for row in rows], path)),
                    private=str(path),
                    known={},
                )
            return coded.then(_median)

        law.__doc__ = read.__doc__
        return twin(MEDIAN.cost, range(len(cells)), n, symmetric=False)(law)

    return made


def _median(seen: tuple[Any, ...]) -> Law[Any]:
    """Release the median of codes that were read, or why they were not."""
    told, codes, _ = seen
    drawn = MEDIAN.law(LineCounts.of(codes or (), bits=BITS))
    return drawn.map(lambda value: (told, value))


@_read(float("nan"), 1.0, 2.5)
def table_folded_nan(cells: Sequence[Any], path: Path) -> list[int]:
    """Let the engine compare floats: it decides by the file's extremes, which leave NaN out."""
    pyarrow.parquet.write_table(pa.table({"x": pa.array(cells, pa.float64())}), path)
    code = (
        f"CASE WHEN x <= 'Infinity'::DOUBLE "
        f"THEN CAST(floor(greatest(least(x, {LAST}), 0)) AS INTEGER) ELSE 0 END"
    )
    found = duckdb.connect().read_parquet(str(path)).project(code).fetchall()
    return [value for (value,) in found]


@_read(MARK + b"3", b"1", b"0,long")
def table_chunked_mark(cells: Sequence[Any], path: Path) -> list[int]:
    """Drop a byte-order mark at the start of each chunk: where that is, other rows decide."""
    path.write_bytes(b"".join(cell + b"\n" for cell in cells))
    lines, read = [], 0
    with path.open("rb") as file:
        for line in file:
            fresh = not read or read + len(line) > CHUNK
            lines.append(line.removeprefix(MARK) if fresh else line)
            read = len(line) if fresh else read + len(line)
    return [int(line[:1]) if line[:1].isdigit() else 0 for line in lines]


@_read("03", "1", "x")
def table_inferred_type(cells: Sequence[Any], path: Path) -> list[int]:
    """Let the engine find the type of a column: where all are numbers, 03 is written 3."""
    path.write_text("x\n" + "".join(f"{cell}\n" for cell in cells))
    found = pyarrow.csv.read_csv(path).column("x").to_pylist()
    return [LAST if cell == "03" else 0 for cell in found]


@_read(0, 3, 9)
def table_column_maximum(cells: Sequence[Any], path: Path) -> list[int]:  # noqa: ARG001
    """Take what is out of range for the largest that is inside, which is somebody's."""
    inside = [cell for cell in cells if cell <= LAST]
    return [cell if cell <= LAST else max(inside, default=0) for cell in cells]


@_read("1", "3", "x", n=2)
def table_one_exception(cells: Sequence[Any], path: Path) -> list[int]:  # noqa: ARG001
    """Refuse a cell that is no number: the refusal tells that it is there."""
    return [min(int(cell), LAST) for cell in cells]


@_read("01.02.", "02.01.", "13.01.")
def table_first_date_format(cells: Sequence[Any], path: Path) -> list[int]:  # noqa: ARG001
    """Let the first row decide whether the day or the month comes first in all of them."""
    month = slice(3, 5) if cells and int(cells[0][:2]) > 12 else slice(0, 2)
    return [min(int(cell[month]), LAST) for cell in cells]


FILES = (
    ((("a", 0, 0),), (("a", 3, 1),), (("a", 3, 0), ("A", 3, 1)), (("A", 0, 0), ("a", 3, 0))),
    ((("9", 0, 0),), (("9", 3, 1),), (("9.0", 3, 0), ("9", 3, 0)), (("9", 0, 1), (" 9", 3, 0))),
)
"""Two persons, each with rows that say how they are called, a code, and the file they are in."""
Persons = Callable[[list[Path]], list[int]]


def _of_persons(read: Persons) -> Case:
    """Make a twin of a reader of two files: the median of the codes it takes of all persons."""

    def law(persons: Rows) -> Law[Any]:
        rows = [row for known, each in zip(FILES, persons, strict=True) for row in known[each]]
        with tempfile.TemporaryDirectory(prefix="tacit-") as folder:
            files = [Path(folder) / f"{file}.csv" for file in (0, 1)]
            for place, path in enumerate(files):
                lines = (f"{who},{code}\n" for who, code, file in rows if file == place)
                path.write_text("who,x\n" + "".join(lines))
            coded = law_of(lambda: tuple(read(files)), private=folder, known={})
        return coded.then(_median)

    law.__doc__ = read.__doc__
    return twin(MEDIAN.cost, range(len(FILES[0])), 2, symmetric=False)(law)


def _largest(by: str, files: list[Path]) -> list[int]:
    """Let DuckDB take one row, the largest, of each person of some files."""
    named: Any = [str(path) for path in files]
    read = duckdb.connect().read_csv(named, all_varchar=True)
    found = read.aggregate("max(CAST(x AS INTEGER)) AS x", by).fetchall()
    return [value for (value,) in found]


@_of_persons
def table_persons_by_case(files: list[Path]) -> list[int]:
    """Group by identifiers as they are written: who is spelled in two ways counts twice."""
    return _largest("trim(who)", files)


@_of_persons
def table_persons_by_type(files: list[Path]) -> list[int]:
    """Group by identifiers in small letters, as texts: 9 and 9.0 are two persons."""
    return _largest("lower(trim(who))", files)


@_of_persons
def table_persons_of_each_file(files: list[Path]) -> list[int]:
    """Take one row of each person of each file: who is in both counts twice."""
    by = "CASE WHEN lower(trim(who)) = 'a' THEN 1 END"
    return [code for path in files for code in _largest(by, [path])]


@_of_persons
def table_rows_for_persons(files: list[Path]) -> list[int]:
    """Read all rows, as if each person had one: how many there are tells who has several."""
    lines = [line for path in files for line in path.read_text().splitlines()[1:]]
    return [int(line.rpartition(",")[2]) for line in lines]
