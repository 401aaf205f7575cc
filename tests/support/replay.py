"""A source that plays back given integers, to drive a sampler down a chosen path."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray


class Replay:
    """Answers each request with the next integer of a list, and fails when one does not fit."""

    def __init__(self, values: Iterable[int]) -> None:
        self._values = iter(values)

    def bits(self, count: int, /) -> int:
        value = next(self._values)
        assert 0 <= value < 1 << count
        return value

    def below(self, bound: int, /) -> int:
        value = next(self._values)
        assert 0 <= value < bound
        return value

    def words(self, count: int, /) -> NDArray[np.uint64]:
        return np.array([self.bits(64) for _ in range(count)], dtype=np.uint64)
