"""Jobs of the explorer: cancelled, left alone, without a worker, and after the server's death."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from tacit.data.ledger import Ledger
from tacit.interfaces.page.quickness import REMEMBERED, Quickness
from tacit.interfaces.page.run_steps import CHARGING, COUNTING, DRAWING, RUNS, WRITING
from tacit.interfaces.page.serving import lane as lanes
from tacit.interfaces.page.serving.jobs import KEPT, Jobs
from tacit.interfaces.page.serving.lane import Answered, Busy
from tacit.interfaces.page.serving.workspace import STALE, Workspace
from tests.support.explorer_driver import Driver, Hold, Running, driven, running
from tests.support.processes import started

PATIENCE, RUN = 120, RUNS[0]
LEARN = {
    "table": "people.csv",
    "columns": [
        {"name": "age", "type": "integer", "low": "0", "high": "120"},
        {"name": "sick", "type": "bits"},
    ],
    "features": ["age"],
    "labels": ["sick"],
    "class": "thresholds",
    "epsilon": "1",
}


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    made = Workspace.at(tmp_path / "workspace")
    rows = "".join(f"{20 + i % 70},{int(20 + i % 70 >= 60)}\n" for i in range(2000))
    (made.folder / "people.csv").write_text(f"age,sick\n{rows}")
    return made


@pytest.fixture
def hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hold:
    made = Hold(tmp_path / "hold")
    for name, value in made.environment.items():
        monkeypatch.setenv(name, value)
    return made


def drive(workspace: Workspace, story: Callable[[Driver], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        async with driven(workspace.folder) as driver:
            await story(driver)

    asyncio.run(run())


async def cancelled(call: Driver, job: str) -> dict[str, Any]:
    return dict((await call("POST", f"job/{job}/cancel", b"{}")).json)


# --- Cancelled


def test_a_run_that_is_cancelled_before_its_charge_costs_nothing(
    workspace: Workspace, hold: Hold
) -> None:
    async def story(call: Driver) -> None:
        await call.ask("budget.open", **LEARN, cap_epsilon="2")
        hold.at("counting")
        job = await call.begin(RUN, **LEARN)
        assert await call.watch(job, COUNTING) == (COUNTING, None)
        assert (await call.ask("learn.choices")).json["tables"] == ["people.csv"], "not blocked"
        assert (await call.ask("running")).json["jobs"][RUN] == job
        process = call.explorer.slow._process
        assert process is not None
        ended = await cancelled(call, job)
        assert ended == {"status": 409, "why": "the task was cancelled; nothing was spent"}
        assert process.returncode == -signal.SIGKILL
        assert await cancelled(call, job) == ended, "twice is once"
        assert (await call.ask("budget.show", table="people.csv")).json["left_epsilon"] == 2
        assert (await call.ask("running")).json["jobs"][RUN] is None
        hold.release()
        assert (await call.follow(RUN, **LEARN))["answer"]["run"] == "run-0001"
        assert (await call("POST", "job/unknown/cancel", b"{}")).status == 404

    drive(workspace, story)


def test_a_run_that_is_cancelled_after_its_charge_says_that_it_stays(
    workspace: Workspace, hold: Hold
) -> None:
    async def story(call: Driver) -> None:
        await call.ask("budget.open", **LEARN, cap_epsilon="2")
        hold.at("drawing")
        job = await call.begin(RUN, **LEARN)
        assert await call.watch(job, DRAWING) == (DRAWING, None)
        waiting = await call.begin("learn.preview", **LEARN)
        assert (await cancelled(call, waiting))["why"] == "the task was cancelled"
        ended = await cancelled(call, job)
        assert "the charge stays" in ended["why"]
        left = (await call.ask("budget.show", table="people.csv")).json
        assert (left["left_epsilon"], left["pending"]) == (1, 1)

    drive(workspace, story)
    assert Ledger(workspace.ledger).datasets()[0].account.total.epsilon == 1
    assert not list(workspace.folder.glob("run-*"))


def test_a_run_that_is_cancelled_while_it_writes_leaves_nothing(
    workspace: Workspace, hold: Hold
) -> None:
    async def story(call: Driver) -> None:
        await call.ask("budget.open", **LEARN, cap_epsilon="2")
        hold.at("writing")
        job = await call.begin(RUN, **LEARN)
        assert await call.watch(job, WRITING) == (WRITING, None)
        while not list(workspace.folder.glob(".tacit-*/run/model.json")):
            await asyncio.sleep(0.01)
        assert "the charge stays" in (await cancelled(call, job))["why"]

    drive(workspace, story)
    kept = {path.name for path in workspace.folder.iterdir()}
    assert kept == {"people.csv", "budget.db", "budget.db.lock"}


def test_the_last_step_is_known_whatever_was_read(workspace: Workspace, hold: Hold) -> None:
    """A step that lies in the pipe when the worker is ended is heard all the same."""

    async def story(call: Driver) -> None:
        await call.ask("budget.open", **LEARN, cap_epsilon="2")
        hold.at("drawing")
        lane, told = call.explorer.slow, asyncio.Event()
        steps: list[str] = []

        def hear(step: str) -> None:
            steps.append(step)
            told.set()

        doing = asyncio.create_task(lane.run(RUN, LEARN, tell=hear, seconds=PATIENCE))
        await told.wait()
        process, lane._process = lane._process, None
        assert process is not None
        doing.cancel()  # the lane has nothing to end: its steps stay in the pipe
        await asyncio.wait({doing})
        while not Ledger(workspace.ledger).datasets()[0].pending:
            await asyncio.sleep(0.01)
        lane._process = process
        await lane.stop(hear)
        assert CHARGING in steps

    drive(workspace, story)


# --- Left alone


def test_a_job_that_no_page_watches_is_cancelled() -> None:
    async def story() -> None:
        jobs, never, go = Jobs(unwatched=0.05), asyncio.Event(), asyncio.Event()

        def work(step: str, event: asyncio.Event) -> Any:
            async def doing(tell: Callable[[str], None]) -> dict[str, Any]:
                tell(step)
                await event.wait()
                return {"run": step}

            return doing

        charged = jobs.begin(RUN, work(DRAWING, go))
        watched = jobs.begin(RUN, work(COUNTING, go))
        watching = asyncio.create_task(jobs.watch(watched, 1))
        left = jobs.begin(RUN, work(COUNTING, never))
        job = jobs._jobs[left]
        while job.ended is None:
            await job.changed.wait()
        assert job.ended["why"].startswith("no page has watched this task for 0.05 seconds;")
        assert job.ended["why"].endswith("; nothing was spent")
        assert not watching.done()
        assert jobs._jobs[charged].ended is None, "what is paid for is finished"
        go.set()
        found = await watching
        assert found is not None
        assert found["ended"] == {"answer": {"run": COUNTING}}
        paid = await jobs.watch(charged, 1)
        assert paid is not None
        assert paid["ended"] == {"answer": {"run": DRAWING}}

    asyncio.run(story())


def test_a_page_that_leaves_stops_watching(workspace: Workspace, hold: Hold) -> None:
    async def story(call: Driver) -> None:
        await call.ask("budget.open", **LEARN, cap_epsilon="2")
        hold.at("counting")
        job = await call.begin(RUN, **LEARN)
        await call.watch(job, COUNTING)
        call.explorer.jobs.unwatched = 0.05
        leaves = asyncio.Event()
        watching = asyncio.create_task(call("GET", f"job/{job}/99", leaves=leaves))
        while not call.explorer.jobs._jobs[job].watchers:
            await asyncio.sleep(0)
        leaves.set()
        await watching
        doing = call.explorer.jobs._jobs[job].doing
        assert doing is not None
        await asyncio.wait({doing}, timeout=PATIENCE)
        assert doing.cancelled()

    drive(workspace, story)


# --- Without a worker


def test_every_end_of_a_job_is_told() -> None:
    async def story() -> None:
        jobs = Jobs()

        def failing(error: BaseException, *steps: str) -> Any:
            async def doing(tell: Callable[[str], None]) -> dict[str, Any]:
                for step in steps:
                    tell(step)
                raise error

            return doing

        async def end(error: BaseException, *steps: str) -> str:
            name = jobs.begin(RUN, failing(error, *steps))
            while (found := await jobs.watch(name, 99)) is not None and found["ended"] is None:
                pass
            assert found is not None
            return str(found["ended"]["why"])

        late = Answered(409, "this takes too long", broken_off=True)
        assert await end(late, COUNTING) == "this takes too long; nothing was spent"
        assert "just being charged" in await end(late, CHARGING)
        assert "the charge stays" in await end(late, DRAWING)
        refused = Answered(409, "the budget is spent")
        assert await end(refused, CHARGING) == "the budget is spent"
        assert "the charge stays" in await end(Answered(400, "the disk is full"), DRAWING)
        assert "ZeroDivisionError" in await end(ZeroDivisionError("4711"), COUNTING)
        assert "4711" not in await end(ZeroDivisionError("4711"), COUNTING)
        assert "too many" in (await end(Busy())).lower()
        for _ in range(3 * KEPT):
            await end(refused)
        assert len(jobs._jobs) <= KEPT

    asyncio.run(story())


def test_a_worker_that_cannot_start_ends_its_job(
    workspace: Workspace, hold: Hold, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(call: Driver) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(lanes.sys, "executable", str(workspace.folder / "no-python"))
            ended = await call.follow(RUN, **LEARN)
            assert (ended["status"], ended["why"]) == (
                503,
                "no worker process can be started: No such file or directory; nothing was spent",
            )
            assert (await call.ask("learn.choices")).status == 503
        call.explorer.slow.preloaded = ("tacit.no_such_module",)
        ended = await call.follow(RUN, **LEARN)
        assert ended["why"].startswith("the worker process could not start")
        call.explorer.slow.preloaded = ()
        await call.ask("budget.open", **LEARN, cap_epsilon="2")
        hold.at("counting")
        job = await call.begin(RUN, **LEARN)
        await call.watch(job, COUNTING)
        process = call.explorer.slow._process
        assert process is not None
        os.kill(process.pid, signal.SIGKILL)
        _, ended = await call.watch(job)
        assert ended["why"].startswith("the computation ended without an answer")
        assert ended["why"].endswith("; nothing was spent")
        with monkeypatch.context() as patch:
            patch.setattr(lanes, "LONGEST_LINE", 50)
            await call.explorer.small.stop()
            assert "too large" in (await call.ask("learn.choices")).json["why"]
        assert (await call.ask("learn.choices")).status == 200

    drive(workspace, story)


# --- After the server


def gone(pid: int) -> bool:
    """Wait for the end of a process that another has started."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], PATIENCE)[0])
    finally:
        os.close(handle)


