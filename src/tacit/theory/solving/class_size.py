"""How many concepts a class has, where nobody can count them: between two numbers."""

from __future__ import annotations

from typing import Any

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.core.errors import TooLarge
from tacit.theory.solving.representatives import sauer


def counted(concepts: ConceptClass[Any]) -> int | None:
    """Return the number of concepts, or None if it is not known.

    Classes that name a function twice, such as rules, are not counted.

    >>> from tacit.concepts.rules.scorecards import Scorecards
    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> counted(Thresholds(8)), counted(Scorecards("4x4"))
    (256, None)
    """
    return named(concepts) if concepts.distinct else None


def named(concepts: ConceptClass[Any]) -> int | None:
    """Return the number of concepts, equal ones counted as often as they are named, if known."""
    try:
        return concepts.size
    except TooLarge:
        return None


def at_least(concepts: ConceptClass[Any]) -> int:
    """Return the number of concepts, or what shattering alone gives."""
    return counted(concepts) or 1 << concepts.vc.lower


def at_most(concepts: ConceptClass[Any]) -> int:
    """Return the number of concepts, or Sauer's bound on it.

    >>> from tacit.concepts.rules.scorecards import Scorecards
    >>> at_least(Scorecards("4x4")), at_most(Scorecards("4x4"))
    (8, 697)
    """
    if (known := counted(concepts)) is not None:
        return known
    by_shattering = sauer(concepts.vc.upper, concepts.domain_size)
    return min(by_shattering, named(concepts) or by_shattering)
