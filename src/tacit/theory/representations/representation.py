"""Representations: does a set of hypotheses hold a good one for every concept and distribution?

Of the papers: FX14 Def 4, FX14 Def 5, BNS19 Def 7, BNS19 Def 10.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core import check
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.exact import Exact
from tacit.theory.solving.matrix_game import GameValue, game_value

Rows = NDArray[np.bool_]
"""Hypotheses or concepts by their values on the same points, one line each."""


def representation_value(hypotheses: Rows, concept: NDArray[np.bool_]) -> GameValue:
    """Return the least alpha with which the hypotheses represent a concept, with both certificates.

    Every distribution over the points has a hypothesis of error at most alpha if and only if some
    mixture of the hypotheses errs at most alpha at every point [BNS19, FX14: von Neumann's minimax
    theorem; docs/proofs/representation.md]. `paying` is such a mixture, `paid` a distribution under
    which every hypothesis errs at least `lower`.

    >>> two = np.array([[0, 0], [1, 1]], dtype=bool)
    >>> representation_value(two, np.array([False, True])).upper
    Fraction(1, 2)
    """
    errors = (hypotheses != concept).astype(np.int64)
    if hypotheses.ndim != 2 or errors.shape != hypotheses.shape or not errors.size:
        raise InvalidArgument("hypotheses must be a table, one value for each point of the concept")
    columns = np.unique(errors, axis=1)
    value = game_value(columns)
    return GameValue(value.lower, value.upper, value.paying, _spread(errors, columns, value.paid))


def represents(hypotheses: Rows, concepts: Rows, alpha: Exact) -> bool:
    """Whether for each concept and distribution some hypothesis has error at most alpha.

    >>> everything = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=bool)
    >>> represents(everything[:2], everything, 0.5), represents(everything, everything, 0)
    (False, True)
    """
    alpha = check.small_probability(alpha=alpha)
    values = (representation_value(hypotheses, concept) for concept in concepts)
    return all(value.upper <= alpha for value in values)


@dataclass(frozen=True, slots=True, eq=False)
class ProbabilisticRepresentation:
    """Sets of hypotheses, each drawn with a probability."""

    sets: tuple[Rows, ...]
    probabilities: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        if sum(self.probabilities) != 1 or len(self.sets) != len(self.probabilities):
            raise InvalidArgument("probabilities must add up to 1, one for each set")

    def failure(self, concept: NDArray[np.bool_], alpha: Exact) -> Fraction:
        """Return the least beta with which it (alpha, beta)-represents a concept.

        It fails on a distribution with the sets none of whose members is good for it: those
        families of sets whose union does not represent the concept
        [docs/proofs/representation.md]. They are searched by their members, so that many sets of
        few hypotheses take no longer than few sets.
        """
        alpha = check.small_probability(alpha=alpha)
        rows = np.unique(np.concatenate(self.sets), axis=0)
        places = {row.tobytes(): i for i, row in enumerate(rows)}
        holds = [frozenset(places[row.tobytes()] for row in among) for among in self.sets]

        def inside(allowed: frozenset[int]) -> tuple[Fraction, frozenset[int]]:
            """Return the chance of sets that have no other members, and the members of those."""
            within = [i for i, held in enumerate(holds) if held <= allowed]
            mass = sum((self.probabilities[i] for i in within), Fraction(0))
            return mass, frozenset().union(*(holds[i] for i in within))

        # Best first: a union that does represent the concept loses a hypothesis of the mixture
        # that shows it, each in turn; the first one that does not has the largest chance of all.
        mass, union = inside(frozenset(range(len(rows))))
        waiting, seen = [(-mass, sorted(union))], {union}
        while waiting:
            missed, allowed = heappop(waiting)
            value = representation_value(rows[allowed], concept)
            if value.upper > alpha:
                return -missed
            for i in (i for i, weight in zip(allowed, value.paying, strict=True) if weight):
                mass, union = inside(frozenset(allowed) - {i})
                if mass and union not in seen:
                    seen.add(union)
                    heappush(waiting, (-mass, sorted(union)))
        return Fraction(0)

    def represents(self, concepts: Rows, alpha: Exact, beta: Exact) -> bool:
        """Whether it (alpha, beta)-represents every concept."""
        beta = check.small_probability(beta=beta)
        return all(self.failure(concept, alpha) <= beta for concept in concepts)


def _spread(
    errors: NDArray[Any], columns: NDArray[Any], paid: Sequence[Fraction]
) -> tuple[Fraction, ...]:
    """Give the weight of a column to the first point that has it."""
    first = {column.tobytes(): x for x, column in reversed(list(enumerate(errors.T)))}
    weights = [Fraction(0)] * errors.shape[1]
    for column, weight in zip(columns.T, paid, strict=True):
        weights[first[np.ascontiguousarray(column).tobytes()]] = weight
    return tuple(weights)
