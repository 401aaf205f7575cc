"""How a twin states what it breaks: the law of the mistake, and what is claimed in spite of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tacit.core.chance.law import Law
from tacit.verify.enumeration import Case
from tacit.verify.finding import Claim

Rows = tuple[Any, ...]
"""A database."""


def twin(
    claim: Claim, universe: Iterable[Any], n: int = 3, *, symmetric: bool = True
) -> Callable[[Callable[[Rows], Law[Any]]], Case]:
    """Make a case of a law: its name is the target's, its first line says what the mistake is."""

    def made(law: Callable[[Rows], Law[Any]]) -> Case:
        mistake = (law.__doc__ or law.__name__).splitlines()[0]
        setting, records = f"{mistake} n={n}", tuple(universe)
        return Case(law.__name__, setting, "broken", claim, records, n, law, symmetric)

    return made
