"""An array of all cells seen along some attributes: their marginal, and scaling by a table."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
RUN = 1 << 10
"""Cells are summed in runs of at least so many, which lie side by side."""


@dataclass(frozen=True, slots=True)
class AxisCut:
    """Cells cut before and after each chosen attribute of the front ones; the rest is one run.

    >>> cells = np.arange(6.0)
    >>> cut = AxisCut.of(cells, (2, 3), (1,))
    >>> cut.marginal.tolist()
    [3.0, 5.0, 7.0]
    >>> cut.scale(np.array([1.0, 0.0, 2.0]))
    >>> cells.tolist()
    [0.0, 0.0, 4.0, 3.0, 0.0, 10.0]
    """

    front: Floats
    back: tuple[int, ...]

    @classmethod
    def of(cls, cells: Floats, shape: tuple[int, ...], chosen: tuple[int, ...]) -> AxisCut:
        """Cut cells in place at the chosen attributes, which are in order."""
        start = len(shape)
        while start and prod(shape[start:]) < RUN:
            start -= 1
        front = _cuts(shape[:start], [i for i in chosen if i < start])
        back = _cuts(shape[start:], [i - start for i in chosen if i >= start])
        return cls(cells.reshape([*front, prod(shape[start:])]), tuple(back))

    @property
    def marginal(self) -> Floats:
        """The sums over all attributes that are not chosen."""
        runs = self.front.sum(axis=tuple(range(0, self.front.ndim - 1, 2)))
        cut = runs.reshape([*runs.shape[:-1], *self.back])
        first = runs.ndim - 1
        summed: Floats = cut.sum(axis=tuple(range(first, cut.ndim, 2)))
        return summed

    def scale(self, factors: Floats) -> None:
        """Multiply each cell by the factor of its chosen attributes' values, in place."""
        ahead = self.front.shape[1:-1:2]
        thin = [size if i % 2 else 1 for i, size in enumerate(self.back)]
        runs = np.broadcast_to(factors.reshape([*ahead, *thin]), [*ahead, *self.back])
        wide = [size if i % 2 else 1 for i, size in enumerate(self.front.shape[:-1])]
        self.front[...] *= runs.reshape([*wide, self.front.shape[-1]])


def _cuts(shape: tuple[int, ...], chosen: list[int]) -> list[int]:
    """Return the sizes before, of and after each chosen attribute.

    >>> _cuts((2, 3, 4, 5), [1, 2])
    [2, 3, 1, 4, 5]
    """
    sizes, last = [], 0
    for i in chosen:
        sizes += [prod(shape[last:i]), shape[i]]
        last = i + 1
    return [*sizes, prod(shape[last:])]
