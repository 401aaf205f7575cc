"""Optimisation problems: what each solution is worth on a database, and that no row moves it much.

Proofs in docs/proofs/optimisation.md.

Of the papers: BNS19 Def 20, BNS19 Def 21, BNS19 Def 26, BNS19 Ex 7.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement
from math import comb
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import listable
from tacit.core import Exact, InvalidArgument, TooLarge, check, hold

R = TypeVar("R", bound=Hashable)
S = TypeVar("S", bound=Hashable)
Held = NDArray[np.int64]
"""How many records of each row a database has."""
MOST = 1 << 20
"""Databases that are gone through: minutes, where each has some hundred solutions."""
HEAVIEST = 1 << 31
"""Weights below it, of as many rows, add up within 63 bits."""


class Leap(NamedTuple):
    """Two neighbours, and a solution whose score the replaced row moves by more than its units."""

    before: tuple[Any, ...]
    after: tuple[Any, ...]
    solution: Any


@dataclass(frozen=True, eq=False)
class Problem(Generic[R, S]):
    """Rows, solutions, and the integer score of each solution on each database, in any one order.

    The quality of a solution on m rows is its score divided by m times `units`. What is no row of
    the problem is read as its first one.

    >>> often = Problem((0, 1), (0, 1), lambda rows, value: rows.count(value))
    >>> often.quality([1, 0, 1], 1), often.bounded(3)
    (Fraction(2, 3), True)
    >>> Problem((0, 1), (1,), lambda rows, value: rows.count(value) ** 2).leap(2)
    Leap(before=(1, 0), after=(1, 1), solution=1)
    """

    rows: tuple[R, ...]
    solutions: tuple[S, ...]
    score: Callable[[tuple[R, ...], S], int] = field(repr=False)
    units: int = 1

    def scores(self, held: Held) -> NDArray[np.int64]:
        """Return the score of each solution, for so many records of each row."""
        pairs = zip(self.rows, held.tolist(), strict=True)
        database = tuple(row for row, many in pairs for _ in range(many))
        return np.array([self.score(database, s) for s in self.solutions], dtype=np.int64)

    @cached_property
    def _places(self) -> dict[R, int]:
        return {row: place for place, row in enumerate(self.rows)}

    def held(self, database: Iterable[R]) -> Held:
        """Count the records of a database."""
        found = [self._places.get(row, 0) for row in database]
        return np.bincount(np.array(found, dtype=np.int64), minlength=len(self.rows))

    def quality(self, database: Sequence[R], solution: S) -> Fraction:
        """Return q(S, f), of a solution of the problem on at least one row."""
        score = int(self.scores(self.held(database))[self.solutions.index(solution)])
        return Fraction(score, self.units * check.count(rows=len(database), least=1))

    def good(self, database: Sequence[R], alpha: Exact) -> tuple[S, ...]:
        """Return the solutions whose quality is within alpha of the best."""
        scores = self.scores(self.held(database))
        bar = scores.max() - check.nonnegative(alpha=alpha) * self.units * len(database)
        return tuple(s for s, score in zip(self.solutions, scores, strict=True) if score >= bar)

    def databases(self, m: int) -> Iterator[tuple[R, ...]]:
        """Yield every database of m rows, in one order of each."""
        many = comb(len(self.rows) + check.count(m=m) - 1, m)
        if many > MOST:
            raise TooLarge(f"{many} databases of {m} rows are too many to go through; take fewer")
        return combinations_with_replacement(self.rows, m)

    def leap(self, m: int) -> Leap | None:
        """Return neighbours of m rows that show the problem not to be bounded, or None."""
        each = np.eye(len(self.rows), dtype=np.int64)
        for shared in self.databases(check.count(m=m, least=1) - 1):
            base = self.held(shared)
            scores = np.array([self.scores(base + one) for one in each])
            far = np.flatnonzero(np.ptp(scores, axis=0) > self.units)
            if len(far):
                low, high = scores[:, far[0]].argmin(), scores[:, far[0]].argmax()
                before, after = (*shared, self.rows[low]), (*shared, self.rows[high])
                return Leap(before, after, self.solutions[far[0]])
        return None

    def bounded(self, m: int) -> bool:
        """Whether a replaced one of m rows moves m times a quality by at most 1."""
        return self.leap(m) is None


@dataclass(frozen=True, eq=False)
class WorstTest(Problem[R, S]):
    """A problem whose score is the least of several sums: what all rows give in each test.

    `tests` has a table for each solution: a line a test, the weights of all rows. Bounded, for any
    number of rows, if in no test two weights differ by more than `units`.

    >>> often = WorstTest((0, 1), ("no", "yes"), ([[1, 0]], [[0, 1]]))
    >>> often.quality([1, 0, 1], "yes"), often.bounded(10**6)
    (Fraction(2, 3), True)
    """

    tests: NDArray[np.int64] = field(init=False, repr=False)
    starts: NDArray[np.int64] = field(init=False, repr=False)

    def __init__(
        self, rows: Iterable[R], solutions: Iterable[S], tests: Sequence[Any], units: int = 1
    ) -> None:
        hold(self, rows=tuple(rows), solutions=tuple(solutions)).count(units=units, least=1)
        tables = [np.asarray(table, dtype=np.int64) for table in tests]
        if len(tables) != len(self.solutions) or not tables:
            raise InvalidArgument("tests must be one table for each solution")
        if any(t.ndim != 2 or t.shape[1] != len(self.rows) or not t.size for t in tables):
            raise InvalidArgument("tests must have lines with a weight for each row")
        stacked = np.concatenate(tables)
        if stacked.min() < 0 or stacked.max() >= HEAVIEST:
            raise InvalidArgument("weights must be at least 0 and below 2^31")
        starts = np.cumsum([0, *map(len, tables[:-1])])
        hold(self, tests=stacked, starts=starts)

    def scores(self, held: Held) -> NDArray[np.int64]:
        """Return the score of each solution."""
        return np.minimum.reduceat(self.tests @ held, self.starts)

    def bounded(self, m: int) -> bool:
        """Whether a replaced row moves m times a quality by at most 1, for this m."""
        return bool(np.ptp(self.tests, axis=1).max() <= self.units) or super().bounded(m)


def sanitization(queries: NDArray[np.bool_], rows: int) -> WorstTest[int, tuple[int, ...]]:
    """Return the problem to find so many synthetic rows for the queries, a line of answers each.

    The quality is 1 minus the greatest difference of an answer, a share of the rows.

    >>> thresholds = np.array([[0, 1, 1], [0, 0, 1]], dtype=bool)
    >>> problem = sanitization(thresholds, 2)
    >>> problem.quality([0, 2, 2, 2], (1, 2)), problem.good([0, 2, 2, 2], 0)
    (Fraction(3, 4), ((0, 2), (1, 2), (2, 2)))
    """
    points, made = queries.shape[1], check.count(rows=rows, least=1)
    listable(comb(points + made - 1, made), what="synthetic tables")
    solutions = list(combinations_with_replacement(range(points), made))
    yes = queries.astype(np.int64)
    tests = []
    for solution in solutions:
        told = yes[:, list(solution)].sum(axis=1, keepdims=True)
        tests.append(np.concatenate([made - made * yes + told, made + made * yes - told]))
    return WorstTest(range(points), solutions, tests, made)
