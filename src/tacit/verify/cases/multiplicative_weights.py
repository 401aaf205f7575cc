"""Synthetic rows by multiplicative weights: all choices, over all tiny databases."""

from __future__ import annotations

from itertools import product

from tacit.core.composition import price
from tacit.core.cost import Approximate, Pure
from tacit.sanitizers import (
    Attributes,
    ListedQueries,
    MarginalQueries,
    MultiplicativeWeights,
    Queries,
)
from tacit.statistics import Counts
from tacit.verify.enumeration import Case
from tacit.verify.route import Route
from tacit.verify.sampling import Probe


def _case(
    name: str, queries: Queries, n: int, epsilon: str, rounds: int, *, delta: str | None = None
) -> Case:
    sanitizer = MultiplicativeWeights(queries, epsilon=epsilon, rounds=rounds)

    law = Route(sanitizer, Counts.of)

    total = price(sanitizer.cost, delta or 0).privacy
    claim = Approximate(total.epsilon, total.delta) if delta else Pure(total.epsilon)
    setting = f"{name}, n={n}, {rounds} rounds, epsilon={epsilon} each"
    universe = tuple(product(*map(range, queries.attributes.shape)))
    return Case("multiplicative-weights", setting, "sanitizer", claim, universe, n, law)


CASES = (
    _case("thresholds on 3 points", ListedQueries.thresholds(3), 3, "1", 2),
    _case("thresholds on 3 points", ListedQueries.thresholds(3), 5, "2", 1),
    _case("2 bits", MarginalQueries(Attributes.binary(2), 1), 3, "1/2", 2),
    _case("thresholds on 3 points", ListedQueries.thresholds(3), 3, "2", 2, delta="1/100"),
    _case("thresholds on 3 points", ListedQueries.thresholds(3), 3, "1/8", 2),
    _case("thresholds on 3 points", ListedQueries.thresholds(3), 3, "6", 1),
)

PROBES = tuple(
    Probe(_case("thresholds on 3 points", ListedQueries.thresholds(3), 1000, epsilon, 2), 300)
    for epsilon in ("1/20", "4")
)
