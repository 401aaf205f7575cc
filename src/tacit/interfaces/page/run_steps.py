"""The steps of a run that charges a budget, and what it has spent if it is broken off."""

from __future__ import annotations

_STEPS = (
    "checking the request",
    "counting the rows",
    "charging the budget",
    "drawing the answer",
    "writing the files",
)
CHECKING, COUNTING, CHARGING, DRAWING, WRITING = (
    f"{place}/{len(_STEPS)} {step}" for place, step in enumerate(_STEPS)
)
"""Each is told before it is begun."""

RUNS = ("learn.run", "data.count", "data.rows")
"""Tasks that charge a budget."""


def charged(step: str) -> bool:
    """Whether the budget is charged, or may be, when a step was the last that was told.

    >>> charged(COUNTING), charged(CHARGING), charged(WRITING)
    (False, True, True)
    """
    return step in (CHARGING, DRAWING, WRITING)


def spent(task: str, step: str) -> str:
    """Say what a task has spent that was broken off after a step: the end of a sentence.

    >>> spent("learn.run", COUNTING), spent("attack.run", "1/3 attacking")
    ('; nothing was spent', '')
    """
    if task not in RUNS:
        return ""
    if not charged(step):
        return "; nothing was spent"
    if step == CHARGING:
        return "; the budget was just being charged: see what is left of it"
    return "; the budget had been charged, and the charge stays: the answer may have been drawn"
