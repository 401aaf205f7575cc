"""Learners from protocols: all coins together, and given the coins."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from tacit.core.cost import BoundedRange, Pure
from tacit.learners.contract.choice import Choice
from tacit.learners.every_class.protocol import ProtocolLearner
from tacit.theory.communication.protocols import (
    Amplified,
    EqualityHashing,
    LineHashing,
    PublicCoinProtocol,
)
from tacit.verify.enumeration import Case
from tacit.verify.finding import Claim
from tacit.verify.route import Route, labelled
from tacit.verify.sampling import Probe

Row = tuple[Any, tuple[int]]
TARGET = "protocol-learner"
BIT = (0, 1)
PLANE = ((0, 0), (0, 1), (1, 1))


def _rows(points: tuple[Any, ...]) -> tuple[Row, ...]:
    return tuple((x, (y,)) for x, y in product(points, (0, 1)))


def _whole(name: str, protocol: PublicCoinProtocol, n: int, epsilon: str, seeds: int) -> Case:
    learner = ProtocolLearner(protocol, epsilon=epsilon, seeds=seeds)

    law = Route(learner, labelled)

    setting = f"{name}, all coins, seeds={seeds}, n={n}, epsilon={epsilon}"
    return Case(TARGET, setting, "learner", Pure(epsilon), _rows(BIT), n, law)


def _given(
    name: str, protocol: PublicCoinProtocol, place: int, points: tuple[Any, ...], epsilon: str
) -> Case:
    seed = [seed for _, seed in protocol.seeds()][place]
    choice = Choice(protocol.hypotheses(seed), protocol.outputs, Fraction(epsilon))
    claim: Claim = BoundedRange(epsilon)

    law = Route(choice, labelled)

    setting = f"{name}, coins {place}, n=3, epsilon={epsilon}"
    return Case(TARGET, setting, "learner", claim, _rows(points), 3, law, tight=True)


CASES = (
    _whole("equality by 3 messages", EqualityHashing(1, 3), 3, "1", 1),
    _whole("equality by 2 messages", EqualityHashing(1, 2), 3, "1/2", 2),
    _given("majority of 3 hashes", Amplified(EqualityHashing(1, 3), 3), 77, BIT, "1"),
    _given("lines by 7 messages", LineHashing(2, 7), 20, PLANE, "1"),
    _whole("equality by 2 messages", EqualityHashing(1, 2), 3, "6", 1),
)

PROBES = tuple(
    Probe(_whole("equality by 3 messages", EqualityHashing(1, 3), 1000, epsilon, 1))
    for epsilon in ("1/10", "8")
)
