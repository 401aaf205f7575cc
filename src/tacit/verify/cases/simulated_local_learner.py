"""Reports made up from noisy counts: on the whole sample, or on rows dealt to the queries."""

from __future__ import annotations

from tacit.concepts.contract.specification import parse
from tacit.learners.queries.local import LocalLearner
from tacit.learners.queries.simulated_local import SimulatedLocalLearner
from tacit.verify.cases.statistical_query_learner import learner_case
from tacit.verify.enumeration import Case
from tacit.verify.sampling import Probe


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
    return learner_case(
        "simulated-local-learner",
        learner,
        concepts,
        f"epsilon={epsilon}, {reports} reports of epsilon={local}",
        n,
        few=few,
        tight=tight,
    )


CASES = (
    _case("thresholds(bits=1)", 3, "1", 24, local="30", tight=True),
    _case("thresholds(bits=1)", 4, "1/2", 3),
    _case("thresholds(bits=2)", 3, "2", 2, few=True),
    _case("points(bits=1)", 3, "1", 5, few=True),
    _case("conjunctions(dims=1, width=1)", 3, "2", 4, few=True),
    _case("points(bits=1)", 3, "6", 2, few=True),
)

PROBES = tuple(
    Probe(_case("points(bits=1)", 100, epsilon, 5), 300, few + ((0, (0,)),) * (100 - len(few)), 1)
    for epsilon, few in (("1/4", ((1, (1,)),) * 10), ("8", ((1, (1,)),)))
)
