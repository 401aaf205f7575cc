"""Survival curves from the messages of several houses: Kaplan and Meier's, from noisy counts.

Rows are counted by part of a duration, and by whether the event ended it. A part in which d rows
have the event and w leave without it, of r that reached it, changes the curve of all rows together
by a factor between (r - w - d) / (r - w), where all leave first, and (r - d) / r.

Proof: docs/proofs/sites.md
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core.budget import read_share
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy
from tacit.core.unit import Unit
from tacit.data.schema.bits import Bits
from tacit.data.schema.columns import Ordered
from tacit.data.schema.schema import Schema
from tacit.sanitizers.contract.rounding import simplex
from tacit.workflows.counting.bins import read_bins
from tacit.workflows.counting.units import told_unit
from tacit.workflows.sites.axes import ColumnAxis
from tacit.workflows.sites.joining import JoinedTables
from tacit.workflows.sites.kinds.counting import narrowly
from tacit.workflows.sites.kinds.scorecard import rows_of
from tacit.workflows.sites.question import Wanted

PARTS = 12
"""Parts of the duration, unless it is cut where told: fewer bend the curve, more are noisier."""
TINY = 1e-9
"""In place of no rows, where one divides by them: the end is cut to 0 or 1 then."""
Ends = tuple[float, float]


@dataclass(frozen=True, slots=True)
class SurvivalCurve:
    """The share of rows without the event after each part, with ends that hold all at once.

    The ends are those of the curve of these rows, over the noise; `at_risk` and `events` are about
    what the tables tell, made to fit each other.
    """

    time: str
    event: str
    parts: tuple[str, ...]
    at_risk: tuple[float, ...]
    events: tuple[float, ...]
    survival: tuple[float, ...]
    between: tuple[Ends, ...]
    confidence: Fraction
    n: int | None
    privacy: Privacy
    secure: bool
    unit: Unit

    def describe(self) -> dict[str, Any]:
        """Return a JSON object."""
        columns = zip(
            self.parts, self.at_risk, self.events, self.survival, self.between, strict=True
        )
        return {
            "time": self.time,
            "event": self.event,
            "curve": [
                {
                    "part": part,
                    "at_risk": round(risk, 1),
                    "events": round(events, 1),
                    "survival": round(share, 4),
                    "low": floor(low * 1e4) / 1e4,
                    "high": ceil(high * 1e4) / 1e4,
                }
                for part, risk, events, share, (low, high) in columns
            ],
            "confidence": str(self.confidence),
            "n": self.n,
            "privacy": {"epsilon": str(self.privacy.epsilon), "delta": str(self.privacy.delta)},
            "secure": self.secure,
            **told_unit(self.unit),
        }


def ask(
    schema: Schema, *, time: str, event: str, confidence: str = "0.95"
) -> tuple[dict[str, Any], list[Wanted]]:
    """Ask for rows by part of a duration and by event: one table, which a row moves by 2."""
    (bins,) = read_bins(schema, [time], role="time")
    if not isinstance(bins.column, Ordered) or bins.column.outside != "clip":
        raise InvalidArgument(f'time: {time!r} must be numbers or dates, with outside = "clip"')
    if not isinstance(schema[event], Bits) or schema[event].size != 2:
        raise InvalidArgument(f'event: {event!r} must be of type bits, with outside = "clip"')
    if not bins.edges:
        bins = narrowly(time, bins.column, PARTS)
    if bins.size < 2:
        raise InvalidArgument(f"time: {time!r} must have two parts or more")
    happened = ColumnAxis(read_bins(schema, [event], role="event")[0])
    given = {"time": time, "event": event, "confidence": str(read_share(confidence=confidence))}
    return given, [Wanted((ColumnAxis(bins), happened), Fraction(1))]


def made(joined: JoinedTables) -> SurvivalCurve:
    """Make the curve that fits the counts, and its ends."""
    question, given = joined.question, joined.question.given
    axis = question.tables[0].by[0]
    assert isinstance(axis, ColumnAxis)
    told, n, confidence = joined.cells(0), rows_of(joined), Fraction(given["confidence"])
    fitted = simplex(told.ravel(), n).reshape(told.shape)
    left, events = fitted.T
    risk = np.cumsum(fitted.sum(axis=1)[::-1])[::-1]
    hazard = np.clip(events / np.maximum(risk - left / 2, 1e-9), 0, 1)
    survival = np.cumprod(1 - hazard)
    between = _between(joined, told, 1 - confidence)
    held = [min(max(s, low), high) for s, (low, high) in zip(survival, between, strict=True)]
    return SurvivalCurve(
        time=axis.bins.name,
        event=given["event"],
        parts=tuple(axis.bins.labels),
        at_risk=tuple(risk.tolist()),
        events=tuple(events.tolist()),
        survival=tuple(np.minimum.accumulate(held).tolist()),
        between=between,
        confidence=confidence,
        n=joined.n,
        privacy=question.privacy,
        secure=joined.secure,
        unit=question.unit,
    )


def _between(joined: JoinedTables, told: NDArray[np.float64], miss: Fraction) -> tuple[Ends, ...]:
    """Return ends that hold the curve of all rows after every part at once.

    Of r[i] rows that reach part i, w[i] leave in it. After part j the products of the two factors
    telescope: to (r[j + 1] + w[j]) / r[0] times all 1 + w[i] / r[i + 1], i < j, and to r[j + 1] /
    (r[0] - w[0]) times all r[i] / (r[i] - w[i]), 1 <= i <= j. So an end is at the ends of 2 counts
    a part, each of which is off by more than its width with a part of `miss`.
    """
    many = len(told)
    each = miss / (2 * many)
    risk = [_reached(joined, told, i, each) for i in range(many + 1)]
    wide = joined.width(0, each)
    gone = [(max(w - wide, 0.0), max(w + wide, 0.0)) for w in told[:, 0]]
    highs, lows = list[float](), list[float]()
    for j in range(many):
        rise = prod(1 + gone[i][1] / max(risk[i + 1][0], TINY) for i in range(j))
        highs.append((risk[j + 1][1] + gone[j][1]) / max(risk[0][0], TINY) * rise)
        stay = [(risk[i][1], risk[i][1] - gone[i][0]) for i in range(1, j + 1)]
        rise = prod(r / rest for r, rest in stay if rest > 0)
        lows.append(risk[j + 1][0] / max(risk[0][1] - gone[0][0], TINY) * rise)
    falling = np.minimum.accumulate(np.clip(highs, 0, 1))
    rising = np.maximum.accumulate(np.clip(lows, 0, 1)[::-1])[::-1]
    return tuple(
        (min(low, high), high) for low, high in zip(rising.tolist(), falling.tolist(), strict=True)
    )


def _reached(joined: JoinedTables, told: NDArray[np.float64], i: int, miss: Fraction) -> Ends:
    """Return between what the rows lie that reach part i: those in it or later, or not before."""
    many, n = len(told), joined.n
    if i == many:
        return 0.0, 0.0
    if n is not None and i <= many - i:
        rows = n - float(told[:i].sum())
        wide = joined.width(0, miss, cells=2 * i) if i else 0
    else:
        rows = float(told[i:].sum())
        wide = joined.width(0, miss, cells=2 * (many - i))
    most = float("inf") if n is None else float(n)
    return min(max(rows - wide, 0.0), most), min(max(rows + wide, 0.0), most)
