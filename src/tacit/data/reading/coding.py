"""Rows as codes, and their counts: what is done to a table, in this process or in another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tacit.core.errors import InvalidArgument, nearest
from tacit.core.frozen import hold
from tacit.data.reading.codes import codes_of
from tacit.data.reading.counting import Rows, count
from tacit.data.schema.columns import Column
from tacit.data.schema.outcome import Outcome
from tacit.data.schema.schema import Schema
from tacit.kernels.reading.tally import Words
from tacit.statistics.counts.marks import Marks

Cells = Sequence[Any]
"""The columns of some rows, as Arrow arrays of one length."""

_MARKS = 62
"""Marks that one word holds as bits, so that a signed word of 64 bits has room."""
_ROWS = 1 << 16
"""Rows of counts that a worker hands over at a time."""


class Counted(NamedTuple):
    """The different rows of codes, sorted; the sums of each: rows, then ones mark by mark.

    Of rows that are counted jointly the marks are codes too, the last ones.
    """

    codes: NDArray[np.int64]
    sums: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Coding:
    """Which columns are features, x0, ..., and which labels, y0, ...; all of it is public.

    The labels come after the features; each is an `Outcome` of one or more marks of 0 or 1. With
    `jointly` rows are counted by all marks together, otherwise by the features alone, with one sum
    a mark. A coding can be sent to other machines:
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
    outcomes: tuple[Outcome, ...] = ()
    """What each label says; unless given, what its column says by itself."""
    declared: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """All columns of the schema, which a message may name."""

    def __post_init__(self) -> None:
        if not self.outcomes:
            held = zip(self.names[self.features :], self.columns[self.features :], strict=True)
            hold(self, outcomes=tuple(Outcome.of(name, column) for name, column in held))

    @classmethod
    def of(
        cls,
        schema: Schema,
        features: Sequence[str],
        labels: Sequence[str] | None = None,
        *,
        role: str = "features",
        cuts: Mapping[str, Sequence[Any]] | None = None,
    ) -> Coding:
        """Say what is to be read by a schema; names and types are checked here, and only here.

        Labels that are numbers or dates are cut where `cuts` says, or at round values.
        """
        _check_names(features, role)
        if labels is not None:
            _check_names(labels, "labels")
            known = set(features)
            if shared := [name for name in labels if name in known]:
                raise InvalidArgument(f"{shared[0]!r} is a label; it cannot be a feature too")
        names, asked = (*features, *(labels or ())), dict(cuts or {})
        if strange := sorted(asked.keys() - set(labels or ())):
            hint = nearest(strange[0], labels or ())
            raise InvalidArgument(f"cuts names {strange[0]!r}, which is no label; {hint}")
        columns = tuple(schema[name] for name in names)
        outcomes = tuple(
            Outcome.of(name, schema[name], cuts=asked.get(name)) for name in labels or ()
        )
        marks = Counter(mark for outcome in outcomes for mark in outcome.marks)
        if twice := [mark for mark, times in marks.items() if times > 1]:
            raise InvalidArgument(f"two labels would be called {twice[0]!r}; rename one column")
        first = len(features)
        return cls(names, columns, first, outcomes=outcomes, declared=tuple(schema.names))

    @property
    def sizes(self) -> list[int]:
        """How many codes each feature has."""
        return [column.size for column in self.columns[: self.features]]

    @property
    def marks(self) -> tuple[str, ...]:
        """What all labels are asked, in words: of bits the name of the column."""
        return tuple(mark for outcome in self.outcomes for mark in outcome.marks)

    @property
    def groups(self) -> tuple[Marks, ...]:
        """How many marks each label has, and how they exclude or imply each other."""
        return tuple(Marks(len(each.marks), each.nested) for each in self.outcomes)

    @property
    def labels(self) -> int:
        """The number of marks of all labels, which are learned as so many labels of 0 and 1."""
        return len(self.marks)

    @property
    def keys(self) -> list[str]:
        """What counted rows have in common: codes, and jointly the marks as bits of words."""
        marks = letters("m", len(words(self.labels))) if self.jointly else []
        return [*letters("x", self.features), *marks]

    @property
    def sums(self) -> list[str]:
        """What is added up: the rows, and unless jointly the positive ones mark by mark."""
        return letters("n", 1 if self.jointly else 1 + self.labels)

    def codes(self, cells: Cells) -> list[NDArray[np.int64]]:
        """Return the codes of some rows, column by column."""
        read = zip(self.columns, cells, strict=True)
        return [codes_of(column, held) for column, held in read]

    def count(self, batches: Iterable[Cells]) -> Counted:
        """Count rows by their codes."""
        packing, labels = self.packing, 0 if self.jointly else self.labels
        rows = (self.rows(cells, packing) for cells in batches)
        words, sums = count(rows, len(packing.groups), labels, prod(packing.sizes))
        return Counted(packing.unpack(words), sums)

    @property
    def packing(self) -> Words:
        """How what counted rows have in common is packed into words."""
        return Words((*self.sizes, *([2] * self.labels if self.jointly else ())))

    def rows(self, cells: Cells, packing: Words) -> Rows:
        """Return some rows as words, and their marks unless these are in the words."""
        codes, marks = self._coded(cells)
        if self.jointly:
            return packing.pack([*codes, *marks.T.astype(np.int64)]), marks[:, :0]
        return packing.pack(codes), marks

    def _coded(self, cells: Cells) -> tuple[list[NDArray[np.int64]], NDArray[np.uint8]]:
        """Return the codes of the features, and the marks."""
        codes, labels = (held := self.codes(cells))[: self.features], held[self.features :]
        said = (outcome.marked(each) for outcome, each in zip(self.outcomes, labels, strict=True))
        none = np.zeros((len(held[0]), 0), dtype=np.bool_)
        return codes, np.hstack([none, *said]).view(np.uint8)

    def weighed(self, cells: Cells, times: NDArray[np.int64]) -> Counted:
        """Return lines of raw cells as counts, in their order: each stands for so many rows.

        >>> from tacit.data import Bits, Integer
        >>> coding = Coding(("age", "sick"), (Integer(0, 120), Bits()), features=1)
        >>> cells, times = [pa.array(["41", " 41"]), pa.array(["y", None])], np.array([2**40, 7])
        >>> [part.tolist() for part in coding.weighed(cells, times)]
        [[[41], [41]], [[1099511627776, 1099511627776], [7, 0]]]
        """
        codes, marks = self._coded(cells)
        if self.jointly:
            return Counted(np.column_stack([*codes, *marks.T]).astype(np.int64), times[:, None])
        sums = np.column_stack([times, marks * times[:, None]])
        return Counted(np.column_stack(codes), sums)

    def partial(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Count Arrow batches of the raw columns: what a worker does."""
        yield from self._told(self.count(batch.columns for batch in batches))

    def partial_of_groups(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Count groups of equal rows: Arrow batches of raw columns and, last, of rows."""
        for counted in self.groups_of(batches):
            yield from self._told(counted)

    def groups_of(self, batches: Iterator[Any]) -> Iterator[Counted]:
        """Read Arrow batches of groups, each by itself: what differs may have the same codes."""
        for batch in batches:
            *cells, times = batch.columns
            yield self.weighed(cells, times.to_numpy())

    def _told(self, counted: Counted) -> Iterator[Any]:
        held = list(counted.codes[:, : self.features].T)
        if self.jointly:
            marks = counted.codes[:, self.features :]
            held += [marks[:, word] @ (1 << np.arange(len(word))) for word in words(self.labels)]
        columns = [pa.array(column, pa.int64()) for column in (*held, *counted.sums.T)]
        table = pa.table(columns, names=[*self.keys, *self.sums])
        yield from table.to_batches(max_chunksize=_ROWS)

    def read(self, table: Any) -> Counted:
        """Read what `partial` gives, added up by `keys`: an Arrow table in any order."""
        codes = [table.column(name).to_numpy() for name in letters("x", self.features)]
        if self.jointly:
            for i, word in enumerate(words(self.labels)):
                bits = table.column(f"m{i}").to_numpy()
                codes += [bits >> j - word[0] & 1 for j in word]
        order = np.lexsort(codes[::-1])
        sums = [table.column(name).to_numpy() for name in self.sums]
        return Counted(
            np.stack(codes, axis=1)[order].astype(np.int64),
            np.stack(sums, axis=1)[order].astype(np.int64),
        )


def _check_names(names: Sequence[str], role: str) -> None:
    if isinstance(names, str):
        raise InvalidArgument(f"{role} must be a list of columns; write [{names!r}]")
    if not names:
        raise InvalidArgument(f"{role} must name at least one column")
    if twice := [name for name, times in Counter(names).items() if times > 1]:
        raise InvalidArgument(f"{role} must name each column once; {twice[0]!r} comes twice")


def words(labels: int) -> list[range]:
    """Return which marks are packed into which word.

    >>> words(64)
    [range(0, 62), range(62, 64)]
    """
    return [range(start, min(start + _MARKS, labels)) for start in range(0, labels, _MARKS)]


def letters(letter: str, count: int) -> list[str]:
    """Return numbered names.

    >>> letters("x", 2)
    ['x0', 'x1']
    """
    return [f"{letter}{i}" for i in range(count)]
