"""One worker process, used by one task at a time; a task that is given up ends its process.

What the worker had told before it was ended is heard too, so that the last step is known for sure.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from tacit.interfaces.page.serving.workspace import Workspace

LONGEST_LINE = 1 << 24
WAITING = 12
BEHIND = 5
"""The priority of what may take a while: first answers go before it."""
LAST_WORDS = 1.0
"""Seconds for reading what an ended process has left in its pipe."""

Tell = Callable[[str], None]


class Busy(Exception):
    """Too many tasks wait already."""


class Answered(Exception):
    """A task was not done: a status, and why in one sentence; perhaps its process was ended."""

    def __init__(self, status: int, why: str, *, broken_off: bool = False) -> None:
        self.status, self.why, self.broken_off = status, why, broken_off
        super().__init__(why)


class Lane:
    """Tasks one after the other, in a process that is started when it is needed."""

    def __init__(self, workspace: Workspace, *preloaded: str, behind: bool = False) -> None:
        self.workspace, self.preloaded, self.behind = workspace, preloaded, behind
        self._process: Process | None = None
        self._ready = False
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def warm(self) -> None:
        """Start the process before it is needed; if that fails, the first task says so."""
        if self._process is None:
            async with self._turn:
                with suppress(Answered):
                    await self._start()

    async def _start(self) -> Process:
        if self._process is None or self._process.returncode is not None:
            self._ready = False
            try:
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    "-P",
                    "-m",
                    "tacit.interfaces.page.serving.worker",
                    str(self.workspace.folder),
                    *self.preloaded,
                    stdin=PIPE,
                    stdout=PIPE,
                    stderr=DEVNULL,
                    limit=LONGEST_LINE,
                    start_new_session=True,
                )
            except OSError as error:
                raise Answered(
                    503, f"no worker process can be started: {error.strerror}", broken_off=True
                ) from None
            if self.behind:
                _put_behind(self._process.pid)
        return self._process

    async def run(
        self, task: str, asked: object, *, tell: Tell = lambda _: None, seconds: float
    ) -> dict[str, Any]:
        """Do a task; given up by a cancellation or after so many seconds, its process ends."""
        if self._waiting >= WAITING:
            raise Busy
        self._waiting += 1
        try:
            async with self._turn:
                return await self._run(task, asked, tell, seconds)
        finally:
            self._waiting -= 1

    async def stop(self, tell: Tell = lambda _: None) -> None:
        """End the process, with all that it has started."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            with suppress(ProcessLookupError):
                if sys.platform == "win32":
                    process.kill()
                else:
                    os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        self.workspace.clear(process.pid)
        with suppress(TimeoutError, ValueError):
            async with asyncio.timeout(LAST_WORDS):
                async for told in _lines(process):
                    if "step" in told:
                        tell(told["step"])

    async def _run(self, task: str, asked: object, tell: Tell, seconds: float) -> dict[str, Any]:
        finished = False
        why = "the computation ended without an answer; it may need too much memory"
        try:
            async with asyncio.timeout(seconds):
                process = await self._start()
                assert process.stdin is not None
                line = json.dumps({"task": task, "asked": asked})
                process.stdin.write(line.encode() + b"\n")
                await process.stdin.drain()
                async for told in _lines(process):
                    if "step" in told:
                        tell(told["step"])
                    elif "ready" in told:
                        self._ready = True
                    else:
                        finished = True
                        if "answer" not in told:
                            raise Answered(told["status"], told["why"])
                        return dict(told["answer"])
        except TimeoutError:
            why = f"this takes more than {seconds:g} seconds; use the command line"
            raise Answered(409, why, broken_off=True) from None
        except ValueError:
            why = "the computation gave an answer that is too large for a page"
        except ConnectionError:
            pass  # the process is gone, and has said nothing
        finally:
            if not finished:
                await self.stop(tell)
        if not self._ready:
            why = "the worker process could not start; does tacit plan run in a terminal?"
        raise Answered(500, why, broken_off=True)


def _put_behind(pid: int) -> None:
    """Let a process wait for all others; Linux compares sessions first, and each worker is one."""
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, pid, BEHIND)
    with suppress(OSError):
        Path(f"/proc/{pid}/autogroup").write_text(f"{BEHIND}\n")


async def _lines(process: Process) -> AsyncIterator[dict[str, Any]]:
    """Give what a worker tells, until it ends."""
    assert process.stdout is not None
    while said := await process.stdout.readline():
        yield dict(json.loads(said))
