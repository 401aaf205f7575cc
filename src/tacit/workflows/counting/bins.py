"""Columns whose numbers are cut into bins at public places: what tables are counted by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core.errors import InvalidArgument
from tacit.data.schema.bits import Bits
from tacit.data.schema.columns import Column, Ordered
from tacit.data.schema.integer import Integer
from tacit.data.schema.real import Real
from tacit.data.schema.rule_class import cut_codes
from tacit.data.schema.schema import Schema
from tacit.sanitizers.marginals.matched_rows import scattered
from tacit.statistics import Counts


@dataclass(frozen=True, slots=True)
class Bins:
    """A column in bins, each from one of the codes `edges` up to the next; of one code, if none.

    >>> age = Bins("age", Integer(0, 120), (0, 18, 65))
    >>> age.size, age.of(np.array([17, 18, 120])).tolist(), age.labels
    (3, [0, 1, 2], ['0 to 17', '18 to 64', '65 to 120'])
    """

    name: str
    column: Column
    edges: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """The number of bins."""
        return len(self.edges) or self.column.size

    @property
    def labels(self) -> list[str]:
        """What each bin holds, in words."""
        say = self.column.describe
        if not self.edges:
            return [say(code) for code in range(self.size)]
        ends = zip(self.edges, (*self.edges[1:], self.column.size), strict=True)
        return [say(a) if b == a + 1 else f"{say(a)} to {say(b - 1)}" for a, b in ends]

    def of(self, codes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the bins of codes."""
        if not self.edges:
            return codes
        bins: NDArray[np.int64] = np.searchsorted(self.edges, codes, side="right") - 1
        return bins

    def spread(self, bins: NDArray[np.int64], place: int) -> NDArray[np.int64]:
        """Return a code for each bin, evenly over its codes; a function of public things."""
        if not self.edges:
            return bins
        ends = np.array([*self.edges, self.column.size])
        width = ends[bins + 1] - ends[bins]
        at = scattered(len(bins), place) % width.astype(np.uint64)
        codes: NDArray[np.int64] = ends[bins] + at.astype(np.int64)
        return codes

    def coarse(self, most: int) -> Bins:
        """Cut a column of more numbers at round ones, into so many bins at most; others stay.

        >>> Bins("age", Integer(0, 120)).coarse(8).edges
        (0, 20, 40, 60, 80, 100, 120)
        """
        if self.edges or self.size <= most or not isinstance(self.column, Ordered):
            return self
        return replace(self, edges=_edges(self.column, cut_codes(self.name, self.column, most - 1)))


def read_bins(
    schema: Schema, texts: Sequence[str], most: int | None = None, *, role: str = "by"
) -> list[Bins]:
    """Read names of columns, or `age=18:40:65`; numbers are cut into `most` bins, if told.

    >>> [each.edges for each in read_bins(Schema({"age": Integer(18, 120)}), ["age=40:65"])]
    [(0, 22, 47)]
    """
    if isinstance(texts, str) and texts in schema:
        raise InvalidArgument(f"{role} must be a list of columns; write [{texts!r}]")
    found = []
    for text in texts:
        name, _, cuts = (text, "", "") if text in schema else text.rpartition("=")
        name, column = (name or text).strip(), schema[(name or text).strip()]
        if cuts and not isinstance(column, Ordered):
            raise InvalidArgument(f"{role}: column {name!r} has no numbers to cut at {cuts[:40]}")
        edges: tuple[int, ...] = ()
        if cuts and isinstance(column, Ordered):
            edges = _edges(column, cut_codes(name, column, 0, cuts.split(":")))
        found.append(Bins(name, column, edges))
    return found if most is None else [each.coarse(most) for each in found]


def numbers_of(schema: Schema, name: str, *, bits: bool = False) -> Any:
    """Return a column whose codes are in the order of its values; with `bits`, also yes and no."""
    column = schema[name]
    if not isinstance(column, Integer | Real | (Bits if bits else Real)):
        raise InvalidArgument(
            f"column {name!r} must be of type integer or real{' or bits' * bits}: values of other "
            "types have no order here"
        )
    if column.outside != "clip":
        raise InvalidArgument(
            f"column {name!r} keeps missing cells apart, which have no order: name a copy of the "
            'schema with outside = "clip" in this column, by which they count as the least value'
        )
    return column


def binned(bins: Sequence[Bins], counts: Counts[Any]) -> Counts[Any]:
    """Put counted rows into bins, each by itself."""
    if not any(each.edges for each in bins):
        return counts
    codes, table = np.array(list(counts.table)).reshape(-1, len(bins)), dict[Any, int]()
    found = [each.of(held).tolist() for each, held in zip(bins, codes.T, strict=True)]
    for row, many in zip(zip(*found, strict=True), counts.table.values(), strict=True):
        key = row if len(bins) > 1 else row[0]
        table[key] = table.get(key, 0) + many
    return Counts(counts.n, table)


def _edges(column: Ordered, cuts: Sequence[int]) -> tuple[int, ...]:
    """Start the first bin at code 0, and one more at the code of what is missing."""
    return (0, *cuts, *([column.inside] if column.outside == "null" else []))
