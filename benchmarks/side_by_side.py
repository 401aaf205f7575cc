"""How two programs are compared: interleaved runs in one process, median against median."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Row:
    """One comparison: what was measured, both times in seconds, and the bar for their ratio.

    Memory is compared in bytes.
    """

    name: str
    ours: float
    peer: str
    theirs: float
    bar: float
    unit: Literal["s", "B"] = "s"

    @property
    def said(self) -> tuple[str, str]:
        """Both numbers, to read."""
        factor, unit = (1.0, "s") if self.theirs >= 1 else (1000.0, "ms")
        if self.unit == "B":
            factor, unit = 1e-9, "GB"
        return f"{self.ours * factor:.3g} {unit}", f"{self.theirs * factor:.4g} {unit}"

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
    clock: Callable[[], float] = time.perf_counter,
) -> Row:
    """Time both, alternating, after one warm-up each."""
    ours()
    theirs()
    times = [(_seconds(ours, clock), _seconds(theirs, clock)) for _ in range(rounds)]
    mine, other = (statistics.median(column) for column in zip(*times, strict=True))
    return Row(name, mine, peer, other, bar)


def _seconds(run: Callable[[], object], clock: Callable[[], float]) -> float:
    start = clock()
    run()
    return clock() - start
