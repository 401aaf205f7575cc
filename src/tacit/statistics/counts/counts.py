"""How often each key occurs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from tacit.core import InvalidArgument, hold
from tacit.statistics.many_rows import check_many
from tacit.statistics.private import PUBLIC, Private, key, key_counts

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True, repr=False)
class Counts(Private, Generic[K]):
    """A histogram of n records over keys; keys that do not occur are not listed.

    Guarantee:
        Replacing one record lowers one count by 1 and raises another by 1: every count has
        sensitivity 1, the whole histogram l1 sensitivity 2.

    >>> Counts.of(["a", "b", "a"])
    Counts(n=3, table=<private>)
    """

    n: int = field(metadata=PUBLIC)
    table: Mapping[K, int]

    def __post_init__(self) -> None:
        check_many(self.n)
        hold(self, table=key_counts(self.table, name="count"))
        if sum(self.table.values()) > self.n:
            raise InvalidArgument("the counts add up to more than n records")

    @classmethod
    def of(cls, records: Iterable[K]) -> Counts[K]:
        """Count the records of a sequence."""
        table = Counter(map(key, records))
        return cls(table.total(), dict(table))

    def __getitem__(self, wanted: K) -> int:
        return self.table.get(key(wanted), 0)
