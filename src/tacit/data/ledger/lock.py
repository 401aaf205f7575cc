"""One lock a file: whoever holds it is alone, and a killed process lets go of it."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _acquire(handle: int) -> None:
        while True:
            try:
                return msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            except OSError:
                time.sleep(0.005)

    def _release(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _acquire(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX)

    def _release(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock `path`, waiting for it as long as it takes.

    The lock is a file of its own, never the one it protects: SQLite's locks on a file are lost when
    any handle on it is closed. It stays behind; only the operating system's mark on it counts.
    """
    with path.open("a+b") as file:
        _acquire(file.fileno())
        try:
            yield
        finally:
            _release(file.fileno())
