"""Numbers of records that are let out, claimed to be secret."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

from tacit.core.chance.law import Law, certain, mixture, product
from tacit.core.cost import Added, BoundedRange, Pure
from tacit.mechanisms import DiscreteLaplace, PrivateQuantile
from tacit.verify.broken.twin import Rows, twin
from tacit.verify.cases.statement import on_line

NOISE = DiscreteLaplace(1)
"""For counts that an added record moves by 1."""


def _noisy(count: int) -> Law[int]:
    return NOISE.law(count, low=0, high=4)


@twin(Added(Pure(1)), (0, 1))
def number_of_rows_printed(database: Rows) -> Law[Any]:
    """Count ones with noise, and print how many rows there are, as where that is public."""
    return _noisy(sum(database)).map(lambda told: (told, len(database)))


@twin(Added(BoundedRange(1)), (0, 1, 2, 3))
def two_way_scores_doubled(database: Rows) -> Law[Any]:
    """Choose a median by scores that weigh twice, though an added row moves them both ways."""
    return PrivateQuantile(2, level="1/2", epsilon=2).law(on_line(2)(database))


@twin(Added(Pure(1)), (0, 1))
def half_of_the_rows_held_out(database: Rows) -> Law[Any]:
    """Hold out exactly half of the rows, by coins, and let one budget do for both parts."""
    n, places = len(database), range(len(database))
    each = Fraction(1, comb(n, n // 2))
    return mixture(
        (each, product([_noisy(sum(database) - held), _noisy(held)]))
        for some in combinations(places, n // 2)
        for held in [sum(database[i] for i in some)]
    )


@twin(Added(Pure(1)), (0, 1))
def empty_table_refused(database: Rows) -> Law[Any]:
    """Refuse a table without rows, which only a table without rows is."""
    return _noisy(sum(database)) if database else certain("the table has no rows")


@twin(Added(Pure(1)), (0, 1))
def caution_by_the_secret_number(database: Rows) -> Law[Any]:
    """Ask more of a table that has enough rows: which it has is told by what is asked."""
    ones = _noisy(sum(database))
    return ones.map(lambda told: (told,) * 2) if len(database) > 1 else ones
