"""k labels learned at once, wrongly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
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
from tacit.verify.broken.stability import ROUNDING, told_as_printed
from tacit.verify.dealing import by_position
from tacit.verify.enumeration import Case

EPSILON, DELTA = Fraction(1), Fraction(1, 20)
PRINTED = Fraction(1, 10)
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
    fits = _fitting(rows)
    return (fits[0],) if len(fits) == 1 else None


def _fitting(rows: tuple[Row, ...]) -> list[int]:
    block = JointCounts.of(rows, labels=1)
    pairs = {(int(x[0]), int(y[0])) for x, y in zip(block.points, block.marks, strict=True)}
    return [c for c in (0, 1) if all(c * x == y for x, y in pairs)]


@cache
def _printed_vote(rows: tuple[Row, ...]) -> int | None:
    """Vote for a parity that agrees with the rows, if there is one [BNS16 Alg 4, step 2]."""
    return next(iter(_fitting(rows)), None)


def _printed_choice(votes: Iterable[int | None]) -> Law[int | None]:
    """Choose the parity of most blocks by the printed A_dist [BNS16 Alg 4, step 3].

    A row can turn the vote of its block, so the gap moves by 2.
    """
    cast = Counter(vote for vote in votes if vote is not None)
    told = told_as_printed(abs(cast[1] - cast[0]), PRINTED)
    return Law({int(cast[1] > cast[0]): told, None: 1 - told}, ROUNDING)


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
    Case(
        "printed-block-parity-learner",
        "as in the paper, 3 blocks of 2",
        "broken",
        Approximate(EPSILON, PRINTED),
        tuple(((x,), (y,)) for x in (0, 1) for y in (0, 1)),
        6,
        by_position([2, 2, 2], _printed_vote, _printed_choice),
        symmetric=False,
    ),
)
