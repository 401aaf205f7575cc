"""Deadlines: when a search must stop, and how it learns of it, a compiled one without a clock.

How it works. A compiled loop cannot look at a clock cheaply, so it counts down its work, one number
in memory, and stops below 0. A thread that sleeps until the end then writes -1 there: kernels run
without Python's lock, so it can.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf

import numpy as np
from numpy.typing import NDArray

from tacit.core.frozen import hold

FOREVER = 1 << 62
"""Work that is never used up."""
TICK = 0.002
"""Seconds between two writes of the clock: what a search may be late by."""


class OutOfTime(Exception):
    """A search stops here, and tells what is certain by then."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """So many seconds from when it is made, or for ever.

    >>> Deadline().over, Deadline(-1.0).over, Deadline(2.5).why
    (False, True, 'stopped after 2.5 s')
    """

    seconds: float | None = None
    end: float = field(init=False)

    def __post_init__(self) -> None:
        hold(self, end=inf if self.seconds is None else time.monotonic() + self.seconds)

    @property
    def left(self) -> float:
        """How many seconds are left."""
        return self.end - time.monotonic()

    @property
    def over(self) -> bool:
        """Whether there is no time left."""
        return self.left < 0

    @property
    def why(self) -> str:
        """What a search says that it stopped."""
        return f"stopped after {self.seconds} s"

    def part(self, share: float) -> float:
        """Return a share of the seconds that are left, and a hundredth of one at least."""
        return max(round(share * self.left, 2), 0.01)

    def check(self) -> None:
        """Stop a search that is late."""
        if self.over:
            raise OutOfTime


NO_LIMIT = Deadline()
"""The deadline of a search that takes the time that it needs."""


@contextmanager
def work_until(deadline: Deadline) -> Iterator[NDArray[np.int64]]:
    """Yield a budget of work, one number, that is gone when the deadline is over.

    A search that subtracts what it does and stops below 0 needs no clock of its own. It may write
    its own count over the clock's once, so the clock writes until the search has ended.

    >>> with work_until(Deadline(0)) as work:
    ...     while work[0] > 0:
    ...         pass
    >>> int(work[0])
    -1
    """
    work = np.array([FOREVER], dtype=np.int64)
    if deadline.seconds is None:
        yield work
        return
    ended = threading.Event()

    def stop() -> None:
        late = not ended.wait(max(0.0, deadline.left))
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
