"""Cut lines of CSV into cells, byte by byte: the cells of a line are a function of that line.

How it works. The loop in `_cut` walks over the lines of a chunk. Nothing that it finds in a line
outlives the line: there is no open quote, no count of columns and no kind of line that the next one
could inherit, which is what makes replacing one line replace one row. A cell begins after a
delimiter. If its first byte that is no space is a quote, and the line closes that quote, then the
quoted part is copied, doubled quotes once, and after it whatever stands before the next delimiter;
else the cell goes to the next delimiter as it is, quotes included. NUL and a carriage return inside
of a line are blanks.

All wanted cells are copied one after the other, row by row, and `starts` says where each begins:
two neighbours in `starts` are the ends of a cell. Then `_gather` lays the cells of one column side
by side, as Arrow wants them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tacit.kernels.compiled import compiled

LONGEST = 1 << 20
"""Bytes of a line that are read, so that no line can fill the memory; the rest is cut off."""

_LINE, _QUOTE, _RETURN, _SPACE = b'\n"\r '


def cut(lines: bytes, delimiter: str, columns: int, wanted: Sequence[int]) -> list[pa.Array]:
    """Return the cells of some columns, as bytes, of lines that all end with a line break.

    A line without a byte is no row, unless there is one column only. Cells that a line lacks are
    empty, and those that it has beyond are left out.

    >>> [column.to_pylist() for column in cut(b'1;"a;""b"\\n2\\n\\n;x;y\\n', ";", 2, [1, 0])]
    [[b'a;"b', b'', b'x'], [b'1', b'2', b'']]
    """
    text = np.frombuffer(lines, dtype=np.uint8)
    order = sorted(set(wanted))
    place = np.full(columns, -1, dtype=np.int64)
    place[order] = np.arange(len(order))
    most = int(np.count_nonzero(text == _LINE))
    starts = np.zeros(most * len(order) + 1, dtype=np.int64)
    kept = np.empty(len(text), dtype=np.uint8)
    rows = _cut(text, ord(delimiter), columns, place, len(order), starts, kept)
    made = {}
    for i, column in enumerate(order):
        offsets = np.zeros(rows + 1, dtype=np.int64)
        _measure(starts, i, len(order), offsets)
        held = np.empty(int(offsets[-1]), dtype=np.uint8)
        _gather(starts, i, len(order), offsets, kept, held)
        made[column] = _array(offsets, held)
    return [made[column] for column in wanted]


def _array(offsets: NDArray[np.int64], held: NDArray[np.uint8]) -> Any:
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(held)]
    return pa.LargeBinaryArray.from_buffers(pa.large_binary(), len(offsets) - 1, buffers)


@compiled
def _shown(byte: int) -> int:
    return _SPACE if byte == _RETURN or byte == 0 else byte


@compiled
def _closing(text: Any, quote: int, stop: int) -> int:
    """Return where a quote at a place is closed before the line ends, or -1."""
    at = quote + 1
    while at < stop:
        if text[at] == _QUOTE:
            if at + 1 < stop and text[at + 1] == _QUOTE:
                at += 2
                continue
            return at
        at += 1
    return -1


@compiled
def _cut(
    text: Any, delimiter: int, columns: int, place: Any, width: int, starts: Any, kept: Any
) -> int:
    """Copy the wanted cells of every line to `kept`, and return how many rows there are."""
    rows, written, line = 0, 0, 0
    while line < len(text):
        end = line
        while text[end] != _LINE:
            end += 1
        stop = min(end, line + LONGEST)
        if stop > line and text[stop - 1] == _RETURN:
            stop -= 1
        if stop == line and columns > 1:
            line = end + 1
            continue
        at, column, cell = line, 0, rows * width
        while column < columns:
            wanted = place[column] >= 0
            if wanted:
                starts[cell] = written
                cell += 1
            quote = at
            while quote < stop and _shown(text[quote]) == _SPACE:
                quote += 1
            if quote < stop and text[quote] == _QUOTE:
                at = quote
                closing = _closing(text, quote, stop)
                if closing >= 0:
                    at = quote + 1
                    while at < closing:
                        if wanted:
                            kept[written] = _shown(text[at])
                            written += 1
                        at += 2 if text[at] == _QUOTE else 1
                    at = closing + 1
            while at < stop and text[at] != delimiter:
                if wanted:
                    kept[written] = _shown(text[at])
                    written += 1
                at += 1
            at += 1
            column += 1
        rows += 1
        line = end + 1
    starts[rows * width] = written
    return rows


@compiled
def _measure(starts: Any, column: int, width: int, offsets: Any) -> None:
    """Set the offsets of a column's cells when they stand side by side."""
    for row in range(len(offsets) - 1):
        cell = row * width + column
        offsets[row + 1] = offsets[row] + starts[cell + 1] - starts[cell]


@compiled
def _gather(starts: Any, column: int, width: int, offsets: Any, kept: Any, held: Any) -> None:
    """Copy the cells of one column side by side."""
    for row in range(len(offsets) - 1):
        at = starts[row * width + column]
        for byte in range(offsets[row], offsets[row + 1]):
            held[byte] = kept[at]
            at += 1
