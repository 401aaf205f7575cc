"""How likely a uniform matrix of bits pins every linear function down, even without one row."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tacit.core.numbers.enclosures import Enclosure, lower, real

BITS = 512


@lru_cache(maxsize=4096)
def pinned(rows: int, columns: int) -> Fraction:
    """Return the probability that rank `columns` is kept whichever row is left out.

    Rows without which the rank falls are counted by inclusion and exclusion (docs/proofs/
    block_parity.md). Exact if it has up to 512 bits, and else rounded down to so many.

    >>> pinned(2, 1), pinned(3, 1), pinned(3, 4)
    (Fraction(1, 4), Fraction(1, 2), Fraction(0, 1))
    """
    spare, total = rows - columns, 0
    if spare <= 0:
        return Fraction(0)
    spaces, ways = _spaces(rows, spare), 1
    for j in range(columns + 1):
        total += (-1) ** j * ways * spaces
        spaces = spaces * ((1 << columns - j) - 1) // ((1 << rows - j) - 1)
        ways = ways * (rows - j) // (j + 1)

    def chance() -> Enclosure:
        found = real(Fraction(total, 1 << spare * columns))
        for i in range(1, columns + 1):
            found *= real(Fraction((1 << i) - 1, 1 << i))
        return found

    return lower(chance, BITS)


def _spaces(dims: int, of: int) -> int:
    """Count the subspaces of dimension `of` of a space over two elements."""
    found = 1
    for i in range(of):
        found = found * ((1 << dims - i) - 1) // ((1 << i + 1) - 1)
    return found
