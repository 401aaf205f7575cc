"""Quantiles by the exponential mechanism on ranks, and by interior points."""

from __future__ import annotations

from functools import partial
from typing import Any

from tacit.core.chance.law import Law
from tacit.core.cost import Approximate
from tacit.mechanisms.points.prefix_quantile import PrefixQuantile
from tacit.mechanisms.points.private_quantile import PrivateQuantile
from tacit.statistics.counts.line_counts import LineCounts
from tacit.verify.enumeration import Case
from tacit.verify.route import Route
from tacit.verify.sampling import Probe

UNIVERSE = (0, 1, 2, 3)


def _pure(level: str, n: int, epsilon: str) -> Case:
    quantile = PrivateQuantile(2, level=level, epsilon=epsilon)

    law = Route(quantile, partial(LineCounts.of, bits=2))
    setting = f"level {level}, n={n}, epsilon={epsilon}"
    return Case(
        "private-quantile", setting, "mechanism", quantile.cost, UNIVERSE, n, law, tight=True
    )


def _prefix(level: str, n: int, epsilon: str, delta: str, bars: tuple[int, int, int, int]) -> Case:
    quantile = PrefixQuantile(2, level=level, epsilon=epsilon, delta=delta, bars=bars)

    def law(database: tuple[int, ...]) -> Law[Any]:
        near = LineCounts.of(database, bits=2)
        rows = quantile.interior.rows
        window = near.window(near.rank(quantile.level) - rows // 2, rows)
        return quantile.interior.transcript(window)

    setting = f"level {level}, n={n}, bars={bars}, epsilon={epsilon}, delta={delta}"
    claim = Approximate(quantile.interior.epsilon, quantile.interior.delta)
    return Case(
        "prefix-quantile",
        setting,
        "mechanism",
        claim,
        UNIVERSE,
        n,
        law,
        drawn=Route(quantile, partial(LineCounts.of, bits=2)),
    )


CASES = (
    _pure("1/2", 4, "1"),
    _pure("1/4", 5, "1/2"),
    _pure("1", 3, "2"),
    _prefix("1/2", 4, "1", "1/20", (2, 1, 0, 1)),
    _prefix("1/4", 5, "2", "1/10", (2, 2, 1, 1)),
    _prefix("1", 3, "1/2", "1/100", (1, 1, 0, 2)),
    _pure("1/2", 3, "6"),
    _prefix("1/2", 3, "6", "1/20", (1, 1, 0, 1)),
)

PROBES = (
    *(Probe(_pure("1/4", 1000, epsilon)) for epsilon in ("1/20", "8")),
    *(Probe(_prefix("1/2", 1000, epsilon, "1/20", (4, 4, 1, 2)), 600) for epsilon in ("1/4", "8")),
)
