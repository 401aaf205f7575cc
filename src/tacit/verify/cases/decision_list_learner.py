"""The greedy decision list: every list with its exact probability, over all tiny databases."""

from __future__ import annotations

from itertools import product
from typing import Any

from tacit.concepts.contract.specification import parse
from tacit.core.composition import price
from tacit.core.cost import Approximate, Pure
from tacit.learners.rules.decision_list import DecisionListLearner
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, labelled
from tacit.verify.sampling import Probe

Row = tuple[Any, tuple[int]]


def _case(
    spec: str, n: int, epsilon: str, *, length: int, caution: int, delta: str | None = None
) -> Case:
    concepts = parse(spec)
    learner = DecisionListLearner(concepts, epsilon=epsilon, length=length, caution=caution)
    domain = [tuple(x) if isinstance(x, list) else x for x in concepts.domain().tolist()]
    universe: tuple[Row, ...] = tuple((x, (y,)) for x, y in product(domain, (0, 1)))

    law = Route(learner, labelled)

    total = price(learner.cost, delta or 0).privacy
    claim = Approximate(total.epsilon, total.delta) if delta else Pure(total.epsilon)
    setting = f"{spec}, n={n}, {length} rules, caution {caution}, epsilon={epsilon} each"
    return Case("decision-list-learner", setting, "learner", claim, universe, n, law)


CASES = (
    _case("thresholds(bits=1, direction=both)", 3, "1", length=2, caution=2),
    _case("conjunctions(dims=1, width=1)", 4, "1/2", length=2, caution=1),
    _case("points(bits=2)", 3, "1", length=1, caution=3),
    _case("conjunctions(dims=1, width=1)", 3, "2", length=2, caution=2, delta="1/100"),
    _case("conjunctions(dims=1, width=1)", 3, "1/8", length=1, caution=1),
    _case("conjunctions(dims=1, width=1)", 3, "6", length=1, caution=1),
)

PROBES = tuple(
    Probe(
        _case("conjunctions(dims=1, width=1)", 1000, epsilon, length=2, caution=2),
        300,
        neighbours=1,
    )
    for epsilon in ("1/20", "8")
)
