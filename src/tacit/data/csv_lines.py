"""CSV, one line one row: whatever a line holds, it is one row, and only that row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np
import pyarrow as pa
import pyarrow.csv
from numpy.typing import NDArray

from tacit.core.errors import InvalidArgument
from tacit.data.cell import BLANKS, number

CHUNK = 1 << 24
_LINE, _QUOTE, _RETURN = b'\n"\r'
_MARK = b"\xef\xbb\xbf"
_DELIMITERS = ",;\t|"


class CsvFile:
    """A UTF-8 text file with a header; see `CsvHeader`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with path.open("rb") as file:
            self.header = CsvHeader.read(file.readline(), title=str(path))
        self.names = self.header.names

    def batches(self, names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield the rows in order, the named columns as text."""
        with self.path.open("rb") as file:
            file.readline()
            for chunk in _chunks(file):
                yield from self.header.batches(chunk, names)


@dataclass(frozen=True, slots=True)
class CsvHeader:
    """The names in a first line, which says by , ; tab or | what separates the cells.

    Guarantee:
        Rows are the lines after the header that are not empty (in a file of one column: all of
        them; a line of blanks is not empty), each read by itself. So replacing one line replaces
        one row. Short lines are padded, long ones cut, a quote that is never closed is a
        character, and bytes that are not UTF-8 become the replacement character.

    >>> CsvHeader.read(b"age;sick\\n", title="t.csv")
    CsvHeader(names=['age', 'sick'], delimiter=';')
    """

    names: list[str]
    delimiter: str

    @classmethod
    def read(cls, first: bytes, *, title: str) -> CsvHeader:
        """Read a first line, or say why it names no columns."""
        head = first.removeprefix(_MARK)
        if not head.strip():
            raise InvalidArgument(f"{title} has no header; its first line must name the columns")
        if b"\0" in head or head.startswith((b"\x1f\x8b", b"PAR1")):
            raise InvalidArgument(f"{title} is not a CSV file in UTF-8; save it as one")
        if b"\r" in head.removesuffix(b"\n").removesuffix(b"\r"):
            raise InvalidArgument(f"{title} ends its lines with \\r alone; save it with \\n")
        try:
            line = head.decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError:
            raise InvalidArgument(
                f"{title} has a header that is not UTF-8 (Latin-1, perhaps); save it as UTF-8"
            ) from None
        bare = "".join(line.split('"')[::2])
        delimiter = max(_DELIMITERS, key=bare.count)
        names = [name.strip(BLANKS) for name in split(line, delimiter)]
        if any(number(name) is not None for name in names):
            raise InvalidArgument(
                f"{title} seems to have no header: its first line holds a number, which names no "
                "column; add a line with the columns' names"
            )
        return cls(names, delimiter)

    def batches(self, chunk: bytes, names: Sequence[str]) -> list[pa.RecordBatch]:
        """Return the rows of whole lines, the named columns as text."""
        clean, longest = tidy(chunk, self.delimiter, len(self.names))
        if not clean:
            return []
        places = [f"c{self.names.index(name)}" for name in names]
        table = pyarrow.csv.read_csv(
            pa.BufferReader(clean),
            read_options=pyarrow.csv.ReadOptions(
                column_names=[f"c{i}" for i in range(len(self.names))],
                block_size=max(1 << 20, 2 * longest),
            ),
            parse_options=pyarrow.csv.ParseOptions(
                delimiter=self.delimiter, ignore_empty_lines=len(self.names) > 1
            ),
            convert_options=pyarrow.csv.ConvertOptions(
                column_types={place: pa.string() for place in places},
                include_columns=list(dict.fromkeys(places)),
                null_values=[],
                strings_can_be_null=False,
            ),
        )
        held: list[pa.RecordBatch] = table.select(places).rename_columns(list(names)).to_batches()
        return held


def split(line: str, delimiter: str) -> list[str]:
    """Split one line into cells; a quote opens a cell only if it is closed on the same line.

    >>> split('1, "a, ""b"" c" ,"open', ",")
    ['1', 'a, "b" c ', '"open']
    """
    cells, start = [], 0
    while True:
        quote = start
        while line[quote : quote + 1] == " ":
            quote += 1
        value, end = _quoted(line, quote) if line[quote : quote + 1] == '"' else ("", start)
        stop = line.find(delimiter, end)
        cells.append(value + line[end : stop if stop >= 0 else len(line)])
        if stop < 0:
            return cells
        start = stop + 1


def _quoted(line: str, start: int) -> tuple[str, int]:
    """Return a quoted text and where it ends; nothing if its closing quote is missing."""
    end = line.find('"', start + 1)
    while end >= 0 and line[end + 1 : end + 2] == '"':
        end = line.find('"', end + 2)
    return ("", start) if end < 0 else (line[start + 1 : end].replace('""', '"'), end + 1)


def tidy(chunk: bytes, delimiter: str, columns: int) -> tuple[bytes, int]:
    """Rewrite the lines that a strict reader refuses; also return the length of the longest.

    >>> tidy(b"1,2\\n3\\n4,5,6\\n\\n", ",", 2)
    (b'1,2\\n"3",""\\n"4","5"\\n', 8)
    """
    marks = np.frombuffer(chunk, dtype=np.uint8)
    ends = np.flatnonzero(marks == _LINE)
    bad = _uneven(marks, ord(delimiter), columns)
    if chunk.count(b"\r") != chunk.count(b"\r\n") or b"\0" in chunk:
        lone = (marks[:-1] == _RETURN) & (marks[1:] != _LINE)
        bad[_line_of(np.flatnonzero(np.append(lone, False) | (marks == 0)), ends)] = True
    if not chunk.isascii() and not _readable(chunk):
        bad[_line_of(np.flatnonzero(marks >= 128), ends)] = True
    starts = np.concatenate(([0], ends[:-1] + 1))
    longest = int((ends - starts).max(initial=0)) + 1
    pieces, kept = [], 0
    for i in np.flatnonzero(bad):
        pieces.append(chunk[kept : starts[i]])
        line = _rewritten(chunk[starts[i] : ends[i]], delimiter, columns)
        longest = max(longest, len(line))
        pieces.append(line)
        kept = int(ends[i]) + 1
    return (b"".join([*pieces, chunk[kept:]]) if pieces else chunk), longest


def _rewritten(line: bytes, delimiter: str, columns: int) -> bytes:
    text = line.decode("utf-8", "replace").removesuffix("\r")
    if columns > 1 and not text:
        return b""
    text = text.replace("\r", " ").replace("\0", " ")
    cells = [*split(text, delimiter), *[""] * columns][:columns]
    return (delimiter.join('"' + c.replace('"', '""') + '"' for c in cells) + "\n").encode()


def _uneven(marks: NDArray[np.uint8], delimiter: int, columns: int) -> NDArray[np.bool_]:
    """Find the lines with another number of cells, or with a quote out of place."""
    places = np.flatnonzero((marks == _LINE) | (marks == delimiter) | (marks == _QUOTE))
    kinds = marks[places]
    last = np.flatnonzero(kinds == _LINE)
    if len(last) + np.count_nonzero(kinds == delimiter) == len(kinds):
        return np.asarray(np.diff(last, prepend=-1) != columns, dtype=np.bool_)
    line = np.repeat(np.arange(len(last)), np.diff(last, prepend=-1))
    quotes = np.cumsum(kinds == _QUOTE)
    odd = (quotes - np.concatenate(([0], quotes[last[:-1]]))[line]) % 2 == 1
    bad = np.bincount(line[(kinds == delimiter) & ~odd], minlength=len(last)) != columns - 1
    bad |= odd[last]
    before = marks[np.maximum(places - 1, 0)]
    opened = (before == delimiter) | (before == _LINE) | (before == _QUOTE) | (places == 0)
    after = marks[np.minimum(places + 1, len(marks) - 1)]
    closed = (after == delimiter) | (after == _LINE) | (after == _QUOTE) | (after == _RETURN)
    bad[line[(kinds == _QUOTE) & ~np.where(odd, opened, closed)]] = True
    return np.asarray(bad, dtype=np.bool_)


def _line_of(places: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.unique(np.searchsorted(ends, places))


def _readable(chunk: bytes) -> bool:
    try:
        chunk.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the rest of a file in pieces that end with a line."""
    kept: list[bytes] = []
    while piece := file.read(CHUNK):
        whole, newline, rest = piece.rpartition(b"\n")
        if newline:
            yield b"".join([*kept, whole, newline])
            kept = []
        kept.append(rest)
    if tail := b"".join(kept):
        yield tail + b"\n"
