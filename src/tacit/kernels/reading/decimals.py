"""Read plain decimals out of texts, cell by cell.

How it works. A text of at most 15 digits, with a sign, a point and blanks around it or not, is an
integer m below 2^53 over a power of ten 10^k with k up to 15. Both are floats exactly, and IEEE
division rounds correctly, so m / 10^k is the float nearest to what is written: what Python's own
`float` gives. Whatever else a cell holds (exponents, more digits, words, bytes that are no digits)
is left to be read one by one, by the definition.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiled import compiled

_DIGITS = 15
"""Every integer of so many digits is below 2^53, and so is the power of ten."""
_POWERS = np.array([10**k for k in range(_DIGITS + 1)], dtype=np.float64)
_TAB, _LINE, _RETURN, _SPACE, _PLUS, _MINUS, _POINT, _ZERO, _NINE = b"\t\n\r +-.09"


def decimals(cells: Any) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the numbers in an Arrow array of type large_binary, and which cells were left out.

    >>> import pyarrow as pa
    >>> numbers, left = decimals(pa.array([b" -7.50 ", b"12", b"1e3", None], pa.large_binary()))
    >>> numbers[:2].tolist(), left.tolist()
    ([-7.5, 12.0], [False, False, True, True])
    """
    _, places, held = cells.buffers()
    offsets = np.frombuffer(places, dtype=np.int64)[cells.offset : cells.offset + len(cells) + 1]
    text = np.frombuffer(b"" if held is None else held, dtype=np.uint8)
    numbers = np.zeros(len(cells), dtype=np.float64)
    left = np.zeros(len(cells), dtype=np.bool_)
    _decimals(text, offsets, _POWERS, numbers, left)
    if cells.null_count:
        left |= cells.is_null().to_numpy(zero_copy_only=False)
    return numbers, left


@compiled
def _blank(byte: int) -> bool:
    return byte in (_SPACE, _TAB, _LINE, _RETURN)


@compiled
def _decimals(text: Any, offsets: Any, powers: Any, numbers: Any, left: Any) -> None:
    """Read each cell by itself."""
    for cell in range(len(numbers)):
        at, stop = offsets[cell], offsets[cell + 1]
        while at < stop and _blank(text[at]):
            at += 1
        while stop > at and _blank(text[stop - 1]):
            stop -= 1
        negative = at < stop and text[at] == _MINUS
        if at < stop and (negative or text[at] == _PLUS):
            at += 1
        whole, digits, places, pointed, plain = 0, 0, 0, False, True
        while at < stop and plain:
            byte = text[at]
            if byte >= _ZERO and byte <= _NINE and digits < _DIGITS:
                whole = 10 * whole + (byte - _ZERO)
                digits += 1
                places += pointed
            elif byte == _POINT and not pointed:
                pointed = True
            else:
                plain = False
            at += 1
        if not plain or digits == 0:
            left[cell] = True
        else:
            number = whole / powers[places]
            numbers[cell] = -number if negative else number
