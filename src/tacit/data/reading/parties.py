"""The tables of several parties, counted one by one: they are never put together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tacit.core.errors import InvalidArgument
from tacit.data.reading.files import find_files
from tacit.data.reading.reduction import reduce
from tacit.data.reading.source import Source
from tacit.data.schema.schema import Schema
from tacit.learners.rules.parties_learner import PartyTables


def tables_of(source: Source) -> int:
    """Return how many tables a list of sources has, one for each party.

    >>> tables_of([{"ill": [1]}, {"ill": [0, 1]}])
    2
    """
    if not isinstance(source, list | tuple) or len(source) < 2:
        raise InvalidArgument(
            "this learner takes one table from each party: give two files or more, one a party"
        )
    if len({id(table) for table in source}) < len(source):
        raise InvalidArgument("the same table was given for two parties; give each its own")
    paths = [table for table in source if isinstance(table, str | Path)]
    if len(paths) > 1:
        find_files(paths)  # refuses a file that is named twice
    return len(source)


def reduce_by_party(
    source: Sequence[Source], schema: Schema, features: Sequence[str], labels: Sequence[str]
) -> PartyTables:
    """Count the rows of each party's table as `reduce` does.

    >>> from tacit.data import Bits
    >>> schema = Schema({"fever": Bits(), "ill": Bits()})
    >>> north, south = {"fever": [1, 0], "ill": [1, 0]}, {"fever": [1], "ill": [1]}
    >>> reduce_by_party([north, south], schema, ["fever"], ["ill"]).n
    3
    """
    return PartyTables(tuple(reduce(table, schema, features, labels) for table in source))
