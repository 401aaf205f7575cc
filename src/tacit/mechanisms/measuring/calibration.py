"""From scores to risks: the share of rows with the label on each level, made to rise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tacit.mechanisms.measuring.reading import Reading

CAUTION = 2.0
"""How many times the noise of a cell are mixed into it, at the share of all rows."""
STEEPEST, FLATTEST = 0.999, 0.001
"""No risk is told as certain."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Risks that rise with the score: a straight line between the middles of levels.

    Scores of one level or none have the risk of their side. All of it is computed from a reading,
    so nothing more is let out.

    >>> from fractions import Fraction
    >>> told = Reading(1000, (-10, 0, 10), 150, 240, ((500, 20), (200, 70), (50, 90), (10, 60)),
    ...                (Fraction(3), Fraction(3), Fraction(3)))
    >>> Calibration.of(told).risks(np.array([-99, -5, 0, 99])).round(2).tolist()
    [0.04, 0.26, 0.45, 0.85]
    """

    scores: tuple[float, ...]
    shares: tuple[float, ...]

    @classmethod
    def of(cls, reading: Reading) -> Calibration:
        """Read the risks off noisy cells: mixed with the share of all rows, then made monotone."""
        mixed = CAUTION / float(reading.rates[2])
        base = min(max(reading.positives / max(reading.n, 1), FLATTEST), STEEPEST)
        held = [(max(no, 0) + max(yes, 0), max(yes, 0)) for no, yes in reading.cells]
        shares = [(yes + mixed * base) / (rows + mixed) for rows, yes in held]
        risen = rising(shares, [rows + mixed for rows, _ in held])
        cut = tuple(min(max(share, FLATTEST), STEEPEST) for share in risen)
        return cls(_middles(reading.levels), cut)

    def risks(self, scores: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return a risk in (0, 1) for each score."""
        return np.interp(np.asarray(scores, dtype=np.float64), self.scores, self.shares)


def _middles(levels: tuple[int, ...]) -> tuple[float, ...]:
    """Return where the risk of each level is told: in its middle, beyond the ends as far again."""
    if len(levels) == 1:
        return levels[0] - 1.0, float(levels[0])
    gaps = np.diff(levels)
    ends = [levels[0] - gaps[0] / 2, *(np.array(levels[:-1]) + gaps / 2), levels[-1] + gaps[-1] / 2]
    return tuple(float(end) for end in ends)


def rising(values: list[float], weights: list[float]) -> list[float]:
    """Return the nearest rising values, by weighted squares: neighbours that fall are pooled.

    >>> rising([0.1, 0.5, 0.3], [1.0, 1.0, 3.0])
    [0.1, 0.35, 0.35]
    """
    pools: list[tuple[float, float, int]] = []
    for value, weight in zip(values, weights, strict=True):
        pools.append((value, weight, 1))
        while len(pools) > 1 and pools[-2][0] >= pools[-1][0]:
            (a, u, i), (b, v, j) = pools[-2:]
            pools[-2:] = [((a * u + b * v) / (u + v), u + v, i + j)]
    return [value for value, _, many in pools for _ in range(many)]
