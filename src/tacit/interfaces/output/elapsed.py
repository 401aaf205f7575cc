"""How long the command has been running, so that a time limit counts from its very beginning."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

LEAST = 0.1
"""Seconds that a search has even if loading took them all."""

EARLY = 1.0
"""Seconds that a process takes at most before the command begins; more were something else."""

BEGUN: ContextVar[float | None] = ContextVar("begun", default=None)
"""When the command began, by the monotonic clock; nothing if no command is running."""


@contextmanager
def begun() -> Iterator[None]:
    """Say that a command is running, and what loading it took so far, by the processor's time."""
    token = BEGUN.set(time.monotonic() - min(time.process_time(), EARLY))
    try:
        yield
    finally:
        BEGUN.reset(token)


def left(seconds: float) -> float:
    """Return what is left of so many seconds since the command began.

    >>> left(5.0)
    5.0
    """
    start = BEGUN.get()
    return seconds if start is None else max(LEAST, seconds - (time.monotonic() - start))
