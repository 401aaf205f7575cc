"""Representations: does a set of hypotheses hold a good one for every concept and distribution?

Of the papers: FX14 Def 4, FX14 Def 5, BNS19 Def 7, BNS19 Def 10.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core import Exact, InvalidArgument, check
from tacit.kernels.bits.packing import bit_sets, pack
from tacit.theory.solving.heavy_sets import HeavySets, Masses
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
        found = self._worst(concept, alpha, Fraction(0))
        return found[0] if found else Fraction(0)

    def represents(self, concepts: Rows, alpha: Exact, beta: Exact) -> bool:
        """Whether it (alpha, beta)-represents every concept."""
        beta = check.small_probability(beta=beta)
        return all(self._worst(concept, alpha, beta) is None for concept in concepts)

    def _worst(
        self, concept: NDArray[np.bool_], alpha: Exact, above: Fraction
    ) -> tuple[Fraction, Masses] | None:
        errors = np.unique(np.concatenate(self.sets) != concept, axis=1)
        wrong, ends = bit_sets(pack(errors)), np.cumsum([len(rows) for rows in self.sets])
        families = [wrong[end - len(rows) : end] for end, rows in zip(ends, self.sets, strict=True)]
        heavy = HeavySets(errors.shape[1], check.small_probability(alpha=alpha))
        return heavy.worst(families, self.probabilities, above)


def _spread(
    errors: NDArray[Any], columns: NDArray[Any], paid: Sequence[Fraction]
) -> tuple[Fraction, ...]:
    """Give the weight of a column to the first point that has it."""
    first = {column.tobytes(): x for x, column in reversed(list(enumerate(errors.T)))}
    weights = [Fraction(0)] * errors.shape[1]
    for column, weight in zip(columns.T, paid, strict=True):
        weights[first[np.ascontiguousarray(column).tobytes()]] = weight
    return tuple(weights)
