"""How many rows a mistake tree asks of private learners, proper or not.

Of the papers: FX14 Cor 11, BNS19 Thm 19.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from scipy.special import bdtr

from tacit.core import check
from tacit.core.numbers.exact import Exact
from tacit.core.numbers.least import least
from tacit.theory.impossible.differing_rows import GUARD, LARGE, added, grown, mean, number

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


def path_bound(depth: int, *, epsilon: Exact, alpha: Exact, beta: Exact, delta: Exact = 0) -> int:
    """Bound the rows of a private learner, proper or not, by a mistake tree of this depth.

    The root's point has mass 1 - w, the m points of a random path below it w together. Whoever
    errs at most alpha is wrong at t points of the path, t = alpha m / w rounded down, and one
    function is so for a share P[Bin(m, 1/2) <= t] of all paths. The rows of a path differ from
    those at the root alone in K ~ Bin(n, w), so that success on average is at most
    E min(1, share e^(epsilon K) + delta (e^(epsilon K) - 1) / (e^epsilon - 1)): a local
    bound for (epsilon, delta) and a tree at once [BNS19, Theorem 19 and Section 6.1;
    docs/proofs/lower_bounds.md].

    >>> path_bound(64, epsilon=1, alpha="0.01", beta="0.05")
    437
    """
    rate, error, failure = number(epsilon=epsilon), number(alpha=alpha), number(beta=beta)
    shift = added(rate, float(check.small_probability(delta=delta)))
    tried = []
    for bits, wrong in _weights(min(check.count(depth=depth), DEEPEST), error):
        share, mass = float(bdtr(wrong, bits, 0.5)), error * bits / (wrong + 1)
        # E e^(epsilon K) alone, which is what the minimum with 1 improves
        raised = math.log((1 - failure + shift) / (share + shift)) if failure < 1 else 0.0
        each = math.log1p(mass * math.expm1(min(rate, 700.0)))
        tried.append((raised / each * (1 - GUARD), share, mass))
    best = max((math.floor(rows) for rows, _, _ in tried), default=0)
    for _, share, mass in sorted(tried, reverse=True)[:TRIED] if 0 < best <= LARGE else ():

        def possible(n: int, share: float = share, mass: float = mass) -> bool:
            success = mean(
                n, mass, lambda k: np.minimum(1.0, (share + shift) * grown(rate, k) - shift)
            )
            return n > LARGE or success + GUARD >= 1 - failure

        best = least(possible, low=best)
    return best


def _weights(depth: int, error: float) -> Iterator[tuple[int, int]]:
    """Yield lengths of paths, and how often a good hypothesis may be wrong along them."""
    lengths = {depth - 1, *(round(depth * 0.8**i) for i in range(24))}
    for bits in sorted(length for length in lengths if 1 <= length < depth):
        for wrong in range(math.floor(bits * error), (bits + 1) // 2):
            if error * bits / (wrong + 1) < 1:
                yield bits, wrong


def _entropy(p: float) -> float:
    """Return the binary entropy in bits."""
    return 0.0 if p <= 0 else -(p * math.log2(p) + (1 - p) * math.log2(1 - p))
