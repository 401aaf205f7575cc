"""How many rows a concept needs that disjoint blocks do not deny."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tacit.core import Accuracy, Decay, TooLarge
from tacit.core.numbers.enclosures import Enclosure, real, upper
from tacit.core.numbers.exact import log_near
from tacit.core.numbers.least import least, near_root
from tacit.probability.binomial_masses import binomial_chances

BITS = 192
HALF = Fraction(1, 2)
LARGEST, ADDED = 1 << 24, 1 << 12
STEP = 1.08
PAIR = 2
"""On a line of more points, blocks of one row are never the best."""
FINE, FINER = 1 << 10, 1 << 24
"""Sums are rounded up by a part in `FINE`, and by a part in `FINER` for each concept."""
SLOW = Fraction(127, 128)
"""With a ratio above it the sums are long, and the one of many points gains little over any one."""


@dataclass(frozen=True, slots=True)
class DepthBound:
    """Each of m blocks of s rows denies what no concept says that explains its rows.

    A concept is as deep as there are blocks that do not deny it on the point where most do, and is
    chosen with ratio q for each block lost; the target is not denied anywhere. The r-th entry of a
    profile is the number of concepts that differ from some target on r + 1 points; there is one for
    each kind of target. On a `line` concepts err on beginnings and on ends of one order of the
    points. Proof in docs/proofs/centre_point.md.

    >>> bound = DepthBound(((2, 2, 2, 1),), Decay.of(Fraction(1)), line=True)
    >>> bound.blocks(Accuracy("0.25", "0.2")), float(bound.failure(12, 2, Fraction(1, 4)))
    (12, 0.17...)
    """

    profiles: tuple[tuple[int, ...], ...]
    decay: Decay
    line: bool

    def failure(self, blocks: int, rows: int, alpha: Fraction) -> Fraction:
        """Bound the probability that the error exceeds alpha, blocks having so many rows."""
        alpha = min(alpha, HALF)
        if self.line and rows > 1:
            found = upper(lambda: self._on_a_line(blocks, rows, alpha), BITS)
        else:
            odds = upper(lambda: self._odds(blocks, rows, alpha), BITS)
            found = odds / (1 + odds)
        return min(Fraction(1), found)

    def reachable(self, blocks: int, beta: Fraction) -> bool:
        """Whether blocks that know every label are enough."""
        if not self._others:
            return True
        odds = upper(lambda: self._others * real(self.decay.ratio) ** blocks, BITS)
        return odds / (1 + odds) < beta

    def blocks(self, accuracy: Accuracy) -> int:
        """Return about the number of blocks with which the fewest rows suffice.

        Larger blocks see no point more often; on a line they know more than the points they saw.
        """
        found = {}
        if not self.line or len(self.profiles[0]) <= PAIR:
            found[1] = self._fewest_of_one_row(accuracy)
        if self.line:
            alpha, beta = float(min(accuracy.alpha, HALF)), float(accuracy.beta)
            rows = 2
            while rows <= max(2, 16 / alpha):
                found[rows] = self._fewest(rows, alpha, beta)
                rows = max(rows + 1, int(rows * STEP))
        blocks = found[min(found, key=lambda rows: rows * found[rows])]
        if blocks >= LARGEST:
            raise TooLarge(f"more than {LARGEST} blocks are needed; take a larger epsilon")
        return blocks

    def _fewest(self, rows: int, alpha: float, beta: float) -> int:
        """Return about how many blocks of so many rows are enough on a line."""
        return least(lambda m: m >= LARGEST or self._estimate(m, rows, alpha) <= beta, low=1)

    def _fewest_of_one_row(self, accuracy: Accuracy) -> int:
        """Return how many blocks of one row are enough: the logarithm of odds is almost a line."""
        if not self._others:
            return 1
        alpha, goal = min(accuracy.alpha, HALF), accuracy.beta / (1 - accuracy.beta)
        wanted = max(1.0, log_near(self._others / goal))
        start = wanted * len(self.profiles[0]) / float(alpha) / -log_near(self.decay.ratio)

        def excess(m: int) -> float:
            return log_near(upper(lambda: self._odds(m, 1, alpha), BITS) / goal)

        if start >= LARGEST:
            return LARGEST
        return near_root(excess, int(start) + 1, slope=-wanted)

    @property
    def _others(self) -> int:
        return sum(self.profiles[0])

    def _on_a_line(self, blocks: int, rows: int, alpha: Fraction) -> Enclosure:
        """Sum over the number of blocks that know a point on which all of a chain err.

        For very many blocks put the mean odds of the chain, which gives more.
        """
        unknown = real(1 - alpha) ** rows + real(alpha) ** rows
        if not bool(unknown < 1):
            return real(1)
        weight, q = real(Fraction(self._others, 2)), real(self.decay.ratio)
        if blocks > ADDED:
            mean = weight * (unknown + (1 - unknown) * q) ** blocks
            return 2 * mean / (1 + mean)
        term, odds = unknown**blocks, (1 - unknown) / unknown
        total = real(0)
        for known in range(blocks + 1):
            total += term * weight / (1 + weight)
            weight = weight * q
            term = term * odds * (blocks - known) / (known + 1)
        return 2 * total

    def _odds(self, blocks: int, rows: int, alpha: Fraction) -> Enclosure:
        """Add up the mean odds of all concepts, each denied by the blocks that saw a point of it.

        That is the one of its r points that most of them saw, unless any one is enough.
        """
        q, slow = real(self.decay.ratio), self.decay.ratio > SLOW
        means: list[Enclosure] = []
        for r in range(len(self.profiles[0]), 0, -1):
            unseen = (1 - real(alpha) / r) ** rows
            any_one = (q + (1 - q) * unseen) ** blocks
            enough = slow or (means and bool(any_one * FINER < means[0]))
            means.append(any_one if enough else _most_of(r, blocks, unseen, q))
        odds = real(0)
        for profile in self.profiles:
            pairs = zip(reversed(profile), means, strict=True)
            odds = odds.max(sum((count * mean for count, mean in pairs), real(0)))
        return odds

    def _estimate(self, blocks: int, rows: int, alpha: float) -> float:
        """Return about the bound on a line, in floats, to choose the blocks. `failure` decides."""
        q, unknown = float(self.decay.ratio), (1 - alpha) ** rows + alpha**rows
        if unknown >= 1:
            return 1.0
        if blocks > ADDED:
            mean = self._others / 2 * (unknown + (1 - unknown) * q) ** blocks
            return float(2 * mean / (1 + mean))
        known = np.arange(blocks + 1)
        weight = self._others / 2 * q**known
        chances = binomial_chances(known, blocks, 1 - unknown)
        return 2 * float(chances @ (weight / (1 + weight)))


def _most_of(r: int, trials: int, unseen: Enclosure, q: Enclosure) -> Enclosure:
    """Return the mean of q^K, K the greatest of r independent Bin(trials, 1 - unseen), rounded up.

    The chances that K is at most k, added up with weights (1 - q) q^k; what is left weighs q^k.
    """
    odds, term = (1 - unseen) / unseen, unseen**trials
    below, total, left = term, real(0), real(1)
    for k in range(trials):
        total += left * (1 - q) * below**r
        left = left * q
        if bool(left * FINE < total) or bool((1 - below) * r * FINE < 1):
            return total + left
        term = term * odds * (trials - k) / (k + 1)
        below += term
    return total + left
