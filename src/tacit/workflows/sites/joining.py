"""The sum of all messages: checked, added up, and with the exact law of its noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tacit.core.errors import InvalidArgument
from tacit.workflows.sites.masks import centred
from tacit.workflows.sites.message import SiteMessage
from tacit.workflows.sites.question import SiteQuestion
from tacit.workflows.sites.tables import Vector


@dataclass(frozen=True, slots=True)
class JoinedTables:
    """Each cell of all houses together: the true count, and the independent noise of all houses.

    Proof: docs/proofs/sites.md
    """

    question: SiteQuestion
    sites: tuple[str, ...]
    n: int | None
    sums: tuple[Vector, ...]
    secure: bool

    @property
    def draws(self) -> int | Fraction:
        """How many whole noises each cell has: one a house, or where noise is split its share."""
        many, honest = len(self.sites), self.question.honest
        return many if honest is None else Fraction(many, honest)

    @property
    def said(self) -> str:
        """What was joined, in words."""
        known = f"{len(self.sites)} messages, question {self.question.digest[:12]}"
        if self.question.honest is None:
            return known
        return f"{known}: it holds if {self.question.honest} of the houses followed the protocol"

    def cells(self, place: int) -> NDArray[np.float64]:
        """Return all cells of a table, in the shape of its axes."""
        return self.question.tables[place].whole(self.sums[place], self.n)

    def variance(self, place: int) -> float:
        """Return the variance of the noise of a cell, about."""
        return len(self.sites) * self.question.tables[place].variance

    def width(self, place: int, miss: Fraction, *, cells: int = 1) -> int:
        """Return what a sum of so many cells is off by at most, but with probability `miss`."""
        return self.question.tables[place].width(miss, draws=self.draws, cells=cells)


def join(
    texts: Sequence[str], *, question: SiteQuestion | None = None, some: bool = False
) -> JoinedTables:
    """Check the messages of all houses, and add them up; a deterministic function of them.

    Every message must be as its house signed it, in time, answer the same question, which is
    `question` where that is given, and come from a house that it asks; each house has one. With
    `some` those that sent none are done without; not where noise is split, as masks do not cancel.
    """
    read = [SiteMessage.loads(text) for text in texts]
    if not read:
        raise InvalidArgument("there are no messages to join")
    asked, digest = read[0].question, (question or read[0].question).digest
    for message in read:
        if message.question.digest != digest:
            raise InvalidArgument(
                f"the house {message.site[:16]} answered another question, or another round of it"
            )
    sites = [message.site for message in read]
    if twice := [site for site in sites if sites.count(site) > 1]:
        raise InvalidArgument(f"the house {twice[0][:16]} sends one message, and there are more")
    if some and asked.honest:
        raise InvalidArgument("masks cancel in the sum of all messages only: do not say --some")
    if len({message.masks for message in read}) > 1:
        raise InvalidArgument(
            "not all houses had the same public masks, so that they do not cancel: ask again"
        )
    if not some and (missing := sorted(set(asked.sites) - set(sites))):
        raise InvalidArgument(
            f"of {len(missing)} houses there is no message, the first is {missing[0][:16]}; "
            "wait for them, or do without (--some)"
        )
    added = (lambda cells: centred(sum(cells))) if asked.honest else sum
    told = [message.n for message in read]
    rows = [n for n in told if n is not None]
    return JoinedTables(
        question=asked,
        sites=tuple(sorted(sites)),
        n=sum(rows) if len(rows) == len(told) else None,
        sums=tuple(
            tuple(map(added, zip(*cells, strict=True)))
            for cells in zip(*(message.tables for message in read), strict=True)
        ),
        secure=all(message.secure for message in read),
    )
