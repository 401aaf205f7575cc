"""Randomised responses: rows dealt to one group for each query."""

from __future__ import annotations

from tacit.concepts.contract.specification import parse
from tacit.learners.queries.local import LocalLearner
from tacit.verify.cases.statistical_query_learner import learner_case
from tacit.verify.enumeration import Case
from tacit.verify.sampling import Probe


def _case(
    spec: str, n: int, epsilon: str, beta: str, *, few: bool = False, tight: bool = False
) -> Case:
    concepts = parse(spec)
    learner = LocalLearner(concepts, epsilon=epsilon, beta=beta)
    setting = f"epsilon={epsilon}, beta={beta}"
    return learner_case("local-learner", learner, concepts, setting, n, few=few, tight=tight)


CASES = (
    _case("thresholds(bits=1)", 3, "1", "3/4", tight=True),
    _case("thresholds(bits=1)", 4, "1", "1/3"),
    _case("thresholds(bits=1, direction=down)", 3, "1/3", "1/2"),
    _case("thresholds(bits=2)", 3, "1", "1/2"),
    _case("thresholds(bits=1, direction=both)", 4, "2", "1/2", few=True),
    _case("points(bits=1)", 4, "1", "1/2", few=True),
    _case("conjunctions(dims=1, width=1)", 4, "2", "9/10", few=True),
    _case("thresholds(bits=1)", 3, "6", "1/2"),
)

PROBES = tuple(
    Probe(_case("thresholds(bits=1)", 12, epsilon, "1/2"), 600) for epsilon in ("1/4", "8")
)
