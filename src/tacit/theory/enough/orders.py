"""Which better bounds hold where concepts follow an order, or the best of them errs little."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Protocol

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.core.numbers.balls import log_lower
from tacit.core.numbers.decay import Decay
from tacit.theory.enough.agnostic_chain import AgnosticChainBound
from tacit.theory.enough.best_error import BestErrorBound
from tacit.theory.enough.brackets import BracketBound
from tacit.theory.enough.chain import ChainBound


class BetterBound(Protocol):
    """What a choice by agreements then promises."""

    def sample_size(self, alpha: Fraction, beta: Fraction, /) -> int:
        """Return the least n that is enough."""

    def error(self, n: int, beta: Fraction, /) -> Fraction:
        """Return the least alpha that n rows are enough for; 1 if there is none."""


def better_bounds(
    concepts: ConceptClass[Any],
    decay: Decay,
    beta: Fraction,
    *,
    agnostic: bool,
    best_error: Fraction | None = None,
) -> tuple[BetterBound, ...]:
    """Return the bounds for chains, for products of intervals, and for a best error that is said.

    >>> from tacit.concepts.line.intervals import Intervals
    >>> half = Decay.of(Fraction(1, 2))
    >>> better_bounds(Intervals(8), half, Fraction(1, 20), agnostic=False)
    ()
    """
    size, chains, columns = concepts.size, concepts.chains, concepts.interval_columns
    if not agnostic:
        chained = None if chains is None else ChainBound(size, chains, decay)
        return (chained,) if chained is not None and chained.pays(beta) else ()
    rate, found = log_lower(1 / decay.ratio), list[BetterBound]()
    if chains is not None:
        found.append(AgnosticChainBound(size, chains, decay))
    elif columns is not None:
        found.append(BracketBound(size, columns, rate))
    if best_error is not None:
        found.append(BestErrorBound(size, rate, best_error, chains, columns))
    return tuple(found)
