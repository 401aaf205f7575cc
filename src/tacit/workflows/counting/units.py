"""Rows, or persons with their rows, as the verbs that count take them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tacit.core.errors import InvalidArgument
from tacit.core.unit import Unit
from tacit.data.persons.reading import person_counts
from tacit.data.reading.coding import Coding
from tacit.data.reading.reduction import count_points, open_table
from tacit.data.reading.source import Source
from tacit.data.spark.room import OBJECTS, check_room
from tacit.mechanisms.one_row_each import OneRowEach, as_it_is
from tacit.statistics.counts.counts import Counts
from tacit.statistics.counts.person_counts import PersonCounts


def count_units(
    source: Source, coding: Coding, unit: Unit, *, none: str
) -> Counts[Any] | PersonCounts:
    """Count rows by their codes, or persons with theirs; refuse an empty table: there is `none`.

    Not where how many there are is secret: that there are none is so too.

    Guarantee:
        As `count_points` and `person_counts`: replacing one unit of the source replaces one here.
    """
    if unit.person:
        found: Any = person_counts(open_table(source, coding), coding, unit.person)
    else:
        opened = open_table(source, coding)
        if not unit.added:
            check_room(opened, coding, OBJECTS)
        found = count_points(opened, coding)
    if not found.n and not unit.added:
        raise InvalidArgument(f"the table has no rows; {none}")
    return found  # type: ignore[no-any-return]


def of_units(
    counts: Counts[Any] | PersonCounts,
    mechanism: Any,
    read: Callable[[Any], Any] = as_it_is,
) -> tuple[Any, Any]:
    """Return the statistic and the mechanism: of persons one row each is drawn before it is read.

    >>> of_units(Counts.of([7, 7]), "a mechanism", lambda counts: counts.n)
    (2, 'a mechanism')
    """
    if isinstance(counts, PersonCounts):
        return counts, OneRowEach(mechanism, read)
    return read(counts), mechanism


def told_unit(unit: Unit) -> dict[str, Any]:
    """Say who is protected, for JSON; of rows nothing, which is what is meant else.

    >>> told_unit(Unit(["patient"]))
    {'unit': 'all rows of one person (patient)', 'neighbours': 'replaced'}
    """
    return {"unit": unit.whose, "neighbours": str(unit.neighbours)}
