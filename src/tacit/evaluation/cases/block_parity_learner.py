"""k parities from votes of blocks: records dealt to the blocks by position."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

from tacit.concepts.parities import Parities
from tacit.core.exact import Exact
from tacit.core.law import Law
from tacit.evaluation.verification import Case
from tacit.learners.block_parity import BlockParityLearner
from tacit.statistics import JointCounts

Row = tuple[tuple[int, ...], tuple[int, ...]]


def by_position(
    law: Callable[[list[Any]], Law[Any]], vote: Callable[[JointCounts], Any], size: int, labels: int
) -> Callable[[tuple[Row, ...]], Law[Any]]:
    """Deal the records of a database to blocks of this size, by position, and let them vote."""

    @cache
    def voted(rows: tuple[Row, ...]) -> Any:
        return vote(JointCounts.of(rows, labels=labels))

    def dealt(database: tuple[Row, ...]) -> Law[Any]:
        starts = range(0, len(database), size)
        return law([voted(database[i : i + size]) for i in starts])

    return dealt


def _case(
    blocks: int, size: int, labels: int, epsilon: Exact, delta: Exact, *, tight: bool = False
) -> Case:
    learner = BlockParityLearner(Parities(1), labels=labels, epsilon=epsilon, delta=delta)
    return Case(
        "block-parity-learner",
        f"d=1, {labels} labels, {blocks} blocks of {size}, epsilon={epsilon}, delta={delta}",
        "learner",
        learner.cost,
        tuple(((x,), marks) for x in (0, 1) for marks in product((0, 1), repeat=labels)),
        blocks * size,
        by_position(learner.law_of_votes, learner.vote, size, labels),
        symmetric=False,
        tight=tight,
    )


CASES = (
    _case(2, 2, 1, "1", "1/10", tight=True),
    _case(3, 2, 1, "1/2", "1/50", tight=True),
    _case(2, 2, 2, "2", "1/20", tight=True),
)
