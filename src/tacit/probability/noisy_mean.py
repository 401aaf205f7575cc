"""How many rows answer one statistical query within a tolerance, by two certified bounds.

Proofs in docs/proofs/statistical_queries.md.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from heapq import heapify, heappop, heappush

from tacit.core import Decay, check, least
from tacit.core.numbers.enclosures import Enclosure, exp_upper, log_upper, lower, real, upper
from tacit.core.numbers.exact import Exact, log_near
from tacit.probability.binomial_tails import above, bits_for, noisy_above

STEPS = 60
FAR = Fraction(1000)
EXACT = 3000  # rows up to which all true shares are tried


@dataclass(frozen=True, slots=True)
class NoisyMean:
    """The mean of m i.i.d. bits, each of `draws` parties adding two-sided geometric noise once.

    >>> mean = NoisyMean(Decay.of(Fraction(1)))
    >>> mean.chernoff_size("0.1", "0.01"), mean.size("0.1", "0.01")
    (273, 180)
    """

    decay: Decay
    draws: int = 1

    def chernoff(self, m: int, tolerance: Exact) -> Fraction:
        """Bound the chance of an error above the tolerance, for every true share.

        2 exp(m s^2 / 8 - s tolerance m) times E exp(s Z) for each draw, at the best s found; it
        does not increase with m.
        """
        tolerance = check.probability(tolerance=tolerance)
        t, rate = float(tolerance), -log_near(self.decay.ratio)
        exponent = lambda s: m * (s * s / 8 - s * t) + self.draws * moment(s, rate)  # noqa: E731
        s = Fraction(convex_minimum(exponent, rate))
        drift = m * (s * s / 8 - s * tolerance)
        spread = upper(lambda: moment_log(self.decay, s, self.draws), 192)
        return min(Fraction(1), 2 * exp_upper(max(drift + spread, -FAR)))

    def chernoff_size(self, tolerance: Exact, failure: Exact) -> int:
        """Return the least m whose Chernoff bound is at most `failure`."""
        failure = check.probability(failure=failure)
        return least(lambda m: self.chernoff(m, tolerance) <= failure, low=1)

    def failure(self, m: int, tolerance: Exact, goal: Exact) -> Fraction:
        """Bound the same chance exactly, over cells of true shares, if possible by `goal`.

        Not monotone in m. Several draws, and m above 3000, are left to the Chernoff bound.

        >>> float(NoisyMean(Decay.of(Fraction(1))).failure(183, "0.1", "0.00917"))
        0.00916...
        """
        tolerance = check.probability(tolerance=tolerance)
        if self.draws > 1 or m > EXACT:
            return self.chernoff(m, tolerance)
        return worst_share(
            m,
            lambda p, k: noisy_above(m, p, self.decay, k),
            tolerance=tolerance,
            low=Fraction(0),
            goal=check.probability(goal=goal),
        )

    def size(self, tolerance: Exact, failure: Exact) -> int:
        """Return a number of rows that certainly suffices: itself certified, and near the least."""
        failure = check.probability(failure=failure)
        most = self.chernoff_size(tolerance, failure)
        if most > EXACT or self.draws > 1:
            return most
        return least(lambda m: self.failure(m, tolerance, failure) <= failure, 1, most)


@dataclass(frozen=True, slots=True)
class LocalMean:
    """The mean of m i.i.d. bits, each flipped with probability q / (1 + q), made unbiased.

    >>> LocalMean(Decay.of(Fraction(1))).hoeffding_size("0.1", "0.01")
    1241
    """

    decay: Decay

    @property
    def flip(self) -> Fraction:
        """The probability that a bit is flipped."""
        return self.decay.ratio / (1 + self.decay.ratio)

    def hoeffding_size(self, tolerance: Exact, failure: Exact) -> int:
        """Return the least m with 2 exp(-2 m (tolerance (1 - 2 flip))^2) <= failure."""
        told = check.probability(tolerance=tolerance) * (1 - 2 * self.flip)
        return math.ceil(log_upper(2 / check.probability(failure=failure)) / (2 * told**2))

    def failure(self, m: int, tolerance: Exact, goal: Exact) -> Fraction:
        """Bound the chance of an error above the tolerance exactly, over cells of true shares.

        For m above 3000 it is Hoeffding's bound [Hoe63].

        >>> float(LocalMean(Decay.of(Fraction(1))).failure(1241, "0.1", "0.00125"))
        0.0012...
        """
        told = check.probability(tolerance=tolerance) * (1 - 2 * self.flip)
        if m > EXACT:
            return min(Fraction(1), 2 * exp_upper(max(-2 * m * told**2, -FAR)))
        return worst_share(
            m,
            lambda p, k: above(m, p, k),
            tolerance=told,
            low=self.flip,
            goal=check.probability(goal=goal),
        )

    def size(self, tolerance: Exact, failure: Exact) -> int:
        """Return a number of rows that certainly suffices: itself certified, and near the least."""
        failure = check.probability(failure=failure)
        most = self.hoeffding_size(tolerance, failure)
        if most > EXACT:
            return most
        return least(lambda m: self.failure(m, tolerance, failure) <= failure, 1, most)


def moment_log(decay: Decay, s: Fraction, draws: int | Fraction) -> Enclosure:
    """Enclose the logarithm of E exp(s Z) for a sum Z of two-sided geometric variables."""
    q, grown = real(decay.ratio), real(s).exp()
    one = (1 - q) ** 2 / ((1 - q * grown) * (1 - q / grown))
    return real(draws) * one.log()


def moment(s: float, rate: float) -> float:
    """Return about the logarithm of E exp(s Z) for one two-sided geometric variable."""
    one, more, less = (math.log(-math.expm1(-x)) for x in (rate, rate - s, rate + s))
    return 2 * one - more - less


def convex_minimum(convex: Callable[[float], float], end: float) -> float:
    """Return about where a convex function on (0, end) is least."""
    low, high = 0.0, end * (1 - 1e-9)
    for _ in range(STEPS):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, right) if convex(left) <= convex(right) else (left, high)
    return (low + high) / 2


Tail = Callable[[Fraction, int], Enclosure]
"""(p, k) to an enclosure of P[X >= k], X of m trials of chance p: increasing in p."""

MOST_CELLS = 2000


def worst_share(
    m: int, tail: Tail, *, tolerance: Fraction, low: Fraction, goal: Fraction
) -> Fraction:
    """Bound the largest P[|X - m p| > tolerance m] over p in [low, 1 - low], if possible by goal.

    X is symmetric: m - X has the law of X at 1 - p, so p <= 1/2 will do. For p in a cell [a, b]
    the chance is at most P_b[X > m (a + tolerance)] + P_a[X < m (b - tolerance)], because X grows
    with p. The cell with the largest bound is halved, at a place where the integers inside those
    inequalities change if there is one, until no bound exceeds the goal, or the chance at some
    share does.
    """

    def bound(a: Fraction, b: Fraction) -> Fraction:
        high = math.floor(m * (a + tolerance)) + 1
        few = math.ceil(m * (b - tolerance)) - 1
        total = lambda: tail(b, high) + tail(1 - a, m - few)  # noqa: E731
        return upper(total, bits_for(m))

    def beyond(p: Fraction) -> bool:
        high, few = math.floor(m * (p + tolerance)) + 1, math.ceil(m * (p - tolerance)) - 1
        return lower(lambda: tail(p, high) + tail(1 - p, m - few), bits_for(m)) > goal

    half = Fraction(1, 2)
    jumps = _jumps(m, tolerance, low, half)
    cells = [(-bound(low, half), low, half)]
    heapify(cells)
    for _ in range(MOST_CELLS):
        worst, a, b = cells[0]
        middle = _middle(jumps, a, b)
        if -worst <= goal or beyond((a + b) / 2):
            break
        heappop(cells)
        for cell in ((a, middle), (middle, b)):
            heappush(cells, (-bound(*cell), *cell))
    return min(Fraction(1), -cells[0][0])


def _jumps(m: int, tolerance: Fraction, low: Fraction, high: Fraction) -> list[Fraction]:
    """Return where m (p + tolerance) or m (p - tolerance) is an integer."""
    found = set()
    for shift in (tolerance, -tolerance):
        start, end = math.ceil(m * (low + shift)), math.floor(m * (high + shift))
        found |= {Fraction(k, m) - shift for k in range(start, end + 1)}
    return sorted(found)


def _middle(jumps: list[Fraction], a: Fraction, b: Fraction) -> Fraction:
    inside = jumps[bisect_right(jumps, a) : bisect_left(jumps, b)]
    return inside[len(inside) // 2] if inside else (a + b) / 2
