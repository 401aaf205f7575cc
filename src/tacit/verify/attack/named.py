"""Learners that can be attacked, by name."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy
from tacit.learners.catalogue import named
from tacit.learners.contract.entry import Request
from tacit.verify.attack.openly import Constant, EmpiricalRisk
from tacit.verify.attack.setting import Setting

OPEN: dict[str, Callable[[Any], Callable[..., tuple[Any, ...]]]] = {
    "erm": EmpiricalRisk,
    "constant": Constant,
}
"""Learners that spend no budget: one that tells everything and one that tells nothing."""


def learner(
    name: str, setting: Setting, *, labels: int, privacy: Privacy, rows: int
) -> Callable[..., tuple[Any, ...]]:
    """Return the learner of this name for so many labels, all within the budget.

    >>> from tacit.verify.attack.setting import thresholds
    >>> learner("erm", thresholds(3), labels=8, privacy=Privacy(1, 0), rows=3)
    EmpiricalRisk(concepts=Thresholds(values=4, direction='down'))
    """
    if name in OPEN:
        return OPEN[name](setting.concepts)
    listing = named(name)
    if setting.agnostic and not listing.agnostic:
        raise InvalidArgument(
            f"learner {name!r} promises nothing for labels that no rule explains, as Tardos's "
            "fingerprints are: attack it with --code boneh-shaw, or attack another learner"
        )
    asked: Any = {"agnostic": setting.agnostic, "labels": labels}
    return listing(Request(setting.concepts, privacy, rows, None, Fraction(1, 10), **asked))
