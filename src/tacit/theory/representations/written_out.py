"""Representations of small classes as tables and back, with what is exactly true of them."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from tacit.concepts.contract.hypothesis_set import HypothesisSet, answers
from tacit.concepts.outputs.point_sets import Tables, listed_functions
from tacit.core import check
from tacit.core.numbers.exact import Exact
from tacit.theory.representations.drawn import Drawn, Fixed
from tacit.theory.representations.representation import (
    ProbabilisticRepresentation,
    Rows,
    representation_value,
)
from tacit.theory.solving.incidence import Table, class_of, rows_of


def written_out(
    lottery: Iterable[tuple[Fraction, HypothesisSet]], concepts: Table
) -> ProbabilisticRepresentation:
    """Return the sets that a lottery draws as tables on the domain of a class, equal ones once.

    >>> from tacit.theory.representations.of_points import BucketedPoints
    >>> table = written_out(BucketedPoints.least(1, "2/5", "1/2").lottery(), "points(bits=1)")
    >>> len(table.sets), sum(table.probabilities)
    (2, Fraction(1, 1))
    """
    points = class_of(concepts).domain()
    chances: dict[bytes, Fraction] = {}
    tables: dict[bytes, Rows] = {}
    for chance, among in lottery:
        table = answers(among, points)
        key = table.tobytes()
        tables[key] = table
        chances[key] = chances.get(key, Fraction(0)) + chance
    return ProbabilisticRepresentation(tuple(tables.values()), tuple(chances.values()))


def fixed_by(hypotheses: Rows, concepts: Table) -> Fixed:
    """Return hypotheses as a representation, with the least distance that is true of them.

    >>> import numpy as np
    >>> fixed_by(np.array([[0, 0], [1, 1]], dtype=bool), np.eye(2)).approximation
    Fraction(1, 2)
    """
    of = class_of(concepts)
    values = [representation_value(hypotheses, concept).upper for concept in rows_of(of)]
    return Fixed(listed_functions(hypotheses, of.domain()), Tables(of), max(values))


def drawn_by(table: ProbabilisticRepresentation, concepts: Table, approximation: Exact) -> Drawn:
    """Return a lottery over tables as a representation, with the failure that is true of it.

    >>> import numpy as np
    >>> halves = ProbabilisticRepresentation(
    ...     tuple(np.eye(2, dtype=bool)[:, None]), (Fraction(1, 2),) * 2
    ... )
    >>> drawn_by(halves, np.eye(2), "1/4").failure
    Fraction(1, 2)
    """
    of, near = class_of(concepts), check.small_probability(approximation=approximation)
    return Drawn(
        tuple(listed_functions(rows, of.domain()) for rows in table.sets),
        Tables(of),
        approximation=near,
        failure=max(table.failure(concept, near) for concept in rows_of(of)),
        chances=table.probabilities,
    )
