"""Learning by statistical queries [Kea98]: no row is seen, only shares of the population.

An algorithm is a value; `run(tolerance)` is a generator that yields queries, is sent their answers,
and returns a hypothesis. Those here only compare answers with the tolerance: they ask whether an
event is impossible, so that 0 and 1 will do for answers (see `tacit.theory.enough.zero_test`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import (
    Concept,
    ConceptClass,
    HypothesisClass,
    Points,
    coordinate,
)
from tacit.concepts.line.points import Point
from tacit.concepts.line.points import Points as PointClass
from tacit.concepts.line.thresholds import Direction, Threshold, Thresholds
from tacit.concepts.outputs.never import NEVER, OrNever
from tacit.concepts.rules.conjunctions import Conjunction, Conjunctions
from tacit.core import InvalidArgument
from tacit.core.chance.law import Law, certain
from tacit.statistics import LabelCounts

Query = Callable[[Points, NDArray[np.bool_]], NDArray[np.bool_]]
"""A predicate of (points, labels), row by row; its expectation over the population is asked for.

Of an algorithm with `levels` above 1 the value is a number of parts: 0, ..., levels.
"""

A = TypeVar("A")
R = TypeVar("R")
Dialogue = Generator[Query, Fraction, R]


class SQAlgorithm(Protocol):
    """A learner that asks `queries` questions; any answers within the tolerance must do."""

    @property
    def queries(self) -> int:
        """The largest number of queries."""

    @property
    def adaptive(self) -> bool:
        """Whether a query may depend on earlier answers."""

    @property
    def hypotheses(self) -> HypothesisClass[Any]:
        """The class that every output, whatever the answers, belongs to."""

    def tolerance(self, alpha: Fraction, /) -> Fraction:
        """Return the tolerance at which the error is at most alpha."""

    def run(self, tolerance: Fraction, /) -> Dialogue[Any]:
        """Ask, and return the hypothesis."""


class ZeroQueries(SQAlgorithm, Protocol):
    """One that needs less: "at most the tolerance" for impossible events, "more" beyond the gap.

    The tolerance may be anything, and answers 0 and 1 with a tolerance between them will do.
    """

    def gap(self, alpha: Fraction, /) -> Fraction:
        """Return the gap at which the error is at most alpha; it is proportional to alpha."""


@dataclass(frozen=True, slots=True)
class PointQueries:
    """A point from its binary digits: is there a yes whose digit is 0, is there one whose is 1?

    If neither is heard of for some digit, the hypothesis is never.

    >>> five, yes = np.array([5]), np.array([True])
    >>> learned(PointQueries(8).run(Fraction(1, 10)), lambda q: Fraction(int(q(five, yes)[0])))
    Point(at=5)
    """

    values: int
    adaptive = False

    @property
    def queries(self) -> int:
        """Two for each digit."""
        return 2 * (self.values - 1).bit_length()

    @property
    def hypotheses(self) -> OrNever:
        """Points, and never."""
        return OrNever(PointClass(values=self.values))

    def gap(self, alpha: Fraction, /) -> Fraction:
        """All events that can occur are the same one: that the label is 1."""
        return alpha

    def tolerance(self, alpha: Fraction, /) -> Fraction:
        """Half the gap."""
        return self.gap(alpha) / 2

    def run(self, tolerance: Fraction, /) -> Dialogue[Concept]:
        """Ask, and return a point or never."""
        at, known = 0, True
        for place in range(self.queries // 2):
            zero = yield _digit(place, 0)
            one = yield _digit(place, 1)
            known = known and max(zero, one) > tolerance
            at |= int(one > zero) << place
        return Point(min(at, self.values - 1)) if known else NEVER


@dataclass(frozen=True, slots=True)
class ThresholdQueries:
    """A threshold by bisection: is there a yes below the middle? Both directions: first up.

    >>> five, yes = np.array([5]), np.array([True])
    >>> learned(ThresholdQueries(8).run(Fraction(1, 10)), lambda q: Fraction(int(q(five, yes)[0])))
    Threshold(at=5, up=True)
    """

    values: int
    direction: Direction = "up"
    adaptive = True

    @property
    def queries(self) -> int:
        """log2(values), rounded up; both directions: twice as many, and one to tell them apart."""
        steps = (self.values - 1).bit_length()
        return 2 * steps + 1 if self.direction == "both" else steps

    @property
    def hypotheses(self) -> Thresholds:
        return Thresholds(values=self.values, direction=self.direction)

    def gap(self, alpha: Fraction, /) -> Fraction:
        """Mistakes are on one side of the threshold; both directions add up two sides."""
        return alpha / 2 if self.direction == "both" else alpha

    def tolerance(self, alpha: Fraction, /) -> Fraction:
        """Half the gap."""
        return self.gap(alpha) / 2

    def run(self, tolerance: Fraction, /) -> Dialogue[Threshold]:
        """Ask, and return a threshold."""
        if self.direction != "both":
            return (yield from self._bisect(tolerance, up=self.direction == "up"))
        up = yield from self._bisect(tolerance, up=True)
        against = yield lambda points, labels: (points >= up.at).astype(np.bool_) & ~labels
        if against <= tolerance:
            return up
        return (yield from self._bisect(tolerance, up=False))

    def _bisect(self, tolerance: Fraction, *, up: bool) -> Dialogue[Threshold]:
        """Keep `low` with hardly a mistake below it, and `high` with one certainly below it."""
        low, high = 0, self.values
        while high - low > 1:
            middle = (low + high) // 2
            mistakes = yield _below(middle, label=up)
            low, high = (middle, high) if mistakes <= tolerance else (low, middle)
        return Threshold(low, up)


@dataclass(frozen=True, slots=True)
class ConjunctionQueries:
    """A conjunction by elimination: a literal stays unless there is a yes that violates it.

    Monotone ones have no negations. If both literals of a column stay, the hypothesis is never.

    >>> rows = np.array([[1, 0], [1, 1]]), np.array([True, True])
    >>> learned(ConjunctionQueries(2).run(Fraction(1, 10)), lambda q: Fraction(int(q(*rows).max())))
    Conjunction(literals=((0, 1),))
    """

    dims: int
    monotone: bool = False
    adaptive = False

    @property
    def literals(self) -> tuple[tuple[int, int], ...]:
        """The literals in the order of their queries: columns with their values."""
        values = (1,) if self.monotone else (0, 1)
        return tuple((column, value) for column in range(self.dims) for value in values)

    @property
    def queries(self) -> int:
        """One for each literal."""
        return len(self.literals)

    @property
    def hypotheses(self) -> OrNever:
        """Conjunctions of any width, and never."""
        return OrNever(Conjunctions(self.dims, self.dims))

    def gap(self, alpha: Fraction, /) -> Fraction:
        """Each of `dims` literals may cost a gap, and a contradiction two."""
        return alpha / (self.dims if self.monotone else max(self.dims, 2))

    def tolerance(self, alpha: Fraction, /) -> Fraction:
        """Half the gap."""
        return self.gap(alpha) / 2

    def run(self, tolerance: Fraction, /) -> Dialogue[Concept]:
        """Ask, and return a conjunction or never."""
        violated = []
        for column, value in self.literals:
            answer = yield _violated(column, value)
            violated.append(answer)
        return self.kept([share <= tolerance for share in violated])

    def kept(self, stays: list[bool]) -> Concept:
        """Return the conjunction of the literals that stay."""
        literals = tuple(lit for lit, stay in zip(self.literals, stays, strict=True) if stay)
        contradiction = len({column for column, _ in literals}) < len(literals)
        return NEVER if contradiction else Conjunction(literals)


def queries_for(concepts: ConceptClass[Any]) -> ZeroQueries:
    """Return the algorithm for a class.

    >>> queries_for(Thresholds(10)).queries
    10
    """
    match concepts:
        case PointClass(values=values):
            return PointQueries(values)
        case Thresholds(values=values, direction=direction):
            return ThresholdQueries(values, direction)
        case Conjunctions(dims=dims):
            return ConjunctionQueries(dims)
    raise InvalidArgument(
        f"no algorithm by statistical queries is known here for {concepts}; "
        "there are some for points, thresholds and conjunctions"
    )


def learned(dialogue: Generator[Query, A, R], answer: Callable[[Query], A]) -> R:
    """Let an algorithm ask an oracle, and return what it learned."""
    try:
        query = next(dialogue)
        while True:
            query = dialogue.send(answer(query))
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]


def law_of(
    start: Callable[[], Generator[Query, A, R]], answers: Callable[[int, Query], Law[A]]
) -> Law[R]:
    """Return the law of what is learned if the i-th answer has the law answers(i, query).

    The answers are independent, given the queries. Every transcript is tried.
    """
    return _after(start, answers, ())


def count(sample: LabelCounts, query: Query, *, label: int = 0) -> int:
    """Count the rows for which a query holds; for a null row none does.

    >>> sample = LabelCounts.of([(3, (1,)), (3, (0,)), (9, (1,))], labels=1)
    >>> count(sample, lambda points, labels: (points < 5) & labels)
    1
    """
    return grades(sample, query, 1, label=label)[1]


def grades(sample: LabelCounts, query: Query, levels: int, *, label: int = 0) -> list[int]:
    """Count the rows by a query's value, in parts of 1 / levels; a null row has none of them."""
    ones, held = sample.positives[:, label], np.zeros(levels + 1, dtype=np.int64)
    marks = np.ones(len(ones), dtype=np.bool_)
    for said, rows in ((marks, ones), (~marks, sample.totals - ones)):
        if len(ones):
            np.add.at(held, np.clip(query(sample.points, said).astype(np.int64), 0, levels), rows)
    return [int(many) for many in held]


def clipped(concepts: HypothesisClass[Any], query: Query) -> Query:
    """Return the query that moves points into the domain first."""
    return lambda points, labels: query(concepts.clip(points), labels)


def _after(
    start: Callable[[], Generator[Query, A, R]],
    answers: Callable[[int, Query], Law[A]],
    said: tuple[A, ...],
) -> Law[R]:
    dialogue = start()
    try:
        query = next(dialogue)
        for answer in said:
            query = dialogue.send(answer)
    except StopIteration as end:
        return certain(end.value)
    law = answers(len(said), query)
    return law.then(lambda answer: _after(start, answers, (*said, answer)))


def _digit(place: int, value: int) -> Query:
    return lambda points, labels: labels & ((points >> place) & 1 == value).astype(np.bool_)


def _below(at: int, *, label: bool) -> Query:
    return lambda points, labels: (points < at).astype(np.bool_) & (labels == label)


def _violated(column: int, value: int) -> Query:
    return lambda points, labels: labels & (coordinate(points, column) != value).astype(np.bool_)
