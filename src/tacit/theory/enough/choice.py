"""What a choice by agreements promises: how many rows for an accuracy, and the other way round."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.core import Accuracy, Decay, Exact, check
from tacit.core.numbers.enclosures import log_lower, real, round_up, upper
from tacit.theory.enough.agnostic import AgnosticBound
from tacit.theory.enough.best_error import BestErrorBound
from tacit.theory.enough.brackets import BracketBound
from tacit.theory.enough.chain import AgnosticChainBound, ChainBound
from tacit.theory.enough.selection import realisable

SMALLEST = Fraction(1, 10**9)


@dataclass(frozen=True, slots=True)
class ChoiceBound:
    """Choose among `size` hypotheses, or as if among so many, with a ratio for an agreement lost.

    For labels of a hypothesis `SelectionBound` decides; if `agnostic`, for arbitrary labels and
    against the best hypothesis, `AgnosticBound`. Proof in docs/proofs/selection_bound.md.

    >>> half = Decay.of(Fraction(1, 2))
    >>> bounds = [ChoiceBound(1024, half, agnostic) for agnostic in (False, True)]
    >>> [bound.sample_size(Accuracy(0.1, 0.05)) for bound in bounds]
    [247, 1087]
    """

    size: int
    decay: Decay
    agnostic: bool

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return the least n that is proved to be enough; a smaller ratio never needs more."""
        if self.agnostic:
            return self._free.sample_size(accuracy.alpha, accuracy.beta)
        bound = realisable(self.decay, size=self.size, alpha=accuracy.alpha)
        return bound.sample_size(accuracy.beta)

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        """Return the accuracy that n rows are enough for, rounded up, or None if there is none."""
        beta, n = check.probability(beta=beta), check.count(n=n)
        if n == 0:
            return None
        alpha = self._free.excess(n, beta) if self.agnostic else self._error(n, beta)
        return Accuracy(alpha, beta) if alpha < 1 else None

    @property
    def _free(self) -> AgnosticBound:
        return AgnosticBound(self.size, log_lower(1 / self.decay.ratio))

    def _error(self, n: int, beta: Fraction) -> Fraction:
        """Return the least error that is proved for labels of a hypothesis, rounded up."""
        odds = (self.size - 1) * (1 - beta) / beta
        if odds <= 1:
            return SMALLEST
        goal = upper(lambda: 1 - (-real(odds).log() / n).exp()) / (1 - self.decay.ratio)
        alpha = max(round_up(goal, 24), SMALLEST)
        while alpha < 1:
            if realisable(self.decay, size=self.size, alpha=alpha).suffices(n, beta):
                break
            alpha = round_up(alpha * (1 + Fraction(1, 2**20)), 24)
        return alpha


class BetterBound(Protocol):
    """What a choice promises where concepts follow an order, or the best of them errs little."""

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
