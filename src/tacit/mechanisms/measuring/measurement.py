"""Noisy counts of where the scores of a hypothesis are right: all that measuring lets out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any

from tacit.core import Exact, Law, PureCost, Random, hold
from tacit.core.chance.law import product
from tacit.mechanisms.measuring.reading import Reading
from tacit.mechanisms.noise.discrete_laplace import DiscreteLaplace
from tacit.statistics.counts.score_counts import ScoreCounts

MOST, LEAST = Fraction(3, 5), Fraction(1, 10)
"""The part of epsilon that errors get: what is asked first, and one count is told best alone."""
POSITIVES = Fraction(3, 8)
"""The part of the rest that positives get; the cells have what is left."""
BLUR = 250
"""Errors are told with noise of variance 2 / BLUR of the rows, if MOST of epsilon allows that."""
CLEAR = 16
"""Cells hold about so many times the noise of one, or are fewer."""


@dataclass(frozen=True, slots=True)
class Measurement(PureCost):
    """Tell the errors of a hypothesis, the positives, and the rows of each level and label.

    Guarantee:
        epsilon-DP for a hypothesis that does not depend on these rows: a replaced row moves the
        errors by at most 1, the positives by at most 1, all cells together by at most 2 in l1
        distance, and the three are told with discrete Laplace noise for parts of epsilon that add
        up to 1: `errors` of it, 3/8 and 5/8 of what is left.

    Exactness:
        As `DiscreteLaplace`.

    Cost:
        `Pure(epsilon)`.

    >>> import numpy as np
    >>> from tacit.core.chance.randomness import Seeded
    >>> counts = ScoreCounts(100, (0,), np.array([[60, 5], [10, 25]]))
    >>> told = Measurement(400)(counts, rng=Seeded(1))
    >>> told.errors, told.positives, told.cells
    (15, 30, ((60, 5), (10, 25)))

    Proof: docs/proofs/measurement.md
    """

    epsilon: Fraction
    errors: Fraction

    def __init__(self, epsilon: Exact, errors: Exact = MOST) -> None:
        hold(self).positive(epsilon=epsilon).probability(errors=errors)

    @classmethod
    def of_rows(cls, epsilon: Fraction, n: int) -> Measurement:
        """Return the measurement that spends no more on errors than n rows are worth.

        >>> [float(Measurement.of_rows(Fraction(1), n).errors) for n in (10, 1000, 100_000)]
        [0.6, 0.5, 0.1]
        """
        enough = Fraction(isqrt(BLUR * 10**6 // max(n, 1)), 1000) / epsilon
        return cls(epsilon, min(max(enough, LEAST), MOST))

    def __call__(self, counts: ScoreCounts, *, rng: Random) -> Reading:
        """Tell what is noisy of the counts."""
        errors, positives, cells = self._noise
        told = cells(counts.cells.ravel(), rng=rng).tolist()
        return self._read(
            counts, errors(counts.errors, rng=rng), positives(counts.positives, rng=rng), told
        )

    def law(self, counts: ScoreCounts, *, low: int, high: int) -> Law[Reading]:
        """Return the exact law, everything <= low told as low and >= high as high."""
        errors, positives, cells = self._noise
        ends = {"low": low, "high": high}
        told: Law[Any] = product(
            [
                errors.law(counts.errors, **ends),
                positives.law(counts.positives, **ends),
                *(cells.law(int(cell), **ends) for cell in counts.cells.ravel()),
            ]
        )
        return told.map(lambda drawn: self._read(counts, drawn[0], drawn[1], drawn[2:]))

    def levels(self, wanted: Sequence[int], n: int) -> tuple[int, ...]:
        """Return some of the levels, 0 among them: as many as n rows can fill beyond the noise.

        >>> Measurement(1).levels(range(-4, 5), 2000), Measurement(1).levels(range(-4, 5), 100)
        ((-4, -2, 0, 2, 4), (0,))
        """
        most = max(1, int(n * self._noise[2].epsilon / (2 * 2 * CLEAR)))
        if len(wanted) <= most:
            return tuple(wanted)
        zero, step = list(wanted).index(0), -(-len(wanted) // most)
        return tuple(wanted[zero % step :: step])

    @property
    def rates(self) -> tuple[Fraction, ...]:
        """The rates at which the noise of errors, positives and cells decays."""
        return tuple(noise.epsilon / noise.sensitivity for noise in self._noise)

    @property
    def _noise(self) -> tuple[DiscreteLaplace, DiscreteLaplace, DiscreteLaplace]:
        errors, rest = self.errors * self.epsilon, (1 - self.errors) * self.epsilon
        return (
            DiscreteLaplace(errors),
            DiscreteLaplace(POSITIVES * rest),
            DiscreteLaplace((1 - POSITIVES) * rest, sensitivity=2),
        )

    def _read(
        self, counts: ScoreCounts, errors: int, positives: int, cells: Sequence[int]
    ) -> Reading:
        pairs = tuple(zip(cells[::2], cells[1::2], strict=True))
        return Reading(counts.n, counts.levels, errors, positives, pairs, self.rates)
