"""How the tests speak to the explorer: in process without a socket, and as a real command."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacit.interfaces.page.serving.guard import Guard
from tacit.interfaces.page.serving.server import Explorer, application
from tacit.interfaces.page.serving.workspace import Workspace
from tests.support.processes import PATIENCE, stop

TOKEN = "secret-of-the-tests"
HOST = b"127.0.0.1:8400"
JSON, BYTES = b"application/json", b"application/octet-stream"


HOLDING = """
import ctypes, os, sys
from pathlib import Path
if "tacit.interfaces.page.serving.worker" in sys.orig_argv:
    from threading import Event
    from tacit.interfaces.page import learning
    really = learning.learn_table

    def held(*args, charge, **options):
        where = Path(os.environ["HOLD"])
        at = where.read_text() if where.exists() else ""

        def charged(*told):
            charge(*told)
            if at == "drawing":
                Event().wait()

        if at == "counting":
            Event().wait()
        if at == "deaf":
            where.with_name("deaf").touch()
            ctypes.PyDLL(None).sleep(3600)  # and no other thread runs
        return really(*args, charge=charged, **options)

    learning.learn_table = held
    noted = learning.notebook

    def slow(model, table):
        if model.secure and Path(os.environ["HOLD"]).exists():
            if Path(os.environ["HOLD"]).read_text() == "writing":
                Event().wait()
        return noted(model, table)

    learning.notebook = slow
"""


@dataclass(frozen=True)
class Hold:
    """Makes runs stop for ever at a step, in workers that are started with its environment."""

    folder: Path

    def __post_init__(self) -> None:
        self.folder.mkdir()
        (self.folder / "sitecustomize.py").write_text(HOLDING)

    @property
    def environment(self) -> dict[str, str]:
        before = os.environ.get("PYTHONPATH", "")
        return {
            "HOLD": str(self.folder / "hold"),
            "PYTHONPATH": f"{self.folder}{os.pathsep}{before}",
        }

    def at(self, step: str) -> None:
        """Stop at "counting", "drawing", "writing", or "deaf" where no other thread runs."""
        (self.folder / "hold").write_text(step)

    def release(self) -> None:
        """Let the runs that begin from now on pass."""
        (self.folder / "hold").unlink()


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Driver:
    """Calls the application as a server would."""

    app: Any
    explorer: Explorer

    async def __call__(
        self,
        method: str,
        path: str,
        body: bytes | Iterable[bytes] = b"",
        *,
        token: str | None = TOKEN,
        headers: Iterable[tuple[bytes, bytes]] | None = None,
        leaves: asyncio.Event | None = None,
    ) -> Answer:
        """Send a request as a page of the explorer does; when `leaves` is set, the page leaves."""
        if headers is None:
            kind = BYTES if method == "PUT" else JSON
            headers = [
                (b"host", HOST),
                (b"origin", b"http://" + HOST),
                (b"sec-fetch-site", b"same-origin"),
                (b"content-type", kind),
            ]
        chunks = [body] if isinstance(body, bytes) else list(body)
        messages = [
            {"type": "http.request", "body": chunk, "more_body": i + 1 < len(chunks)}
            for i, chunk in enumerate(chunks)
        ]
        sent: list[Any] = []

        leaving = asyncio.Event() if leaves is None else leaves

        async def receive() -> Any:
            if messages:
                return messages.pop(0)
            await leaving.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        full, _, query = (path if token is None else f"/{token}/{path}").partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": full,
            "raw_path": full.encode("utf-8", "replace"),
            "query_string": query.encode("utf-8", "replace"),
            "root_path": "",
            "headers": list(headers),
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 8400),
        }
        await self.app(scope, receive, send)
        start = next(each for each in sent if each["type"] == "http.response.start")
        said = b"".join(each.get("body", b"") for each in sent if "body" in each)
        decoded = {name.decode().lower(): value.decode() for name, value in start["headers"]}
        return Answer(start["status"], decoded, said)

    async def ask(self, task: str, **asked: Any) -> Answer:
        """Do a task at once."""
        return await self("POST", f"api/{task}", json.dumps(asked).encode())

    async def follow(self, task: str, **asked: Any) -> dict[str, Any]:
        """Begin a job and wait for its end."""
        return dict((await self.watch(await self.begin(task, **asked)))[1])

    async def begin(self, task: str, **asked: Any) -> str:
        """Begin a job and return its name."""
        begun = await self("POST", f"job/{task}", json.dumps(asked).encode())
        return str(begun.json["job"])

    async def watch(self, job: str, until: str | None = None) -> tuple[str, Any]:
        """Watch a job until its last step is a certain one, or it ends; return step and end."""
        seen = 0
        while True:
            now = (await self("GET", f"job/{job}/{seen}")).json
            seen = now["steps"]
            if now["ended"] is not None or now["step"] == until:
                return now["step"], now["ended"]


@asynccontextmanager
async def driven(folder: Path) -> AsyncIterator[Driver]:
    """Give a driver of an application over a workspace; its workers are ended at the end."""
    app = application(Workspace.at(folder), TOKEN)
    assert isinstance(app, Guard)
    inner: Any = app.app
    page = next(route for route in inner.routes if route.path == "/")
    explorer = page.endpoint.__self__
    try:
        yield Driver(app, explorer)
    finally:
        await explorer.stop()


@dataclass(frozen=True)
class Running:
    """A server that was started by the command."""

    process: subprocess.Popen[str]
    address: str

    @property
    def port(self) -> int:
        return int(self.address.split(":")[2].partition("/")[0])


@contextmanager
def running(
    folder: Path, port: int = 0, *, browser: str = "--no-browser", **environment: str
) -> Iterator[Running]:
    """Start `tacit explore`, and stop it at the end if that was not done."""
    command = [sys.executable, "-m", "tacit", "explore", browser, "--workspace"]
    process = subprocess.Popen(
        [*command, str(folder), "--port", str(port)],
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/[0-9a-f]{32}/", line)
        assert found is not None, line
        yield Running(process, found[0])
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
        stop(process)
