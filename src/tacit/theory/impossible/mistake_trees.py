"""How many rows a mistake tree asks of private learners, proper or not.

Of the papers: FX14 Cor 11, BNS19 Thm 19.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from tacit.core import Exact, check, least
from tacit.theory.impossible.differing_rows import GUARD, LARGE, added, mean, number
from tacit.theory.impossible.packing import ROUNDED, failing

DEEPEST = 1 << 10
"""Levels of a path that are summed over; a deeper tree holds one of these."""
TRIED = 24
"""How many ways to weigh a path are tried: more gain less than a row in a hundred."""


def littlestone_bound(dimension: int, *, epsilon: Exact, alpha: Exact, beta: Exact) -> int:
    """Bound the rows of a pure learner, proper or not, by the Littlestone dimension [FX14].

    The distribution puts mass 1 - w on the root of a mistake tree and w on a path below; a random
    path has d - 1 bits, of which the hypothesis reveals 1 - H(e) each; best over w.

    >>> littlestone_bound(100, epsilon=1, alpha=0.1, beta=0.05)
    31
    """
    check.count(dimension=dimension)
    rate, error, failure = number(epsilon=epsilon), number(alpha=alpha), number(beta=beta)
    best = 0.0
    for w in np.append(np.geomspace(error, 1, 2000), 1.0):
        bits = dimension - 1 if w < 1 else dimension
        wrong = (1 - failure) * error / w + failure
        if wrong < 0.5:
            best = max(best, math.log(2) * bits * (1 - _entropy(wrong)) / (rate * w))
    return math.ceil(best * (1 - GUARD))


def path_bound(
    depth: int, *, epsilon: Exact, alpha: Exact, beta: Exact, delta: Exact = 0, labels: int = 1
) -> int:
    """Bound the rows of a private learner, proper or not, by a mistake tree of this depth.

    The root's point has mass 1 - w, the m points of a random path below it w together. Whoever
    errs at most alpha is wrong at t points of the path, t = alpha m / w rounded down, and one
    function is so for the sum of C(m, j), j <= t, of all 2^m paths; the rows of two paths differ in
    K ~ Bin(n, w) at most. That is a packing in which a function may be good for several: a local
    bound for (epsilon, delta) and a tree at once [BNS19, Theorem 19 and Section 6.1;
    docs/proofs/lower_bounds.md]. Of several `labels` each has a path of its own, if the points are
    the same whatever the path: a shattered set of `depth` points.

    >>> path_bound(64, epsilon=1, alpha="0.01", beta="0.05")
    448
    >>> [path_bound(21, epsilon=1, alpha="0.01", beta="0.05", labels=k) for k in (1, 10)]
    [243, 1603]
    """
    rate, error, failure = number(epsilon=epsilon), number(alpha=alpha), number(beta=beta)
    slack, k = float(check.small_probability(delta=delta)), check.count(labels=labels, least=1)
    shift, tried = added(rate, slack), []
    log_shift = math.log(shift) if shift else -math.inf
    for bits, wrong, log_good in _weights(min(check.count(depth=depth), DEEPEST), error):
        mass, log_others = error * bits / (wrong + 1), _less_one(k * bits * math.log(2))
        # E e^(epsilon K) alone, in closed form; the average over another's rows improves on it
        share = float(np.logaddexp(k * (log_good - bits * math.log(2)), log_shift))
        raised = math.log(1 - failure + shift) - share if failure < 1 else 0.0
        each = math.log1p(mass * math.expm1(min(rate, 700.0)))
        log_spare = _less_one(k * log_good) * (1 + ROUNDED) - log_others * (1 - ROUNDED)
        tried.append((raised / each * (1 - GUARD), mass, log_others, log_spare))
    best = max((math.floor(rows) for rows, *_ in tried if rows > 0), default=0)
    for _, mass, *told in sorted(tried, reverse=True)[:TRIED] if best <= LARGE else ():

        def possible(n: int, mass: float = mass, told: list[float] = told) -> bool:
            fails = mean(n, mass, lambda rows: failing(rows, rate, slack, *told))
            return n > LARGE or fails <= failure + GUARD

        best = least(possible, low=best)
    return best


def _weights(depth: int, error: float) -> Iterator[tuple[int, int, float]]:
    """Yield lengths of paths, how often a good hypothesis may be wrong, and ln of for how many."""
    lengths = {depth - 1, *(round(depth * 0.8**i) for i in range(24))}
    for bits in sorted(length for length in lengths if 1 <= length < depth):
        good = 0
        for wrong in range((bits + 1) // 2):
            good += math.comb(bits, wrong)
            if error * bits < wrong + 1:
                yield bits, wrong, math.log(good)


def _less_one(log: float) -> float:
    """Return ln(e^x - 1)."""
    return log + math.log1p(-math.exp(-log)) if log > 0 else -math.inf


def _entropy(p: float) -> float:
    """Return the binary entropy in bits."""
    return 0.0 if p <= 0 else -(p * math.log2(p) + (1 - p) * math.log2(1 - p))
