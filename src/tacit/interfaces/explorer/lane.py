"""One worker process, used by one task at a time; a task that is given up ends its process."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable
from pathlib import Path
from typing import Any

LONGEST_LINE = 1 << 26
WAITING = 12


class Busy(Exception):
    """Too many tasks wait already."""


class Answered(Exception):
    """A task was not done: a status, and why in one sentence."""

    def __init__(self, status: int, why: str) -> None:
        self.status, self.why = status, why
        super().__init__(why)


class Lane:
    """Tasks one after the other, in a process that is started when it is needed."""

    def __init__(self, folder: Path, *preloaded: str) -> None:
        self.folder, self.preloaded = folder, preloaded
        self._process: Process | None = None
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def start(self) -> Process:
        """Start the process, unless it runs."""
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",
                "-m",
                "tacit.interfaces.explorer.worker",
                str(self.folder),
                *self.preloaded,
                stdin=PIPE,
                stdout=PIPE,
                stderr=DEVNULL,
                limit=LONGEST_LINE,
            )
        return self._process

    async def run(
        self,
        task: str,
        asked: object,
        *,
        tell: Callable[[str], None] = lambda _: None,
        seconds: float,
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

    async def stop(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()

    async def _run(
        self, task: str, asked: object, tell: Callable[[str], None], seconds: float
    ) -> dict[str, Any]:
        finished = False
        try:
            async with asyncio.timeout(seconds):
                process = await self.start()
                assert process.stdin is not None
                assert process.stdout is not None
                line = json.dumps({"task": task, "asked": asked})
                process.stdin.write(line.encode() + b"\n")
                await process.stdin.drain()
                while said := await process.stdout.readline():
                    told = json.loads(said)
                    if "step" in told:
                        tell(told["step"])
                        continue
                    finished = True
                    if "answer" not in told:
                        raise Answered(told["status"], told["why"])
                    return dict(told["answer"])
        except TimeoutError:
            raise Answered(
                409, f"this takes more than {seconds:g} seconds; use the command line"
            ) from None
        except ConnectionError:
            pass
        finally:
            if not finished:
                await self.stop()
        raise Answered(500, "the computation ended without an answer; it may need too much memory")
