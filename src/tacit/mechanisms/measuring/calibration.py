"""From scores to risks: the share of rows with the label on each level, made to rise."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tacit.mechanisms.measuring.reading import CONFIDENCE, Reading
from tacit.probability.noisy_share import ShareInterval

CAUTION = 2.0
"""How many times the noise of a cell are mixed into it, at the share of all rows."""
STEEPEST, FLATTEST = 0.999, 0.001
"""No risk is told as certain."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Risks that rise with the score: a straight line between the middles of levels.

    Scores of one level or none have the risk of their side. All of it is computed from a reading,
    so nothing more is let out.

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
        mixed = CAUTION * reading.draws**0.5 / float(reading.rates[2])
        base = min(max(reading.positives / max(reading.n, 1), FLATTEST), STEEPEST)
        held = [(max(no, 0) + max(yes, 0), max(yes, 0)) for no, yes in reading.cells]
        shares = [(yes + mixed * base) / (rows + mixed) for rows, yes in held]
        risen = rising(shares, [rows + mixed for rows, _ in held])
        cut = tuple(min(max(share, FLATTEST), STEEPEST) for share in risen)
        return cls(_middles(reading.levels), cut)

    @classmethod
    def of_answers(cls, reading: Reading) -> Calibration:
        """Read two risks off a reading: where the answer is no, and where it is yes."""
        middle = reading.levels.index(0) + 1
        sides = reading.cells[:middle], reading.cells[middle:]
        pooled = tuple((sum(no for no, _ in side), sum(yes for _, yes in side)) for side in sides)
        return cls.of(replace(reading, levels=(0,), cells=pooled))

    def risks(self, scores: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return a risk in (0, 1) for each score."""
        return np.interp(np.asarray(scores, dtype=np.float64), self.scores, self.shares)


def level_shares(reading: Reading, confidence: Fraction = CONFIDENCE) -> tuple[ShareInterval, ...]:
    """Return between what the share with the label lies on each level, on all levels at once.

    The rows on a level are known up to the noise of two cells; of them those with the label are
    binomial. Each of these statements has an equal part of what may be missed, as in `ranking`
    (docs/proofs/measurement.md).

    >>> told = Reading(1000, (0,), 150, 240, ((740, 130), (20, 110)), (Fraction(3, 5),) * 3)
    >>> level_shares(told)
    (ShareInterval(low=0.11858, high=0.18466), ShareInterval(low=0.6819, high=0.98011))
    """
    rare = float(1 - confidence) / (2 * len(reading.cells))
    blur, alone = reading.noise(2, 2).reach(rare / 2), reading.noise(2)
    found = []
    for no, yes in reading.cells:
        few, many = (min(max(no + yes + off, 0), reading.n) for off in (-blur, blur))
        low, high = alone.interval(yes, many, rare).low, alone.interval(yes, few, rare).high
        found.append(ShareInterval(low, max(low, high)))
    return tuple(found)


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
