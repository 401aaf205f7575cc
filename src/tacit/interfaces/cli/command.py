"""Where the `tacit` command begins, and how it ends when it cannot do what it was asked."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from importlib import import_module
from typing import NoReturn

from tacit.core.errors import Refused, TacitError
from tacit.interfaces.output.boxed import boxed
from tacit.interfaces.output.progress import begun
from tacit.interfaces.output.stopping import stoppable

LONGEST = 1600
"""Characters of the line that says why."""
SELDOM = 50_000
"""New objects between two searches for garbage; by default 700, while libraries make a million."""


def main() -> None:
    """Run the command as the process that it is.

    All that is to be done at the end is done; then the process is gone. To take apart what the
    libraries made would take most commands a quarter of their time, and leave no other trace.
    """
    gc.set_threshold(SELDOM)
    status: list[int] = []
    atexit.register(_leave, status)  # the first that is registered is the last that is called
    try:
        perform()
    except SystemExit as ended:
        status += [ended.code] if isinstance(ended.code, int) else []
        raise


def _leave(status: list[int]) -> None:
    """End now, unless something could not be written, or was no orderly end: Python says so."""
    try:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    except (OSError, ValueError, AttributeError):
        return
    if status:
        os._exit(status[0])


def perform() -> None:
    """Do what the command line says, and raise the status if it is not done.

    It is 2 for a bad request, 3 for a refusal, with one line on stderr.

    An interrupt ends it with one line too, also while it is still being loaded.
    """
    try:
        with begun(), stoppable():
            import_module("tacit.interfaces.cli.application").app()
    except TacitError as error:
        _end(str(error), status=3 if isinstance(error, Refused) else 2)
    except MemoryError:  # whose own words would tell how many rows had no room
        _end(
            "there is not enough memory here, which the different rows of a table need: name fewer "
            "columns, or give them fewer values in the schema",
            status=2,
        )
    except OSError as error:  # a name that is too long, a disk that is full
        _end(f"{error.filename or 'a file'} cannot be used: {error.strerror}", status=2)


def _end(said: str, *, status: int) -> NoReturn:
    """Say it in one line that fits on a screen: what was wrong comes first, the way out last."""
    line = boxed(" ".join(said.splitlines()))
    if len(line) > LONGEST:
        line = f"{line[: LONGEST // 2]} ... {line[-LONGEST // 2 :]}"
    sys.stderr.write(f"tacit: {line}\n")
    sys.exit(status)
