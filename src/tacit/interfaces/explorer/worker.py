"""A child process that computes: one task a line on standard input, its steps and answer back.

The server itself computes nothing, so that it always answers; and what takes too long, or is no
longer wanted, can be ended without harm.
"""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from pathlib import Path
from signal import SIG_IGN, SIGINT, signal
from typing import Any, TextIO

from tacit.core.errors import Refused, TacitError
from tacit.interfaces.explorer.tasks import perform
from tacit.interfaces.explorer.workspace import Workspace

BAD, REFUSED, DEFECT = 400, 409, 500


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


def main() -> None:
    """Answer until standard input ends; what libraries print goes to standard error."""
    signal(SIGINT, SIG_IGN)
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as out:
        os.dup2(2, 1)
        workspace = Workspace(Path(sys.argv[1]))
        for module in sys.argv[2:]:
            import_module(module)
        for line in sys.stdin:
            answer(line, workspace, out)


if __name__ == "__main__":
    main()
