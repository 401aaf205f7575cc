"""Learners from representations: fixed, drawn, and drawn several times."""

from __future__ import annotations

from itertools import product

from tacit.concepts.algebra.reed_solomon import ReedSolomon
from tacit.concepts.contract.hypothesis_set import Listed
from tacit.concepts.line.points import Point, Points
from tacit.concepts.outputs.never import NEVER, OrNever
from tacit.core.cost import Pure
from tacit.learners.every_class.representation import RepresentationLearner
from tacit.theory.representations.drawn import Drawn, Fixed, Repeated, Representation
from tacit.verify.enumeration import Case
from tacit.verify.finding import Claim
from tacit.verify.route import Route, labelled
from tacit.verify.sampling import Probe

Row = tuple[int, tuple[int]]
CODE = ReedSolomon(bits=2, prime=3, places=2)
HALVES = Drawn(
    (Listed([Point(0), Point(1), NEVER]), Listed([Point(2), Point(3), NEVER])),
    OrNever(Points(2)),
    approximation="1/4",
    failure="1/2",
)


def _case(name: str, of: Representation, values: int, n: int, epsilon: str, *, whole: bool) -> Case:
    """With coins the loss of each set has its own interval: pure, and bounded given the set."""
    learner = RepresentationLearner(of, epsilon=epsilon)
    claim: Claim = Pure(epsilon) if whole else learner.cost
    universe: tuple[Row, ...] = tuple((x, (y,)) for x, y in product(range(values), (0, 1)))

    law = Route(learner, labelled)

    setting = f"{name}, n={n}, epsilon={epsilon}"
    target = "representation-learner"
    return Case(target, setting, "learner", claim, universe, n, law, tight=not whole)


CASES = (
    _case("Reed-Solomon code", Fixed(CODE, CODE, "1/2"), 4, 3, "1", whole=False),
    _case("two sets by a coin", HALVES, 4, 3, "1/2", whole=True),
    _case("two sets by two coins", Repeated(HALVES, 2), 3, 3, "2", whole=True),
    _case("Reed-Solomon code", Fixed(CODE, CODE, "1/2"), 2, 3, "6", whole=False),
)

PROBES = tuple(
    Probe(_case("two sets by a coin", HALVES, 4, 1000, epsilon, whole=True))
    for epsilon in ("1/20", "8")
)
