"""Few points of a domain that show what its concepts can do."""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.concepts.contract.concept_class import ConceptClass, Points, integers
from tacit.core.chance.randomness import Seeded

LANDMARKS = 50
FEW = 12
STEPS = 16


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
    while high - low > 1:
        middle = (low + high) // 2
        same = bool(target(integers([middle]))[0]) == first
        low, high = (middle, high) if same else (low, middle)
    return [low, high]


def _vectors(points: list[tuple[int, ...]]) -> Points:
    small = all(x < 1 << 62 for point in points for x in point)
    return np.array(points, dtype=np.int64 if small else object)
