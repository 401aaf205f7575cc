"""From noisy counts of rows with and without a label to points that a person can add up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.rules.scorecard import Scorecard, Steps, Weight
from tacit.concepts.rules.scorecards import Scorecards
from tacit.learners.linear.written_card import ahead_of

ALIKE = 1
"""How much the spread of all points together damps them, but for a column's own part: columns say
in part the same."""

EVEN = Fraction(1)

LOGIT, SPREAD = 10, 20
"""So many points are one logit, or more where the largest column would have less than `SPREAD`."""

DECILES = np.array([NormalDist().inv_cdf(i / 10) for i in range(1, 10)])
NORMAL = np.array([NormalDist().inv_cdf((i + 0.5) / 64) for i in range(64)])

BENT = 3
"""So many parts of a number need no line."""

Parts = tuple[tuple[int, ...], ...]
"""For each column the codes at which a part begins, beside 0."""


def card_of(
    concepts: Scorecards,
    share: float,
    parts: Parts,
    tables: Sequence[NDArray[np.float64]],
    noise: tuple[float, float],
    *,
    lines: bool = False,
    odds: Fraction = EVEN,
) -> Scorecard:
    """Write a card by one table a column: how many rows of each part have the label, and have not.

    `share` is about how many rows have it, `noise` the variance of what tells those that have it
    and those that have not. With `lines` the parts of a number are taken to lie about a line, which
    is seen through more noise than each of them. Where a miss costs `odds` false alarms, scores are
    put ahead by their logarithm. A function of what was told.
    """
    columns: list[NDArray[np.float64]] = []
    spread = 0.0
    for cells, kind in zip(tables, concepts.kinds, strict=True):
        logits, mass = _logits(cells, share, noise)
        inside = cells.shape[1] - (kind == "n")
        if lines and kind in ("s", "n") and inside > BENT:
            logits[:inside] = _along(cells[:, :inside], share, noise)
            logits -= float(mass @ logits)
        columns.append(logits)
        spread += float(mass @ logits**2)
    others = 1 - 1 / concepts.features
    damped = 1 / math.sqrt(1 + ALIKE * others * spread)
    columns = [damped * logits for logits in columns]
    deviation = damped * math.sqrt(spread)
    start = _start(share, deviation) + float(ahead_of(odds))
    reach = max(float(np.ptp(logits)) for logits in columns)
    scale = max(float(LOGIT), SPREAD / reach) if reach > 0.0 else float(LOGIT)
    points = [np.rint(scale * logits).astype(np.int64) for logits in columns]
    pairs = zip(concepts.kinds, concepts.sizes, parts, points, strict=True)
    terms = [
        weight_of(kind, size, cuts, (own - own.min()).tolist()) for kind, size, cuts, own in pairs
    ]
    base = sum(
        int(each[0] if kind == "" else each.min())
        for kind, each in zip(concepts.kinds, points, strict=True)
    )
    threshold = -math.floor(scale * start + 0.5) - base
    edges = np.rint(scale * (start + deviation * DECILES)).astype(np.int64)
    return Scorecard(tuple(terms), threshold, tuple(sorted({0, *edges.tolist()})))


def _logits(
    cells: NDArray[np.float64], share: float, noise: tuple[float, float]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the logits of a column's parts above that of all rows, shrunk, and the parts' masses.

    What exceeds a part's own share of yes has a known variance, noise and sampling; what the column
    spreads beyond that is signal, and each part keeps signal / (signal + variance).
    """
    yes, rows, excess, variance = _seen(cells, share, noise)
    mass = rows / max(float(rows.sum()), 1.0)
    signal = max(float(mass @ (excess**2 - variance)), 0.0)
    prior = 1 + _blur(noise)
    chance = np.clip((yes + prior * share) / (rows + prior), share / 5, 1 - (1 - share) / 5)
    logits = np.log(chance / (1 - chance)) - math.log(share / (1 - share))
    logits = logits * signal / (signal + variance)
    return logits - float(mass @ logits), mass


def _along(
    cells: NDArray[np.float64], share: float, noise: tuple[float, float]
) -> NDArray[np.float64]:
    """Return the logits of a number's parts: a line by weighted least squares, and what is left.

    The slope is shrunk by its own variance, what is left of the parts by theirs, as in `_logits`.
    """
    _, rows, excess, variance = _seen(cells, share, noise)
    weight, place = 1 / variance, np.arange(len(rows), dtype=np.float64)
    place -= float(weight @ place) / float(weight.sum())
    middle, wide = float(weight @ excess) / float(weight.sum()), float(weight @ place**2)
    slope = float(weight @ (place * (excess - middle))) / wide
    kept = max(0.0, 1 - 1 / (wide * slope**2)) if slope else 0.0
    line = middle + kept * slope * place
    mass = rows / max(float(rows.sum()), 1.0)
    signal = max(float(mass @ ((excess - line) ** 2 - variance)), 0.0)
    along: NDArray[np.float64] = line + (excess - line) * signal / (signal + variance)
    return along


def _seen(
    cells: NDArray[np.float64], share: float, noise: tuple[float, float]
) -> tuple[NDArray[np.float64], ...]:
    """Return yes and rows of each part, what exceeds its own share of yes, and its variance."""
    yes, no = cells
    rows, vary = np.maximum(yes + no, 0), share * (1 - share)
    blur = _blur(noise)
    weight = np.maximum(rows, blur) * vary
    excess = (yes * (1 - share) - no * share) / weight
    told = noise[0] * (1 - share) ** 2 + noise[1] * share**2
    variance = (told + rows * vary) / weight**2
    return yes, rows, excess, variance


def _blur(noise: tuple[float, float]) -> float:
    return 1.5 * math.sqrt(sum(noise) / 2)


def _start(share: float, deviation: float) -> float:
    """Return the constant at which normal scores of this deviation have so many yes on average."""
    low, high = -40.0, 40.0
    for _ in range(60):
        middle = (low + high) / 2
        mean = float(np.mean(1 / (1 + np.exp(-(middle + deviation * NORMAL)))))
        low, high = (middle, high) if mean < share else (low, middle)
    return low


def weight_of(kind: str, size: int, cuts: Sequence[int], points: list[int]) -> Weight:
    """Write the points of one column; steps of equal points are one, but for the null code."""
    if kind == "":
        return points[1] - points[0] if len(points) > 1 else 0
    if kind == "c":
        return tuple(points)
    if not any(points):
        return Steps((), (0,))
    kept, begun = [points[0]], []
    for cut, point in zip(cuts, points[1:], strict=True):
        if point != kept[-1] or (kind == "n" and cut == size - 1):
            begun.append(cut)
            kept.append(point)
    return Steps(tuple(begun), tuple(kept))
