"""How far the errors on n rows can be from the true ones, for all concepts at once.

`single` and `scattered` return a number of rows r, rounded up: with probability at least 1 - beta
over n i.i.d. rows no concept has n times its true error above its errors by more than r. So does
`beside_one`, for what concepts err more than a fixed one.
Proofs in docs/proofs/shared_cover.md.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

from scipy.special import bdtr

from tacit.core import Exact, check
from tacit.core.numbers.enclosures import Enclosure, exp_upper, lower, real, upper
from tacit.core.numbers.least import least, least_near
from tacit.probability.binomial_tails import above, bits_for

BITS = 96
ADDED = 1 << 20
LARGEST = Fraction(1000)
"""Nobody asks for less than e^-1000."""
PARTS, TIMES = (4, 8, 16, 32, 64), (1, 8)


def single(n: int, beta: Exact) -> Fraction:
    """Return r for one concept, fixed before the rows are drawn [Hoe63, Thm. 1].

    >>> float(single(10_000, 0.05))
    122.3...
    """
    beta = check.probability(beta=beta)
    return upper(lambda: (n * real(1 / beta).log() / 2).sqrt(), BITS)


def beside_one(n: int, beta: Exact) -> Fraction:
    """Return r for what all thresholds err more than one, fixed before the rows are drawn.

    Where another threshold and the fixed one differ is a beginning or an end of one order of the
    points; the records on which only the one errs, or only the other, grow with it. So all that
    matters are four one-sided deviations of empirical distributions [Mas90, Thm. 1], in pairs.

    >>> float(beside_one(10_000, 0.05))
    296.0...
    """
    beta = check.probability(beta=beta)
    return upper(lambda: (2 * n * real(4 / beta).log()).sqrt(), BITS)


def scattered(n: int, beta: Exact) -> Fraction:
    """Return r for all concepts that are one point each.

    A point that occurs j times is the point of j of n rows, and the others do not know that; points
    that occur less often are nearly all wrong on the same rows.

    >>> float(scattered(10_000, 0.05))
    233.5...
    """
    beta, n = check.probability(beta=beta), max(n, 1)
    return min(_scattered(n, beta, times) for times in TIMES)


def _scattered(n: int, beta: Fraction, times: int) -> Fraction:
    """Bound the deviation of points that occur so many times, and of the others."""

    def expected(t: int) -> bool:
        return t >= n or n * few(n, Fraction(t, n), times - 1) <= beta * t / 4

    rare = times - 1 + least_near(expected, _rare_about(n, float(beta), times), low=times)
    others = upper(lambda: rare + (n * real(4 / beta).log() / 2).sqrt(), BITS)
    often = upper(
        lambda: (n * real(max(Fraction(2), Fraction(2 * n, times)) / beta).log() / 2).sqrt(), BITS
    )
    return max(others, 1 + often)


def scattered_about(n: int, beta: float) -> float:
    """Return about `scattered`, for comparisons: it promises nothing.

    >>> round(scattered_about(10_000, 0.05), 1)
    233.6
    """
    return min(
        max(
            times - 1 + _rare_about(n, beta, times) + math.sqrt(n * math.log(4 / beta) / 2),
            1 + math.sqrt(n * math.log(max(2.0, 2 * n / times) / beta) / 2),
        )
        for times in TIMES
    )


def _rare_about(n: int, beta: float, times: int) -> int:
    return least(lambda t: t >= n or n * few_about(n, t / n, times - 1) <= beta * t / 4, low=times)


@lru_cache(maxsize=1 << 12)
def few(n: int, mass: Fraction, rows: int) -> Fraction:
    """Bound the probability that a set of this mass holds at most so few of n rows, rounded up.

    The binomial tail itself up to 2^20 rows; beyond, Chernoff's bound e^(-n H(rows / n, mass)) with
    H the relative entropy [Hoe63, Thm. 1]. Remembered, for searches ask the same again.

    >>> float(few(100, Fraction(1, 2), 40)), float(few(10**9, Fraction(1, 10), 99_900_000))
    (0.0284..., 7.33...e-25)
    """
    if n <= ADDED:
        return upper(lambda: above(n, 1 - mass, n - rows), bits_for(n))
    share = Fraction(rows, n)
    if share >= mass:
        return Fraction(1)

    def loss() -> Enclosure:
        sides = ((share, mass), (1 - share, 1 - mass))
        return n * sum((real(x) * real(x / m).log() for x, m in sides if x), real(0))

    return exp_upper(-min(lower(loss, BITS + n.bit_length()), LARGEST))


def few_about(n: int, mass: float, rows: int) -> float:
    """Return about `few`, for comparisons: it promises nothing.

    >>> round(few_about(100, 0.5, 40), 4), few_about(10**30, 0.1, 10**28)
    (0.0284, 0.0)
    """
    if rows >= n:
        return 1.0
    if n <= ADDED:
        return float(bdtr(rows, n, mass))
    share = rows / n
    if share >= mass:
        return 1.0
    loss = -(1 - share) * math.log1p((share - mass) / (1 - share))
    loss += share * math.log(share / mass) if share else 0.0
    return math.exp(-min(n * max(loss, 0.0), 700.0)) if n * loss < LARGEST else 0.0


def few_at_points(n: int, mass: Fraction, rows: int) -> Fraction:
    """Bound the probability that some point of enough mass, with the target's, has so few rows.

    Enough is what makes the two together more than `mass`. If the target alone has nearly that, its
    own rows are too few; else the others each have some mass, so that there are not many.

    >>> float(few_at_points(2000, Fraction(1, 10), 140))
    0.00024...
    """
    share = float(mass)
    whole = few_about(n, share, rows)
    left = mass / min(PARTS, key=lambda part: _apart(n, share, rows, whole, part))
    return max(few(n, mass - left, rows), (1 - mass + left) / left * few(n, mass, rows))


def few_at_points_about(n: int, mass: float, rows: int) -> float:
    """Return about `few_at_points`, for comparisons: it promises nothing.

    >>> round(few_at_points_about(2000, 0.1, 140), 6)
    0.000266
    """
    whole = few_about(n, mass, rows)
    return min(_apart(n, mass, rows, whole, part) for part in PARTS)


def _apart(n: int, mass: float, rows: int, whole: float, part: int) -> float:
    return max(few_about(n, mass * (1 - 1 / part), rows), part / mass * whole)
