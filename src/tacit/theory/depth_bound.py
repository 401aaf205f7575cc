"""How many rows a concept needs that disjoint blocks do not deny."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tacit.core.accuracy import Accuracy
from tacit.core.balls import Ball, ball, upper
from tacit.core.decay import Decay
from tacit.core.errors import TooLarge
from tacit.core.search import least
from tacit.theory.binomial_chances import binomial_chances

BITS = 192
HALF = Fraction(1, 2)
LARGEST, ADDED = 1 << 24, 1 << 12
STEP = 1.08


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
        found = upper(lambda: self._anywhere(blocks, rows, alpha), BITS)
        if self.line:
            found = min(found, upper(lambda: self._on_a_line(blocks, rows, alpha), BITS))
        return min(Fraction(1), found)

    def reachable(self, blocks: int, beta: Fraction) -> bool:
        """Whether blocks that know every label are enough."""
        if not self._others:
            return True
        odds = upper(lambda: self._others * ball(self.decay.ratio) ** blocks, BITS)
        return odds / (1 + odds) < beta

    def blocks(self, accuracy: Accuracy) -> int:
        """Return about the number of blocks with which the fewest rows suffice."""
        alpha, beta = float(min(accuracy.alpha, HALF)), float(accuracy.beta)
        sizes, rows = [], 1
        while rows <= max(2, 16 / alpha):
            sizes.append(rows)
            rows = max(rows + 1, int(rows * STEP))
        fewest = {size: self._fewest(size, alpha, beta) for size in sizes}
        found = fewest[min(sizes, key=lambda size: size * fewest[size])]
        if found >= LARGEST:
            raise TooLarge(f"more than {LARGEST} blocks are needed; take a larger epsilon")
        return found

    def _fewest(self, rows: int, alpha: float, beta: float) -> int:
        """Return about how many blocks of so many rows are enough."""
        return least(lambda m: m >= LARGEST or self._estimate(m, rows, alpha) <= beta, start=1)

    @property
    def _others(self) -> int:
        return sum(self.profiles[0])

    def _on_a_line(self, blocks: int, rows: int, alpha: Fraction) -> Ball:
        """Sum over the number of blocks that know a point on which all of a chain err.

        For very many blocks put the mean odds of the chain, which gives more.
        """
        unknown = ball(1 - alpha) ** rows + ball(alpha) ** rows
        if not bool(unknown < 1):
            return ball(1)
        weight, q = ball(Fraction(self._others, 2)), ball(self.decay.ratio)
        if blocks > ADDED:
            mean = weight * (unknown + (1 - unknown) * q) ** blocks
            return 2 * mean / (1 + mean)
        term, odds = unknown**blocks, (1 - unknown) / unknown
        total = ball(0)
        for known in range(blocks + 1):
            total += term * weight / (1 + weight)
            weight = weight * q
            term = term * odds * (blocks - known) / (known + 1)
        return 2 * total

    def _anywhere(self, blocks: int, rows: int, alpha: Fraction) -> Ball:
        """Add up the odds of all concepts, each denied by the blocks that saw a point of it."""
        q, seen = ball(self.decay.ratio), 1 - ball(1 - alpha) ** rows
        powers = []
        for r in range(1, len(self.profiles[0]) + 1):
            one = 1 - (1 - q) * (1 - (1 - ball(alpha) / r) ** rows)
            mean = 1 - (1 - q ** ball(Fraction(1, r))) * seen
            powers.append((one if bool(one < mean) else mean) ** blocks)
        sums = [
            sum((count * power for count, power in zip(profile, powers, strict=True)), ball(0))
            for profile in self.profiles
        ]
        odds = ball(0)
        for total in sums:
            odds = odds.max(total)
        return odds / (1 + odds)

    def _estimate(self, blocks: int, rows: int, alpha: float) -> float:
        """Return about the bound, in floating point."""
        q, sizes = float(self.decay.ratio), np.arange(1, len(self.profiles[0]) + 1)
        one = (1 - q) * (1 - (1 - alpha / sizes) ** rows)
        powers = (1 - np.maximum(one, (1 - q ** (1 / sizes)) * (1 - (1 - alpha) ** rows))) ** blocks
        odds = float(max(powers @ profile for profile in np.array(self.profiles, dtype=np.float64)))
        found = odds / (1 + odds)
        unknown = (1 - alpha) ** rows + alpha**rows
        if self.line and unknown < 1 and blocks > ADDED:
            mean = self._others / 2 * (unknown + (1 - unknown) * q) ** blocks
            found = min(found, 2 * mean / (1 + mean))
        elif self.line and unknown < 1:
            known = np.arange(blocks + 1)
            weight = self._others / 2 * q**known
            chances = binomial_chances(known, blocks, 1 - unknown)
            found = min(found, 2 * float(chances @ (weight / (1 + weight))))
        return found
