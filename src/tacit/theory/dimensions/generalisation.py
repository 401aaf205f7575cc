"""From the rows to those that were never seen: for all concepts of a finite class at once.

Of the papers: BNS16 Thm 2.7, BNS16 Thm 2.8, BNS16 Thm 2.11.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.core import Accuracy, Exact, check, least
from tacit.core.numbers.enclosures import real, upper
from tacit.probability.uniform_deviation import few, few_about, single
from tacit.theory.solving.class_table import at_most

GRID = 1 << 20
"""Steps of an error that is promised."""


class Generalising:
    """What is true of all concepts of a class, by unions over them; proofs in class_cover.md."""

    __slots__ = ()
    concepts: ConceptClass[Any]

    def targets(self, labels: int) -> Fraction:
        """Return for how many targets all concepts are to be seen: at most for half of them each.

        A concept and a target that differ much do so whichever label has that target.
        """
        return min(Fraction(labels), Fraction(at_most(self.concepts), 2))

    def deviation(self, n: int, beta: Exact) -> Fraction:
        """Return by how many rows the excess over a best concept may be off, for all at once."""
        each = check.probability(beta=beta) / 2
        return single(n, each / at_most(self.concepts)) + single(n, each)

    def deviation_about(self, n: int, beta: float) -> float:
        """Return `deviation`, for comparisons."""
        return float(self.deviation(n, beta))

    def unseen(self, n: int, alpha: Fraction, rows: int) -> Fraction:
        """Bound the probability that a concept errs more than alpha, but on few of the rows."""
        return at_most(self.concepts) * few(n, alpha, rows)

    def unseen_about(self, n: int, alpha: float, rows: int) -> float:
        """Return about `unseen`, for comparisons."""
        return at_most(self.concepts) * few_about(n, alpha, rows)


def on_population(
    concepts: ConceptClass[Any], promised: Accuracy, n: int, *, labels: int, agnostic: bool
) -> Fraction:
    """Return an error on the population, from a promise for n rows that whoever drew it keeps.

    If all k concepts of a class err on at most promised.alpha n rows (if `agnostic`, on so many
    more than the best for their label), then their errors (excesses) are at most what is returned,
    but for probability promised.beta; 1 if nothing can be said [BNS16 Thm 2.11].

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> kept = Accuracy("0.05", "0.05")
    >>> float(on_population(Thresholds(10), kept, 1000, labels=10, agnostic=False))
    0.0872...
    """
    whole = _Whole(concepts)
    rows, beta = int(promised.alpha * n), promised.beta
    if agnostic:
        return min(Fraction(1), (rows + whole.deviation(n, beta / labels)) / n)
    left = beta / whole.targets(labels)
    step = least(lambda i: i >= GRID or whole.unseen(n, Fraction(i, GRID), rows) <= left, low=1)
    return Fraction(step, GRID)


class _Whole(Generalising):
    """A class by itself."""

    __slots__ = ("concepts",)

    def __init__(self, concepts: ConceptClass[Any]) -> None:
        self.concepts = concepts


def textbook(vc: int, accuracy: Accuracy, *, agnostic: bool = False) -> int:
    """Return the rows after which errors on the rows are near the true ones, as printed.

    For labels of a concept: whoever errs more than alpha does so on more than alpha / 2 of the rows
    [BNS16 Thm 2.7]; if `agnostic`: all errors are within alpha of their shares [BNS16 Thm 2.8].

    >>> textbook(1, Accuracy(0.1, 0.05)), textbook(1, Accuracy(0.1, 0.05), agnostic=True)
    (7384, 58685)
    """
    d, alpha, beta = check.count(vc=vc), accuracy.alpha, accuracy.beta
    scale, part = (64 / alpha**2, 6 / alpha) if agnostic else (64 / alpha, 64 / alpha)
    return math.ceil(upper(lambda: real(scale) * (d * real(part).log() + real(8 / beta).log())))
