"""Answers of one database to a list of questions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tacit.core import hold
from tacit.statistics.private import PUBLIC, Private, integer


@dataclass(frozen=True, slots=True, repr=False)
class QueryStream(Private):
    """The true answers to integer queries, in the order in which they are asked.

    Guarantee:
        The maker promises that the queries are public, and that replacing one record moves each
        answer by at most `sensitivity`: all of them at once, in any direction.

    >>> QueryStream([3, 1, 4])
    QueryStream(sensitivity=1, queries=3, answers=<private>)
    """

    sensitivity: int = field(metadata=PUBLIC)
    queries: int = field(metadata=PUBLIC)
    answers: tuple[int, ...]

    def __init__(self, answers: Iterable[int], *, sensitivity: int = 1) -> None:
        read = tuple(integer(answer, name="answers") for answer in answers)
        hold(self, queries=len(read), answers=read).count(sensitivity=sensitivity, least=1)
