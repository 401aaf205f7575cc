"""A value with its distance to another one, such as who leads by votes of blocks or of records."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from tacit.core import InvalidArgument, check, hold
from tacit.statistics.private import PUBLIC, Private, integer, key, key_counts

V = TypeVar("V", bound=Hashable)
C = TypeVar("C", bound=Hashable)


@dataclass(frozen=True, slots=True, repr=False)
class Stable(Private, Generic[V]):
    """A value and an integer distance.

    Guarantee:
        The maker promises, for all neighbouring databases: with equal values the distances differ
        by at most 1; with different values both distances are at most 1; distance 0 means that
        the value must not be told.

    >>> Stable("winner", 3)
    Stable(value=<private>, distance=<private>)
    """

    value: V
    distance: int

    def __post_init__(self) -> None:
        hold(self, distance=integer(self.distance, name="distance", least=0))
        hold(self, value=key(self.value))


@dataclass(frozen=True, slots=True, repr=False)
class Votes(Private, Generic[C]):
    """How many of the voters chose each candidate; a voter may abstain.

    `switch` says what one replaced record can do to the vote of its voter: True, turn a vote for
    one candidate into a vote for another, so that the gap moves by 2; False, only cast or withdraw
    a vote, so that the gap moves by 1.

    Guarantee:
        Replacing one record changes one voter's vote; each candidate's count has sensitivity 1.

    >>> Votes.of(["a", "a", None, "b"])
    Votes(voters=4, switch=True, table=<private>)
    """

    voters: int = field(metadata=PUBLIC)
    switch: bool = field(metadata=PUBLIC)
    table: Mapping[C, int]

    def __post_init__(self) -> None:
        check.count(voters=self.voters)
        hold(self, table=key_counts(self.table, name="votes"))
        if sum(self.table.values()) > self.voters:
            raise InvalidArgument("there are more votes than voters")

    @classmethod
    def of(cls, votes: Iterable[C | None], *, switch: bool = True) -> Votes[C]:
        """Count a sequence of votes; None abstains."""
        table: dict[C, int] = {}
        voters = 0
        for vote in votes:
            voters += 1
            if vote is not None:
                table[vote] = table.get(vote, 0) + 1
        return cls(voters, switch, table)

    def lead(self) -> Stable[C | None]:
        """Return the winner and how many voters must change before it ties.

        A candidate that nobody chose has score 0 and is a runner-up like any other: with a single
        candidate on the table the gap is its own count, not infinity.

        >>> lead = Votes.of(["a"] * 5 + ["b"] * 2).lead()
        >>> lead.value, lead.distance
        ('a', 2)
        """
        ranked = [*sorted(self.table.values(), reverse=True)[:2], 0, 0]
        gap = ranked[0] - ranked[1]
        if gap == 0:
            return Stable(None, 0)
        winner = max(self.table, key=lambda candidate: self.table[candidate])
        return Stable(winner, -(-gap // 2) if self.switch else gap)
