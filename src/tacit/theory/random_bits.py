"""How likely a uniform matrix of bits pins every linear function down, even without one row."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb, prod


def matrices_of_rank(rows: int, columns: int, rank: int) -> int:
    """Count the rows x columns matrices over two elements of this rank.

    >>> [matrices_of_rank(2, 2, r) for r in range(3)]
    [1, 9, 6]
    """
    if rank > min(rows, columns):
        return 0
    spans = prod(((1 << rows) - (1 << i)) * ((1 << columns) - (1 << i)) for i in range(rank))
    return spans // prod((1 << rank) - (1 << i) for i in range(rank))


@lru_cache(maxsize=4096)
def pinned(rows: int, columns: int) -> Fraction:
    """Return the probability that rank `columns` is kept whichever row is left out.

    Rows without which the rank falls are counted by inclusion and exclusion: j such rows add j
    dimensions to those of the others (docs/proofs/block_parity.md).

    >>> pinned(2, 1), pinned(3, 1)
    (Fraction(1, 4), Fraction(1, 2))
    """
    total = sum(
        (-1) ** j
        * comb(rows, j)
        * matrices_of_rank(rows - j, columns, columns - j)
        * prod((1 << columns) - (1 << columns - j + i) for i in range(j))
        for j in range(min(columns, rows) + 1)
    )
    return Fraction(total, 1 << rows * columns)
