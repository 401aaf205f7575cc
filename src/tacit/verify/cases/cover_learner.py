"""The cover learner: uniform points, and points of a known distribution."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from tacit.concepts.contract.specification import parse
from tacit.learners.every_class.cover import CoverLearner
from tacit.theory.dimensions.covers import Marginal
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, labelled
from tacit.verify.sampling import Probe

Row = tuple[Any, tuple[int]]
SKEW = Marginal((0, 1, 3), (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)))


def _case(spec: str, radius: str, n: int, epsilon: str, marginal: Marginal | None = None) -> Case:
    concepts = parse(spec)
    learner = CoverLearner(concepts, epsilon=epsilon, radius=radius, marginal=marginal)
    domain = [tuple(x) if isinstance(x, list) else x for x in concepts.domain().tolist()]
    universe: tuple[Row, ...] = tuple((x, (y,)) for x, y in product(domain, (0, 1)))

    law = Route(learner, labelled)

    known = "known" if marginal else "uniform"
    setting = f"{spec}, {known} points, radius={radius}, n={n}, epsilon={epsilon}"
    return Case("cover-learner", setting, "learner", learner.cost, universe, n, law, tight=True)


CASES = (
    _case("thresholds(bits=2, direction=both)", "1/10", 3, "1"),
    _case("intervals(bits=2)", "1/4", 3, "1/2", SKEW),
    _case("conjunctions(dims=2, width=2)", "1/4", 3, "2"),
    _case("thresholds(bits=1)", "1/10", 3, "6"),
)

PROBES = tuple(
    Probe(_case("thresholds(bits=3, direction=both)", "1/20", 1000, epsilon))
    for epsilon in ("1/20", "8")
)
