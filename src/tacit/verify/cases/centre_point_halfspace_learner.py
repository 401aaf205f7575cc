"""Halfspaces through a deep point: rows dealt to blocks by position, and in a uniform order."""

from __future__ import annotations

from itertools import product
from typing import Any

from tacit.concepts.grid.halfspaces import Halfspaces
from tacit.core.chance.law import Law
from tacit.learners.linear.centre_point_halfspace import CentrePointHalfspaceLearner
from tacit.statistics import LabelCounts
from tacit.verify.dealing_alike import dealt as deal
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, as_it_is, labelled
from tacit.verify.sampling import Probe

Row = tuple[Any, tuple[int]]


def _case(bits: int, n: int, epsilon: str, blocks: int, *, dealt: bool) -> Case:
    concepts = Halfspaces(bits, 1)
    learner = CentrePointHalfspaceLearner(concepts, epsilon=epsilon, blocks=blocks)
    universe: tuple[Row, ...] = tuple(product(concepts.domain()[:, 0].tolist(), ((0,), (1,))))
    size = n // blocks

    def law(database: tuple[Row, ...]) -> Law[Any]:
        if dealt:
            return learner.law(LabelCounts.of(database, labels=1))
        parts = [database[i * size : (i + 1) * size] for i in range(blocks)]
        return learner.blocks_law([LabelCounts.of(part, labels=1) for part in parts])

    by = "in a uniform order" if dealt else "by position"
    setting = f"{concepts}, n={n}, {blocks} blocks {by}, epsilon={epsilon}"
    return Case(
        "centre-point-halfspace-learner",
        setting,
        "learner",
        learner.cost,
        universe,
        n,
        law,
        symmetric=dealt,
        drawn=Route(learner, labelled),
    )


ROWS: tuple[Row, ...] = ((0, (0,)), (1, (1,)), (3, (1,)))


def _many(n: int, epsilon: str, blocks: int) -> Case:
    """Nearly all rows alike, so that it hardly matters how they are dealt."""
    learner = CentrePointHalfspaceLearner(Halfspaces(2, 1), epsilon=epsilon, blocks=blocks)

    def law_of(rows: tuple[Row, ...]) -> Law[Any]:
        parts = [n // blocks] * blocks
        return deal(rows, parts, lambda held: learner.blocks_law([labelled(part) for part in held]))

    setting = f"{learner.concepts}, n={n}, {blocks} blocks in a uniform order, epsilon={epsilon}"
    law = Route(lambda rows, *, rng: learner(labelled(rows), rng=rng), as_it_is, law_of)
    return Case("centre-point-halfspace-learner", setting, "learner", learner.cost, ROWS, n, law)


CASES = (
    _case(1, 3, "1", 3, dealt=False),
    _case(1, 4, "2", 2, dealt=True),
    _case(1, 3, "1/2", 3, dealt=False),
    _case(1, 2, "6", 2, dealt=True),
)

PROBES = tuple(
    Probe(_many(1000, epsilon, 5), 600, database=(ROWS[0],) * 1000) for epsilon in ("1/10", "8")
)
