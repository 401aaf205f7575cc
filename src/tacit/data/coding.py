"""Rows as codes, and their counts: what is done to a table, in this process or in another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from tacit.core.errors import InvalidArgument
from tacit.data.arrow import readable
from tacit.data.columns import Column
from tacit.data.counting import grouped, letters, recorded, words
from tacit.data.engine import (
    MERGED,
    WEIGHT,
    Relation,
    Table,
    connect,
    from_batches,
    merged,
    reading,
)
from tacit.data.kind import Kind, kind_of

_BATCH = 1 << 16


@dataclass(frozen=True, slots=True)
class Coding:
    """Which columns are features, x0, ..., and which labels, y0, ...; all of it is public.

    The labels come after the features. With `jointly` rows are counted by all labels together,
    otherwise by the features alone, with one sum a label. A coding can be sent to other machines:
    counts of parts of a table, added up by `keys`, are the counts of the table.

    >>> from tacit.data import Bits, Integer
    >>> coding = Coding(("age", "sick"), (Integer(0, 120), Bits()), features=1)
    >>> coding.keys, coding.sums
    (['x0'], ['n0', 'n1'])
    """

    names: tuple[str, ...]
    columns: tuple[Column, ...]
    features: int
    jointly: bool = False

    @property
    def labels(self) -> int:
        """The number of labels."""
        return len(self.names) - self.features

    @property
    def keys(self) -> list[str]:
        """What counted rows have in common: codes, and jointly the labels as bits of words."""
        marks = letters("m", len(words(self.labels))) if self.jointly else []
        return [*letters("x", self.features), *marks]

    @property
    def sums(self) -> list[str]:
        """What is added up: the rows, and unless jointly the positive ones label by label."""
        return letters("n", 1 if self.jointly else 1 + self.labels)

    def kinds(self, types: Sequence[Any]) -> list[Kind]:
        """Return how the columns are stored; refuse a type that cannot hold the domain."""
        stored = zip(self.names, self.columns, map(str, types), strict=True)
        return [_kind(name, column, type_name) for name, column, type_name in stored]

    def coded(self, rows: Table, *, ordered: bool) -> Table:
        """Return a table of codes x0, ..., and of labels y0, ..., which are 0, 1, or NULL."""
        kinds = self.kinds(rows.relation.types[: len(self.names)])
        if not ordered and "text" in kinds and not rows.weighted and len(kinds) <= MERGED:
            rows = merged(rows)
        read = [WEIGHT] if rows.weighted else []
        code = [*read]
        for i, (column, kind) in enumerate(zip(self.columns, kinds, strict=True)):
            read.append(f"{column.read_sql(f'c{i}', kind)} AS v{i}")
            if i < self.features:
                code.append(f"CAST({column.coded_sql(f'v{i}')} AS BIGINT) AS x{i}")
            else:
                code.append(f"v{i} AS y{i - self.features}")
        relation = rows.relation.project(", ".join(read)).project(", ".join(code))
        return replace(rows, relation=relation)

    def counted(self, coded: Table) -> Relation:
        """Return `keys` and `sums` of coded rows."""
        return (recorded if self.jointly else grouped)(coded, self.features, self.labels)

    def partial(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Count Arrow batches of the raw columns: what a worker does, on one core."""
        first = next(batches, None)
        if first is None:
            return
        connect(ordered=False).execute("SET threads = 1")
        head = self._readable(first)
        rows = chain([head], map(self._readable, batches))
        table = from_batches([column.type for column in head], rows, ordered=False)
        with reading("the table"):
            yield from self.counted(self.coded(table, ordered=False)).to_arrow_reader(_BATCH)

    def _readable(self, batch: Any) -> list[Any]:
        return [readable(name, batch.column(i)) for i, name in enumerate(self.names)]


def _kind(name: str, column: Column, stored: str) -> Kind:
    kind = kind_of(stored)
    if kind is None or not column.holds(kind):
        raise InvalidArgument(
            f"column {name!r} is stored as {stored}, which cannot hold {column.domain}: "
            "convert it, or change its type in the schema"
        )
    return kind
