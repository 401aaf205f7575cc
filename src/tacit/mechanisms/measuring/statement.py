"""What was measured, as everybody is told: one JSON object, and one sentence, a label."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from tacit.mechanisms.measuring.ranking import ranking
from tacit.mechanisms.measuring.reading import CONFIDENCE, Reading


def measured(labels: Sequence[str], readings: Sequence[Reading]) -> dict[str, Any]:
    """Return what each reading says for certain, and under "told" the reading itself."""
    pairs = zip(labels, readings, strict=bool(readings))
    return {label: dict(_stated(told)) for label, told in pairs}


@lru_cache(maxsize=1024)
def _stated(told: Reading) -> dict[str, Any]:
    error, always, area = told.error_interval(), told.constant_interval(), ranking(told)
    return {
        "rows": told.n,
        "error": told.error,
        "low": error.low,
        "high": error.high,
        "confidence": float(CONFIDENCE),
        "constant": told.constant,
        "constant_error": told.constant_error,
        "constant_low": always.low,
        "constant_high": always.high,
        "better": told.better,
        "auc": area.area,
        "auc_low": area.area_interval.low,
        "auc_high": area.area_interval.high,
        "told": told.encode(),
    }


def sentence(told: Reading, rows: str = "rows it never saw") -> str:
    """Say how often a hypothesis errs on such rows, beside a constant that needs none.

    >>> from fractions import Fraction
    >>> told = Reading(1000, (0,), 150, 240, ((740, 130), (20, 110)), (Fraction(3, 5),) * 3)
    >>> sentence(told)[:72]
    'errs 15.0 % on 1000 rows it never saw, between 12.8 and 17.4 with 95 %; '
    >>> sentence(told)[72:]
    "always 'no' errs 24.0, between 21.3 and 26.8 %"
    """
    (low, high), (least, most) = told.error_interval(), told.constant_interval()
    always = "yes" if told.constant else "no"
    said = (
        f"errs {_percent(told.error)} % on {told.n} {rows}, between {_percent(low)} and "
        f"{_percent(high)} with {float(100 * CONFIDENCE):g} %; always '{always}' errs "
        f"{_percent(told.constant_error)}, between {_percent(least)} and {_percent(most)} %"
    )
    if told.better:
        return said
    return f"{said}: these rows cannot tell it from that constant"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"
