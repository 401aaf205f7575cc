"""The rows of several parties, which are never put together."""

from __future__ import annotations

from dataclasses import dataclass

from tacit.statistics.counts.label_counts import LabelCounts
from tacit.statistics.private import Private


@dataclass(frozen=True, slots=True, repr=False)
class PartyTables(Private):
    """The rows of several parties, each in a table of its own.

    Guarantee:
        Replacing one row of one party's table replaces one row of one of these.
    """

    tables: tuple[LabelCounts, ...]

    @property
    def n(self) -> int:
        """All rows together."""
        return sum(table.n for table in self.tables)
