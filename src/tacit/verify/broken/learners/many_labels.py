"""k labels learned at once, wrongly."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from tacit.concepts.algebra.parities import Parities
from tacit.concepts.line.points import Points
from tacit.core.chance.law import Law
from tacit.core.chance.law import product as joint
from tacit.core.cost import Approximate
from tacit.learners.algebra.block_parity import BlockParityLearner
from tacit.learners.every_class.generic import GenericLearner
from tacit.statistics import JointCounts
from tacit.verify.dealing import by_position
from tacit.verify.enumeration import Case

EPSILON, DELTA = Fraction(1), Fraction(1, 20)
LABELS = 2
ONCE = GenericLearner(Points(1), epsilon=EPSILON)
BLOCKS = BlockParityLearner(Parities(1), labels=1, epsilon=EPSILON, delta=DELTA)
Row = tuple[Any, tuple[int, ...]]


def _counted_once(database: tuple[Row, ...]) -> Law[Any]:
    """Learn two labels with the whole budget each, because "it is the same data"."""
    sample = JointCounts.of(database, labels=LABELS).marginal()
    return joint(ONCE.law(sample, label=j) for j in range(LABELS))


@cache
def _plain_vote(rows: tuple[Row, ...]) -> tuple[int, ...] | None:
    """Vote whenever the rows fix a parity: without a spare row one of them can turn the vote.

    The lead is then halved too rarely: it is told as if votes could only be cast and withdrawn.
    """
    block = JointCounts.of(rows, labels=1)
    pairs = {(int(x[0]), int(y[0])) for x, y in zip(block.points, block.marks, strict=True)}
    fits = [c for c in (0, 1) if all(c * x == y for x, y in pairs)]
    return (fits[0],) if len(fits) == 1 else None


CASES = (
    Case(
        "budget-counted-once-for-all-labels",
        "two labels, each with the whole epsilon",
        "broken",
        ONCE.cost,
        tuple(product((0, 1), product((0, 1), repeat=LABELS))),
        3,
        _counted_once,
    ),
    Case(
        "block-parity-without-a-spare-row",
        "3 blocks of 2 that vote when they can, leads not halved",
        "broken",
        Approximate(EPSILON, DELTA),
        tuple(((x,), (y,)) for x in (0, 1) for y in (0, 1)),
        6,
        by_position([2, 2, 2], _plain_vote, BLOCKS.law_of_votes),
        symmetric=False,
    ),
)
