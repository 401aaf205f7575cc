"""Which better bound a class has whose concepts follow an order of the points."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Protocol

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.core.numbers.decay import Decay
from tacit.core.numbers.enclosures import log_lower
from tacit.theory.enough.agnostic_chain import AgnosticChainBound
from tacit.theory.enough.brackets import BracketBound
from tacit.theory.enough.chain import ChainBound


class OrderedBound(Protocol):
    """What a choice by agreements promises on such a class."""

    def sample_size(self, alpha: Fraction, beta: Fraction, /) -> int:
        """Return the least n that is enough."""

    def error(self, n: int, beta: Fraction, /) -> Fraction:
        """Return the least alpha that n rows are enough for; 1 if there is none."""


def ordered_bound(
    concepts: ConceptClass[Any], decay: Decay, beta: Fraction, *, agnostic: bool
) -> OrderedBound | None:
    """Return the bound for chains or products of intervals, or None if the class is neither.

    >>> from tacit.concepts.line.intervals import Intervals
    >>> half = Decay.of(Fraction(1, 2))
    >>> ordered_bound(Intervals(8), half, Fraction(1, 20), agnostic=False) is None
    True
    """
    chains, columns = concepts.chains, concepts.interval_columns
    if agnostic and chains is not None:
        return AgnosticChainBound(concepts.size, chains, decay)
    if agnostic and columns is not None:
        return BracketBound(concepts.size, columns, log_lower(1 / decay.ratio))
    if agnostic or chains is None:
        return None
    bound = ChainBound(concepts.size, chains, decay)
    return bound if bound.pays(beta) else None
