"""Randomised responses: rows dealt to one group for each query."""

from __future__ import annotations

from itertools import product
from typing import Any

from tacit.concepts.specification import parse
from tacit.core.law import Law
from tacit.evaluation.verification import Case
from tacit.learners.local import LocalLearner
from tacit.statistics import LabelCounts

Row = tuple[Any, tuple[int]]


def _case(
    spec: str, n: int, epsilon: str, beta: str, *, few: bool = False, tight: bool = False
) -> Case:
    concepts = parse(spec)
    learner = LocalLearner(concepts, epsilon=epsilon, beta=beta)
    domain = [tuple(x) if isinstance(x, list) else x for x in concepts.domain().tolist()]
    rows = [(x, (y,)) for y, x in product((1, 0), domain)]
    universe: tuple[Row, ...] = tuple(rows[: len(domain) + 1] if few else rows)

    def law(database: tuple[Row, ...]) -> Law[Any]:
        return learner.law(LabelCounts.of(database, labels=1))

    setting = f"{spec}, n={n}, epsilon={epsilon}, beta={beta}"
    return Case(
        "local-learner",
        setting,
        "learner",
        learner.cost,
        universe,
        n,
        law,
        tight=tight,
    )


CASES = (
    _case("thresholds(bits=1)", 3, "1", "3/4", tight=True),
    _case("thresholds(bits=1)", 4, "1", "1/3"),
    _case("thresholds(bits=1, direction=down)", 3, "1/3", "1/2"),
    _case("thresholds(bits=2)", 3, "1", "1/2"),
    _case("thresholds(bits=1, direction=both)", 4, "2", "1/2", few=True),
    _case("points(bits=1)", 4, "1", "1/2", few=True),
    _case("conjunctions(dims=1, width=1)", 4, "2", "9/10", few=True),
)
