"""Choices among candidates by their scores, and among queries by their answers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

from tacit import mechanisms, statistics
from tacit.core.numbers.exact import Exact
from tacit.verify.cases.statement import Audited, Rows, case
from tacit.verify.enumeration import Case
from tacit.verify.sampling import Probe

Hypotheses = list[tuple[int, ...]]
"""Candidates, each by its labels of the points 0, 1, ..."""
POINTS: Hypotheses = [tuple(int(x == z) for x in range(3)) for z in range(3)]
THRESHOLDS: Hypotheses = [tuple(int(x >= z) for x in range(3)) for z in range(4)]
UNIVERSE = ("a", "b", "c")


def _scored(
    mechanism: Callable[[Exact], Any], name: str, among: Hypotheses, n: int, epsilon: Exact
) -> Case:
    """Score hypotheses by how many rows they agree with; two constants are the worst case."""

    def scores(database: Rows) -> statistics.ScoreProfile[int]:
        return statistics.ScoreProfile.of([sum(h[x] == y for x, y in database) for h in among])

    universe, tight = product(range(len(among[0])), (0, 1)), name == "constants"
    return case(mechanism(epsilon), n, name, universe, scores, tight=tight)


def exponential() -> Audited:
    """The exponential mechanism on points and thresholds, and where it attains its range."""
    among = partial(_scored, mechanisms.Exponential)
    return (
        *(among("points", POINTS, 3, epsilon) for epsilon in ("1/10", 1, 4)),
        *(among("thresholds", THRESHOLDS, 4, epsilon) for epsilon in ("1/2", 2)),
        among("constants", [(0,), (1,)], 60, 1),
        among("thresholds", THRESHOLDS, 3, 7),
    ), tuple(Probe(among("thresholds", THRESHOLDS, 1000, epsilon)) for epsilon in ("1/20", 8))


def permute_and_flip() -> Audited:
    """Permute and flip on points and thresholds, and where it attains its epsilon."""
    among = partial(_scored, mechanisms.PermuteAndFlip)
    return (
        *(among("points", POINTS, 3, epsilon) for epsilon in ("1/10", 1, 4)),
        *(among("thresholds", THRESHOLDS, 4, epsilon) for epsilon in ("1/2", 2)),
        *(among("constants", [(0, 0), (1, 1)], 3, epsilon) for epsilon in ("1/10", 1, 3)),
        among("points", POINTS, 3, 7),
    ), tuple(Probe(among("points", POINTS, 1000, epsilon)) for epsilon in ("1/20", 8))


def above_threshold() -> Audited:
    """The sparse vector: each query counts the records among its letters, times sensitivity."""

    def asked(
        above: mechanisms.AboveThreshold, n: int, *queries: str, times: int = 1, tight: bool = False
    ) -> Case:
        def asking(database: Rows) -> statistics.QueryStream:
            answers = [times * sum(record in query for record in database) for query in queries]
            return statistics.QueryStream(answers, sensitivity=times)

        about = f"counts of {', '.join(queries)} times {times}, threshold {above.threshold}"
        return case(above, n, f"{about}, share {above.share}", UNIVERSE, asking, tight=tight)

    above = mechanisms.AboveThreshold
    return (
        asked(above(1, threshold=2), 4, "a", "b", "ab"),
        asked(above("1/10", threshold=3, share="1/2"), 4, "a", "c", "b", "a"),
        asked(above(2, threshold=3), 3, "a", "bc", "b", times=2),
        asked(above(4, threshold=0, share="1/5"), 4, "c", "a", "a", "b"),
        asked(above(8, threshold=-2), 4, "a", "a", "a", "b", tight=True),
        asked(above(12, threshold=-1), 3, "a", "a", "a", "b", tight=True),
    ), tuple(Probe(asked(above(e, threshold=335), 1000, "a", "b", "ab"), 300) for e in ("1/10", 8))
