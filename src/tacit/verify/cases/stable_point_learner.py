"""The stable point learner, with and without its proper fall-back, over all labelled databases."""

from __future__ import annotations

from itertools import product

from tacit.concepts.line.points import Points
from tacit.learners.points.stable_point import StablePointLearner
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, labelled
from tacit.verify.sampling import Probe

Row = tuple[int, tuple[int]]


def _case(
    bits: int, n: int, epsilon: str, delta: str, *, proper: bool, tight: bool = False
) -> Case:
    learner = StablePointLearner(Points(bits), epsilon=epsilon, delta=delta, proper=proper)
    universe: tuple[Row, ...] = tuple((x, (y,)) for x, y in product(range(1 << bits), (0, 1)))

    law = Route(learner, labelled)

    kind = "proper" if proper else "improper"
    setting = f"{learner.concepts}, {kind}, n={n}, epsilon={epsilon}, delta={delta}"
    return Case(
        "stable-point-learner", setting, "learner", learner.cost, universe, n, law, tight=tight
    )


CASES = (
    _case(1, 7, "1", "1/100", proper=False, tight=True),
    _case(2, 4, "1/2", "1/20", proper=False, tight=True),
    _case(1, 6, "2", "1/10", proper=True),
    _case(2, 4, "1", "1/100", proper=True),
    _case(1, 4, "6", "1/100", proper=False),
)

PROBES = tuple(
    Probe(
        _case(1, 1000, epsilon, delta, proper=proper),
        300,
        database=((1, (1,)),) * often + ((0, (0,)),) * (1000 - often),
    )
    for epsilon, delta, often, proper in (("1/10", "7e-4", 60, True), ("8", "7e-8", 6, False))
)
