"""Messages that tell too much of a house, though they claim what the true ones do."""

from __future__ import annotations

from itertools import product
from typing import Any

from tacit.core.chance.law import Law, certain
from tacit.core.chance.law import product as together
from tacit.core.cost import Added, Pure
from tacit.mechanisms import DiscreteLaplace
from tacit.verify.broken.twin import Rows, twin

ROWS = tuple(product(range(2), range(2)))
"""Rows of a column, and a label; or of two labels."""


def _cells(database: Rows) -> list[int]:
    return [database.count(row) for row in ROWS]


@twin(Pure(1), ROWS)
def noise_forgotten_on_one_count(database: Rows) -> Law[Any]:
    """Tell a table of counts with noise, but for the last one, which follows from no other."""
    *most, last = _cells(database)
    noisy = DiscreteLaplace(1, 2).law(most, low=0, high=len(database))
    return noisy.map(lambda told: (*told, last))


@twin(Pure(1), ROWS, 2)
def labels_for_the_price_of_one(database: Rows) -> Law[Any]:
    """Tell how often each of two labels occurs, with the noise that one of them needs."""
    ones = [sum(row[label] for row in database) for label in (0, 1)]
    return DiscreteLaplace(1).law(ones, low=0, high=max(len(database), 1))


@twin(Added(Pure(1)), (0, 1))
def rows_of_a_house_in_the_clear(database: Rows) -> Law[Any]:
    """Tell noisy counts for added rows, and beside them how many rows the house has."""
    noisy = DiscreteLaplace(1).law([database.count(x) for x in (0, 1)], low=0, high=4)
    return together([certain(len(database)), noisy])
