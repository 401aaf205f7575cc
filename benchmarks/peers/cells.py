"""What the peers' comparison is run on: thresholds over 2^32 points, in 36 cells."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

DOMAIN = 2**32
WINDOW = 2**12
NOISE = 0.1
SHAPES = ("uniform", "log-uniform", "clustered")
TESTED = 5 * 10**4


@dataclass(frozen=True, slots=True)
class Task:
    """Rows labelled 1[x >= z], each label flipped with probability `noise`."""

    shape: str
    n: int
    noise: float

    @property
    def name(self) -> str:
        """What the task is called in a file of arrays."""
        return f"{self.shape}/{self.n}/{self.noise}"


@dataclass(frozen=True, slots=True)
class Sample:
    """Rows to learn from, and points with clean labels that stand for their whole distribution.

    The test points are the quantiles at (i + 1/2) / TESTED: a threshold's error on them is its true
    error up to 1 / TESTED, without the noise of a random test set.
    """

    x: NDArray[np.int64]
    y: NDArray[np.bool_]
    tested: NDArray[np.int64]
    truth: NDArray[np.bool_]

    def arrays(self, name: str) -> dict[str, NDArray[Any]]:
        """Return the arrays by their names in a file."""
        small = self.tested.astype(np.uint32)
        parts = {"x": self.x, "y": self.y, "tested": small, "truth": self.truth}
        return {f"{name}/{part}": array for part, array in parts.items()}


TASKS = tuple(Task(*made) for made in product(SHAPES, (200, 2000, 20000), (0.0, NOISE)))
EPSILONS = ("0.1", "1")


def draw(task: Task, seed: int) -> Sample:
    """Draw a sample: z is a quantile between 1/4 and 3/4, and a window lies anywhere."""
    floats = np.random.default_rng([seed, SHAPES.index(task.shape), task.n, int(task.noise * 100)])
    start = int(floats.integers(0, DOMAIN - WINDOW))
    z = _quantiles(task.shape, floats.uniform(0.25, 0.75, 1), start)[0]
    x = _quantiles(task.shape, floats.random(task.n), start)
    tested = _quantiles(task.shape, (np.arange(TESTED) + 0.5) / TESTED, start)
    flipped = floats.random(task.n) < task.noise
    return Sample(x, (x >= z) ^ flipped, tested, tested >= z)


def _quantiles(shape: str, u: NDArray[np.float64], start: int) -> NDArray[np.int64]:
    if shape == "uniform":
        x = u * DOMAIN
    elif shape == "log-uniform":
        x = np.exp2(u * np.log2(DOMAIN))
    else:
        x = start + u * WINDOW
    return np.minimum(np.floor(x).astype(np.int64), DOMAIN - 1)
