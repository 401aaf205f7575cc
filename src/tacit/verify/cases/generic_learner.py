"""The generic learner on every small class that has rows enough to disagree about."""

from __future__ import annotations

from itertools import product
from typing import Any

from tacit.concepts.contract.specification import parse
from tacit.learners.every_class.generic import GenericLearner
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, labelled
from tacit.verify.sampling import Probe

Row = tuple[Any, tuple[int]]


def _case(spec: str, n: int, epsilon: str, *, tight: bool = False) -> Case:
    concepts = parse(spec)
    learner = GenericLearner(concepts, epsilon=epsilon)
    domain = [tuple(x) if isinstance(x, list) else x for x in concepts.domain().tolist()]
    universe: tuple[Row, ...] = tuple((x, (y,)) for x, y in product(domain, (0, 1)))

    law = Route(learner, labelled)

    setting = f"{spec}, n={n}, epsilon={epsilon}"
    return Case("generic-learner", setting, "learner", learner.cost, universe, n, law, tight=tight)


CASES = (
    _case("thresholds(bits=2)", 3, "1", tight=True),
    _case("thresholds(bits=2, direction=both)", 3, "1/2", tight=True),
    _case("points(bits=2)", 3, "1", tight=True),
    _case("intervals(bits=2)", 3, "2", tight=True),
    _case("boxes(bits=1, dims=2)", 3, "1", tight=True),
    _case("conjunctions(dims=2, width=2)", 3, "1", tight=True),
    _case("parities(dims=2)", 3, "1/10", tight=True),
    _case("lines(p=2)", 3, "1", tight=True),
    _case("halfspaces(bits=1, dims=2)", 3, "1", tight=True),
    _case("balls(bits=1, dims=2)", 3, "3", tight=True),
    _case("thresholds(bits=1)", 3, "6", tight=True),
)

PROBES = tuple(
    Probe(_case(spec, 1000, epsilon))
    for spec, epsilon in (
        ("thresholds(bits=4)", "1/20"),
        ("intervals(bits=3)", "8"),
        ("boxes(bits=2, dims=2)", "8"),
        ("halfspaces(bits=1, dims=2)", "1/20"),
        ("conjunctions(dims=4, width=2)", "8"),
    )
)
