"""Being told to stop: one line and a status, whatever was broken off."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from signal import SIGINT, SIGTERM, signal

WRITTEN: list[str] = []
"""The files that were completed, by their paths."""
CHARGED: list[str] = []
"""The ledgers that a charge was sent to, by their paths."""


class Stopped(BaseException):
    """The user, or the system, wants the command to end; nothing may catch it on its way."""


@contextmanager
def stoppable() -> Iterator[None]:
    """End with status 128 + the signal's number, files that are not whole being removed.

    An engine may turn the exception into an error of its own: what counts is the signal.
    """
    caught: list[int] = []
    WRITTEN.clear()
    CHARGED.clear()

    def stop(number: int, frame: object) -> None:  # noqa: ARG001
        caught.append(number)
        raise Stopped

    before = {number: signal(number, stop) for number in (SIGINT, SIGTERM)}
    try:
        yield
    except BaseException:
        if not caught:
            raise
        done = f"only {', '.join(WRITTEN)}" if WRITTEN else "nothing"
        paid = f"; {CHARGED[0]} may have been charged: see tacit ledger show" if CHARGED else ""
        sys.stderr.write(f"tacit: interrupted; {done} was written{paid}\n")
        sys.exit(128 + caught[0])
    finally:
        for number, handler in before.items():
            signal(number, handler)
