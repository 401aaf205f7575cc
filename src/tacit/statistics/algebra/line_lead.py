"""The line, or the point, that the positive rows agree on, and by how much they do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.algebra.lines import Line, Lines, inverses
from tacit.concepts.algebra.lines_or_points import PlanePoint
from tacit.core import check
from tacit.statistics.counts.label_counts import LabelCounts
from tacit.statistics.votes import Stable

Vector = NDArray[np.int64]


def line_lead(
    lines: Lines, sample: LabelCounts, *, most: int, label: int = 0
) -> Stable[Line | None]:
    """Return the line that holds nearly all positive rows, spread over several points.

    For a line, let s be its positive rows without those at its most frequent point, and o the
    positive rows off it. At most one line has s > o. Its distance is the lesser of (s - o) / 2,
    rounded up, and `most` - o; if that is not above 0, or there is no such line, None and 0.

    Guarantee:
        The promise of `Stable`: one replaced row moves s - o by at most 2 and o by at most 1, and
        no two lines have s > o, even on neighbours, unless both do by at most 1
        [docs/proofs/line.md].

    Cost:
        O(m log m) for m positive points, and as many steps as `most` times 2 `most`.

    >>> rows = [((x, (3 * x + 1) % 11), (1,)) for x in range(9)] + [((0, 7), (1,)), ((5, 0), (0,))]
    >>> lead = line_lead(Lines(11), LabelCounts.of(rows, labels=1), most=20)
    >>> lead.value, lead.distance
    (Line(slope=3, intercept=1, p=11), 4)
    """
    check.count(most=most, least=1)
    x, y, rows = _positive(lines, sample, label)
    total = int(rows.sum())
    for slope, intercept in _candidates(x, y, rows, most, lines.p):
        on = rows[_meets(x, y, slope, intercept, lines.p)]
        off = total - int(on.sum())
        lead = total - off - int(on.max(initial=0)) - off
        distance = min(-(-lead // 2), most - off)
        if distance > 0:
            return Stable(Line(slope, intercept, lines.p), distance)
    return Stable(None, 0)


def point_lead(lines: Lines, sample: LabelCounts, *, label: int = 0) -> Stable[PlanePoint | None]:
    """Return the most frequent positive point; its distance is half its lead over all others.

    >>> sample = LabelCounts.of([((1, 2), (1,))] * 5 + [((1, 3), (1,))], labels=1)
    >>> lead = point_lead(Lines(7), sample)
    >>> lead.value, lead.distance
    (PlanePoint(x=1, y=2), 2)
    """
    x, y, rows = _positive(lines, sample, label)
    ranked = [0, 0, *np.sort(rows)[-2:].tolist()]
    lead = ranked[-1] - ranked[-2]
    if not lead:
        return Stable(None, 0)
    best = int(rows.argmax())
    return Stable(PlanePoint(int(x[best]), int(y[best])), -(-lead // 2))


def _positive(lines: Lines, sample: LabelCounts, label: int) -> tuple[Vector, Vector, Vector]:
    """Return the different positive points, sorted, and their numbers of positive rows."""
    ones = sample.positives[:, label]
    plane = lines.clip(sample.points.reshape(-1, 2)[ones > 0]).astype(np.int64)
    codes, place = np.unique(plane[:, 0] * lines.p + plane[:, 1], return_inverse=True)
    rows = np.zeros(len(codes), dtype=np.int64)
    np.add.at(rows, place, ones[ones > 0])
    return codes // lines.p, codes % lines.p, rows


def _candidates(x: Vector, y: Vector, rows: Vector, most: int, p: int) -> Iterator[tuple[int, int]]:
    """Yield lines among which is every one with s > o and o < `most`.

    Either it meets the most frequent point, and then it has most of the other rows; or it does not,
    and then rows half the total apart, in sorted order, are at different points, and one of the
    first pairs of them lies on it, as do most of these rows.
    """
    if len(rows) < 2:
        return
    found = _heaviest_through(int(rows.argmax()), x, y, rows, p)
    if found is not None:
        yield found
    half = int(rows.sum()) // 2
    pairs = min(most, half)
    both = np.arange(pairs) + np.array([[0], [half]])
    one, other = np.searchsorted(np.cumsum(rows), both, side="right")
    both = np.concatenate((one, other))
    apart = x[one] != x[other]
    one, other = one[apart], other[apart]
    slopes = _slopes(x[other] - x[one], y[other] - y[one], p)
    for slope, start in dict.fromkeys(zip(slopes.tolist(), one.tolist(), strict=True)):
        intercept = int((y[start] - slope * x[start]) % p)
        if int(_meets(x[both], y[both], slope, intercept, p).sum()) > pairs:
            yield slope, intercept


def _heaviest_through(
    at: int, x: Vector, y: Vector, rows: Vector, p: int
) -> tuple[int, int] | None:
    """Return the line through a point that holds the most other rows."""
    others = np.flatnonzero(x != x[at])
    if not len(others):
        return None
    slopes, which = np.unique(_slopes(x[others] - x[at], y[others] - y[at], p), return_inverse=True)
    held = np.zeros(len(slopes), dtype=np.int64)
    np.add.at(held, which, rows[others])
    slope = int(slopes[held.argmax()])
    return slope, int((y[at] - slope * x[at]) % p)


def _slopes(across: Vector, up: Vector, p: int) -> Vector:
    slopes: Vector = up % p * inverses(across % p, p) % p
    return slopes


def _meets(x: Vector, y: Vector, slope: int, intercept: int, p: int) -> NDArray[Any]:
    on: NDArray[np.bool_] = (slope * x + intercept) % p == y
    return on
