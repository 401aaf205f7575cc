"""Whether the different rows of a table that lies elsewhere have room in this machine's memory."""

from __future__ import annotations

import os
from math import prod

from tacit.core.errors import InvalidArgument
from tacit.data.reading.coding import Coding
from tacit.data.reading.opened import Opened

ARRAYS, OBJECTS = 6 * 8, 6 * 8 + 100
"""Bytes for each number of counts, about: as it comes, by column, sorted, and in a learner as a
word, or in a table of Python's."""


def check_room(opened: Opened, coding: Coding, number: int = ARRAYS) -> None:
    """Refuse counts that may be too many for this machine, by what is public about them.

    There are at most as many different rows as rows, and as values of the columns together. How
    many there are nobody may know; so what is refused depends on these two numbers alone. It is
    for tables that lie elsewhere, and for a number of rows that is public.
    """
    if opened.rows is None:
        return
    values, each = prod(coding.sizes), number * (len(coding.keys) + len(coding.sums))
    values <<= coding.labels if coding.jointly else 0
    most = memory() // each
    if values > most and (many := min(opened.rows(), values)) > most:
        raise InvalidArgument(
            f"these columns may have {many:,} different rows ({_bounds(values)}), which take "
            f"{many * each / 1e9:.0f} GB here, where there are {memory() / 1e9:.0f}: name fewer "
            "features, give them fewer values in the schema, choose rules (--class rules), which "
            "are scored where the rows are, or take a driver with so much memory"
        )


def memory() -> int:
    """Return how many bytes of memory this machine has.

    >>> memory() > 10**8
    True
    """
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _bounds(values: int) -> str:
    told = f"{values:,}" if values < 10**15 else f"about 10^{len(str(values)) - 1}"
    return f"as many as rows, of {told} that there can be"
