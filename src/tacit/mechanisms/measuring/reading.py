"""What was measured of one hypothesis, and what can be said of it for certain.

Everything here is computed from noisy counts that are public already. The rows that were counted
are taken to be independent of the hypothesis and of each other, drawn as the rows to come.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from tacit.core import Decay, InvalidArgument, check
from tacit.probability.noisy_share import NoisyShare, ShareInterval
from tacit.statistics.counts.score_counts import check_levels

CONFIDENCE = Fraction(19, 20)
"""Of an interval, if nothing else is said."""
HALF = 1 - (1 - CONFIDENCE) / 2
"""Of each of two intervals that hold at once."""
FARTHEST = 10**6
"""No more rows are thought of than so many times those that there are."""
MOST = 1 << 62
"""No noisy count that a file tells is larger in absolute value."""
MOST_DRAWS = 1 << 10
"""Houses that tell of their rows together, at most."""
SLOWEST, FASTEST = Fraction(1, 10**20), Fraction(10**6)
"""No noise that a budget allows decays more slowly, or faster."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Noisy counts of n rows: the errors, the positives, and the cells of `ScoreCounts`.

    `rates` are the rates at which the noise of errors, positives and cells decays; each count has
    `draws` of it, one for each house that told some of the rows, or fewer where noise was split.

    >>> told = Reading(1000, (0,), 150, 240, ((740, 130), (20, 110)), (Fraction(3, 5),) * 3)
    >>> told.error, told.error_interval()
    (0.15, ShareInterval(low=0.12797, high=0.17414))
    >>> told.constant, told.constant_error, told.better
    (False, 0.24, True)
    """

    n: int
    levels: tuple[int, ...]
    errors: int
    positives: int
    cells: tuple[tuple[int, int], ...]
    rates: tuple[Fraction, ...]
    draws: int | Fraction = 1

    @property
    def error(self) -> float:
        """The share of errors that was told, cut to [0, 1]."""
        return _share(self.errors, self.n)

    @property
    def constant(self) -> bool:
        """What a constant should answer, as far as was told."""
        return 2 * self.positives > self.n

    @property
    def constant_error(self) -> float:
        """The share that was told of rows on which the better constant errs."""
        positive = _share(self.positives, self.n)
        return min(positive, 1 - positive)

    def error_interval(self, confidence: Fraction = CONFIDENCE) -> ShareInterval:
        """Return between what the error on rows to come lies, with this confidence."""
        return self.noise(0).interval(self.errors, self.n, float(1 - confidence))

    def positive_interval(self, confidence: Fraction = CONFIDENCE) -> ShareInterval:
        """Return between what the share of positive rows lies."""
        return self.noise(1).interval(self.positives, self.n, float(1 - confidence))

    def constant_interval(self, confidence: Fraction = CONFIDENCE) -> ShareInterval:
        """Return between what the error of the better constant lies."""
        low, high = self.positive_interval(confidence)
        ends = sorted((min(low, 1 - low), min(high, 1 - high)))
        return ShareInterval(ends[0], 0.5 if low <= 0.5 <= high else ends[1])

    @property
    def better(self) -> bool:
        """Whether the model surely errs less than the better constant: both hold with 95 %."""
        return self.error_interval(HALF).high < self.constant_interval(HALF).low

    @property
    def worse(self) -> bool:
        """Whether the model surely errs more than the better constant."""
        return self.error_interval(HALF).low > self.constant_interval(HALF).high

    def telling(self) -> int:
        """Return about how many rows would show that it errs less, if their shares stay the same.

        >>> told = Reading(1000, (0,), 210, 240, ((740, 130), (20, 110)), (Fraction(3, 5),) * 3)
        >>> told.telling()
        4200
        """
        model, constant = self.error_interval(HALF), self.constant_interval(HALF)
        error, always = self.error, self.constant_error
        parts = (model.high - error, error, 1, 5), (always - constant.low, always, 1, 5)
        return rows_to_tell(self.n, always - error, parts)

    def noise(self, kind: int, draws: int = 1) -> NoisyShare:
        """Return what inverts counts with the noise of errors, 0, positives, 1, or cells, 2."""
        return NoisyShare(Decay.of(self.rates[kind]), self.draws * draws)

    def encode(self) -> dict[str, Any]:
        """Return the JSON object; exact numbers are strings."""
        told = self.draws if isinstance(self.draws, int) else str(self.draws)
        houses = {"draws": told} if self.draws > 1 else {}
        return {
            "rows": self.n,
            "levels": list(self.levels),
            "errors": self.errors,
            "positives": self.positives,
            "cells": [list(pair) for pair in self.cells],
            "rates": [str(rate) for rate in self.rates],
            **houses,
        }

    @classmethod
    def decode(cls, encoded: Any) -> Reading:
        """Read back what `encode` wrote."""
        match encoded:
            case {
                "rows": n,
                "levels": [*levels],
                "errors": errors,
                "positives": positives,
                "cells": [*cells],
                "rates": [first, second, third],
            }:
                counts = [errors, positives, *levels, *(count for pair in cells for count in pair)]
                for count in counts:
                    check.count(count=count, least=-MOST, up_to=MOST)
                check_levels(levels)
                rates = tuple(check.positive(rate=rate) for rate in (first, second, third))
                shaped = len(cells) == len(levels) + 1 and all(len(pair) == 2 for pair in cells)
                if shaped and min(rates) >= SLOWEST and max(rates) <= FASTEST:
                    pairs = tuple((no, yes) for no, yes in cells)
                    rows = check.count(rows=n, least=1)
                    told = (rows, tuple(levels), errors, positives, pairs, rates)
                    return cls(*told, _draws(encoded.get("draws", 1)))
        raise InvalidArgument("what was measured of a model is malformed")


def rows_to_tell(n: int, gap: float, parts: Iterable[tuple[float, ...]]) -> int:
    """Return about how many rows, in place of n, would tell a gap from what may be off.

    That is a sum of shares that are off by so much, each times what it costs.
    """
    off = [
        (cost, drawn := sure * share * (1 - share) / n, max(wide * wide - drawn, 0))
        for wide, share, cost, sure in parts  # deviations, squared; the rest is noise
    ]
    times = 1.0
    while times < FARTHEST and gap < sum(
        cost * sqrt(drawn / times + noise / times**2) for cost, drawn, noise in off
    ):
        times *= 1.1
    return int(float(f"{times * n:.2g}"))


def _draws(encoded: Any) -> int | Fraction:
    """Read how many noises a count has: houses, or where they split noise a fraction as a text."""
    if not isinstance(encoded, str):
        return check.count(draws=encoded, least=1, up_to=MOST_DRAWS)
    if not 1 <= (draws := check.positive(draws=encoded)) <= MOST_DRAWS:
        raise InvalidArgument(f"draws must be from 1 to {MOST_DRAWS}, got {draws}")
    return draws


def _share(count: int, n: int) -> float:
    return min(max(count, 0), n) / n if n else 0.0
