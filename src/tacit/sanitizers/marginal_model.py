"""A distribution over all cells that fits noisy marginals: post-processing of releases."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tacit.sanitizers.attributes import Attributes
from tacit.sanitizers.rounding import simplex

Chosen = tuple[int, ...]
SMALL = 1e-6
SWEEPS = 20


@dataclass(slots=True)
class MarginalModel:
    """Expected counts of all cells; each marginal that is observed is fitted by scaling.

    With all sets of attributes observed exactly, scaling in turn leads to the distribution of
    greatest entropy [Csi75]; with noise the marginals contradict each other, and ever smaller steps
    lead to a compromise.

    >>> model = MarginalModel(Attributes.binary(2), 100)
    >>> model.observe((0,), np.array([80, 20]))
    >>> model.observe((1,), np.array([50, 50]))
    >>> model.finished().round(1).tolist()
    [40.0, 40.0, 10.0, 10.0]
    """

    attributes: Attributes
    n: int
    cells: NDArray[np.float64] = field(init=False)
    sums: dict[Chosen, tuple[int, NDArray[np.int64]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.cells = np.full(self.attributes.shape, self.n / self.attributes.size)

    def copy(self) -> MarginalModel:
        """Return a model that can be changed without changing this one."""
        twin = MarginalModel(self.attributes, self.n, dict(self.sums))
        twin.cells = self.cells.copy()
        return twin

    def observe(self, chosen: Chosen, noisy: NDArray[np.int64]) -> None:
        """Fit one more noisy marginal, and those before it a little."""
        times, before = self.sums.get(chosen, (0, np.zeros_like(noisy)))
        self.sums[chosen] = (times + 1, before + noisy)
        self._fit(chosen, 1.0)
        for other in self.sums:
            self._fit(other, 0.5)

    def finished(self) -> NDArray[np.float64]:
        """Fit all marginals by ever smaller steps, and return the expected counts of all cells."""
        for sweep in range(SWEEPS):
            for chosen in self.sums:
                self._fit(chosen, 1 / (sweep + 1))
        return self.cells.ravel()

    def _fit(self, chosen: Chosen, step: float) -> None:
        """Bring one marginal nearer to what was observed, by this step in its logarithm."""
        rest = tuple(i for i in range(len(self.attributes.shape)) if i not in chosen)
        now = self.cells.sum(axis=rest, keepdims=True)
        times, noisy = self.sums[chosen]
        wanted = simplex(noisy / times, self.n).reshape(now.shape)
        self.cells *= ((wanted + SMALL) / (now + SMALL)) ** step
