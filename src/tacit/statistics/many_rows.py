"""How many rows there may be: what is added up of fewer than 2^60 never wraps.

A score is at most n in absolute value, and a difference of two at most 2 n. So with n below 2^60
all sums, scores and gaps of scores fit into words of 64 bits, and nobody has to look at a private
count to know that. More rows are refused by their number.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from tacit.core import TooLarge, check

MOST_ROWS = 1 << 60
"""Rows there are fewer of: some thousand million tables of a thousand million rows."""
_HALF = 32


def summed(counts: NDArray[Any]) -> int:
    """Add up counts exactly, also where an int64 would wrap; up to 2^31 of them.

    >>> import numpy as np
    >>> summed(np.full(4, 1 << 62)) == 1 << 64
    True
    """
    high, low = counts >> _HALF, counts & ((1 << _HALF) - 1)
    return (int(high.sum()) << _HALF) + int(low.sum())


def check_many(n: int) -> int:
    """Read a number of rows; it is public, and refused if they are too many to add up in words.

    >>> check_many(1 << 60)
    Traceback (most recent call last):
    tacit.core.errors.TooLarge: fewer than 2^60 rows can be counted exactly: learn from parts of ...
    """
    if check.count(n=n) >= MOST_ROWS:
        raise TooLarge(
            "fewer than 2^60 rows can be counted exactly: learn from parts of the table, each by "
            "itself"
        )
    return n
