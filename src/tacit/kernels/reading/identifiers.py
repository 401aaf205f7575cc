"""Read identifiers of persons out of texts, cell by cell.

How it works. Blanks around a text are left out. Up to 18 digits are that integer. A text of ASCII
signs that cannot be a number, because it holds a letter that numbers have not, has the hash of its
bytes, large letters as small ones. Everything else (other signs, exponents, points) is left to be
read one by one, by the definition, which hashes as it is done here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.kernels.compiled import compiled

PLAIN = 1 << 61
"""Integers below this are their own codes."""
MISSING = (1 << 62) - 1
"""The code of all who have no identifier; hashes lie between PLAIN and it."""
_DIGITS = 18
_MASK = (1 << 64) - 1
_MIX, _FOLD = 0x9E3779B97F4A7C15, 29
_MIX64, _FOLD64, _PLAIN64, _SPAN64 = (np.uint64(x) for x in (_MIX, _FOLD, PLAIN, PLAIN - 1))
_TAB, _LINE, _RETURN, _SPACE, _ZERO, _NINE, _A, _Z, _SMALL_A, _SMALL_Z = b"\t\n\r 09AZaz"
_SMALL_E, _ASCII, _CASE = ord("e"), 128, 32


def hashed(read: bytes) -> int:
    """Return the code of bytes.

    >>> PLAIN <= hashed(b"p-7a") < MISSING
    True
    """
    value = 0
    for byte in read:
        value = (value ^ byte) * _MIX & _MASK
        value ^= value >> _FOLD
    return PLAIN + value % (PLAIN - 1)


def identifiers(cells: Any) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the codes of an Arrow array of type large_binary, and which cells were left out.

    >>> import pyarrow as pa
    >>> codes, left = identifiers(pa.array([b" 017 ", b"P-7a", b"1e3", None], pa.large_binary()))
    >>> codes[0].item(), codes[1].item() == hashed(b"p-7a"), left.tolist()
    (17, True, [False, False, True, True])
    """
    _, places, held = cells.buffers()
    offsets = np.frombuffer(places, dtype=np.int64)[cells.offset : cells.offset + len(cells) + 1]
    text = np.frombuffer(b"" if held is None else held, dtype=np.uint8)
    codes = np.full(len(cells), MISSING, dtype=np.int64)
    left = np.zeros(len(cells), dtype=np.bool_)
    _identifiers(text, offsets, codes, left)
    if cells.null_count:
        left |= cells.is_null().to_numpy(zero_copy_only=False)
    return codes, left


@compiled
def _blank(byte: int) -> bool:
    return byte in (_SPACE, _TAB, _LINE, _RETURN)


@compiled
def _identifiers(text: Any, offsets: Any, codes: Any, left: Any) -> None:
    """Read each cell by itself."""
    for cell in range(len(codes)):
        at, stop = offsets[cell], offsets[cell + 1]
        while at < stop and _blank(text[at]):
            at += 1
        while stop > at and _blank(text[stop - 1]):
            stop -= 1
        if at == stop:
            continue
        value, number, digits, word, plain = np.uint64(0), 0, True, False, True
        for i in range(at, stop):
            byte = text[i]
            if _A <= byte <= _Z:
                byte += _CASE
            plain &= byte < _ASCII
            digits &= _ZERO <= byte <= _NINE
            if digits and i - at < _DIGITS:
                number = 10 * number + (byte - _ZERO)
            word |= _SMALL_A <= byte <= _SMALL_Z and byte != _SMALL_E
            value = (value ^ np.uint64(byte)) * _MIX64
            value ^= value >> _FOLD64
        signed = text[at] < _ZERO
        if digits and stop - at <= _DIGITS:
            codes[cell] = number
        elif plain and word and not signed:
            codes[cell] = np.int64(_PLAIN64 + value % _SPAN64)
        else:
            left[cell] = True
