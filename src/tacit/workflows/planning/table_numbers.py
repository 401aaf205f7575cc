"""Numbers for the cells of the papers' tables, with our constants and for given parameters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flint import fmpz

from tacit.concepts.contract.concept_class import Bracket, ConceptClass
from tacit.concepts.contract.specification import parse
from tacit.concepts.grid.grid_class import GridClass
from tacit.core import Exact, InvalidArgument, TooLarge, hold
from tacit.theory.papers.tables import Cell
from tacit.workflows.planning.goal import Goal
from tacit.workflows.planning.impossible import binding
from tacit.workflows.planning.offers import CONTENDERS, asked, offers_for

SINGLE = "pure_learning"
"""The table for one label; the others are for k."""
LONGEST, LINES = 1024, ("points", "thresholds", "intervals")
"""Bits beyond which the numbers take minutes, but for rows of these."""


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
    """The number of a cell, or two that it lies between, and by which learner or bound.

    `best` is what we know at best, by whichever theorem. `why` says why there is no number, or what
    stands in the way of using it.
    """

    spec: str
    value: int | None = None
    between: tuple[int, int] | None = None
    by: str = ""
    theorem: str = ""
    why: str = ""
    best: int | None = None
    best_by: str = ""


def number(cell: Cell, given: Parameters, *, labels: int) -> Number:
    """Put a number on a cell.

    >>> from tacit.theory.papers.tables import table
    >>> cell = table("pure_learning").cells[8]
    >>> found = number(cell, Parameters(bits=8), labels=1)
    >>> cell.row, cell.column, found.value, found.by
    ('points, proper', 'pure, upper', 193, 'generic')
    """
    far = given.bits > LONGEST
    spec = cell.spec.format(bits=given.bits, prime="..." if far else _prime(given.bits))
    if far and (cell.column == "size" or not spec.startswith(LINES)):
        told = f"told up to {LONGEST} bits; beyond them, what learning {', '.join(LINES)} takes"
        return Number(spec, why=told)
    try:
        concepts = parse(spec, planned=True)
        if cell.side == "value":
            return _dimension(spec, concepts, cell.column)
        goal = given.goal(concepts, cell, labels)
        return _lower(spec, goal, cell) if cell.side == "lower" else _upper(spec, goal, cell)
    except (InvalidArgument, TooLarge) as refusal:
        return Number(spec, why=str(refusal))


def _upper(spec: str, goal: Goal, cell: Cell) -> Number:
    """Put the rows of the cell's own learners; an assumption is granted to those only."""
    told = [each for name in cell.by if (each := asked(name, goal)).learner is not None]
    own = min(told, key=lambda each: each.n, default=None)
    if own is None:
        made = Number(spec, why=f"not promised by {' or '.join(cell.by)}")
    else:
        entry = own.entry
        made = Number(spec, own.n, by=entry.name, theorem=entry.theorem, why=own.too_large)
    best = next(iter(offers_for(goal, {*CONTENDERS, *cell.by})), None)
    return made if best is None else replace(made, best=best.n, best_by=best.name)


def _lower(spec: str, goal: Goal, cell: Cell) -> Number:
    """Put the cell's own bounds; where points are assumed to be uniform, those that hold there."""
    known = list(binding(goal, uniform=bool(cell.assumes)))
    own = next((bound for bound in known if bound.name in cell.by), None)
    if own is None:
        made = Number(spec, why="it asks for no rows here" if cell.by else cell.note)
    else:
        made = Number(spec, own.n, by=own.name, theorem=own.theorem)
    return replace(made, best=known[0].n, best_by=known[0].name) if known else made


def _dimension(spec: str, concepts: ConceptClass[Any], what: str) -> Number:
    if what == "size":
        if isinstance(concepts, GridClass) and not concepts.listed:
            between = concepts.least, concepts.most
            return Number(spec, between=between, by="a mistake tree, or halfspaces; Cover's count")
        return Number(spec, concepts.size, by="counting")
    found: Bracket = getattr(concepts, what)
    if found.lower == found.upper:
        return Number(spec, found.lower, by=found.why)
    return Number(spec, between=(found.lower, found.upper), by=found.why)


@lru_cache(maxsize=4)
def _prime(bits: int) -> int:
    """Return the least prime from 2^bits on."""
    candidate = 1 << bits
    while not fmpz(candidate).is_prime():
        candidate += 1
    return candidate
