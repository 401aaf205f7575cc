"""The probabilities with which the parity learner keeps rows and gives up.

Of the papers: Vad17 Claim 8.6.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from tacit.core import check
from tacit.core.chance.law import Law
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.decay import growth
from tacit.core.numbers.enclosures import Enclosure, real, round_up, upper

WORD = 64
Equation = tuple[int, bool, int]
"""A point as an integer, its label, and in how many rows it occurs."""


@dataclass(frozen=True, slots=True)
class ParityOdds:
    """Give up with probability `bottom`; else try up to `attempts` random subsets of the rows.

    In each attempt every row is kept with probability `keep`, independently; the first subset that
    some parity explains decides, by a uniform one of the parities that do; else nothing is told.

    >>> odds = ParityOdds.of(Fraction(1), 24)
    >>> round(float(odds.keep), 4), round(float(odds.bottom), 4)
    (0.3067, 0.0105)
    """

    keep: Fraction
    bottom: Fraction
    attempts: int

    @classmethod
    def of(cls, epsilon: Fraction, attempts: int) -> ParityOdds:
        """Return the odds that keep the most rows and give up the least often for an epsilon.

        Exactness:
            `keep` is a multiple of 2^-64 that satisfies its inequality in rationals, `bottom` is
            rounded up: privacy holds with these numbers [docs/proofs/parity.md].
        """
        return _odds(epsilon, check.count(attempts=attempts, least=1))

    def outcomes(self, equations: Iterable[Equation], dims: int) -> Law[int | None]:
        """Return the exact law of the parity, None for nothing told; for few dims.

        Sets of parities are bitmaps; equations come one by one, and equal sets are merged.
        """
        everything = (1 << (1 << dims)) - 1
        chance = {everything: Fraction(1)}
        for point, mark, rows in equations:
            explained = sum(
                1 << c for c in range(1 << dims) if (c & point).bit_count() % 2 == int(mark)
            )
            dropped = (1 - self.keep) ** rows
            after: dict[int, Fraction] = {}
            for found, probability in chance.items():
                left = found & explained
                after[found] = after.get(found, Fraction(0)) + probability * dropped
                after[left] = after.get(left, Fraction(0)) + probability * (1 - dropped)
            chance = after
        clash = chance.pop(0, Fraction(0))
        tries = (1 - self.bottom) * sum(clash**j for j in range(self.attempts))
        told: dict[int | None, Fraction] = {
            c: tries
            * sum((p / v.bit_count() for v, p in chance.items() if v >> c & 1), Fraction(0))
            for c in range(1 << dims)
        }
        told[None] = self.bottom + (1 - self.bottom) * clash**self.attempts
        return Law(told)


@lru_cache(maxsize=256)
def _odds(epsilon: Fraction, attempts: int) -> ParityOdds:
    factor = growth(epsilon)
    low, high = 0, 1 << WORD
    while high - low > 1:
        middle = (low + high) // 2
        inside = _allowed(middle, attempts, factor)
        low, high = (middle, high) if inside else (low, middle)
    if not low:
        raise InvalidArgument(f"epsilon must be at least 2^-60 for parities, got {epsilon}")
    keep = Fraction(low, 1 << WORD)
    lost = upper(lambda: _lost(factor, keep, attempts), 512)
    return ParityOdds(keep, round_up(lost / (factor - 1 + lost), WORD), attempts)


def _allowed(keep: int, attempts: int, factor: Fraction) -> bool:
    """Decide (1 + p) (1 - p^t) / (1 - p)^2 <= factor for p = keep / 2^64, in integers."""
    one: int = 1 << WORD
    likelier: int = (one + keep) * (one**attempts - keep**attempts) * factor.denominator
    return likelier <= factor.numerator * (one - keep) ** 2 * int(one ** (attempts - 1))


def _lost(factor: Fraction, keep: Fraction, attempts: int) -> Enclosure:
    """Enclose the maximum of (p + (1 - p) y)^t - E y^t over 0 <= y <= 1."""
    p = real(keep)
    if attempts == 1:
        return p
    root = ((real(factor) / (1 - p)).log() / (attempts - 1)).exp()
    y = p / (root - 1 + p)
    return (p + (1 - p) * y) ** attempts - real(factor) * y**attempts
