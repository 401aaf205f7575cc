"""Deadlines: when a search must stop, and how a compiled one learns of it.

How it works. A compiled loop cannot look at a clock cheaply, so it counts down its work, one number
in memory, and stops below 0. A thread that sleeps until the end then writes -1 there: kernels run
without Python's lock, so it can.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

FOREVER = 1 << 62
"""Work that is never used up."""
TICK = 0.002
"""Seconds between two writes of the clock."""


@contextmanager
def work_until(end: float | None) -> Iterator[NDArray[np.int64]]:
    """Yield a budget of work, one number, that is gone when the monotonic clock reads `end`.

    A search that subtracts what it does and stops below 0 needs no clock of its own. It may write
    its own count over the clock's once, so the clock writes until the search has ended.

    >>> with work_until(time.monotonic()) as work:
    ...     while work[0] > 0:
    ...         pass
    >>> int(work[0])
    -1
    """
    work = np.array([FOREVER], dtype=np.int64)
    if end is None:
        yield work
        return
    ended = threading.Event()

    def stop() -> None:
        late = not ended.wait(max(0.0, end - time.monotonic()))
        while late:
            work[0] = -1
            late = not ended.wait(TICK)

    clock = threading.Thread(target=stop, daemon=True)
    clock.start()
    try:
        yield work
    finally:
        ended.set()
        clock.join()
