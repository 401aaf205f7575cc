"""Processes that a test starts end with it, whatever became of the test."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

PATIENCE = 120
"""Seconds: a loaded machine may be slow, and nothing waits longer than it must."""


@contextmanager
def started(command: Sequence[str], **options: Any) -> Iterator[subprocess.Popen[str]]:
    """Start a process; at the end its input is closed, and it has some time to end by itself."""
    process = subprocess.Popen(command, text=True, **options)
    try:
        yield process
        if process.stdin:
            process.stdin.close()
        process.wait(PATIENCE)
    finally:
        stop(process)


def stop(process: subprocess.Popen[str]) -> None:
    """Kill a process that is still there, and close what it was read by."""
    process.kill()
    process.wait(PATIENCE)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe and not pipe.closed:
            pipe.close()
