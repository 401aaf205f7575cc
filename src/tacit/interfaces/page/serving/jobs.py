"""Tasks that take a while: begun by one request, watched by others, cancelled when unwanted."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from tacit.interfaces.page.run_steps import DRAWING, WRITING, charged, spent
from tacit.interfaces.page.serving.lane import Answered, Busy

KEPT, LONGEST_WAIT = 40, 15.0
UNWATCHED = 30.0
"""Seconds after which a job that no page watches is cancelled, unless it has charged a budget."""

Work = Callable[[Callable[[str], None]], Coroutine[Any, Any, dict[str, Any]]]


@dataclass(slots=True)
class Job:
    """One task: its last step, who watches, and how it ended."""

    task: str
    steps: int = 0
    step: str = ""
    watchers: int = 0
    why: str = "the task was cancelled"
    ended: dict[str, Any] | None = None
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    doing: asyncio.Task[dict[str, Any]] | None = None
    leaving: asyncio.TimerHandle | None = None

    def tell(self, step: str) -> None:
        """Hear a step."""
        self.steps += 1
        self.step = step
        self._wake()

    def end(self, doing: asyncio.Task[dict[str, Any]]) -> None:
        """Hear that the work is over, however that came."""
        if doing.cancelled():
            self.ended = {"status": 409, "why": self.why + spent(self.task, self.step)}
        elif (error := doing.exception()) is None:
            self.ended = {"answer": doing.result()}
        elif isinstance(error, Answered):
            told = not error.broken_off and self.step not in (DRAWING, WRITING)
            rest = "" if told else spent(self.task, self.step)
            self.ended = {"status": error.status, "why": error.why + rest}
        elif isinstance(error, Busy):
            self.ended = {"status": 503, "why": "too many tasks are waiting; try again soon"}
        else:
            self.ended = {
                "status": 500,
                "why": f"this is a defect of tacit: {type(error)}",
            }
        self._wake()

    def cancel(self, why: str) -> None:
        """Give the task up, unless it is over."""
        if self.ended is None and self.doing is not None:
            self.why = why
            self.doing.cancel()

    def _wake(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()


class Jobs:
    """All tasks of one server, the oldest forgotten."""

    def __init__(self, unwatched: float = UNWATCHED) -> None:
        self.unwatched = unwatched
        self._jobs: dict[str, Job] = {}

    def begin(self, task: str, work: Work) -> str:
        """Begin a task and return the name by which it is watched."""
        if sum(job.ended is None for job in self._jobs.values()) >= KEPT // 2:
            raise Busy
        done = [name for name, job in self._jobs.items() if job.ended is not None]
        for name in done[: max(0, len(self._jobs) - KEPT + 1)]:
            del self._jobs[name]
        name, job = os.urandom(8).hex(), Job(task)
        self._jobs[name] = job
        job.doing = asyncio.get_running_loop().create_task(work(job.tell))
        job.doing.add_done_callback(job.end)
        self._leave(job)
        return name

    def running(self, task: str) -> str | None:
        """Return the name of a task of this kind that is not over."""
        names = [name for name, job in self._jobs.items() if (job.task, job.ended) == (task, None)]
        return names[0] if names else None

    async def watch(self, name: str, seen: int) -> dict[str, Any] | None:
        """Return what is new since `seen` steps, waiting a while for it; None if unknown."""
        job = self._jobs.get(name)
        if job is None:
            return None
        job.watchers += 1
        if job.leaving is not None:
            job.leaving.cancel()
        try:
            if job.ended is None and job.steps <= seen:
                with suppress(TimeoutError):
                    await asyncio.wait_for(job.changed.wait(), LONGEST_WAIT)
        finally:
            job.watchers -= 1
            self._leave(job)
        return {"steps": job.steps, "step": job.step, "ended": job.ended}

    async def cancel(self, name: str) -> dict[str, Any] | None:
        """Give a task up, and return how it ended when its worker is gone; None if unknown."""
        job = self._jobs.get(name)
        if job is None:
            return None
        job.cancel("the task was cancelled")
        assert job.doing is not None
        await asyncio.wait({job.doing})
        return job.ended

    async def stop(self) -> None:
        """Give up all tasks."""
        for job in self._jobs.values():
            job.cancel("the explorer was stopped")
        for job in self._jobs.values():
            assert job.doing is not None
            await asyncio.wait({job.doing})

    def _leave(self, job: Job) -> None:
        """Cancel the task after a while, unless somebody watches again or it has been paid for."""

        def look() -> None:
            if not charged(job.step):
                job.cancel(f"no page has watched this task for {self.unwatched:g} seconds")

        if not job.watchers:
            job.leaving = asyncio.get_running_loop().call_later(self.unwatched, look)
