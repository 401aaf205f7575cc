"""Boxes column by column: every path of choices, on columns of two and three values."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from tacit.concepts.grid.boxes import Boxes
from tacit.core.cost import Pure
from tacit.learners.boxes.box_ascent import BoxAscentLearner
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, labelled
from tacit.verify.sampling import Probe

Row = tuple[Any, tuple[int]]


def _case(values: str, n: int, epsilon: str, passes: int) -> Case:
    concepts = Boxes(values=values)
    each = Fraction(epsilon) / (1 + passes * concepts.dims)
    learner = BoxAscentLearner(concepts, epsilon=each, passes=passes, parts=3)
    domain = map(tuple, concepts.domain().tolist())
    universe: tuple[Row, ...] = tuple((x, (y,)) for x, y in product(domain, (0, 1)))

    law = Route(learner, labelled)

    setting = f"{concepts}, n={n}, {passes} passes, epsilon={epsilon} for all choices"
    return Case("box-ascent-learner", setting, "learner", Pure(epsilon), universe, n, law)


CASES = (
    _case("3", 3, "1", 2),
    _case("2x2", 3, "2", 1),
    _case("3", 3, "1/2", 1),
    _case("2", 3, "6", 2),
)

PROBES = tuple(Probe(_case("3", 1000, epsilon, 2), 300) for epsilon in ("1/20", "8"))
