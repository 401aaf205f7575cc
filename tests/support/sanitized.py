"""What the tests of sanitizers share: correlated rows, and a sampler compared with a law."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from tacit.core.chance.randomness import Seeded
from tacit.statistics import Counts

FALSE_ALARM = 1e-9


def chain(seed: int, *, dims: int, n: int, flip: float = 0.15) -> NDArray[np.int64]:
    """Draw rows of bits, each of which repeats the one before it but for some flips."""
    floats = np.random.default_rng(seed)
    rows = np.zeros((n, dims), dtype=np.int64)
    rows[:, 0] = floats.integers(0, 2, n)
    for j in range(1, dims):
        rows[:, j] = rows[:, j - 1] ^ (floats.random(n) < flip)
    return rows


def counted(rows: NDArray[np.int64]) -> Counts[Any]:
    """Count rows as tuples, or points as integers."""
    return Counts.of(map(tuple, rows.tolist()) if rows.ndim == 2 else rows.tolist())


def follows_its_law(sanitizer: Any, counts: Counts[Any], *, runs: int, seed: int) -> bool:
    """Whether draws agree with the law by a chi-square test, rare outcomes taken together.

    A right sampler fails with probability about 1e-9.
    """
    law, rng = sanitizer.law(counts), Seeded(seed)
    seen = Counter(sanitizer(counts, rng=rng) for _ in range(runs))
    if not seen.keys() <= law.probabilities.keys():
        return False
    expected = {o: float(p) * runs for o, p in law.probabilities.items()}
    common = [o for o, e in expected.items() if e >= 8]
    cells = [(seen[o], expected[o]) for o in common]
    rest = runs - sum(s for s, _ in cells), runs - sum(e for _, e in cells)
    cells += [rest] if rest[1] > 8 else []
    distance = sum((s - e) ** 2 / e for s, e in cells)
    return bool(chi2.sf(distance, max(1, len(cells) - 1)) > FALSE_ALARM)
