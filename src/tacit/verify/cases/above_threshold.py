"""Above threshold: counts of a few records, asked one after the other."""

from __future__ import annotations

from tacit.mechanisms.search.above_threshold import AboveThreshold
from tacit.statistics.query_stream import QueryStream
from tacit.verify.enumeration import Case
from tacit.verify.route import Route
from tacit.verify.sampling import Probe

UNIVERSE = ("a", "b", "c")


def _case(
    mechanism: AboveThreshold,
    n: int,
    queries: tuple[str, ...],
    *,
    sensitivity: int = 1,
    tight: bool = False,
) -> Case:
    """Each query counts the records among its letters, times the sensitivity."""

    def asking(database: tuple[str, ...]) -> QueryStream:
        counts = [sum(record in query for record in database) for query in queries]
        return QueryStream([sensitivity * count for count in counts], sensitivity=sensitivity)

    asked = f"counts of {', '.join(queries)}; sensitivity={sensitivity}"
    parameters = f"epsilon={mechanism.epsilon}, share={mechanism.share}"
    return Case(
        "above-threshold",
        f"{asked}, threshold={mechanism.threshold}, n={n}, {parameters}",
        "mechanism",
        mechanism.cost,
        UNIVERSE,
        n,
        Route(mechanism, asking),
        tight=tight,
    )


CASES = (
    _case(AboveThreshold(1, threshold=2), 4, ("a", "b", "ab")),
    _case(AboveThreshold("1/10", threshold=3, share="1/2"), 4, ("a", "c", "b", "a")),
    _case(AboveThreshold(2, threshold=3), 3, ("a", "bc", "b"), sensitivity=2),
    _case(AboveThreshold(4, threshold=0, share="1/5"), 4, ("c", "a", "a", "b")),
    _case(AboveThreshold(8, threshold=-2), 4, ("a", "a", "a", "b"), tight=True),
    _case(AboveThreshold(12, threshold=-1), 3, ("a", "a", "a", "b"), tight=True),
)

PROBES = tuple(
    Probe(_case(AboveThreshold(epsilon, threshold=335), 1000, ("a", "b", "ab")), 300)
    for epsilon in ("1/10", 8)
)
