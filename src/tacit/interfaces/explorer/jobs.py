"""Tasks that take a while: begun by one request, watched by others."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from tacit.interfaces.explorer.lane import Answered, Busy

KEPT, LONGEST_WAIT = 40, 15.0


@dataclass(slots=True)
class Job:
    """One task: its steps so far, and how it ended."""

    steps: list[str] = field(default_factory=list)
    ended: dict[str, Any] | None = None
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def tell(self, step: str) -> None:
        """Hear a step."""
        self.steps.append(step)
        self._wake()

    def end(self, how: dict[str, Any]) -> None:
        """Hear the end."""
        self.ended = how
        self._wake()

    def _wake(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()


class Jobs:
    """All tasks of one server, the oldest forgotten."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._running: set[asyncio.Task[None]] = set()

    def begin(self, work: Callable[[Callable[[str], None]], Awaitable[dict[str, Any]]]) -> str:
        """Begin a task and return the name by which it is watched."""
        if sum(job.ended is None for job in self._jobs.values()) >= KEPT // 2:
            raise Busy
        done = [name for name, job in self._jobs.items() if job.ended is not None]
        for name in done[: max(0, len(self._jobs) - KEPT)]:
            del self._jobs[name]
        name, job = os.urandom(8).hex(), Job()
        self._jobs[name] = job

        async def follow() -> None:
            try:
                job.end({"answer": await work(job.tell)})
            except Answered as error:
                job.end({"status": error.status, "why": error.why})
            except Busy:
                job.end({"status": 503, "why": "too many tasks are waiting; try again soon"})

        task = asyncio.get_running_loop().create_task(follow())
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return name

    async def watch(self, name: str, seen: int) -> dict[str, Any] | None:
        """Return what is new since `seen` steps, waiting a while for it; None if unknown."""
        job = self._jobs.get(name)
        if job is None:
            return None
        if job.ended is None and len(job.steps) <= seen:
            with suppress(TimeoutError):
                await asyncio.wait_for(job.changed.wait(), LONGEST_WAIT)
        last = job.steps[-1] if job.steps else ""
        return {"steps": len(job.steps), "step": last, "ended": job.ended}

    async def stop(self) -> None:
        """Give up all tasks."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
