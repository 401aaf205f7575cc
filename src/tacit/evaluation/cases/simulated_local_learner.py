"""Reports made up from noisy counts: on the whole sample, or on rows dealt to the queries."""

from __future__ import annotations

from itertools import product
from typing import Any

from tacit.concepts.specification import parse
from tacit.core.law import Law
from tacit.evaluation.verification import Case
from tacit.learners.local import LocalLearner
from tacit.learners.simulated_local import SimulatedLocalLearner
from tacit.statistics import LabelCounts

Row = tuple[Any, tuple[int]]


def _case(
    spec: str,
    n: int,
    epsilon: str,
    reports: int,
    *,
    local: str = "3",
    few: bool = False,
    tight: bool = False,
) -> Case:
    concepts = parse(spec)
    told = LocalLearner(concepts, epsilon=local, beta="1/2")
    learner = SimulatedLocalLearner(told, reports=reports, epsilon=epsilon, beta="3/4")
    domain = [tuple(x) if isinstance(x, list) else x for x in concepts.domain().tolist()]
    rows = [(x, (y,)) for y, x in product((1, 0), domain)]
    universe: tuple[Row, ...] = tuple(rows[: len(domain) + 1] if few else rows)

    def law(database: tuple[Row, ...]) -> Law[Any]:
        return learner.law(LabelCounts.of(database, labels=1))

    setting = f"{spec}, n={n}, epsilon={epsilon}, {reports} reports of epsilon={local}"
    return Case(
        "simulated-local-learner",
        setting,
        "learner",
        learner.cost,
        universe,
        n,
        law,
        tight=tight,
    )


CASES = (
    _case("thresholds(bits=1)", 3, "1", 24, local="30", tight=True),
    _case("thresholds(bits=1)", 4, "1/2", 3),
    _case("thresholds(bits=2)", 3, "2", 2, few=True),
    _case("points(bits=1)", 3, "1", 5, few=True),
    _case("conjunctions(dims=1, width=1)", 3, "2", 4, few=True),
)
