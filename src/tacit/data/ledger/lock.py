"""One lock a file: whoever holds it is alone, and a killed process lets go of it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

from tacit.core.errors import Refused
from tacit.data.ledger.modes import opened

PATIENCE = 60.0
"""Seconds after which whoever holds a lock is taken to have forgotten it."""

if sys.platform == "win32":
    import msvcrt

    def _taken(handle: int) -> bool:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            except OSError:
                time.sleep(0.005)
            else:
                return True
        return False

    def _release(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _taken(handle: int) -> bool:
        """Take the lock, or wait for it in a thread that can be left waiting.

        The thread waits with a handle of its own on the same open file. Should it be left, it lets
        go of the lock by closing that as soon as it has it: nobody else has the file open then.
        """
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            done: list[bool] = []
            waiter = Thread(target=_wait, args=(os.dup(handle), done), daemon=True)
            waiter.start()
            waiter.join(PATIENCE)
            return bool(done)
        return True

    def _wait(handle: int, done: list[bool]) -> None:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
            done.append(True)
        os.close(handle)

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
        if not _taken(handle):
            raise Refused(
                f"another process has held the lock {path} for {PATIENCE:g} seconds; end it, or "
                "try again when it is done: nothing was charged"
            )
        try:
            yield
        finally:
            _release(handle)  # closing would not do while a forked process has the handle too
    finally:
        os.close(handle)
