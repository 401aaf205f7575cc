"""How many rows it takes to tell concepts apart, two or many: packings, and group privacy.

Of the papers: BNS19 Ex 10, BNS16 Thm 5.1, BNS16 Remark 5.2, BNS16 Lemma 5.3, BNS16 Thm 5.4.
"""

from __future__ import annotations

import math

import numpy as np

from tacit.core import Exact, check
from tacit.core.numbers.least import least_near
from tacit.theory.impossible.differing_rows import GUARD, LARGE, Floats, added, mean, number

ROUNDED = 1e-15
"""What a logarithm of a large number, or its product with a rate, may lose, relatively."""


def packing(
    families: int, *, epsilon: Exact, beta: Exact, mass: Exact = 1, delta: Exact = 0
) -> int:
    """Bound the rows of a learner that must tell apart this many distributions.

    Their rows differ where an event of this mass happens, and what is good for one is bad for all
    others; with mass alpha in the limit from above. For two concepts that differ where the mass is,
    and for votes for one of many candidates, the best private law fails exactly so often
    [docs/proofs/lower_bounds.md].

    >>> packing(2**32 - 1, epsilon=1, beta=0.05, mass=0.1)
    320
    >>> packing(2**8, epsilon=1, beta=0.1, mass=0.1, delta="1e-6")
    107
    >>> packing(2, epsilon="1/2", delta="1e-6", beta=0.05, mass=0.05)
    206
    """
    if check.count(families=families, least=1) == 1:
        return 0
    rate, failure = number(epsilon=epsilon), number(beta=beta)
    share = min(float(check.positive(mass=mass)), 1.0)
    slack = float(check.small_probability(delta=delta))
    log_others = math.log(families - 1)

    def possible(n: int) -> bool:
        fails = mean(n, share, lambda rows: failing(rows, rate, slack, log_others))
        return n > LARGE or fails <= failure + GUARD

    about = _by_halves(rate, slack, failure + GUARD, share)
    about = about if slack else max(about, _fewest(log_others, rate, failure, share))
    return about if about > LARGE else max(about, least_near(possible, about))


def failing(
    rows: Floats,
    rate: float,
    slack: float = 0.0,
    log_others: float = 0.0,
    log_spare: float = -math.inf,
) -> Floats:
    """Return how often a learner fails at least if so many rows tell M distributions apart.

    With s = delta / (e^epsilon - 1), A = e^(epsilon i) and B = e^(epsilon (K - i)) it fails with
    (1 + 2 s - s (A + B) - B r) / (A + B / (M - 1)) on average, for every 0 <= i <= K: what i rows
    of another distribution do not change, and what they may. `log_others` is ln(M - 1); a function
    may be good for more than one in M, r (M - 1) more, of which `log_spare` is ln(r).

    >>> failing(np.arange(4.0), 1.0).round(4).tolist()
    [0.5, 0.2689, 0.1839, 0.0989]
    """
    shift, others = added(rate, slack), log_others * (1 - ROUNDED)
    total = rate * rows * (1 + ROUNDED)
    # without delta the best i solves x^2 = 2 c x + d, x = e^(epsilon i), c = r B A, d = B A / (M-1)
    spare = total + log_spare
    middle = np.floor(np.logaddexp(spare, np.logaddexp(2 * spare, total - others) / 2) / rate)
    best = np.zeros_like(rows)
    for steps in (np.zeros_like(rows), middle, middle + 1, np.floor(rows / 2)):
        few = rate * np.clip(steps, 0.0, rows)
        most = total - few
        lost = shift * (_exp(few) + _exp(most)) + _exp(most + log_spare)
        best = np.maximum(best, (1 + 2 * shift - lost) / _exp(np.logaddexp(few, most - others)))
    return best


def _exp(exponents: Floats) -> Floats:
    """Return e^x, as far as floats go: what is cut off is below any margin as a reciprocal."""
    return np.exp(np.minimum(exponents, 700.0))


def _by_halves(rate: float, slack: float, failure: float, share: float) -> int:
    """Return so many rows that fewer are too few for two distributions, by Jensen's inequality.

    The chance of failing is at least c e^(-epsilon K / 2) - s, which is convex in K.
    """
    shift, root = added(rate, slack), math.exp(min(rate, 700.0) / 2)
    chance = min(0.5 + shift, root * ((1 - slack) / (1 + root * root) + shift))
    if chance <= failure + shift:
        return 0
    return math.floor(2 * math.log(chance / (failure + shift)) / (rate * share) * (1 - GUARD))


def _fewest(log_others: float, rate: float, failure: float, share: float) -> int:
    """Return how many rows it takes at least until enough of them differ, but with chance GUARD.

    The success is at most that chance plus 1 / (1 + (M - 1) e^(-epsilon k)), k being what a
    binomial number exceeds so rarely by Bernstein's inequality.
    """
    if failure + 2 * GUARD >= 1:
        return 0
    most = log_others + math.log((1 - failure - 2 * GUARD) / (failure + 2 * GUARD))
    wanted, rare = max(most, 0.0) / rate, -math.log(GUARD)
    # n share + t <= wanted for t = rare / 3 + sqrt(rare^2 / 9 + 2 rare n share)
    mean_rows = wanted + rare * 2 / 3 - math.sqrt(rare * (2 * wanted + rare * 4 / 9))
    return math.floor(max(mean_rows, 0.0) / share * (1 - GUARD))


def rank_bound(dims: int, *, beta: Exact) -> int:
    """Bound the rows of any learner of parities over uniform points, for errors below 1/4.

    A hypothesis nearer than 1/4 tells the parity [BNS16 Lemma 5.3]. Of a uniform parity, n rows
    leave 2^(d - n) or more that are equally likely, so it is told with probability 2^(n - d) at
    most: n >= d - log2(1 / (1 - beta)).

    >>> rank_bound(16, beta=0.05), rank_bound(16, beta=0.5)
    (16, 15)
    """
    d, failure = check.count(dims=dims), float(check.probability(beta=beta))
    return max(0, math.ceil(d + math.log2(1 - failure) - 1e-9))
