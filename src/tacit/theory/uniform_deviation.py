"""How far the errors on n rows can be from the true ones, for all concepts at once.

`single`, `windows` and `scattered` return a number of rows r, rounded up: with probability at least
1 - beta over n i.i.d. rows no concept has n times its true error above its errors by more than r.
Proofs in docs/proofs/shared_cover.md.
"""

from __future__ import annotations

import math
from fractions import Fraction

from scipy.special import bdtr

from tacit.core import check
from tacit.core.balls import Ball, ball, exp_upper, lower, upper
from tacit.core.exact import Exact
from tacit.core.search import least
from tacit.theory.binomial_tails import above, bits_for

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
    return upper(lambda: (n * ball(1 / beta).log() / 2).sqrt(), BITS)


def windows(n: int, beta: Exact) -> Fraction:
    """Return r for all thresholds, in one direction or both.

    What a threshold gets wrong is an arc in a suitable cyclic order of all records. An arc that
    holds too few rows may be lengthened back to a row; seen from that row, one one-sided deviation
    of an empirical distribution [Mas90, Thm. 1] is all that matters, and there are n rows.

    >>> float(windows(10_000, 0.05))
    248.0...
    """
    beta = check.probability(beta=beta)
    return 1 + upper(lambda: (max(n - 1, 0) * ball(max(n, 2) / beta).log() / 2).sqrt(), BITS)


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

    rare = times - 1 + least(expected, start=times)
    others = upper(lambda: rare + (n * ball(4 / beta).log() / 2).sqrt(), BITS)
    often = upper(
        lambda: (n * ball(max(Fraction(2), Fraction(2 * n, times)) / beta).log() / 2).sqrt(), BITS
    )
    return max(others, 1 + often)


def few(n: int, mass: Fraction, rows: int) -> Fraction:
    """Bound the probability that a set of this mass holds at most so few of n rows, rounded up.

    The binomial tail itself up to 2^20 rows; beyond, Chernoff's bound e^(-n H(rows / n, mass)) with
    H the relative entropy [Hoe63, Thm. 1].

    >>> float(few(100, Fraction(1, 2), 40)), float(few(10**9, Fraction(1, 10), 99_900_000))
    (0.0284..., 7.33...e-25)
    """
    if n <= ADDED:
        return upper(lambda: above(n, 1 - mass, n - rows), bits_for(n))
    share = Fraction(rows, n)
    if share >= mass:
        return Fraction(1)

    def loss() -> Ball:
        sides = ((share, mass), (1 - share, 1 - mass))
        return n * sum((ball(x) * ball(x / m).log() for x, m in sides if x), ball(0))

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
    whole, share = few(n, mass, rows), float(mass)

    def estimate(part: int) -> float:
        alone = few_about(n, share * (1 - 1 / part), rows)
        return max(alone, part / share * float(whole))

    left = mass / min(PARTS, key=estimate)
    return max(few(n, mass - left, rows), (1 - mass + left) / left * whole)
