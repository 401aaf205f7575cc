"""A case about a table is not verified because all tables are refused alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tacit.core.chance.law import Law
from tacit.verify.enumeration import Case


def check_not_refused(case: Case, law: Callable[[tuple[Any, ...]], Law[Any]]) -> None:
    """The table that holds the first record only is read, and nothing is said against it."""
    (told, *_), *_ = law(case.universe[:1] * case.n).probabilities
    ended = told[0] if isinstance(told, tuple) else told
    assert ended in ("", ("", "")), ended
