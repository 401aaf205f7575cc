"""The private choice from public sets: buckets, lists with repetitions, two sets together."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from tacit.concepts.algebra.hashes import Hash, Hashes
from tacit.concepts.contract.concept_class import HypothesisClass
from tacit.concepts.contract.hypothesis_set import HypothesisSet, Listed, Together
from tacit.concepts.line.points import Point, Points
from tacit.concepts.line.thresholds import Thresholds
from tacit.concepts.outputs.bucket import Buckets
from tacit.concepts.outputs.never import NEVER, OrNever
from tacit.core.cost import BoundedRange
from tacit.learners.contract.choice import Choice
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, labelled
from tacit.verify.sampling import Probe

Row = tuple[int, tuple[int]]
ROWS: tuple[Row, ...] = tuple((x, (y,)) for x, y in product(range(3), (0, 1)))


def _case(
    name: str, among: HypothesisSet, outputs: HypothesisClass[Any], epsilon: str, n: int = 3
) -> Case:
    choice = Choice(among, outputs, Fraction(epsilon))

    law = Route(choice, labelled)

    setting = f"{name}, n={n}, epsilon={epsilon}"
    return Case("choice", setting, "learner", BoundedRange(epsilon), ROWS, n, law, tight=True)


CASES = (
    _case("five buckets", Buckets(Hash(3, 4, 1, 0, 5)), Hashes(5, 2), "1"),
    _case("a list", Listed([Point(0), Point(2), Point(2), NEVER]), OrNever(Points(2)), "1/2"),
    _case("two sets", Together((Points(2), Thresholds(2))), Points(2), "1"),
    _case("two sets", Together((Points(2), Thresholds(2))), Points(2), "6"),
)

PROBES = tuple(
    Probe(_case("five buckets", Buckets(Hash(3, 4, 1, 0, 5)), Hashes(5, 2), epsilon, 1000))
    for epsilon in ("1/20", "8")
)
