"""Being told to stop: one line and a status, whatever was broken off."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

WRITTEN: list[str] = []
"""The files that were completed, by their paths."""
CHARGED: list[str] = []
"""The ledgers that a charge was sent to, by their paths."""
CLEARING = 1.0
"""Seconds in which whoever was told to stop removes what is not whole, and is not told again."""


class Stopped(BaseException):
    """The user, or the system, wants the command to end; nothing may catch it on its way."""


@contextmanager
def stoppable() -> Iterator[None]:
    """End with status 128 + the signal's number, files that are not whole being removed.

    A closed terminal stops it too, unless that is to be ignored (nohup). An engine may turn the
    exception into an error of its own: what counts is the signal.
    """
    caught: list[tuple[int, float]] = []
    WRITTEN.clear()
    CHARGED.clear()

    def stop(number: int, frame: object) -> None:  # noqa: ARG001
        now = time.monotonic()
        if caught and now < caught[-1][1] + CLEARING:
            return
        caught.append((number, now))
        raise Stopped

    before = {number: signal.signal(number, stop) for number in _numbers()}
    try:
        yield
    except BaseException:
        if not caught:
            raise
        done = f"only {', '.join(WRITTEN)}" if WRITTEN else "nothing"
        paid = f"; {CHARGED[0]} may have been charged: see tacit ledger show" if CHARGED else ""
        sys.stderr.write(f"tacit: interrupted; {done} was written{paid}\n")
        sys.exit(128 + caught[0][0])
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _numbers() -> list[int]:
    """Return the signals that stop a command."""
    found: list[int] = [signal.SIGINT, signal.SIGTERM]
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        found.append(signal.SIGHUP)
    return found
