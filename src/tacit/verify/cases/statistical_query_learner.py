"""Learning by statistical queries: dealt blocks for thresholds, the whole sample for the others."""

from __future__ import annotations

from itertools import product
from typing import Any

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.concepts.contract.specification import parse
from tacit.learners.queries.local import LocalLearner
from tacit.learners.queries.simulated_local import SimulatedLocalLearner
from tacit.learners.queries.statistical_query import StatisticalQueryLearner
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, labelled
from tacit.verify.sampling import Probe

Row = tuple[Any, tuple[int]]
QueryLearner = StatisticalQueryLearner[Any] | LocalLearner[Any] | SimulatedLocalLearner[Any]


def learner_case(
    target: str,
    learner: QueryLearner,
    concepts: ConceptClass[Any],
    setting: str,
    n: int,
    *,
    few: bool,
    tight: bool,
) -> Case:
    """Make a case over all rows of a class with one label, or over the positives and one more."""
    domain = [tuple(x) if isinstance(x, list) else x for x in concepts.domain().tolist()]
    rows = [(x, (y,)) for y, x in product((1, 0), domain)]
    universe: tuple[Row, ...] = tuple(rows[: len(domain) + 1] if few else rows)

    law = Route(learner, labelled)

    setting = f"{concepts}, n={n}, {setting}"
    return Case(target, setting, "learner", learner.cost, universe, n, law, tight=tight)


def _case(
    spec: str, n: int, epsilon: str, beta: str, *, few: bool = False, tight: bool = False
) -> Case:
    concepts = parse(spec)
    learner = StatisticalQueryLearner(concepts, epsilon=epsilon, beta=beta)
    return learner_case(
        "statistical-query-learner",
        learner,
        concepts,
        f"epsilon={epsilon}, beta={beta}",
        n,
        few=few,
        tight=tight,
    )


CASES = (
    _case("thresholds(bits=1)", 4, "1", "1/4", tight=True),
    _case("thresholds(bits=1, direction=down)", 3, "1/3", "1/3", tight=True),
    _case("thresholds(bits=2)", 3, "1", "1/2"),
    _case("thresholds(bits=1, direction=both)", 4, "2", "1/2"),
    _case("points(bits=1)", 4, "1", "1/2", tight=True),
    _case("points(bits=2)", 3, "1/2", "1/2", few=True),
    _case("conjunctions(dims=1, width=1)", 5, "2", "1/2", tight=True),
    _case("conjunctions(dims=2, width=1)", 3, "3", "9/10", few=True),
    _case("points(bits=1)", 3, "6", "1/2"),
)

PROBES = tuple(
    Probe(
        _case("points(bits=1)", 1000, epsilon, "1/2"), 600, few + ((0, (0,)),) * (1000 - len(few))
    )
    for epsilon, few in (("1/20", ((1, (1,)),) * 60), ("8", ((1, (1,)),)))
)
