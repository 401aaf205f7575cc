"""Persons who count for more than one: a record is all rows of one, claimed to be protected."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tacit.core.chance.law import Law, certain, mixture, product
from tacit.core.cost import Pure
from tacit.mechanisms import DiscreteLaplace
from tacit.verify.broken.twin import Rows, twin
from tacit.verify.cases.persons import counted, persons

NOISE = DiscreteLaplace(1)
"""For counts that one row moves by 1."""
FEW = persons((0, 1), 2)


def _noisy(count: int, most: int) -> Law[int]:
    return NOISE.law(count, low=0, high=most)


@twin(Pure(1), FEW, 2)
def cap_after_filtering(database: Rows) -> Law[Any]:
    """Take one row of each person in each group, and count the groups as if they were apart."""
    groups = [sum(any(row == group for row in person) for person in database) for group in (0, 1)]
    return product(_noisy(count, 2) for count in groups)


@twin(Pure(1), persons((("a", 1), ("A", 1), ("a", 0)), 2), 2)
def identifiers_told_apart_by_case(database: Rows) -> Law[Any]:
    """Tell persons apart by identifiers as they are written: one may be there twice."""
    spelled = [{row[0]: row for row in person} for person in database]
    return _noisy(sum(mark for person in spelled for _, mark in person.values()), 4)


@twin(Pure(1), persons(((0, 1), (1, 1), (0, 0)), 2), 2)
def persons_of_each_file(database: Rows) -> Law[Any]:
    """Draw one row of each person in each file, and put the files together then."""
    files = [{row[0]: row for row in person} for person in database]
    return _noisy(sum(mark for person in files for _, mark in person.values()), 4)


@twin(Pure(1), FEW, 2)
def rows_told_as_n(database: Rows) -> Law[Any]:
    """Say how many rows there are, as if that were how many persons there are."""
    ones = _drawn_ones(database)
    return ones.then(lambda count: product([certain(_rows(database)), _noisy(count, 2)]))


@twin(Pure(1), FEW, 2)
def rows_weighed_alike(database: Rows) -> Law[Any]:
    """Give every row the same weight, and the noise that one row needs."""
    return _noisy(sum(mark for person in database for mark in person), 4)


@twin(Pure(1), FEW, 2)
def weight_by_all_rows(database: Rows) -> Law[Any]:
    """Give each person the mean number of rows: one person's rows make the others weigh more."""
    mean = -(-_rows(database) // len(database))
    ones = sum(max(person) for person in database)
    return _noisy(mean * ones, 4)


def _rows(database: Iterable[Any]) -> int:
    return sum(map(len, database))


def _drawn_ones(database: Rows) -> Law[int]:
    drawn: Any = counted(database).draws()
    return mixture((share, certain(int(rows[1]))) for share, rows in drawn)
