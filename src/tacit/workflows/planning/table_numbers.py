"""Numbers for the cells of the papers' tables, with our constants and for given parameters."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpz

from tacit.concepts.contract.concept_class import Bracket, ConceptClass
from tacit.concepts.contract.specification import parse
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.frozen import hold
from tacit.core.numbers.exact import Exact
from tacit.learners.catalogue import CATALOGUE
from tacit.theory.papers.tables import Cell
from tacit.workflows.planning.goal import Goal
from tacit.workflows.planning.impossible import strongest
from tacit.workflows.planning.offers import CONTENDERS, offers_for

SINGLE = "pure_learning"
"""The table for one label; the others are for k."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """What the numbers are for: k labels over 2^bits points, or so many dimensions."""

    alpha: Fraction
    beta: Fraction
    epsilon: Fraction
    delta: Fraction
    labels: int
    bits: int

    def __init__(
        self,
        *,
        alpha: Exact = "0.1",
        beta: Exact = "0.1",
        epsilon: Exact = 1,
        delta: Exact = "1e-6",
        labels: int = 8,
        bits: int = 16,
    ) -> None:
        hold(self).probability(alpha=alpha, beta=beta).positive(epsilon=epsilon)
        hold(self).probability(delta=delta).count(labels=labels, bits=bits, least=1)
        if 2 * self.alpha >= 1:
            raise InvalidArgument(f"alpha must lie between 0 and 1/2, got {alpha}")

    def goal(self, concepts: ConceptClass[Any], cell: Cell, labels: int) -> Goal:
        """Return what a cell asks for."""
        delta = self.delta if cell.privacy == "approximate" else Fraction(0)
        return Goal(
            concepts,
            self.alpha,
            self.beta,
            self.epsilon,
            delta,
            labels,
            cell.agnostic,
            cell.proper,
        )


@dataclass(frozen=True, slots=True)
class Number:
    """The number of a cell, or two that it lies between, or why there is none; and whose it is."""

    spec: str
    value: int | None = None
    between: tuple[int, int] | None = None
    by: str = ""
    theorem: str = ""
    why: str = ""


def number(cell: Cell, given: Parameters, *, labels: int) -> Number:
    """Put a number on a cell.

    >>> from tacit.theory.papers.tables import table
    >>> cell = table("pure_learning").cells[8]
    >>> found = number(cell, Parameters(bits=8), labels=1)
    >>> cell.row, cell.column, found.value, found.by
    ('points, proper', 'pure, upper', 193, 'generic')
    """
    bits = given.bits
    sizes = {"bits": bits, "bits3": min(bits, 3), "bits8": min(bits, 8), "prime": _prime(bits)}
    spec = cell.spec.format(**sizes)
    try:
        concepts = parse(spec)
        if cell.side == "value":
            return _dimension(spec, concepts, cell.column)
        goal = given.goal(concepts, cell, labels)
        return _lower(spec, goal, cell) if cell.side == "lower" else _upper(spec, goal, cell)
    except (InvalidArgument, TooLarge) as refusal:
        return Number(spec, why=str(refusal))


def _upper(spec: str, goal: Goal, cell: Cell) -> Number:
    """Put the rows of the best learner; an assumption is granted to those made for the class.

    To others it is not: covers of any class take long to find, and gain little.
    """
    granted = [
        name
        for name, entry in CATALOGUE.items()
        if entry.assumes == cell.assumes and entry.families and not entry.beaten_by
    ]
    found = next(iter(offers_for(goal, {*CONTENDERS, *granted})), None)
    if found is None:
        return Number(spec, why="no learner of ours promises this")
    return Number(spec, found.n, by=found.name, theorem=CATALOGUE[found.name].theorem)


def _lower(spec: str, goal: Goal, cell: Cell) -> Number:
    """Put the strongest bound; where points are assumed to be uniform, of those that hold there."""
    bound = strongest(goal, uniform=bool(cell.assumes))
    if bound is None:
        return Number(spec, why="no bound of ours applies")
    return Number(spec, bound.n, by=bound.name, theorem=bound.theorem)


def _dimension(spec: str, concepts: ConceptClass[Any], what: str) -> Number:
    if what == "size":
        return Number(spec, concepts.size, by="counting")
    found: Bracket = getattr(concepts, what)
    if found.lower == found.upper:
        return Number(spec, found.lower, by=found.why)
    return Number(spec, between=(found.lower, found.upper), by=found.why)


def _prime(bits: int) -> int:
    """Return the least prime from 2^bits on."""
    candidate = 1 << bits
    while not fmpz(candidate).is_prime():
        candidate += 1
    return candidate
