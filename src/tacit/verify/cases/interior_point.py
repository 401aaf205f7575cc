"""Interior points: length, prefixes and point all told, over all databases."""

from __future__ import annotations

from functools import partial
from typing import Any

from tacit.core.chance.law import Law
from tacit.core.cost import Approximate
from tacit.mechanisms.points.interior_point import InteriorPoint
from tacit.statistics.counts.line_counts import LineCounts
from tacit.verify.enumeration import Case
from tacit.verify.route import Route
from tacit.verify.sampling import Probe


def _case(
    bits: int,
    n: int,
    epsilon: str,
    delta: str,
    bars: tuple[int, int, int, int],
    universe: tuple[int, ...] = (0, 1, 2, 3),
) -> Case:
    interior = InteriorPoint(bits, epsilon=epsilon, delta=delta, bars=bars)

    def law(database: tuple[int, ...]) -> Law[Any]:
        return interior.transcript(LineCounts.of(database, bits=bits))

    setting = f"{bits} bits, n={n}, bars={bars}, epsilon={epsilon}, delta={delta}"
    claim = Approximate(interior.epsilon, interior.delta)
    return Case(
        "interior-point",
        setting,
        "mechanism",
        claim,
        universe,
        n,
        law,
        drawn=Route(interior, partial(LineCounts.of, bits=bits)),
    )


CASES = (
    _case(2, 4, "1", "1/20", (1, 2, 0, 2)),
    _case(2, 6, "2", "1/10", (3, 3, 1, 1)),
    _case(3, 4, "1/2", "1/100", (2, 2, 0, 1), (0, 3, 4, 5)),
    _case(3, 5, "1", "1/10", (2, 1, 1, 1), (3, 4, 7)),
    _case(2, 4, "6", "1/20", (1, 2, 0, 2)),
)

PROBES = tuple(
    Probe(_case(2, 1000, epsilon, "1/100", bars), 600, neighbours=1)
    for epsilon, bars in (("1/20", (20, 20, 3, 9)), ("8", (2, 2, 1, 1)))
)
