"""Synthetic rows from a noisy histogram, over all tiny databases."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from tacit.core.chance.law import Law
from tacit.core.chance.law import product as joint
from tacit.core.numbers.decay import Decay
from tacit.mechanisms.noise.discrete_laplace import DiscreteLaplace
from tacit.mechanisms.noise.geometric import tail_upper
from tacit.sanitizers import Attributes, HistogramSanitizer
from tacit.statistics import Counts
from tacit.verify.enumeration import Case
from tacit.verify.route import Route
from tacit.verify.sampling import Probe


def near(noise: DiscreteLaplace, values: list[int], reach: int) -> Law[tuple[int, ...]]:
    """Return the law of noisy values as if none were further off than `reach`, and what that is."""
    laws = [noise.law(value, low=value - reach, high=value + reach) for value in values]
    decay = Decay.of(noise.epsilon / noise.sensitivity)
    return joint(laws).widen(4 * len(values) * tail_upper(decay, reach))


def _case(
    shape: tuple[int, ...], n: int, epsilon: str, *, tight: bool = False, reach: int | None = None
) -> Case:
    sanitizer = HistogramSanitizer(Attributes(shape), epsilon=epsilon)
    universe = tuple(product(*map(range, shape)))

    def nearly(counts: Counts[Any]) -> Law[Any]:
        values = sanitizer.attributes.histogram(counts).tolist()
        noisy = near(DiscreteLaplace(epsilon, 2), values, reach or 0)
        return noisy.map(lambda told: sanitizer.made(np.array(told), n))

    law = Route(sanitizer, Counts.of, nearly if reach else None)

    setting = f"{shape} cells, n={n}, epsilon={epsilon}"
    return Case(
        "histogram-sanitizer", setting, "sanitizer", sanitizer.cost, universe, n, law, tight=tight
    )


CASES = (
    _case((3,), 3, "1", tight=True),
    _case((3,), 2, "1/2", tight=True),
    _case((2, 2), 1, "2", tight=True),
    _case((3,), 2, "6"),
)

PROBES = tuple(
    Probe(_case((2,), 1000, epsilon, reach=reach), neighbours=0)
    for epsilon, reach in (("1/2", 40), ("8", 6))
)
