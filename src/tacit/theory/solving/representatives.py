"""How many unlabelled points are enough for their labellings to stand for a whole class."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb

from tacit.core import check
from tacit.core.errors import TooLarge
from tacit.core.numbers.enclosures import log_upper
from tacit.core.numbers.exact import Exact
from tacit.core.numbers.least import least

WIDEST = 1 << 20
"""Bits of a number of labellings that is computed: about a second's work."""


def sauer(dimension: int, points: int) -> int:
    """Bound the labellings of `points` points by a class of this VC dimension [Sau72].

    >>> sauer(1, 10), sauer(3, 3)
    (11, 8)
    """
    if min(dimension, points) * points.bit_length() > WIDEST:
        raise TooLarge(f"labellings of that many points are counted up to {WIDEST} bits")
    total = many = 1
    for size in range(min(dimension, points)):
        many = many * (points - size) // (size + 1)  # from one binomial coefficient to the next
        total += many
    return total


@dataclass(frozen=True, slots=True)
class Representatives:
    """One concept for each labelling of m i.i.d. points: does each concept have one within gamma?

    Fails with probability at most min(C(N, 2) (1 - gamma)^m, 2 C(S, 2) 2^(-ceil(gamma m / 2))),
    N the size of the class and S = sauer(vc, 2m); the second needs m >= 1 / gamma. Proof in
    docs/proofs/label_private.md.

    >>> Representatives(1 << 1024, 1).points("0.05", "0.025")
    1081
    """

    size: int
    vc: int

    def suffices(self, m: int, gamma: Exact, failure: Exact) -> bool:
        """Whether m points certainly fail with at most this probability."""
        gamma, failure = check.probability(gamma=gamma), check.probability(failure=failure)
        pairs = comb(self.size, 2)
        if pairs == 0 or log_upper(pairs / failure) + m * log_upper(1 - gamma) <= 0:
            return True
        patterns = comb(sauer(self.vc, 2 * m), 2)
        halvings = -(-gamma * m // 2)
        return m >= 1 / gamma and 2 * patterns <= failure * 2 ** int(halvings)

    def points(self, gamma: Exact, failure: Exact) -> int:
        """Return a number of points that suffices, and about the least."""
        return least(lambda m: self.suffices(m, gamma, failure), low=1)

    def count(self, m: int) -> int:
        """Bound the number of representatives."""
        return min(self.size, sauer(self.vc, m))


def shares(alpha: Fraction) -> list[Fraction]:
    """Return the parts of alpha that a planner tries for gamma."""
    return [alpha * j / 20 for j in range(1, 16)]
