"""What was measured, as everybody is told: one JSON object, and one sentence, a label."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from tacit.core.numbers.shown import outwards
from tacit.mechanisms.measuring.group_measurement import GroupReading
from tacit.mechanisms.measuring.ranking import ranking
from tacit.mechanisms.measuring.reading import CONFIDENCE, Reading
from tacit.mechanisms.measuring.weighing import Weighing

ONE = Fraction(1)
"""What a miss weighs, in false alarms, if nothing else is said."""


def measured(
    labels: Sequence[str],
    readings: Sequence[Reading],
    weights: Sequence[Fraction] = (),
    always: Sequence[bool | None] = (),
) -> dict[str, Any]:
    """Return what each reading says for certain, and under "told" the reading itself.

    `always` says of which hypotheses it is known that they give one answer to every row.
    """
    found, many = dict[str, dict[str, Any]](), len(readings)
    each = (labels, readings, weights or (ONE,) * many, always or (None,) * many)
    for label, told, odds, fixed in zip(*each, strict=bool(readings)):
        stated, weighed = _stated(told), _weighed(told, odds)
        if _is_constant(told, ONE, always=fixed):
            stated = stated | {"better": False}
        if weighed and _is_constant(told, odds, always=fixed):
            weighed = {"weighted": weighed["weighted"] | {"better": False}}
        found[label] = stated | weighed
    return found


@lru_cache(maxsize=1024)
def _weighed(told: Reading, odds: Fraction) -> dict[str, Any]:
    """Return what a row costs where misses and false alarms are weighed."""
    if odds == 1:
        return {}
    found = Weighing(told, odds)
    return {
        "weighted": {
            "weight": str(odds),
            "cost": found.cost,
            **found.interval()._asdict(),
            "constant": found.constant,
            "constant_cost": found.constant_cost,
            "better": found.better,
        }
    }


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


def measured_in_secret(labels: Sequence[str], readings: Sequence[GroupReading]) -> dict[str, Any]:
    """Return what is known of all rows, whose number is secret; nothing if they are in groups."""
    if not readings or len(readings[0].rows) > 1:
        return {}
    kept = ("rows", "rows_low", "rows_high", "error", "low", "high", "confidence")
    return {
        label: {key: whole[key] for key in kept}
        | {"constant_error": min(whole["positive"], 1 - whole["positive"])}
        | dict.fromkeys(("auc", "auc_low", "auc_high"))
        for label, (whole,) in by_group(labels, ("all rows",), readings).items()
    }


def by_group(
    labels: Sequence[str], groups: tuple[str, ...], readings: Sequence[GroupReading]
) -> dict[str, Any]:
    """Return what is known of each label in each group, all of a label at once."""
    pairs = zip(labels, readings, strict=bool(readings))
    return {label: [dict(each) for each in _grouped(groups, told)] for label, told in pairs}


@lru_cache(maxsize=1024)
def _grouped(groups: tuple[str, ...], told: GroupReading) -> tuple[dict[str, Any], ...]:
    return tuple(
        {
            "group": group,
            "rows": each.rows,
            "rows_low": each.rows_between[0],
            "rows_high": each.rows_between[1],
            "error": each.error,
            "low": each.error_interval.low,
            "high": each.error_interval.high,
            "positive": each.positive,
            "positive_low": each.positive_interval.low,
            "positive_high": each.positive_interval.high,
            "confidence": float(CONFIDENCE),
        }
        for group, each in zip(groups, told.shares(), strict=True)
    )


def sentence(
    told: Reading,
    rows: str = "rows it never saw",
    odds: Fraction = ONE,
    *,
    always: bool | None = None,
) -> str:
    """Say how often a hypothesis errs on such rows, beside a constant that needs none.

    Where a miss costs another number of false alarms than 1, say what a row costs beside it. What
    gives every row the answer of that constant is said to be it, and not compared with it.

    >>> from fractions import Fraction
    >>> told = Reading(1000, (0,), 150, 240, ((740, 130), (20, 110)), (Fraction(3, 5),) * 3)
    >>> sentence(told)[:80]
    'errs 15.0 % of the time on 1000 rows it never saw (95 % interval 12.7 to 17.5); '
    >>> sentence(told)[80:]
    "always saying 'no' errs 24.0 % (21.3 to 26.9)"
    >>> sentence(told, always=False)[80:]
    "it says 'no' to every row"
    """
    low, high = outwards(*told.error_interval(), 1, times=100)
    least, most = outwards(*told.constant_interval(), 1, times=100)
    said = (
        f"errs {_percent(told.error)} % of the time on {told.n} {rows} "
        f"({float(100 * CONFIDENCE):g} % interval {low} to {high}); "
    )
    if _is_constant(told, odds, always=always):
        return f"{said}it says '{_word(always)}' to every row"
    if odds != 1:
        return said + _costs(Weighing(told, odds))
    constant = f"always saying '{_word(told.constant)}' errs {_percent(told.constant_error)} %"
    said += f"{constant} ({least} to {most})"
    if told.better:
        return said
    if told.worse:
        return f"{said}: it is worse than that constant"
    if told.error >= told.constant_error:
        return f"{said}: these rows show no gain over that constant"
    return said + _too_few(told.telling())


def gains(told: Reading, odds: Fraction = ONE, *, always: bool | None = None) -> bool:
    """Whether a hypothesis is surely better than the better constant, by errors or by cost."""
    if _is_constant(told, odds, always=always):
        return False
    return told.better if odds == 1 else Weighing(told, odds).better


def _is_constant(told: Reading, odds: Fraction, *, always: bool | None) -> bool:
    """Whether what gives one answer to every row gives that of the better constant."""
    return always is not None and always == Weighing(told, odds).constant


def _word(answer: object) -> str:
    return "yes" if answer else "no"


def _costs(found: Weighing) -> str:
    """Say what a row costs, in false alarms."""
    low, high = outwards(*found.interval(), 3)
    least, most = outwards(*found.constant_interval(), 3)
    said = (
        f"with a miss weighing {float(found.odds):g} false alarms it costs {found.cost:.3f} a row, "
        f"between {low} and {high}; always '{_word(found.constant)}' costs "
        f"{found.constant_cost:.3f}, between {least} and {most}"
    )
    if found.better:
        return said
    if found.cost >= found.constant_cost:
        return f"{said}: these rows show no gain over that constant"
    return said + _too_few(found.telling())


def _too_few(needed: int) -> str:
    return (
        ": these rows are too few to tell it from that constant; "
        f"about {needed:,} to measure on would do"
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"
