"""Synthetic rows for thresholds from a noisy tree, over all tiny databases."""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.core.chance.law import Law
from tacit.mechanisms.noise.discrete_laplace import DiscreteLaplace
from tacit.sanitizers import TreeSanitizer
from tacit.statistics import Counts
from tacit.verify.cases.histogram_sanitizer import near
from tacit.verify.enumeration import Case
from tacit.verify.route import Route
from tacit.verify.sampling import Probe


def _case(
    bits: int, n: int, epsilon: str, *, tight: bool = False, reach: int | None = None
) -> Case:
    sanitizer = TreeSanitizer(bits, epsilon=epsilon)

    def nearly(counts: Counts[Any]) -> Law[Any]:
        noise = DiscreteLaplace(epsilon, 2 * bits - 1)
        noisy = near(noise, sanitizer.halves(counts).tolist(), reach or 0)
        return noisy.map(lambda told: sanitizer.made(np.array(told), n))

    law = Route(sanitizer, Counts.of, nearly if reach else None)

    setting = f"{1 << bits} points, n={n}, epsilon={epsilon}"
    universe = tuple(range(1 << bits))
    return Case(
        "tree-sanitizer", setting, "sanitizer", sanitizer.cost, universe, n, law, tight=tight
    )


CASES = (
    _case(2, 3, "1", tight=True),
    _case(2, 2, "3", tight=True),
    _case(1, 4, "1/2", tight=True),
    _case(1, 3, "6"),
)

PROBES = (
    Probe(_case(1, 1000, "1/10", reach=100)),
    Probe(_case(2, 1000, "8", reach=5), neighbours=0),
)
