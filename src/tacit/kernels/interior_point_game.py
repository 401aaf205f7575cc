"""Matrix games by an interior point method: mixed strategies that stay away from the boundary.

How it works. Prices from a corner of the optimal face jump about as choices are added to a game;
those from its middle do not, which is what column generation needs [GGM16]. So `balanced` keeps
both players' strategies strictly positive and follows the central path: each step solves the Newton
equations twice with one factorisation, first for the goal itself (the predictor), which says how
far the path bends, then corrected for that (Mehrotra). The rows' steps are eliminated, so the
system has one line a column of the game and two more (`_system`). Nothing here is exact: floats
propose, and who calls takes the two values as proposals.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.kernels.compiled import compiled

STEPS = 80
"""Newton steps; twenty are usual, and more do not help."""
SHORT = 0.98
"""The share of the way to the boundary that a step goes."""
APART = 0.1
"""How far from the boundary it begins: a share of the mixture, and a distance of the values."""
LEAST = 1e-30
"""The least probability and pivot: not 0, by which would be divided."""
ROUNDING = 1e-15
"""A value's rounding error: the ends are moved apart by it."""
NEAR = 1e-6
"""Values this near that do not come nearer are as near as floats bring them."""


@compiled
def balanced(payoff: Any, prices: Any, goal: Any) -> Any:
    """Return a mixture of the rows, which pay, prices of the columns, and what is proved by either.

    Mehrotra's predictor and corrector from strictly feasible strategies, until the mixture pays at
    most `goal` more than the prices are paid. `prices` is where to begin.
    """
    rows, columns = payoff.shape
    p, q = np.full(rows, 1 / rows), (1 - APART) * prices + APART / columns
    upper, lower = _paid(payoff, p).max() + APART, _taken(payoff, q).min() - APART
    for _ in range(STEPS):
        slack, excess = upper - _paid(payoff, p), _taken(payoff, q) - lower
        if upper - lower < goal:
            break
        mean = ((p * excess).sum() + (q * slack).sum()) / (rows + columns)
        ratio = p / excess
        system = _system(payoff, ratio, slack / q)
        order = _factor(system)
        first, second = -p * excess, -q * slack
        for corrected in (False, True):
            shift = first / excess
            right = np.zeros(columns + 2)
            right[:columns] = _paid(payoff, shift) + second / q
            right[columns] = -shift.sum()
            step = _solved(system, order, right)
            dq, dlower, dupper = step[:columns], step[columns], step[columns + 1]
            dexcess = _taken(payoff, dq) - dlower
            dp, dslack = (first - p * dexcess) / excess, (second - slack * dq) / q
            a, b = (
                min(_room(p, dp), _room(slack, dslack)),
                min(_room(q, dq), _room(excess, dexcess)),
            )
            if not corrected:
                aim = ((p + a * dp) * (excess + b * dexcess)).sum()
                aim += ((q + b * dq) * (slack + a * dslack)).sum()
                aim = (aim / (rows + columns) / mean) ** 3 * mean
                first, second = aim - p * excess - dp * dexcess, aim - q * slack - dq * dslack
        further_p = np.maximum(p + SHORT * a * dp, LEAST)
        further_q = np.maximum(q + SHORT * b * dq, LEAST)
        further_p, further_q = further_p / further_p.sum(), further_q / further_q.sum()
        above = max(upper + SHORT * a * dupper, _paid(payoff, further_p).max() + ROUNDING)
        below = min(lower + SHORT * b * dlower, _taken(payoff, further_q).min() - ROUNDING)
        most = upper - lower if upper - lower < NEAR else np.inf
        if not above - below < most:
            break
        p, q, upper, lower = further_p, further_q, above, below
    return p, q, _paid(payoff, p).max(), _taken(payoff, q).min()


@compiled
def _paid(payoff: Any, p: Any) -> Any:
    total = np.zeros(payoff.shape[1])
    for i in range(len(payoff)):
        for x in range(payoff.shape[1]):
            total[x] += p[i] * payoff[i, x]
    return total


@compiled
def _taken(payoff: Any, q: Any) -> Any:
    total = np.empty(len(payoff))
    for i in range(len(payoff)):
        value = 0.0
        for x in range(payoff.shape[1]):
            value += payoff[i, x] * q[x]
        total[i] = value
    return total


@compiled
def _room(value: Any, step: Any) -> Any:
    """Return how far a step may go, up to 1, until an entry is 0."""
    room = 1.0
    for i in range(len(value)):
        if value[i] + room * step[i] < 0:
            room = -value[i] / step[i]
    return room


@compiled
def _system(payoff: Any, ratio: Any, diagonal: Any) -> Any:
    """Return the equations for the steps of the prices and of both values."""
    rows, n = payoff.shape
    system = np.zeros((n + 2, n + 2))
    used = np.empty(n, dtype=np.int64)
    for i in range(rows):
        count = 0
        # Most entries are 0 (a good protocol errs rarely), and a row adds to n^2 places otherwise.
        for x in range(n):
            if payoff[i, x] != 0:
                used[count] = x
                count += 1
        for j in range(count):
            x = used[j]
            weight = ratio[i] * payoff[i, x]
            system[n, x] -= weight
            for k in range(j + 1):
                system[x, used[k]] += weight * payoff[i, used[k]]
    for x in range(n):
        system[x, x] += diagonal[x]
        for y in range(x):
            system[y, x] = system[x, y]
        system[x, n] = system[n, x]
        system[x, n + 1] = system[n + 1, x] = 1
    system[n, n] = ratio.sum()
    return system


@compiled
def _factor(a: Any) -> Any:
    """Factor a matrix in place, with the largest pivots; return the order of its rows."""
    n = len(a)
    order = np.arange(n)
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[best, k]):
                best = i
        if best != k:
            order[k], order[best] = order[best], order[k]
            for j in range(n):
                a[k, j], a[best, j] = a[best, j], a[k, j]
        if a[k, k] == 0:
            a[k, k] = LEAST  # the step is then useless, which the caller sees, but finite
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            factor = a[i, k]
            for j in range(k + 1, n):
                a[i, j] -= factor * a[k, j]
    return order


@compiled
def _solved(a: Any, order: Any, b: Any) -> Any:
    n = len(a)
    x = b[order]
    for i in range(n):
        for j in range(i):
            x[i] -= a[i, j] * x[j]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            x[i] -= a[i, j] * x[j]
        x[i] /= a[i, i]
    return x
