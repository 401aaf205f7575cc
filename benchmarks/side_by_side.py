"""How two programs are compared: interleaved runs in one process, median against median."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One comparison: what was measured, both times in seconds, and the bar for their ratio."""

    name: str
    ours: float
    peer: str
    theirs: float
    bar: float

    @property
    def ratio(self) -> float:
        """Our time over theirs."""
        return self.ours / self.theirs

    @property
    def holds(self) -> bool:
        """Whether the bar is met."""
        return self.ratio <= self.bar


def compare(
    name: str,
    ours: Callable[[], object],
    peer: str,
    theirs: Callable[[], object],
    *,
    bar: float,
    rounds: int = 7,
) -> Row:
    """Time both, alternating, after one warm-up each."""
    ours()
    theirs()
    times = [(_seconds(ours), _seconds(theirs)) for _ in range(rounds)]
    mine, other = (statistics.median(column) for column in zip(*times, strict=True))
    return Row(name, mine, peer, other, bar)


def _seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start
