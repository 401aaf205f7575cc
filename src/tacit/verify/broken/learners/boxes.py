"""A box around the positive rows that is empty just when there are none of them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from tacit.concepts.grid.boxes import Box, Boxes
from tacit.concepts.line.intervals import EMPTY
from tacit.core.chance.law import Law, certain, proportional
from tacit.core.cost import Pure
from tacit.learners.boxes.per_side_box import PerSideBoxLearner
from tacit.statistics import LabelCounts
from tacit.verify.enumeration import Case

Row = tuple[Any, tuple[int]]
CONCEPTS = Boxes(1, 2)
EPSILON = Fraction(1)
EMPTY_BOX = Box((EMPTY, EMPTY))
LEARNER = PerSideBoxLearner(CONCEPTS, epsilon=EPSILON / 4, rank=1)


def _empty_if_none(database: tuple[Row, ...]) -> Law[Box]:
    """Look first whether there is a positive row at all: what could the sides be without one?"""
    if not any(y for _, (y,) in database):
        return certain(EMPTY_BOX)
    law = LEARNER.law(LabelCounts.of(database, labels=1))
    return proportional({box: p for box, p in law.probabilities.items() if box != EMPTY_BOX})


UNIVERSE: tuple[Row, ...] = tuple(
    (tuple(x), (y,)) for x, y in product(CONCEPTS.domain().tolist(), (0, 1))
)

CASES = (
    Case(
        "box-of-any-positives",
        f"{CONCEPTS}, n=3, epsilon={EPSILON}",
        "broken",
        Pure(EPSILON),
        UNIVERSE,
        3,
        _empty_if_none,
    ),
)
