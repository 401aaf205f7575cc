"""Synthetic rows for points, over all tiny databases."""

from __future__ import annotations

from typing import Any

from tacit.core.chance.law import Law
from tacit.core.numbers.decay import Decay
from tacit.core.numbers.exact import rational
from tacit.mechanisms.stable.stability_histogram import told_count
from tacit.sanitizers import LineDomain, PointSanitizer
from tacit.sanitizers.contract.synthetic import Synthetic
from tacit.sanitizers.line.point import filled
from tacit.statistics import Counts
from tacit.verify.enumeration import Case
from tacit.verify.route import Route
from tacit.verify.sampling import Probe


def _case(size: int, n: int, epsilon: str, delta: str, *, tight: bool = False) -> Case:
    sanitizer = PointSanitizer(LineDomain(size), epsilon=epsilon, delta=delta)

    law = Route(sanitizer, Counts.of)

    setting = f"{size} points, n={n}, epsilon={epsilon}, delta={delta}"
    universe = tuple(range(size))
    return Case(
        "point-sanitizer", setting, "sanitizer", sanitizer.cost, universe, n, law, tight=tight
    )


def _alike(n: int, epsilon: str, delta: str, reach: int) -> Case:
    """All rows at one point of two: only by how much its noisy count is off can be told."""
    sanitizer = PointSanitizer(LineDomain(2), epsilon=epsilon, delta=delta)
    decay = Decay.of(rational(epsilon) / 2)

    def law_of(counts: Counts[Any]) -> Law[Any]:
        held = counts[0]
        told = told_count(0, held, decay, least=held - reach, most=n).probabilities
        near = Law({k: p for k, p in told.items() if k}, 2 * told[()])
        return near.map(lambda said: Synthetic((2,), filled(dict(said), n, 2)))

    setting = f"2 points, n={n}, epsilon={epsilon}, delta={delta}"
    law = Route(sanitizer, Counts.of, law_of)
    return Case("point-sanitizer", setting, "sanitizer", sanitizer.cost, (0, 1), n, law)


CASES = (
    _case(3, 4, "1", "1/7"),
    _case(4, 3, "2", "1/20"),
    _case(3, 6, "1/2", "1/5"),
    _case(3, 4, "6", "1/100"),
)

PROBES = tuple(
    Probe(_alike(1000, epsilon, delta, reach), database=(0,) * 1000)
    for epsilon, delta, reach in (("1/2", "1/100", 300), ("8", "1e-9", 20))
)
