"""k parities from votes of blocks: records dealt to the blocks by position."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

from tacit.concepts.algebra.parities import Parities
from tacit.core.chance.law import Law
from tacit.core.chance.randomness import Random
from tacit.core.numbers.exact import Exact
from tacit.learners.algebra.block_parity import BlockParityLearner
from tacit.statistics import JointCounts
from tacit.verify.dealing_alike import dealt
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, as_it_is, jointly
from tacit.verify.sampling import Probe

Row = tuple[tuple[int, ...], tuple[int, ...]]


def by_position(
    law: Callable[[list[Any]], Law[Any]], vote: Callable[[JointCounts], Any], size: int, labels: int
) -> Callable[[tuple[Row, ...]], Law[Any]]:
    """Deal the records of a database to blocks of this size, by position, and let them vote."""

    @cache
    def voted(rows: tuple[Row, ...]) -> Any:
        return vote(JointCounts.of(rows, labels=labels))

    def by_place(database: tuple[Row, ...]) -> Law[Any]:
        starts = range(0, len(database), size)
        return law([voted(database[i : i + size]) for i in starts])

    return by_place


SAID: tuple[Row, ...] = (((1,), (1,) * 10),)
FEW: tuple[Row, ...] = tuple(((x,), (y, y, 0)) for x in (0, 1) for y in (0, 1))


def _alike(n: int, labels: int, epsilon: Exact, delta: Exact) -> Case:
    """Rows that nearly all say the same, in blocks of the learner's own choice."""
    learner = BlockParityLearner(Parities(1), labels=labels, epsilon=epsilon, delta=delta)
    size, blocks = learner.plan(n)

    @cache
    def vote(part: tuple[Row, ...]) -> Any:
        return learner.vote(JointCounts.of(part, labels=labels))

    def law_of(rows: tuple[Row, ...]) -> Law[Any]:
        return dealt(rows, [size] * blocks, lambda parts: learner.law_of_votes(map(vote, parts)))

    def learn(rows: tuple[Row, ...], *, rng: Random) -> Any:
        return learner(JointCounts.of(rows, labels=labels), rng=rng)

    universe: tuple[Row, ...] = (((1,), (1,) * labels), ((1,), (0,) * labels))
    return Case(
        "block-parity-learner",
        f"d=1, {labels} labels, {blocks} blocks of {size}, epsilon={epsilon}, delta={delta}",
        "learner",
        learner.cost,
        universe,
        n,
        Route(learn, as_it_is, law_of),
        labels=labels,
    )


def _case(
    blocks: int,
    size: int,
    labels: int,
    epsilon: Exact,
    delta: Exact,
    *,
    tight: bool = False,
    universe: tuple[Row, ...] = (),
) -> Case:
    learner = BlockParityLearner(Parities(1), labels=labels, epsilon=epsilon, delta=delta)
    rows = tuple(((x,), marks) for x in (0, 1) for marks in product((0, 1), repeat=labels))
    return Case(
        "block-parity-learner",
        f"d=1, {labels} labels, {blocks} blocks of {size}, epsilon={epsilon}, delta={delta}",
        "learner",
        learner.cost,
        universe or rows,
        blocks * size,
        by_position(learner.law_of_votes, learner.vote, size, labels),
        symmetric=False,
        tight=tight,
        labels=labels,
        drawn=Route(learner, jointly(labels)),
    )


CASES = (
    _case(2, 2, 1, "1", "1/10", tight=True),
    _case(3, 2, 1, "1/2", "1/50", tight=True),
    _case(2, 2, 2, "2", "1/20", tight=True),
    _case(2, 2, 1, "6", "1/50"),
    _case(2, 2, 3, "1", "1/20", universe=FEW),
)

PROBES = (
    Probe(_alike(1000, 10, "1/50", "1/5000"), 60, SAID * 1000, 0),
    Probe(_alike(100, 10, "8", "1e-171"), 100, SAID * 100),
)
