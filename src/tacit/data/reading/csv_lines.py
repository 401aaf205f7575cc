"""CSV, one line one row: whatever a line holds, it is one row, and only that row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from tacit.core.errors import InvalidArgument
from tacit.data.schema.cell import BLANKS, number
from tacit.kernels.reading.csv_cells import LONGEST, cut

CHUNK = 1 << 24
"""Bytes that are read at a time, and cut at the last line break."""
_MARK = b"\xef\xbb\xbf"
_DELIMITERS = ",;\t|"


class CsvFile:
    """A UTF-8 text file with a header; see `CsvHeader`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with path.open("rb") as file:
            self.header = CsvHeader.read(file.readline(LONGEST), title=str(path))
        self.names = self.header.names

    def batches(self, names: Sequence[str]) -> Iterator[list[Any]]:
        """Yield the rows in order, the named columns as arrays of bytes."""
        with self.path.open("rb") as file:
            file.readline(LONGEST)
            for lines in _chunks(file):
                yield self.header.cells(lines, names)


@dataclass(frozen=True, slots=True)
class CsvHeader:
    """The names in a first line, which says by , ; tab or | what separates the cells.

    Guarantee:
        Rows are the lines after the header that are not empty (in a file of one column: all of
        them; a line of blanks is not empty), each read by itself. So replacing one line replaces
        one row. Short lines are padded, long ones cut, a quote that is never closed is a
        character, and bytes that are not UTF-8 become the replacement character. A mark of the
        byte order is one at the start of the file only.

    >>> CsvHeader.read(b"age;sick\\n", title="t.csv")
    CsvHeader(names=['age', 'sick'], delimiter=';')
    """

    names: list[str]
    delimiter: str

    @classmethod
    def read(cls, first: bytes, *, title: str) -> CsvHeader:
        """Read a first line, or say why it names no columns."""
        head = first.removeprefix(_MARK)
        if len(first) == LONGEST:
            raise InvalidArgument(f"{title} has no header: its first line has more than 1 MiB")
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

    def cells(self, lines: bytes, names: Sequence[str]) -> list[Any]:
        """Return the named columns of whole lines, as arrays of bytes."""
        places = {name: place for place, name in enumerate(self.names)}
        return cut(lines, self.delimiter, len(self.names), [places[name] for name in names])


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


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the rest of a file in pieces that end with a line; of a long line only its beginning.

    Where a piece ends depends on all lines before it, and no line is read otherwise for it.
    """
    line = b""
    while piece := file.read(CHUNK):
        whole, newline, rest = piece.rpartition(b"\n")
        if newline:
            yield b"".join((line, whole, newline))
            line = b""
        line = (line + rest)[: LONGEST + 1]
    if line:
        yield line + b"\n"
