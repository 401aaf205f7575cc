"""The worst case over all true shares p of a probability that is known cell by cell."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from fractions import Fraction
from heapq import heapify, heappop, heappush

from tacit.core.numbers.enclosures import Enclosure, lower, upper
from tacit.probability.binomial_tails import bits_for

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
