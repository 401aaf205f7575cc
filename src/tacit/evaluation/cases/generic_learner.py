"""The generic learner on every small class that has rows enough to disagree about."""

from __future__ import annotations

from itertools import product
from typing import Any

from tacit.concepts.specification import parse
from tacit.core.law import Law
from tacit.evaluation.verification import Case
from tacit.learners.generic import GenericLearner
from tacit.statistics import LabelCounts

Row = tuple[Any, tuple[int]]


def _case(spec: str, n: int, epsilon: str, *, tight: bool = False) -> Case:
    concepts = parse(spec)
    learner = GenericLearner(concepts, epsilon=epsilon)
    domain = [tuple(x) if isinstance(x, list) else x for x in concepts.domain().tolist()]
    universe: tuple[Row, ...] = tuple((x, (y,)) for x, y in product(domain, (0, 1)))

    def law(database: tuple[Row, ...]) -> Law[Any]:
        return learner.law(LabelCounts.of(database, labels=1))

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
)
