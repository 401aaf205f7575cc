"""Parties that are not apart."""

from __future__ import annotations

from typing import Any

from tacit.concepts.rules.conjunctions import Conjunctions
from tacit.core.chance.law import Law
from tacit.learners.rules.parties_learner import PartiesLearner, PartyTables
from tacit.statistics import LabelCounts
from tacit.verify.enumeration import Case

Row = tuple[tuple[int, ...], tuple[int]]
TWO = PartiesLearner(Conjunctions(1, 1), epsilon=1, parties=2, beta="1/20")


def _twice(database: tuple[Row, ...]) -> Law[Any]:
    """Take one table for both parties, as when a file is named twice."""
    sample = LabelCounts.of(database, labels=1)
    return TWO.law(PartyTables((sample, sample)))


CASES = (
    Case(
        "rows-at-both-parties",
        "each row is in both tables, and paid for in one",
        "broken",
        TWO.cost,
        (((0,), (1,)), ((1,), (1,)), ((0,), (0,))),
        4,
        _twice,
    ),
)
