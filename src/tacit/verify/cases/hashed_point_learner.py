"""The hashed point learner: with all its hashes, and given one of them."""

from __future__ import annotations

from itertools import product
from typing import Any

from tacit.concepts.algebra.hashes import Hash
from tacit.core.chance.law import Law
from tacit.core.cost import Pure
from tacit.learners.points.hashed_point import HashedPointLearner
from tacit.statistics import LabelCounts
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, labelled
from tacit.verify.sampling import Probe

Row = tuple[int, tuple[int]]
TARGET = "hashed-point-learner"


def _rows(values: int) -> tuple[Row, ...]:
    return tuple((x, (y,)) for x, y in product(range(values), (0, 1)))


def _whole(n: int, epsilon: str) -> Case:
    """Hash and bucket together: the loss of each hash has its own interval, so it is pure only."""
    learner = HashedPointLearner(1, epsilon=epsilon, buckets=2)

    law = Route(learner, labelled)

    setting = f"one bit, 2 buckets, all hashes, n={n}, epsilon={epsilon}"
    return Case(TARGET, setting, "learner", Pure(epsilon), _rows(2), n, law)


def _given(drawn: Hash, n: int, epsilon: str) -> Case:
    learner = HashedPointLearner(2, epsilon=epsilon, buckets=drawn.buckets)

    def law(database: tuple[Row, ...]) -> Law[Any]:
        return learner.given(drawn).law(LabelCounts.of(database, labels=1))

    seed = f"{drawn.multiplier} x + {drawn.shift} mod {drawn.prime}"
    setting = f"two bits, {drawn.buckets} buckets, hash {seed}, n={n}, epsilon={epsilon}"
    return Case(TARGET, setting, "learner", learner.cost, _rows(4), n, law, tight=True)


CASES = (
    _whole(4, "1"),
    _whole(3, "1/4"),
    _given(Hash(3, 3, 2, 0, 2), 3, "1"),
    _given(Hash(3, 5, 1, 0, 3), 3, "1/2"),
    _given(Hash(3, 2, 6, 0, 7), 3, "2"),
    _given(Hash(3, 2, 6, 0, 7), 3, "6"),
)

PROBES = tuple(Probe(_whole(1000, epsilon)) for epsilon in ("1/20", "8"))
