"""Runs command lines one by one, each in a process of its own with limits, and says how it ended.

A process that has loaded the command forks for each line, so that a line costs no start-up; what it
took is its own. One JSON list of words a line on standard input, one JSON object a line back.
"""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any, BinaryIO

from tacit.interfaces.cli.command import perform
from tacit.interfaces.cli.verbs import VERBS, load

PATIENCE = 10
"""A line that waits for something, such as a pipe, is given up after so often its seconds."""
MEMORY = 6 << 30
"""Bytes of addresses that a line may take: so that one that would take all is stopped."""


def run(words: list[str], *, seconds: int) -> dict[str, Any]:
    """Run one line; return its status, CPU seconds, growth in bytes, and what it wrote."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            _become(words, out, err, seconds)
        ended = os.pidfd_open(child)
        waited = bool(select.select([ended], [], [], PATIENCE * seconds)[0])
        os.close(ended)
        if not waited:
            os.kill(child, signal.SIGKILL)
        _, status, used = os.wait4(child, 0)
        told = []
        for file in (out, err):
            file.seek(0)
            told.append(file.read(1 << 20).decode(errors="replace"))
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "status": os.waitstatus_to_exitcode(status) if waited else "waits",
        "seconds": used.ru_utime + used.ru_stime,
        "grown": 1024 * max(0, used.ru_maxrss - own),
        "out": told[0],
        "err": told[1],
    }


def _become(words: list[str], out: BinaryIO, err: BinaryIO, seconds: int) -> None:
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 2))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(out.fileno(), 1)
    os.dup2(err.fileno(), 2)
    sys.argv = ["tacit", *words]
    try:
        perform()
        status = 0
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    for name in VERBS:
        load(name)
    for line in sys.stdin:
        asked = json.loads(line)
        sys.stdout.write(json.dumps(run(asked["words"], seconds=asked["seconds"])) + "\n")
        sys.stdout.flush()
