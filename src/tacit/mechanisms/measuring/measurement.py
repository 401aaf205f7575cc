"""Noisy counts of where the scores of a hypothesis are right: all that measuring lets out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tacit.core import Exact, Law, PureCost, Random, hold
from tacit.core.chance.law import product
from tacit.mechanisms.measuring.reading import Reading
from tacit.mechanisms.noise.discrete_laplace import DiscreteLaplace
from tacit.statistics.counts.score_counts import ScoreCounts

ERRORS, POSITIVES, CELLS = Fraction(3, 5), Fraction(3, 20), Fraction(1, 4)
"""The parts of epsilon: errors are what is asked first, and one count is told best alone."""
CLEAR = 8
"""Cells hold about so many times the noise of one, or are fewer."""


@dataclass(frozen=True, slots=True)
class Measurement(PureCost):
    """Tell the errors of a hypothesis, the positives, and the rows of each level and label.

    Guarantee:
        epsilon-DP for a hypothesis that does not depend on these rows: a replaced row moves the
        errors by at most 1, the positives by at most 1, all cells together by at most 2 in l1
        distance, and the three are told with discrete Laplace noise for 3/5, 3/20 and 1/4 of
        epsilon.

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

    def __init__(self, epsilon: Exact) -> None:
        hold(self).positive(epsilon=epsilon)

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

        >>> Measurement(1).levels(range(-4, 5), 1000), Measurement(1).levels(range(-4, 5), 100)
        ((-4, -2, 0, 2, 4), (0,))
        """
        most = max(1, int(n * CELLS * self.epsilon / (2 * 2 * CLEAR)))
        if len(wanted) <= most:
            return tuple(wanted)
        zero, step = list(wanted).index(0), -(-len(wanted) // most)
        return tuple(wanted[zero % step :: step])

    @property
    def _noise(self) -> tuple[DiscreteLaplace, DiscreteLaplace, DiscreteLaplace]:
        return (
            DiscreteLaplace(ERRORS * self.epsilon),
            DiscreteLaplace(POSITIVES * self.epsilon),
            DiscreteLaplace(CELLS * self.epsilon, sensitivity=2),
        )

    def _read(
        self, counts: ScoreCounts, errors: int, positives: int, cells: Sequence[int]
    ) -> Reading:
        pairs = tuple(zip(cells[::2], cells[1::2], strict=True))
        rates = tuple(noise.epsilon / noise.sensitivity for noise in self._noise)
        return Reading(counts.n, counts.levels, errors, positives, pairs, rates)
