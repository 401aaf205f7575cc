"""One lock a file: whoever holds it is alone, and a killed process lets go of it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tacit.core.errors import Refused
from tacit.data.ledger.modes import opened

PATIENCE = 60.0
"""Seconds after which whoever holds a lock is taken to have forgotten it."""
_PAUSE = 0.0005

if sys.platform == "win32":
    import msvcrt

    def _taken(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _release(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _taken(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _release(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)


@contextmanager
def locked(path: Path, mode: int) -> Iterator[None]:
    """Hold the lock `path`; who waits too long is refused, since anybody may hold a lock forever.

    The lock is a file of its own, never the one it protects: SQLite's locks on a file are lost when
    any handle on it is closed. It stays behind; only the operating system's mark on it counts.
    """
    handle = opened(path, os.O_RDWR, mode)
    try:
        until = time.monotonic() + PATIENCE
        while not _taken(handle):
            if time.monotonic() > until:
                raise Refused(
                    f"another process has held the lock {path} for {PATIENCE:g} seconds; end it, "
                    "or try again when it is done: nothing was charged"
                )
            time.sleep(_PAUSE)
        try:
            yield
        finally:
            _release(handle)  # closing would not do while a forked process has the handle too
    finally:
        os.close(handle)
