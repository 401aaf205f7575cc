"""Two labels one by one: what their repetition is priced at holds for the pair of hypotheses."""

from __future__ import annotations

from itertools import product
from typing import Any

from tacit.concepts.specification import parse
from tacit.core.composition import price
from tacit.core.cost import Approximate, Pure
from tacit.core.exact import Exact
from tacit.core.law import Law
from tacit.core.privacy import Privacy
from tacit.evaluation.verification import Case
from tacit.learners.direct_sum import DirectSum
from tacit.learners.generic import GenericLearner
from tacit.statistics import JointCounts

LABELS = 2
Row = tuple[int, tuple[int, ...]]


def _case(spec: str, n: int, epsilon: Exact, delta: Exact) -> Case:
    concepts, total = parse(spec), Privacy(epsilon, delta)
    learner = DirectSum.within(total, LABELS, lambda e: GenericLearner(concepts, epsilon=e))
    priced = price(learner.cost, total.delta).privacy
    claim = Approximate(priced.epsilon, priced.delta) if priced.delta else Pure(priced.epsilon)
    universe = tuple(product(concepts.domain().tolist(), product((0, 1), repeat=LABELS)))

    def law(database: tuple[Row, ...]) -> Law[Any]:
        return learner.law(JointCounts.of(database, labels=LABELS))

    setting = f"2 labels, {spec}, n={n}, epsilon={epsilon}, delta={delta}"
    return Case("direct-sum", setting, "learner", claim, universe, n, law)


CASES = (
    _case("thresholds(bits=1)", 4, "1", 0),
    _case("points(bits=1)", 3, "2", 0),
    _case("points(bits=1)", 4, "1", "1/100"),
)
