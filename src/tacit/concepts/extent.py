"""How long a line of integers is: told by its bits, or by the exact number of its values."""

from __future__ import annotations

from tacit.core import check
from tacit.core.errors import InvalidArgument


def read_extent(bits: int | None, values: int | None) -> int:
    """Return the number of values of {0, ..., 2^bits - 1}, or of {0, ..., values - 1}.

    >>> read_extent(7, None), read_extent(None, 121)
    (128, 121)
    """
    if (bits is None) == (values is None):
        raise InvalidArgument(
            "a line needs bits or values, one of the two, such as bits=7 or values=121"
        )
    if bits is not None:
        return 1 << check.count(bits=bits, least=1)
    assert values is not None
    return check.count(values=values, least=2)


def write_extent(values: int) -> str:
    """Write what `read_extent` reads, by bits where that is exact.

    >>> write_extent(128), write_extent(121)
    ('bits=7', 'values=121')
    """
    bits = values.bit_length() - 1
    return f"bits={bits}" if values == 1 << bits else f"values={values}"
