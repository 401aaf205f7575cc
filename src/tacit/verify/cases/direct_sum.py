"""Two labels one by one: what their repetition is priced at holds for the pair of hypotheses."""

from __future__ import annotations

from itertools import product

from tacit.concepts.contract.specification import parse
from tacit.core.composition import price
from tacit.core.cost import Approximate, Pure
from tacit.core.numbers.exact import Exact
from tacit.core.privacy import Privacy
from tacit.learners.every_class.generic import GenericLearner
from tacit.learners.many_labels.direct_sum import DirectSum
from tacit.verify.enumeration import Case
from tacit.verify.route import Route, jointly
from tacit.verify.sampling import Probe

Row = tuple[int, tuple[int, ...]]


CROSSED: tuple[Row, ...] = ((0, (0, 0, 0)), (1, (1, 1, 1)), (0, (1, 1, 0)))
"""Three labels: a row that says no to all, one that says yes to all, and a mixed one."""
ALIKE: tuple[Row, ...] = tuple((x, (y,) * 10) for x in (0, 1) for y in (0, 1))
"""Ten labels that are all the same."""


def _case(
    spec: str,
    n: int,
    epsilon: Exact,
    delta: Exact,
    *,
    labels: int = 2,
    universe: tuple[Row, ...] = (),
) -> Case:
    concepts, total = parse(spec), Privacy(epsilon, delta)
    learner = DirectSum.within(total, labels, lambda e: GenericLearner(concepts, epsilon=e))
    priced = price(learner.cost, total.delta).privacy
    claim = Approximate(priced.epsilon, priced.delta) if priced.delta else Pure(priced.epsilon)
    rows = tuple(product(concepts.domain().tolist(), product((0, 1), repeat=labels)))

    law = Route(learner, jointly(labels))

    setting = f"{labels} labels, {spec}, n={n}, epsilon={epsilon}, delta={delta}"
    return Case("direct-sum", setting, "learner", claim, universe or rows, n, law, labels=labels)


CASES = (
    _case("thresholds(bits=1)", 4, "1", 0),
    _case("points(bits=1)", 3, "2", 0),
    _case("points(bits=1)", 4, "1", "1/100"),
    _case("points(bits=1)", 2, "1/3", 0, labels=3, universe=CROSSED),
    _case("thresholds(bits=1)", 2, "6", 0, labels=3, universe=CROSSED),
)

PROBES = tuple(
    Probe(_case("thresholds(bits=1)", 1000, epsilon, 0, labels=10, universe=ALIKE), 200)
    for epsilon in ("1/10", "30")
)
