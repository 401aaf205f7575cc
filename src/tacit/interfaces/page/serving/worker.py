"""A child process that computes: one task a line on standard input, its steps and answer back.

The server itself computes nothing, so that it always answers; and what takes too long, or is no
longer wanted, can be ended without harm. A worker ends with the server, however that ends.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, TextIO

from tacit.core.errors import Refused, TacitError
from tacit.interfaces.page.serving.tasks import perform
from tacit.interfaces.page.serving.workspace import Workspace

BAD, REFUSED, DEFECT = 400, 409, 500
PR_SET_PDEATHSIG = 1


def answer(line: str, workspace: Workspace, out: TextIO) -> None:
    """Do the task of one line; whatever happens, exactly one final line is written."""

    def write(said: dict[str, Any]) -> None:
        out.write(json.dumps(said, allow_nan=False) + "\n")
        out.flush()

    try:
        asked = json.loads(line)
        found = perform(
            asked["task"], asked["asked"], workspace, lambda step: write({"step": step})
        )
        write({"answer": found})
    except TacitError as error:
        write({"status": REFUSED if isinstance(error, Refused) else BAD, "why": str(error)})
    except Exception as error:
        write({"status": DEFECT, "why": f"this is a defect of tacit: {type(error).__name__}"})


def lines() -> Iterator[str]:
    """Give the lines of standard input; at its end the process ends, whatever it is doing.

    The server holds the other end, so it is closed when the server is gone. A thread waits for
    that; on Linux the system is asked too, for when a long step lets no other thread run.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    heard: SimpleQueue[str] = SimpleQueue()

    def listen() -> None:
        for line in sys.stdin:
            heard.put(line)
        os._exit(0)

    Thread(target=listen, daemon=True).start()
    while True:
        yield heard.get()


def main() -> None:
    """Answer until standard input ends; what libraries print goes to standard error."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as out:
        os.dup2(2, 1)
        asked = lines()
        workspace = Workspace(Path(sys.argv[1]))
        for module in sys.argv[2:]:
            import_module(module)
        out.write('{"ready": true}\n')
        out.flush()
        for line in asked:
            answer(line, workspace, out)


if __name__ == "__main__":
    main()
