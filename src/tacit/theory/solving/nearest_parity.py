"""The parity nearest to a truth table, by one fast Walsh-Hadamard transform.

Of the papers: BNS16 Lemma 5.3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.algebra.parities import Parity, walsh_hadamard
from tacit.core.errors import InvalidArgument


@dataclass(frozen=True, slots=True)
class Nearest:
    """A parity and on how many of the points it differs; `certain` if no other is as near.

    >>> Nearest(Parity(1), 0, 4).certain
    True
    """

    parity: Parity
    mistakes: int
    points: int

    @property
    def certain(self) -> bool:
        """Whether fewer than a quarter of the points differ: any two parities differ on half."""
        return 4 * self.mistakes < self.points


def nearest_parity(table: NDArray[np.bool_]) -> Nearest:
    """Return the parity that differs least from a function on {0, 1}^d, the first of several.

    Guarantee:
        If the function differs from some parity on less than a quarter of the points, then that
        parity is returned [BNS16 Lemma 5.3]; a quarter is not enough.

    Cost:
        d 2^d additions of integers.

    >>> x = np.arange(8)
    >>> odd = (x ^ x >> 2) & 1 == 1
    >>> odd[3] = not odd[3]
    >>> nearest_parity(odd)
    Nearest(parity=Parity(mask=5), mistakes=1, points=8)
    """
    size = len(table)
    if size == 0 or size & (size - 1) or table.dtype != np.bool_:
        raise InvalidArgument(f"a truth table has 2^d truth values, got {size} of {table.dtype}")
    agreements = walsh_hadamard(np.where(table, np.int64(-1), np.int64(1)))
    best = int(np.argmax(agreements))
    return Nearest(Parity(best), (size - int(agreements[best])) // 2, size)
