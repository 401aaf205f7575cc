"""Few points of a domain that show what its concepts can do."""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.concepts.contract.concept_class import ConceptClass, Points, integers
from tacit.core.chance.randomness import Seeded
from tacit.core.numbers.least import least_between

LANDMARKS = 50
"""A domain of up to so many points is taken whole: labellings of them fit into one word."""
FEW = 12
"""So many points of several columns: each doubles the labellings."""
STEPS = 16
"""So many equal steps of a line."""


def landmarks(concepts: ConceptClass[Any], target: Any) -> Points:
    """Return the domain, or of a large one its corners, steps, and where the target changes."""
    if concepts.domain_size <= LANDMARKS:
        return concepts.domain()
    far = np.full((1, concepts.features), 1 << 4096, dtype=object)
    if concepts.features > 1:
        tops = concepts.clip(far)[0].tolist()
        rng = Seeded(concepts.features)
        corners = [[0] * len(tops), tops, *np.diag(np.array(tops, dtype=object)).tolist()]
        others = [[rng.below(int(top) + 1) for top in tops] for _ in range(STEPS)]
        picked = dict.fromkeys(tuple(map(int, point)) for point in corners[: FEW // 2] + others)
        return _vectors(list(picked)[:FEW])
    top = int(concepts.clip(far[:, 0])[0])
    steps = sorted({0, 1, top - 1, top, *(top * i // STEPS for i in range(STEPS))})
    if target is not None:
        said = target(integers(steps)).tolist()
        for i in range(len(steps) - 1):
            if said[i] != said[i + 1]:
                steps += _change(target, steps[i], steps[i + 1])
    return integers(sorted(set(steps)))


def _change(target: Any, low: int, high: int) -> list[int]:
    """Return two neighbours between which the target changes, as it does from low to high."""
    first = bool(target(integers([low]))[0])
    after = least_between(low, high, lambda x: bool(target(integers([x]))[0]) != first)
    return [after - 1, after]


def _vectors(points: list[tuple[int, ...]]) -> Points:
    small = all(x < 1 << 62 for point in points for x in point)
    return np.array(points, dtype=np.int64 if small else object)
