"""How well scores part the rows with a label from those without: rates at each level, and AUC.

Proof: docs/proofs/measurement.md
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise

from tacit.mechanisms.measuring.reading import CONFIDENCE, Reading
from tacit.probability.noisy_share import ShareInterval


@dataclass(frozen=True, slots=True)
class Rates:
    """Of the rows with the label, and of those without, the share that scores from a level on.

    The intervals of all levels hold together.
    """

    level: int
    hits: float
    hits_interval: ShareInterval
    alarms: float
    alarms_interval: ShareInterval


@dataclass(frozen=True, slots=True)
class Ranking:
    """The rates at every level, from the lowest on, and the area under their curve.

    The area is that of the levels: the chance that a row with the label is on a higher level than
    one without, rows on one level counting half.
    """

    rates: tuple[Rates, ...]
    area: float
    area_interval: ShareInterval


def ranking(reading: Reading, confidence: Fraction = CONFIDENCE) -> Ranking:
    """Return what a reading says of the ranking, all of it with this confidence at once.

    The number of rows with the label is known up to its noise; given it, those that score from a
    level on are binomial. Each of these statements has an equal part of what may be missed. The
    area grows with every rate of hits, and falls with every rate of alarms, so the ends of their
    intervals, made monotone as the true rates are, give its ends.

    >>> told = Reading(1000, (-1, 0, 1), 150, 240, ((500, 20), (200, 70), (50, 90), (10, 60)),
    ...                (Fraction(3), Fraction(3), Fraction(3)))
    >>> found = ranking(told)
    >>> round(found.area, 3), found.area_interval.low < 0.85 < found.area_interval.high
    (0.864, True)
    """
    parts = 2 * len(reading.levels) + 1
    rare = float(1 - confidence) / parts
    blur = reading.noise(1).reach(rare / 2)
    found: list[tuple[list[float], list[ShareInterval]]] = []
    for mark in (1, 0):
        ones = reading.positives if mark else reading.n - reading.positives
        few, many = _inside(ones - blur, reading.n), _inside(ones + blur, reading.n)
        cells = [pair[mark] for pair in reading.cells]
        told, kept = [], []
        for place in range(1, len(cells)):
            told.append(min(max(sum(cells[place:]) / max(sum(cells), 1), 0.0), 1.0))
            kept.append(_rate(reading, cells, place, (few, many), rare))
        found.append((_falling(told), _banded(kept)))
    (hits, hit_bands), (alarms, alarm_bands) = found
    rates = tuple(map(Rates, reading.levels, hits, hit_bands, alarms, alarm_bands))
    worst = _area([band.low for band in hit_bands], [band.high for band in alarm_bands])
    best = _area([band.high for band in hit_bands], [band.low for band in alarm_bands])
    area = _area(hits, alarms)
    return Ranking(rates, min(max(area, worst), best), ShareInterval(worst, best))


def _rate(
    reading: Reading, cells: list[int], place: int, trials: tuple[int, int], rare: float
) -> ShareInterval:
    """Return between what the share of the cells from a place on lies, told with less noise.

    That is the noise of those cells, or of the others: among so many trials, the rest is theirs.
    """
    few, many = trials
    upper = 2 * place >= len(cells)
    held = cells[place:] if upper else cells[:place]
    noise, count = reading.noise(2, len(held)), sum(held)
    low, high = noise.interval(count, many, rare).low, noise.interval(count, few, rare).high
    high = max(low, high)
    return ShareInterval(low, high) if upper else ShareInterval(1 - high, 1 - low)


def _inside(count: int, n: int) -> int:
    return min(max(count, 0), n)


def _falling(values: list[float]) -> list[float]:
    """Return the values, each no more than those before it."""
    return list(accumulate(values, min))


def _banded(bands: list[ShareInterval]) -> list[ShareInterval]:
    """Return the intervals that a falling sequence leaves of those it lies in."""
    highs = list(accumulate((band.high for band in bands), min))
    lows = list(accumulate((band.low for band in reversed(bands)), max))[::-1]
    return [ShareInterval(low, max(low, high)) for low, high in zip(lows, highs, strict=True)]


def _area(hits: list[float], alarms: list[float]) -> float:
    """Return the area under the lines between (alarms, hits), from (1, 1) to (0, 0)."""
    points = [(1.0, 1.0), *zip(alarms, hits, strict=True), (0.0, 0.0)]
    return sum((a - b) * (g + h) / 2 for (a, g), (b, h) in pairwise(points))
