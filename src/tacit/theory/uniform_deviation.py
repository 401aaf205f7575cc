"""How far the errors on n rows can be from the true ones, for all concepts at once.

`single`, `windows` and `ghosts` return a number of rows r, rounded up: with probability at least
1 - beta over n i.i.d. rows no concept has n times its true error above its errors by more than r.
Proofs in docs/proofs/shared_cover.md.
"""

from __future__ import annotations

from fractions import Fraction

from tacit.core import check
from tacit.core.balls import Ball, ball, exp_upper, lower, upper
from tacit.core.exact import Exact
from tacit.theory.binomial_tails import above, bits_for

BITS = 96
ADDED = 1 << 20
LARGEST = Fraction(1000)
"""Nobody asks for less than e^-1000."""


def single(n: int, beta: Exact) -> Fraction:
    """Return r for one concept, fixed before the rows are drawn [Hoe63, Thm. 1].

    >>> float(single(10_000, 0.05))
    122.3...
    """
    beta = check.probability(beta=beta)
    return upper(lambda: (n * ball(1 / beta).log() / 2).sqrt(), BITS)


def windows(n: int, beta: Exact) -> Fraction:
    """Return r for all thresholds, in one direction or both.

    What a threshold gets wrong is a window in a suitable order of all records, so two one-sided
    deviations of an empirical distribution [Mas90, Thm. 1] are all that matters.

    >>> float(windows(10_000, 0.05))
    271.6...
    """
    beta = check.probability(beta=beta)
    return upper(lambda: (2 * n * ball(2 / beta).log()).sqrt(), BITS)


def ghosts(n: int, beta: Exact, *, patterns: int) -> Fraction:
    """Return r for a class that can label 2 n points in at most so many ways.

    A second sample is drawn, and both are dealt anew from their union [VC71; Ser74, Cor. 1.1].

    >>> float(ghosts(10_000, 0.05, patterns=20_001))
    369...
    """
    beta = check.probability(beta=beta)
    bound = upper(lambda: ((n + 1) * ball(2 * patterns / beta).log()).sqrt(), BITS)
    return Fraction(-(-bound.numerator // bound.denominator))


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
