"""How many rows no private learner can do without: bounds with their constants.

Each function returns a number of rows n such that fewer do not suffice. Floats are used with a
margin on the safe side: a sum of probabilities is moved by `GUARD` towards the smaller bound.

Of the papers: FX14 Thm 6, FX14 Cor 11, BNS19 Ex 10, BNS16 Remark 4.8, BNS16 Thm 5.1, BNS16 Remark
5.2, BNS16 Thm 5.4.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, betainc

from tacit.core import check
from tacit.core.numbers.exact import Exact
from tacit.core.numbers.least import least, least_near
from tacit.probability.binomial_floats import binomial_chances

GUARD = 1e-9
SPREAD = 14.0
BINS = 1 << 12
LARGE = 1 << 30
NEARS = 24
FLAT = 1e-5
"""Coins of a smaller bias are too many to sum over."""


@dataclass(frozen=True, slots=True)
class LowerBound:
    """No learner that `applies_to` describes reaches the accuracy with fewer than n rows.

    `proper` says that it binds proper learners only, `expected` that it is about the error on
    average, `uniform` that uniform points are as hard already.
    """

    name: str
    n: int
    theorem: str
    applies_to: str
    proper: bool = False
    expected: bool = False
    uniform: bool = False

    def binds(self, *, proper: bool) -> bool:
        """Whether it binds those who may fail with probability beta, if proper or not."""
        return not self.expected and (proper or not self.proper)

    @property
    def facts(self) -> dict[str, str | int]:
        """What is told of it, by name."""
        return {
            "name": self.name,
            "n": self.n,
            "theorem": self.theorem,
            "applies_to": self.applies_to,
        }


def packing(families: int, *, epsilon: Exact, beta: Exact, mass: Exact = 1) -> int:
    """Bound the rows of a pure learner that must tell apart this many distributions.

    Their rows differ where an event of this mass happens, and what is good for one is bad for all
    others. If K rows differ, the average success is at most 1 / (1 + (M - 1) e^(-epsilon K)); and
    M E[e^(-epsilon K)] <= 1 for what remains when the learner fails where it hurts least
    [docs/proofs/lower_bounds.md].

    >>> packing(2**32 - 1, epsilon=1, beta=0.05, mass=0.1)
    312
    """
    check.count(families=families, least=1)
    rate, failure = _number(epsilon=epsilon), _number(beta=beta)
    share = min(float(check.positive(mass=mass)), 1.0)
    log_others = math.log(families - 1) if families > 1 else -math.inf

    def possible(n: int) -> bool:
        counts, chances = _binomial(n, share)
        success = float(chances @ (1 / (1 + np.exp(np.minimum(log_others - rate * counts, 700.0)))))
        kept = _without_lowest(chances, failure)
        log_total = math.log(families) + _log_mean(kept, -rate * counts)
        return success + GUARD >= 1 - failure and log_total <= GUARD

    about = _fewest(log_others, rate, failure, share)
    return about if about > LARGE else least_near(possible, about)


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
    mean = wanted + rare * 2 / 3 - math.sqrt(rare * (2 * wanted + rare * 4 / 9))
    return math.floor(max(mean, 0.0) / share * (1 - GUARD))


def littlestone_bound(dimension: int, *, epsilon: Exact, alpha: Exact, beta: Exact) -> int:
    """Bound the rows of a pure learner, proper or not, by the Littlestone dimension [FX14].

    The distribution puts mass 1 - w on the root of a mistake tree and w on a path below; a random
    path has d - 1 bits, of which the hypothesis reveals 1 - H(e) each; best over w.

    >>> littlestone_bound(100, epsilon=1, alpha=0.1, beta=0.05)
    31
    """
    check.count(dimension=dimension)
    rate, error, failure = _number(epsilon=epsilon), _number(alpha=alpha), _number(beta=beta)
    best = 0.0
    for w in np.append(np.geomspace(error, 1, 2000), 1.0):
        bits = dimension - 1 if w < 1 else dimension
        wrong = (1 - failure) * error / w + failure
        if wrong < 0.5:
            best = max(best, math.log(2) * bits * (1 - _entropy(wrong)) / (rate * w))
    return math.ceil(best * (1 - GUARD))


def protocol_bound(
    messages: Callable[[float], float | Fraction], *, epsilon: Exact, alpha: Exact, beta: Exact
) -> int:
    """Bound the rows of a pure learner by the `messages` that protocols of any error need.

    Runs of the learner on two constant, public samples are a representation, and that a protocol
    [BNS19 Lemma 16; FX14 Thm 6 and Thm 7; docs/proofs/lower_bounds.md]; best over how near and how
    surely.

    >>> lines = lambda error: 4 * (1 - 2 * error) ** 2 * 10006**2 / 10007
    >>> protocol_bound(lines, epsilon="0.1", alpha="0.1", beta="0.1")
    221
    """
    rate, error = _number(epsilon=epsilon), _number(alpha=alpha)
    failure, tried = float(check.probability(beta=beta)), []
    for near in np.geomspace(error, 0.5, NEARS, endpoint=False) if error < 0.5 else ():
        share = min(1.0, error / float(near))
        for miss in np.geomspace(1e-3, 0.5, NEARS):
            both = float(near + miss - near * miss)
            needed = math.ceil(float(messages(both)) * (1 - GUARD)) if both < 0.5 else 1
            runs = needed - 1 if share == 1 else math.ceil(needed / 2) - 1
            if runs > 0:
                log_hit = math.log(-math.expm1(math.log(miss) / runs) * (1 + GUARD))
                each = math.log1p(share * math.expm1(min(rate, 700.0)))
                tried.append(((math.log(1 - failure) - log_hit) / each, log_hit, share))
    tried = sorted(tried, reverse=True)[:NEARS]
    best = math.floor(max(0.0, tried[0][0]) * (1 - GUARD)) if tried else 0
    for _, log_hit, share in tried if best < LARGE else ():
        best = least(_likely(log_hit, rate, failure, share), low=best)
    return best


def _likely(log_hit: float, rate: float, failure: float, share: float) -> Callable[[int], bool]:
    """Whether K of Bin(n, share) raises E min(1, hit e^(epsilon K)) to 1 - beta; or n is huge."""

    def likely(n: int) -> bool:
        counts, chances = _binomial(n, share)
        success = float(chances @ np.exp(np.minimum(log_hit + rate * counts, 0.0)))
        return n > LARGE or success * (1 + GUARD) + GUARD >= 1 - failure

    return likely


def two_concepts(*, epsilon: Exact, delta: Exact, alpha: Exact, beta: Exact) -> int:
    """Bound the rows of any private learner of a class with two concepts that differ somewhere.

    A distribution with mass just above 2 alpha where they differ; group privacy over its rows.

    >>> two_concepts(epsilon=1, delta=0, alpha=0.05, beta=0.05)
    30
    """
    rate, slack = _number(epsilon=epsilon), float(check.small_probability(delta=delta))
    error, failure = _number(alpha=alpha), _number(beta=beta)
    shift = slack / math.expm1(rate)
    odds = (1 - failure + shift) / (failure + shift)
    return max(0, math.ceil(math.log(odds) / (2 * error * rate) * (1 - GUARD)))


def many_labels(labels: int, *, epsilon: Exact, delta: Exact, alpha: Exact) -> int:
    """Bound the rows of a learner of k arbitrary labels, by fingerprinting [BNS16].

    For expected excess error alpha at most 1/8, and any class with two concepts that agree on one
    point and differ on another [docs/proofs/lower_bounds.md].

    >>> many_labels(10**4, epsilon=1, delta="1e-9", alpha=0.01)
    652
    """
    k, rate = check.count(labels=labels, least=1), _number(epsilon=epsilon)
    slack, error = float(check.small_probability(delta=delta)), _number(alpha=alpha)
    if 8 * error > 1:
        return 0
    cost = math.sqrt(2 / 3) * math.sinh(min(rate, 700.0)) + 4 * slack * math.sqrt(k)
    return math.ceil(math.sqrt(k) / (16 * error * cost) * (1 - GUARD))


def vc_bound(vc: int, *, alpha: Exact, beta: Exact) -> int:
    """Bound the rows of any learner at all, private or not, by the VC dimension [EHKV89].

    >>> vc_bound(1, alpha=0.1, beta=0.05)
    22
    """
    check.count(vc=vc)
    error, failure = _number(alpha=alpha), _number(beta=beta)
    if vc == 0:
        return 0
    unseen = math.log(1 / (2 * failure)) / -math.log1p(-error) if failure < 0.5 else 0.0
    return max(math.ceil(unseen * (1 - GUARD)), math.ceil((vc - 1) / (32 * error) * (1 - GUARD)))


def coins(labels: int, *, alpha: Exact, beta: Exact) -> int:
    """Bound the rows of any learner of k arbitrary labels, private or not [AB99, Lemma 5.1].

    All mass on one point where two concepts differ, and each label a coin of bias just above
    alpha / 2, to one side or the other: who is wrong about the side errs by more than alpha.

    >>> coins(1, alpha=0.1, beta=0.05), coins(100, alpha=0.1, beta=0.05)
    (269, 1073)
    """
    k = check.count(labels=labels, least=1)
    error, failure = _number(alpha=alpha), _number(beta=beta)
    wrong_each = -math.expm1(math.log1p(-failure) / k) if failure < 1 else 1.0

    def possible(half: int) -> bool:  # of 2 half + 1 coins, at most half fall to the right side
        wrong = float(betainc(half + 1.0, half + 1.0, (1 - error) / 2))
        return wrong * (1 - 1e-6) <= wrong_each

    if wrong_each >= 0.5:
        return 0
    if error < FLAT:  # the same, in closed form
        spread = (1 - error**2) / error**2 * (1 - GUARD)
        rows = -spread * math.log(8 * wrong_each * (1 - 2 * wrong_each))
        return max(math.floor(rows) - 1, coins(k, alpha=FLAT, beta=beta))
    return 2 * least(possible) + 1


def _number(**named: Exact) -> float:
    return float(check.positive(**named))


def _entropy(p: float) -> float:
    """Return the binary entropy in bits."""
    return 0.0 if p <= 0 else -(p * math.log2(p) + (1 - p) * math.log2(1 - p))


def _binomial(n: int, share: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the counts that are not negligible and their probabilities.

    Of very many, those in a bin count as its greatest: both conditions are then easier to meet, so
    the bound can only get smaller.
    """
    if share >= 1 or n == 0:
        return np.array([float(n)]), np.array([1.0])
    reach = SPREAD * math.sqrt(n * share * (1 - share)) + SPREAD
    low, high = max(0, math.floor(n * share - reach)), min(n, math.ceil(n * share + reach))
    if high - low < BINS:
        counts = np.arange(low, high + 1, dtype=np.float64)
        return counts, binomial_chances(counts, n, share)
    ends = np.unique(np.linspace(low, high, BINS).astype(np.int64)).astype(np.float64)
    return ends, np.diff(bdtr(ends, n, share), prepend=0.0)


def _without_lowest(chances: NDArray[np.float64], beta: float) -> NDArray[np.float64]:
    """Take probability beta away from the lowest counts, where good hypotheses are likeliest."""
    below = np.concatenate(([0.0], np.cumsum(chances)[:-1]))
    return np.clip(chances - np.clip(beta + GUARD - below, 0, None), 0, None)


def _log_mean(weights: NDArray[np.float64], exponents: NDArray[np.float64]) -> float:
    used = weights > 0
    if not used.any():
        return -math.inf
    top = float(exponents[used].max())
    return top + math.log(float(weights[used] @ np.exp(exponents[used] - top)))
