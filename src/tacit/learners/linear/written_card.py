"""From weights in a frame to points that a person can add up."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import isqrt, log
from statistics import NormalDist

import numpy as np

from tacit.concepts.rules.scorecard import Parabola, Scorecard, Steps, Weight
from tacit.learners.linear.linear_frame import BENT, FARTHEST, FramedColumn, LinearFrame

LOGIT = 10
"""So many points are one logit, or more where the largest column would have less than `SPREAD`."""

SPREAD = 20
STEPS = 16
"""No number has more steps, but for what is missing."""

GRID = 128
"""A step may begin at so many places between the cut ends of a number."""

FINE = 1 << 8
"""Where a weight multiplies a code, points are parts of the largest column's reach, a weight."""

MOST = 1 << 60
"""No threshold is larger: no sum of points reaches it anyway."""

DECILES = tuple(NormalDist().inv_cdf(i / 10) for i in range(1, 10))

Values = tuple[list[int], list[Fraction]]
"""The first codes of steps, or all codes, and what each of them adds to the score, in logits."""


def written(
    frame: LinearFrame, weights: Sequence[int], one: int, ahead: Fraction = Fraction(0)
) -> Scorecard:
    """Write w . (row in this frame) >= 0 as a scorecard; `one` is the weight that counts as 1.

    All scores are put `ahead` by so many logits.

    Where all columns have points by step or code, points are small and the least is 0; a weight
    that multiplies codes needs finer ones.

    >>> number, kind = FramedColumn(5, "s", 8, (0,), 4), FramedColumn(3, "c", 8, (2, 2, 4), 8)
    >>> frame = LinearFrame((number, kind))
    >>> card = written(frame, (2, 0, 0, 0, 4, -1), 8)
    >>> card.weights
    (Steps(cuts=(1, 2, 3, 4), points=(0, 5, 10, 15, 20)), (0, 0, 10))
    >>> card.threshold, card.edges[0], card.edges[-1]
    (16, -10, 8)
    """
    unit, parts = frame.unit * one, list(frame.split(weights))
    start = middle = Fraction(weights[-1] * frame.constant, unit) + ahead
    reaches = [max(v) - min(v) for _, v in (values(c, w, unit) for c, w in parts)]
    most = max(reaches)
    if any(c.kind == "q" or (c.kind == "" and c.size > 2) for c, _ in parts):
        finest = max(c.size * c.size if c.kind == "q" else c.size for c, _ in parts)
        scale = Fraction(FINE * len(weights) * finest) / (most or abs(start) or 1)
    else:
        scale = max(Fraction(LOGIT), SPREAD / most) if most else Fraction(LOGIT)
    terms: list[Weight] = []
    for column, own in parts:
        term, base = _term(column, own, unit, scale)
        terms.append(term)
        start += base / scale
    threshold = max(-MOST, min(MOST, -round(start * scale)))
    return Scorecard(tuple(terms), threshold, _edges(parts, middle * scale, scale, unit))


def ahead_of(odds: Fraction) -> Fraction:
    """Return the logits that scores are put ahead by where a miss costs so many false alarms.

    Yes is the cheaper answer from a chance of 1 / (1 + odds) on: docs/proofs/weighted.md.

    >>> float(ahead_of(Fraction(3)))
    1.09861...
    """
    return Fraction(round(log(odds) * FINE**3), FINE**3)


def values(column: FramedColumn, weights: Sequence[int], unit: int) -> Values:
    """Return what the codes of a column add, those of a number at some places."""
    if column.kind == "c" or column.inside <= 2:
        places = list(range(column.size))
    else:
        slope, first = column.line()
        ends = [int((far * FARTHEST * column.unit - first) / slope) for far in (-1, 1)]
        low, high = (max(0, min(column.inside - 1, end)) for end in (ends[0], ends[1] + 1))
        if column.kind not in ("s", "n"):
            low, high = 0, column.inside - 1
        step = max((high - low) // GRID, 1)
        places = sorted({0, high, *range(low + 1, high + 1, step)})
        places += [column.inside] * (column.kind == "n")
    coordinates = column.coordinates(np.array(places, dtype=np.int64)).tolist()
    return places, [
        Fraction(sum(w * x for w, x in zip(weights, each, strict=True)), unit)
        for each in coordinates
    ]


def _term(
    column: FramedColumn, weights: Sequence[int], unit: int, scale: Fraction
) -> tuple[Weight, Fraction]:
    """Return the points of a column, and what code 0 or the least step adds without them."""
    places, added = values(column, weights, unit)
    if column.kind == "c":
        points = [round(v * scale) for v in added]
        return tuple(p - min(points) for p in points), Fraction(min(points))
    if column.kind in ("s", "n"):
        return _steps(column, places, [v * scale for v in added])
    slope, first = column.line()
    line, bend = weights[0], Fraction(weights[1], BENT) if column.kind == "q" else Fraction(0)
    bend = bend / column.unit
    multiple = round((line + 2 * bend * first) * slope * scale / unit)
    if column.kind != "q":
        return multiple, line * first * scale / unit
    square = round(bend * slope * slope * scale / unit)
    start = line * first + bend * first * first - bend * column.unit**2
    return Parabola(multiple, square), start * scale / unit


def _steps(
    column: FramedColumn, places: list[int], added: list[Fraction]
) -> tuple[Steps, Fraction]:
    """Round to points, and where that makes too many steps, to the best few for a normal number."""
    null = column.kind == "n"
    points = [round(v) for v in added]
    many = len(added) - null
    if sum(a != b for a, b in pairwise(points[:many])) >= STEPS:
        points = [*_few(column, places[:many], [float(v) for v in added[:many]]), *points[many:]]
    least = min(points)
    cuts, kept = [], [points[0] - least]
    for place, point in zip(places[1:], points[1:], strict=True):
        if point - least != kept[-1] or (null and place == column.inside and any(kept)):
            cuts.append(place)
            kept.append(point - least)
    return Steps(tuple(cuts), tuple(kept)), Fraction(least)


def _few(column: FramedColumn, places: list[int], added: list[float]) -> list[int]:
    """Return points in `STEPS` steps: cuts are as dense as the cube root of mass times slope^2."""
    z = column.coordinates(np.array(places))[:, 0] / column.unit
    dense = np.abs(np.diff(added, prepend=added[0])) ** (2 / 3) * np.exp(-z * z / 6)
    step = np.minimum(np.cumsum(dense) / dense.sum() * STEPS, STEPS - 1).astype(np.int64)
    mass = np.exp(-z * z / 2) + 1e-3
    means = np.bincount(step, mass * added) / np.maximum(np.bincount(step, mass), 1e-9)
    return [round(float(mean)) for mean in means[step]]


def _edges(
    parts: Sequence[tuple[FramedColumn, tuple[int, ...]]],
    middle: Fraction,
    scale: Fraction,
    unit: int,
) -> tuple[int, ...]:
    """Return about the deciles of the score if columns were independent and many, and 0."""
    variance = 0
    for column, own in parts:
        if column.kind == "c":
            shares = zip(values(column, own, unit)[1], column.centres, strict=True)
            variance += sum(int((v * unit) ** 2) * s // column.unit for v, s in shares)
            continue
        off = column.unit**2 - column.centres[0] ** 2 if column.inside <= 2 else column.unit**2
        variance += own[0] ** 2 * max(off, 0)
        variance += sum(w * w for w in own[1:]) * column.unit**2 // 5
    sigma = Fraction(isqrt(variance), unit) * scale
    return tuple(sorted({0, *(round(middle + sigma * Fraction(q)) for q in DECILES)}))
