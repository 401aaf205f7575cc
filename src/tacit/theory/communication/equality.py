"""Public-coin protocols for equality, that is for points: the least error in closed form."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import isqrt

from tacit.core import check
from tacit.core.numbers.exact import Exact
from tacit.core.numbers.least import least, least_near


def equality_value(points: int, messages: int) -> Fraction:
    """Return the least error of a public-coin protocol that tells whether two points are equal.

    By symmetry only two errors count: where the points are equal and where they differ. Once the
    coins have fallen, s concepts share the message at which Bob says no, and the others are spread
    evenly over the other messages; the least error of a mixture is where the lower hull of these
    pairs of errors meets the diagonal (docs/proofs/communication.md).

    >>> [str(equality_value(16, s)) for s in (1, 2, 3, 4, 16)]
    ['1/2', '77/257', '175/832', '7/45', '0']
    >>> float(equality_value(2**64, 2))  # (3 + 2^(1/2)) / 14 in the limit
    0.3153...
    """
    m, n = check.count(points=points, least=2), check.count(messages=messages, least=1)
    if n >= m:
        return Fraction(0)

    if n == 1:
        return Fraction(1, 2)

    def missed(s: int) -> int:
        """Return the error on equal points with s concepts answered no, times m (m - 1)."""
        return s * (m - 1)

    def confused(s: int) -> int:
        """Return the error on different points, times m (m - 1)."""
        return _pairs(m - s, n - 1 if s else n)

    def touches(s: int) -> bool:
        """Whether the line from s = 0 is not above what comes after s."""
        return s == m or (confused(s + 1) - confused(s)) * s >= confused(s) - start

    start = confused(0)
    about = ((n + 1) * m - isqrt((n - 1) * (n + 3) * m * m)) // 2
    crossing = least_near(lambda s: missed(s) >= confused(s), about, low=1)
    touching = least_near(touches, isqrt(m * m // n), low=1)
    first, last = (0, touching) if touching >= crossing else (crossing - 1, crossing)
    a, b, c, d = missed(first), confused(first), missed(last), confused(last)
    return (a + Fraction((b - a) * (c - a), b - a + c - d)) / (m * (m - 1))


@lru_cache(maxsize=256)
def equality_messages(points: int, error: Exact) -> int:
    """Return the least number of messages with which equality has a protocol of this error.

    >>> [equality_messages(2**b, "1/4") for b in (2, 3, 4, 64)]
    [2, 3, 3, 3]
    """
    error = check.small_probability(error=error)
    return least(lambda messages: equality_value(points, messages) <= error, low=1)


def _pairs(count: int, cells: int) -> int:
    """Return how many ordered pairs share a cell when so many things are spread evenly."""
    each, more = divmod(count, cells)
    return more * (each + 1) * each + (cells - more) * each * (each - 1)