SERVER = """
import asyncio, json, sys
from pathlib import Path
from tacit.interfaces.page.serving.lane import Lane
from tacit.interfaces.page.serving.workspace import Workspace

async def main(folder, task, asked):
    lane = Lane(Workspace(Path(folder)))
    def tell(step):
        print(lane._process.pid, step, flush=True)
    await lane.run(task, json.loads(asked), tell=tell, seconds=600)

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.parametrize("step", ["counting", "deaf"])
def test_a_worker_ends_with_its_server(workspace: Workspace, hold: Hold, step: str) -> None:
    async def story(call: Driver) -> None:
        await call.ask("budget.open", **LEARN, cap_epsilon="2")

    drive(workspace, story)
    hold.at(step)
    asked = [str(workspace.folder), RUN, json.dumps(LEARN)]
    with started([sys.executable, "-c", SERVER, *asked], stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        while COUNTING not in (line := server.stdout.readline()):
            assert line, "the worker has ended early"
        worker = int(line.split()[0])
        while step == "deaf" and not (hold.folder / "deaf").exists():
            assert server.poll() is None
            time.sleep(0.01)
        server.kill()
    assert gone(worker)


def test_a_worker_ends_with_its_standard_input(workspace: Workspace, hold: Hold) -> None:
    """As on systems that do not tell a process of its parent's death."""

    async def story(call: Driver) -> None:
        await call.ask("budget.open", **LEARN, cap_epsilon="2")

    drive(workspace, story)
    hold.at("counting")
    command = [sys.executable, "-P", "-m", "tacit.interfaces.page.serving.worker"]
    command.append(str(workspace.folder))
    with started(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        worker.stdin.write(json.dumps({"task": RUN, "asked": LEARN}) + "\n")
        worker.stdin.flush()
        while json.loads(worker.stdout.readline()).get("step") != COUNTING:
            pass
        worker.stdin.close()
        assert worker.wait(PATIENCE) == 0


# --- Growth


def test_nothing_grows_with_what_is_asked() -> None:
    known = Quickness()
    for i in range(REMEMBERED + 10):
        asked = {"class": {"family": "points", f"junk {i}": "x" * 1000}, "question": "n"}
        known.note(asked, [{"learner": "generic", "seconds": 0.1}])
    assert len(known._seconds) <= REMEMBERED
    assert {len(key) for key in known._seconds} == {32}


def test_what_a_killed_server_left_is_swept(workspace: Workspace) -> None:
    folder = workspace.folder
    names = [f".t.csv.{16 * 'a'}.part", f".t.csv.{16 * 'b'}.part", ".mine.part", "open-house"]
    for name in names:
        (folder / name).write_text("rows")
    (folder / "tacit-open-abcd1234").mkdir()
    for path in folder.iterdir():
        if not path.name.startswith(f".t.csv.{16 * 'b'}"):
            os.utime(path, (0, path.stat().st_mtime - STALE - 1))
    workspace.sweep()
    assert {path.name for path in folder.iterdir()} == {*names[1:], "people.csv"}


# --- Silent connections


def page(server: Running) -> int:
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    line.request("GET", server.address.partition(str(server.port))[2])
    found = line.getresponse()
    assert found.read()
    line.close()
    return found.status


def test_silent_connections_lock_nobody_out(tmp_path: Path) -> None:
    half = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "
    with running(tmp_path) as server:
        lines = []
        for i in range(300):
            line = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
            lines.append(line)
            if i % 2:
                line.sendall(half)
        for _ in range(3):
            assert page(server) == 200, "while they are all open"
        dribbled = 0
        while not select.select([lines[-1]], [], [], 0.1)[0]:
            lines[-1].sendall(b"y")  # a byte now and then does not keep a connection
            dribbled += 1
        assert dribbled
        for line in lines:
            assert closed(line), "each is closed by the server"
            line.close()


def closed(line: socket.socket) -> bool:
    try:
        return line.recv(1) == b""
    except ConnectionError:
        return True


def test_who_has_no_token_is_sent_away(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as line:
            body = b"Content-Length: 1000000000\r\n\r\n"
            line.sendall(f"PUT /x HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n".encode() + body)
            said = b"".join(iter(lambda: line.recv(65536), b""))
        assert said.startswith(b"HTTP/1.1 404")
        assert page(server) == 200
