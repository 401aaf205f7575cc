"""Synthetic rows chosen among all, over all tiny databases."""

from __future__ import annotations

from itertools import product

from tacit.sanitizers import Attributes, BlrSanitizer, ListedQueries, MarginalQueries, Queries
from tacit.statistics import Counts
from tacit.verify.enumeration import Case
from tacit.verify.route import Route
from tacit.verify.sampling import Probe


def _case(
    name: str, queries: Queries, n: int, epsilon: str, rows: int, *, tight: bool = False
) -> Case:
    sanitizer = BlrSanitizer(queries, epsilon=epsilon, rows=rows)

    law = Route(sanitizer, Counts.of)

    setting = f"{name}, n={n}, {rows} rows, epsilon={epsilon}"
    universe = tuple(product(*map(range, queries.attributes.shape)))
    return Case(
        "blr-sanitizer", setting, "sanitizer", sanitizer.cost, universe, n, law, tight=tight
    )


CASES = (
    _case("thresholds on 3 points", ListedQueries.thresholds(3), 4, "1", 4, tight=True),
    _case("thresholds on 4 points", ListedQueries.thresholds(4), 3, "1/2", 2, tight=True),
    _case("2 bits", MarginalQueries(Attributes.binary(2), 2), 3, "2", 3, tight=True),
    _case("thresholds on 3 points", ListedQueries.thresholds(3), 3, "6", 2),
)

PROBES = tuple(
    Probe(_case("thresholds on 2 points", ListedQueries.thresholds(2), 1000, epsilon, 1))
    for epsilon in ("1/20", "8")
)
