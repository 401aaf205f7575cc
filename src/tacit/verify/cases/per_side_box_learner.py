"""Boxes side by side, on columns of two to four values."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from tacit.concepts.grid.boxes import Boxes
from tacit.core.cost import Pure
from tacit.learners.boxes.per_side_box import PerSideBoxLearner
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, labelled
from tacit.verify.sampling import Probe

Row = tuple[Any, tuple[int]]


def _case(values: str, n: int, epsilon: str, rank: int) -> Case:
    concepts = Boxes(values=values)
    each = Fraction(epsilon) / (2 * concepts.dims)
    learner = PerSideBoxLearner(concepts, epsilon=each, rank=rank)
    domain = map(tuple, concepts.domain().tolist())
    universe: tuple[Row, ...] = tuple((x, (y,)) for x, y in product(domain, (0, 1)))

    law = Route(learner, labelled)

    setting = f"{concepts}, n={n}, rank={rank}, epsilon={epsilon} for all sides"
    return Case("per-side-box-learner", setting, "learner", Pure(epsilon), universe, n, law)


CASES = (
    _case("2x2", 3, "1", 1),
    _case("2x2", 3, "4", 2),
    _case("4", 3, "1", 2),
    _case("3x2", 2, "2", 1),
    _case("3", 3, "1/2", 1),
    _case("2", 3, "6", 1),
)

PROBES = tuple(Probe(_case("3", 1000, epsilon, 2), 300) for epsilon in ("1/20", "8"))
