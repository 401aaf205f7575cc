"""How many messages say whether a point lies on a line over Z_p: about p, though LDim is 2.

Of the papers: FX14 Thm 2.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from tacit.core import check
from tacit.core.numbers.exact import Exact


def line_bound(p: int, error: Exact) -> Fraction:
    """Return a number such that no public-coin protocol of this error has fewer messages.

    Two independent points of lines that share a message seldom collide, so the points on them look
    uniform: N >= 4 (1 - 2 error)^2 (p - 1)^2 / p (docs/proofs/communication.md).

    >>> from math import log2
    >>> [round(log2(line_bound(p, "1/3")), 3) for p in (101, 10007, 2**31 - 1)]
    [5.46, 12.119, 29.83]
    """
    check.count(p=p, least=2)
    error = check.small_probability(error=error)
    if 2 * error >= 1:
        return Fraction(1)
    return max(Fraction(1), 4 * (1 - 2 * error) ** 2 * Fraction((p - 1) ** 2, p))


def line_messages_upper(p: int, error: Exact) -> int:
    """Return a number of messages with which a public-coin protocol of this error exists.

    Alice sends the bucket of her line under a random function; Bob says yes if it holds one of the
    p lines through his point. `LineHashing` runs this with a hash that is cheap to draw.

    >>> from math import log2
    >>> [round(log2(line_messages_upper(p, "1/3")), 3) for p in (101, 10007, 2**31 - 1)]
    [8.243, 14.874, 32.585]
    """
    error = check.small_probability(error=error)
    if 2 * error >= 1:
        return 1
    return min(p * p, ceil(p / error)) if error else p * p
