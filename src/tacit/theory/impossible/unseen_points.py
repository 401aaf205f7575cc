"""How many rows any learner needs, private or not: points that it has not seen."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from scipy.special import bdtrc

from tacit.core import Exact, check
from tacit.theory.impossible.differing_rows import GUARD, Floats, number

MOST = 64
"""Points: the chance that so many of them stay unseen is computed in milliseconds."""
ROUNDING = 2.0**-51
"""What one addition and one multiplication of doubles may lose, relatively."""
SMALL_ALPHA, SMALL_BETA = Fraction(1, 8), Fraction(1, 100)
"""Where the bound in closed form is proved [EHKV89, Theorem 1]."""


def vc_bound(vc: int, *, alpha: Exact, beta: Exact) -> int:
    """Bound the rows of any learner at all by d points that the class shatters.

    One point takes the rest of the mass; the others are m light ones whose labels are fair coins.
    Of those that no row shows, half are guessed wrong on average; if t + 1 of mass above
    alpha / (t + 1) are, the learner has failed. Best over m and t; for many points, and where it
    is proved, also (d - 1) / (32 alpha) [EHKV89; docs/proofs/lower_bounds.md]. Nothing is claimed
    for d = 1: two concepts that agree nowhere are told apart by one row.

    >>> vc_bound(2, alpha=0.1, beta=0.05), vc_bound(2, alpha="1e-4", beta="0.49")
    (22, 203)
    """
    d, error, failure = check.count(vc=vc), number(alpha=alpha), number(beta=beta)
    best = 0
    if check.exact(alpha=alpha) <= SMALL_ALPHA and check.exact(beta=beta) <= SMALL_BETA:
        best = max(0, math.ceil((d - 1) / (32 * error) * (1 - GUARD)))
    for light, wrong, mass in _settings(min(d, MOST), error):
        best = max(best, _rows(light, wrong, mass, failure))
    return best


def unseen(*, alpha: Exact, beta: Exact) -> int:
    """Bound the rows of any learner of two concepts that differ somewhere and agree somewhere.

    With mass just above alpha where they differ, and no row there, it guesses.

    >>> unseen(alpha=0.1, beta=0.05), unseen(alpha=0.1, beta=0.5)
    (22, 0)
    """
    return _rows(1, 1, min(number(alpha=alpha), 1.0), number(beta=beta))


def _settings(d: int, error: float) -> Iterator[tuple[int, int, float]]:
    """Yield numbers of light points, how many wrong ones of them are a failure, and their mass.

    A light point has just above alpha / wrong, so that their mass is below 1; the heavy point has
    the rest. Without a heavy point the light ones share all of the mass.
    """
    for light in sorted({d - 1, *(1 << i for i in range(d.bit_length()))} - {0, d}):
        for wrong in _steps(math.floor(light * error) + 1, light):
            yield light, wrong, light * error / wrong
    if d > 1:
        yield d, math.floor(d * error) + 1, 1.0


def _steps(first: int, last: int) -> Iterator[int]:
    while first <= last:
        yield first
        first += max(1, first // 4)


def _rows(light: int, wrong: int, mass: float, failure: float) -> int:
    """Return the least n at which so many wrong guesses of unseen points have chance beta at most.

    The number of points seen is a Markov chain; its powers of two are squared once, then the last
    n at which the failure is too likely is put together from them, the highest first. All terms are
    positive, so n steps have a relative error of n (light + 2) roundings at most: by so much more
    the failure must exceed beta.
    """
    hidden = np.arange(light, -1, -1)
    fails = np.where(hidden < wrong, 0.0, bdtrc(wrong - 1, np.maximum(hidden, wrong), 0.5))
    state = np.zeros(light + 1)
    state[0] = 1.0

    def likely(chances: Floats, n: int) -> bool:
        lost = n * (light + 2) * ROUNDING
        return bool(float(chances @ fails) > (failure + GUARD) * (1 + lost))

    if not likely(state, 0):
        return 0
    if mass >= 1 and light == 1:
        return 1
    powers = [_step(light, mass)]
    while likely(state @ powers[-1], 1 << len(powers) - 1) and len(powers) < MOST:
        powers.append(powers[-1] @ powers[-1])
    rows = 0
    for i in reversed(range(len(powers))):
        later = state @ powers[i]
        if likely(later, rows + (1 << i)):
            state, rows = later, rows + (1 << i)
    return rows + 1


def _step(light: int, mass: float) -> Floats:
    """Return the chances that one row shows a new light point, by how many were seen."""
    new = mass * (1 - np.arange(light + 1) / light)
    matrix = np.diag(1 - new)
    matrix[np.arange(light), np.arange(1, light + 1)] = new[:-1]
    return matrix
