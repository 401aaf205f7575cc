"""Noisy counts of how a hypothesis does in groups of the rows, and what they say for certain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from tacit.core import Decay, Exact, InvalidArgument, Law, PureCost, Random, check, hold
from tacit.core.chance.law import product
from tacit.mechanisms.measuring.reading import CONFIDENCE, FASTEST, MOST, SLOWEST
from tacit.mechanisms.noise.discrete_laplace import DiscreteLaplace
from tacit.probability.noisy_share import NoisyShare, ShareInterval
from tacit.statistics.counts.group_counts import GroupCounts

PARTS = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
"""The parts of epsilon for errors, positives and rows."""
POOLED = 8
"""Labels whose counts of the same groups' rows are added up; more hardly narrow them."""


class GroupShares(NamedTuple):
    """Of a group: its rows, as told and between what they are; errors and positives as shares."""

    rows: int
    rows_between: tuple[int, int]
    error: float
    error_interval: ShareInterval
    positive: float
    positive_interval: ShareInterval


@dataclass(frozen=True, slots=True)
class GroupReading:
    """Noisy errors, positives and rows of each group of n rows; `rates` is how the noise decays.

    `rows` may be the sum of as many noisy counts of the same rows as `times` says.
    """

    n: int
    errors: tuple[int, ...]
    positives: tuple[int, ...]
    rows: tuple[int, ...]
    rates: tuple[Fraction, ...]
    times: int = 1

    def shares(self, confidence: Fraction = CONFIDENCE) -> tuple[GroupShares, ...]:
        """Return what is known of each group: all intervals hold at once, with this confidence.

        >>> told = GroupReading(1000, (60, 9), (80, 50), (600, 400), (Fraction(3),) * 3)
        >>> first, second = told.shares()
        >>> first.rows_between, first.error, first.error_interval
        ((599, 601), 0.1, ShareInterval(low=0.07014, high=0.13681))
        """
        rare = float(1 - confidence) / (3 * len(self.rows))
        noise = [NoisyShare(Decay.of(rate), 1) for rate in self.rates]
        blur = replace(noise[2], draws=self.times).reach(rare / 2)
        found = []
        for summed, *counts in zip(self.rows, self.errors, self.positives, strict=True):
            rows = round(summed / self.times)
            ends = -((blur - summed) // self.times), (summed + blur) // self.times
            few, many = sorted(min(max(end, 0), self.n) for end in ends)
            told: list[Any] = []
            for count, by in zip(counts, noise, strict=False):
                low, high = by.interval(count, many, rare).low, by.interval(count, few, rare).high
                between = ShareInterval(low, max(low, high))
                told += [min(max(count / max(rows, 1), between.low), between.high), between]
            found.append(GroupShares(rows, (few, many), *told))
        return tuple(found)

    def encode(self) -> dict[str, Any]:
        """Return the JSON object; exact numbers are strings."""
        lines = {key: list(getattr(self, key)) for key in ("errors", "positives", "rows")}
        rates = [str(rate) for rate in self.rates]
        return {"n": self.n, **lines, "rates": rates, "times": self.times}

    @classmethod
    def decode(cls, encoded: dict[str, Any], groups: int) -> GroupReading:
        """Read back what `encode` wrote of so many groups."""
        lines = [tuple(encoded[key]) for key in ("errors", "positives", "rows")]
        errors, positives, rows = lines
        for count in (*errors, *positives, *rows):
            check.count(count=count, least=-MOST, up_to=MOST)
        rates = tuple(check.positive(rate=rate) for rate in encoded["rates"])
        known = len(rates) == 3 and min(rates) >= SLOWEST and max(rates) <= FASTEST
        if not known or not groups or any(len(line) != groups for line in lines):
            raise InvalidArgument("what was measured of a model's groups is malformed")
        times = check.count(times=encoded["times"], least=1, up_to=POOLED)
        n = check.count(n=encoded["n"], least=1)
        return cls(n, errors, positives, rows, rates, times)


def pooled(readings: Sequence[GroupReading]) -> tuple[GroupReading, ...]:
    """Return what was told of each label, and once for all of them the rows of the groups.

    The rows are the same for every label: what was told of them is added up, noise and all.

    >>> told = GroupReading(99, (6, 9), (8, 5), (58, 41), (Fraction(3),) * 3)
    >>> [each.rows for each in pooled([told, replace(told, rows=(60, 40))])]
    [(118, 81), (118, 81)]
    """
    some = readings[:POOLED]
    rows = tuple(map(sum, zip(*(each.rows for each in some), strict=True)))
    return tuple(replace(each, rows=rows, times=len(some)) for each in readings)


@dataclass(frozen=True, slots=True)
class GroupMeasurement(PureCost):
    """Tell the errors, the positives and the rows of each group.

    Guarantee:
        epsilon-DP for a hypothesis and groups that do not depend on these rows: a replaced row may
        leave one group and enter another, so each of the three lines of counts moves by at most 2
        in l1 distance; they are told with discrete Laplace noise for 1/2, 1/4 and 1/4 of epsilon.

    Exactness:
        As `DiscreteLaplace`.

    Cost:
        `Pure(epsilon)`.

    >>> import numpy as np
    >>> from tacit.core.chance.randomness import Seeded
    >>> counts = GroupCounts(9, np.array([[1, 2], [3, 1], [4, 5]]))
    >>> told = GroupMeasurement(400)(counts, rng=Seeded(1))
    >>> told.errors, told.positives, told.rows
    ((1, 2), (3, 1), (4, 5))

    Proof: docs/proofs/measurement.md
    """

    epsilon: Fraction

    def __init__(self, epsilon: Exact) -> None:
        hold(self).positive(epsilon=epsilon)

    def __call__(self, counts: GroupCounts, *, rng: Random) -> GroupReading:
        """Tell what is noisy of the counts."""
        lines = zip(self._noise, counts.counts, strict=True)
        return self._read(counts, [noise(line, rng=rng).tolist() for noise, line in lines])

    def law(self, counts: GroupCounts, *, low: int, high: int) -> Law[GroupReading]:
        """Return the exact law, everything <= low told as low and >= high as high."""
        lines = zip(self._noise, counts.counts, strict=True)
        told: Law[Any] = product(
            noise.law(line.tolist(), low=low, high=high) for noise, line in lines
        )
        return told.map(lambda drawn: self._read(counts, drawn))

    @property
    def _noise(self) -> list[DiscreteLaplace]:
        return [DiscreteLaplace(part * self.epsilon, sensitivity=2) for part in PARTS]

    def _read(self, counts: GroupCounts, told: Any) -> GroupReading:
        rates = tuple(noise.epsilon / noise.sensitivity for noise in self._noise)
        errors, positives, rows = map(tuple, told)
        return GroupReading(counts.n, errors, positives, rows, rates)
