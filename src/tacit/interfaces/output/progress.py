"""What is being done, said on the terminal while it is done.

Where the work depends on public things only, it is said when it takes longer than two seconds.
Where rows are read, how long it takes depends on what they hold; there it is said at once or never.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock, Timer

from rich.console import Console
from rich.status import Status

PATIENCE = 2.0
"""Seconds after which work is said to be done: fewer are not noticed."""

QUIET: ContextVar[bool] = ContextVar("quiet", default=False)
"""Whether nothing is shown: said once, before the verb."""


@contextmanager
def patiently(seconds: float = PATIENCE) -> Iterator[Callable[[str], None]]:
    """Give a function that is told each step; after some seconds the last one is shown on stderr.

    On a terminal it is a line that goes away at the end; else one line a step that is begun after.
    """
    console = Console(stderr=True, highlight=False, quiet=QUIET.get())
    status = Status("", console=console)
    lock, last, late = Lock(), [""], [False]

    def show() -> None:
        if console.is_terminal:
            status.update(last[0])
        elif last[0]:
            console.print(f"{last[0]} ...", markup=False)

    def wake() -> None:
        with lock:
            late[0] = True
            if console.is_terminal:
                status.start()
            show()

    def tell(step: str) -> None:
        with lock:
            last[0] = step
            if late[0]:
                show()

    timer = Timer(seconds, wake)
    timer.daemon = True
    timer.start()
    try:
        yield tell
    finally:
        timer.cancel()
        with lock:
            late[0] = False
            if console.is_terminal:
                status.stop()


@contextmanager
def steadily() -> Iterator[Callable[[str], None]]:
    """Give a function that is told each step; a terminal shows the last one from the start.

    What is written does not depend on the clock: a log in which a line appears or not would tell
    whether some row took long to read. So where there is no terminal nothing is written.
    """
    console = Console(stderr=True, highlight=False, quiet=QUIET.get())
    if not console.is_terminal:
        steps: list[str] = []
        yield steps.append
        return
    with Status("", console=console) as status:
        yield status.update


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
