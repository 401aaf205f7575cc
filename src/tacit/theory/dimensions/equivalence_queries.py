"""Equivalence queries: hypotheses against counter-examples, of any kind or from the class alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Bracket
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.kernels.deadline import Deadline, OutOfTime
from tacit.theory.dimensions.littlestone import SEARCHED, littlestone
from tacit.theory.dimensions.optimal_predictor import LARGEST, OptimalPredictor
from tacit.theory.solving.hitting_sets import members
from tacit.theory.solving.incidence import Incidence, Table

Hypothesis = NDArray[np.bool_]
Oracle = Callable[[Hypothesis], int | None]
"""A point where the hypothesis is wrong, or None if there is none."""


@dataclass(frozen=True, slots=True, eq=False)
class EquivalenceLearner:
    """What to propose for each version space, an integer with bit i for concept i.

    Guarantee:
        `optimal` hears at most as many counter-examples as the Littlestone dimension is; nobody
        does with fewer (docs/proofs/equivalence_queries.md).

    >>> thresholds = np.arange(8)[None, :] >= np.arange(8)[:, None]
    >>> def last_mistake(said, target=thresholds[6]):
    ...     return max(np.flatnonzero(said != target).tolist(), default=None)
    >>> EquivalenceLearner.optimal(thresholds)(last_mistake)
    (6, (5, 6))
    """

    table: Incidence
    propose: Callable[[int], Hypothesis]

    @classmethod
    def optimal(cls, table: Table, *, time_limit: float | None = None) -> EquivalenceLearner:
        """Return the standard optimal algorithm [Lit88], whose hypotheses are any functions."""
        table = Incidence.read(table)
        return cls(table, OptimalPredictor(table.truth, time_limit=time_limit).predictions)

    @classmethod
    def proper(cls, table: Table, strategy: Mapping[int, int]) -> EquivalenceLearner:
        """Propose the concepts that a strategy names; where it names none, the first one left."""
        truth = (table := Incidence.read(table)).truth
        return cls(table, lambda space: truth[strategy.get(space, next(members(space)))])

    def __call__(self, oracle: Oracle) -> tuple[int, tuple[int, ...]]:
        """Ask until the oracle agrees; return the concept, and the counter-examples heard."""
        space, heard = (1 << self.table.n) - 1, []
        while (x := oracle(said := self.propose(space))) is not None:
            heard.append(x)
            space &= _wrong(self.table.bit_columns[x], said[x])
            if not space:
                raise InvalidArgument(f"no concept explains the counter-examples at {heard}")
        for concept in np.flatnonzero((self.table.truth == said).all(axis=1)).tolist():
            return concept, tuple(heard)
        raise InvalidArgument("the oracle agreed to a function that is no concept")


def most_counterexamples(learner: EquivalenceLearner) -> int | None:
    """Return how many the worst oracle has, by following all of them; None if without end.

    >>> points = np.eye(4, dtype=bool)
    >>> most_counterexamples(EquivalenceLearner.optimal(points))
    1
    >>> most_counterexamples(EquivalenceLearner.proper(points, proper_queries(points).strategy))
    3
    """
    columns, known = learner.table.bit_columns, dict[int, int | None]()

    def most(space: int) -> int | None:
        if space not in known:
            known[space] = None  # what comes back to itself has no end
            said = learner.propose(space)
            parts = {space & _wrong(column, said[x]) for x, column in enumerate(columns)} - {0}
            worst = [-1, *(most(part) for part in parts)]
            known[space] = None if None in worst else 1 + max(w for w in worst if w is not None)
        return known[space]

    return most((1 << learner.table.n) - 1)


@dataclass(frozen=True, slots=True)
class ProperQueries(Bracket):
    """`lower <= counter-examples to concepts, at worst <= upper`: what to propose for a space."""

    strategy: Mapping[int, int]


def proper_queries(table: Table, *, time_limit: float | None = None) -> ProperQueries:
    """Return how many counter-examples are heard, at worst, if only concepts are proposed.

    Exactness:
        A game of version spaces, searched to its end and remembered; `most_counterexamples` plays
        the strategy against every oracle.

    Cost:
        Tables of up to 4096 entries; with `time_limit`, in seconds, it stops with what is certain.

    >>> proper_queries("thresholds(bits=3)").upper
    3
    """
    table, deadline = Incidence.read(table), Deadline(time_limit)
    if table.n * table.m > LARGEST:
        raise TooLarge(f"{table.n} x {table.m} entries; at most {LARGEST} are searched")
    against = [  # for each concept and point, who contradicts it there
        [_wrong(column, said) for column, said in zip(table.bit_columns, row, strict=True)]
        for row in table.truth.tolist()
    ]
    depth = littlestone(table, time_limit=time_limit).lower
    known: dict[int, tuple[int, int]] = {}

    def value(space: int) -> int:
        size = space.bit_count()
        if size <= 2:
            return size - 1
        if space not in known:
            deadline.check()
            replies = [(_parts(space, against[h]), h) for h in members(space)]
            replies.sort(key=lambda reply: reply[0][0].bit_count())
            excluded = size - replies[0][0][0].bit_count()  # at most, again and again
            least = max(-(-(size - 1) // excluded), depth if size == table.n else 1)
            best = size - 1, next(members(space))
            for parts, h in replies:
                if best[0] == least:
                    break
                if all(1 + value(part) < best[0] for part in parts):
                    best = max(1 + value(part) for part in parts), h
            known[space] = best
        return known[space][0]

    try:
        exact = value((1 << table.n) - 1)
    except OutOfTime:
        return ProperQueries(depth, table.n - 1, deadline.why, {})
    return ProperQueries(exact, exact, SEARCHED, {space: h for space, (_, h) in known.items()})


def _parts(space: int, against: list[int]) -> list[int]:
    """Return what the counter-examples to a concept leave, the most first."""
    return sorted({space & each for each in against} - {0}, key=int.bit_count, reverse=True)


def _wrong(column: int, said: bool) -> int:  # noqa: FBT001
    """Return the concepts that contradict what was said at a point, given who says yes there."""
    return ~column if said else column
