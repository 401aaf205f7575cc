"""Randomised response: each record answers for itself, in the local model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, overload

import numpy as np
from flint import arb, arb_poly
from numpy.typing import NDArray

from tacit.core import Decay, Exact, InvalidArgument, PureCost, Random, check, hold
from tacit.core.chance.law import Law, product
from tacit.core.numbers.enclosures import PRECISION, Enclosure, exp_upper, real, upper
from tacit.mechanisms.noise.additive import Vector, integers
from tacit.mechanisms.noise.inversion import FULL, Inversion

MOST_VALUES = 1 << 62
SUMMED = 500  # reports for which `failure` adds up probabilities


@dataclass(frozen=True, slots=True)
class RandomisedResponse(PureCost):
    """Tell a record of range(values) with odds e^epsilon : 1 against each of the other values.

    Many records are answered independently. A record outside of range(values) counts as the
    nearest value.

    Guarantee:
        epsilon-DP for each record, whoever sees its answer, hence epsilon-DP for all the answers
        together [War65; KOV16]. `estimate` is unbiased, and off by `deviation` or more
        with probability at most `failure(deviation, n)`.

    Exactness:
        The odds are 1 : q with a rational q >= e^-epsilon within 2^-63 of it; rational coins are
        tossed without error.

    Cost:
        `Pure(epsilon)` for any number of records.

    >>> from tacit.core.chance.randomness import Seeded
    >>> RandomisedResponse(50, values=3)([0, 2, 1], rng=Seeded(1))
    array([0, 2, 1])

    Proof: docs/proofs/statistical_queries.md
    """

    epsilon: Fraction
    values: int

    def __init__(self, epsilon: Exact, values: int = 2) -> None:
        hold(self).positive(epsilon=epsilon).count(values=values, least=2)
        if values > MOST_VALUES:
            raise InvalidArgument(f"values must be at most 2^62, got {values}")

    @overload
    def __call__(self, record: int, *, rng: Random) -> int: ...
    @overload
    def __call__(self, record: Vector, *, rng: Random) -> NDArray[np.int64]: ...
    def __call__(self, record: int | Vector, *, rng: Random) -> int | NDArray[np.int64]:
        alone = not hasattr(record, "__len__")
        read = integers([record] if alone else record)  # type: ignore[list-item, arg-type]
        records = np.clip(read, 0, self.values - 1).astype(np.int64)
        shifts = _coin(self.keep).draw(records.size, rng=rng)
        changed = np.flatnonzero(shifts)
        shifts[changed] = 1 + _below(self.values - 1, len(changed), rng=rng)
        answers: NDArray[np.int64] = (records + shifts.reshape(records.shape)) % self.values
        return int(answers[0]) if alone else answers

    @property
    def keep(self) -> Fraction:
        """The probability that a record is told as it is."""
        return 1 / (1 + (self.values - 1) * self._ratio)

    @overload
    def law(self, record: int) -> Law[int]: ...
    @overload
    def law(self, record: Sequence[int]) -> Law[tuple[int, ...]]: ...
    def law(self, record: int | Sequence[int]) -> Law[int] | Law[tuple[int, ...]]:
        """Return the exact law of the answer, or of few answers together.

        >>> RandomisedResponse(1).law(0)[0] == RandomisedResponse(1).keep
        True
        """
        if isinstance(record, Sequence):
            return product([self._law(item) for item in record])
        return self._law(record)

    def estimate(self, answers: Vector, value: int) -> Fraction:
        """Return the unbiased estimate of the share of records that have this value.

        >>> float(RandomisedResponse(20).estimate([1, 1, 0, 1], 1))
        0.75...
        """
        told = integers(answers)
        share = Fraction(int((told == value).sum()), check.count(answers=told.size, least=1))
        return (share / self.keep - self._ratio) / (1 - self._ratio)

    def failure(self, deviation: Exact, n: int) -> Fraction:
        """Bound the probability that the estimate of one share is off by `deviation` or more.

        Up to 500 records it is the largest exact probability over all true shares, rounded up at
        128 bits; above, Hoeffding's bound [Hoe63, Thm. 2].

        >>> float(RandomisedResponse(1).failure("1/5", n=100))
        0.0422...
        """
        deviation = check.positive(deviation=deviation)
        n = check.count(n=n, least=1)
        slack = deviation * n * (1 - self._ratio) * self.keep
        if n > SUMMED:
            return min(Fraction(1), 2 * exp_upper(-2 * slack**2 / n))
        return max(self._tails(count, n, slack) for count in range(n + 1))

    @property
    def _ratio(self) -> Fraction:
        return Decay.of(self.epsilon).ratio

    def _law(self, record: int) -> Law[int]:
        told = min(max(record, 0), self.values - 1)
        other = self.keep * self._ratio
        return Law({v: self.keep if v == told else other for v in range(self.values)})

    def _tails(self, count: int, n: int, slack: Fraction) -> Fraction:
        """Return P[|R - E R| >= slack] for the number R of answers of a value that `count` have."""
        other = self.keep * self._ratio
        mean = count * self.keep + (n - count) * other
        low, high = (mean - slack).__floor__(), (mean + slack).__ceil__()

        def outside() -> Enclosure:
            kept, came = (arb_poly([real(1 - p), real(p)]) for p in (self.keep, other))
            terms = (kept**count * came ** (n - count)).coeffs()
            return sum(terms[: max(low + 1, 0)], arb(0)) + sum(terms[high:], arb(0))

        return min(Fraction(1), upper(outside, PRECISION + n.bit_length()))


@lru_cache(maxsize=64)
def _coin(keep: Fraction) -> Inversion:
    return Inversion.rational(keep, 1 - keep)


def _below(bound: int, count: int, *, rng: Random) -> NDArray[Any]:
    """Return uniform integers in range(bound); words of the last, incomplete round are redrawn."""
    drawn: list[NDArray[np.int64]] = []
    missing = count
    while missing > 0:
        words = rng.words(missing)
        words = words[words <= np.uint64(FULL - FULL % bound - 1)]
        drawn.append((words % np.uint64(bound)).astype(np.int64))
        missing -= len(words)
    return np.concatenate([np.empty(0, dtype=np.int64), *drawn])
