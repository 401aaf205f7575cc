"""How long a line of integers is: told by its bits, or by the exact number of its values."""

from __future__ import annotations

from tacit.core import check
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.exact import told

WIDEST = 4096
"""Bits of a point, all columns together, of a class that is learned or read from a text. Every
number that is drawn or written then has fewer digits than the 4,300 that Python writes."""

LONGEST, PLANNED = 1 << 20, 1 << 16
"""Bits of a point of a line that is only planned for, from Python, and from a text."""


def within(bits: int, *, said: str, up_to: int = WIDEST) -> int:
    """Return the bits of a point; refuse too many of them, before anything is made of them.

    >>> within(1 << 14, said="bits x dims")
    Traceback (most recent call last):
    tacit.core.errors.InvalidArgument: bits x dims is 16384, and points have up to 4096 bits: ...
    """
    if bits > up_to:
        raise InvalidArgument(
            f"{said} is {told(bits)}, and points have up to {up_to} bits: take fewer columns, or "
            "columns of fewer values"
        )
    return bits


def line_length(bits: int | None, values: int | None) -> int:
    """Return the number of values of {0, ..., 2^bits - 1}, or of {0, ..., values - 1}.

    >>> line_length(7, None), line_length(None, 121)
    (128, 121)
    """
    if (bits is None) == (values is None):
        raise InvalidArgument(
            "a line needs bits or values, one of the two, such as bits=7 or values=121"
        )
    if bits is not None:
        return 1 << within(check.count(bits=bits, least=1), said="bits", up_to=LONGEST)
    assert values is not None
    read = check.count(values=values, least=2)
    within((read - 1).bit_length(), said="the bits of values", up_to=LONGEST)
    return read
