"""The server: routes, limits, and four workers; it parses and passes on, and computes nothing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Never, TypeVar

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from tacit.core.errors import InvalidArgument, TacitError
from tacit.interfaces.page.families import PLANNED, SEARCHED, SOLVED, described
from tacit.interfaces.page.pages import pages, parts
from tacit.interfaces.page.quickness import Quickness
from tacit.interfaces.page.run_steps import RUNS
from tacit.interfaces.page.serving.guard import Guard
from tacit.interfaces.page.serving.jobs import Jobs
from tacit.interfaces.page.serving.lane import Answered, Busy, Lane
from tacit.interfaces.page.serving.tasks import TASKS
from tacit.interfaces.page.serving.workspace import LARGEST, Workspace

LARGEST_BODY = 256 * 1024
QUICK_SECONDS, LATER_SECONDS, JOB_SECONDS = 20.0, 30.0, 600.0
BODY_SECONDS = 20.0
"""A question must have arrived after so long, and of a table something each time."""

LATER = ("plan.one", "plan.other", "plan.advice")
LONG = (
    *RUNS,
    "plan.simulate",
    "learn.preview",
    "dimensions.find",
    "optimum.find",
    "attack.run",
)
"""Tasks that are begun as jobs, and watched."""

SMALL = ("learning", "models", "table_planning", "research.statements")
"""What small questions need, loaded before the first one comes."""

REPORT = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
T = TypeVar("T")
KINDS = {
    "json": "application/json",
    "ipynb": "application/x-ipynb+json",
    "zip": "application/zip",
    "csv": "text/csv",
}


class Explorer:
    """All that one start of the explorer keeps."""

    def __init__(self, workspace: Workspace, arrived: Callable[[], None]) -> None:
        self.workspace, self.arrived = workspace, arrived
        self.quick = Lane(workspace, "tacit.interfaces.page.planning")
        self.later, self.slow = (Lane(workspace, behind=True) for _ in range(2))
        self.small = Lane(workspace, *(f"tacit.interfaces.page.{name}" for name in SMALL))
        self.jobs, self.known = Jobs(), Quickness()
        self.pages, self.parts = pages(), parts()

    @property
    def routes(self) -> list[Route]:
        """Everything that can be asked for."""
        return [
            Route("/", self.page),
            Route("/{page}", self.page),
            Route("/static/{part}", self.part),
            Route("/files/{run}/{name}", self.file),
            Route("/tables/{name}", self.upload, methods=["PUT"]),
            Route("/api/families", self.families, methods=["POST"]),
            Route("/api/running", self.running, methods=["POST"]),
            Route("/api/{task}", self.task, methods=["POST"]),
            Route("/job/{task}", self.begin, methods=["POST"]),
            Route("/job/{job}/{seen:int}", self.watch),
            Route("/job/{job}/cancel", self.cancel, methods=["POST"]),
        ]

    @asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """Start the worker of the first answers, and end all workers at the end."""
        warming = asyncio.get_running_loop().create_task(self.quick.warm())
        try:
            yield
        finally:
            await warming
            await self.stop()

    async def stop(self) -> None:
        """Give up all tasks, and end all workers."""
        await self.jobs.stop()
        for lane in (self.quick, self.later, self.small, self.slow):
            await lane.stop()

    async def page(self, request: Request) -> Response:
        """Show a page."""
        self.arrived()
        name = request.path_params.get("page", "plan")
        if name in self.pages and name != "plan":  # where the first plan goes before
            await self.small.warm()
        return HTMLResponse(self.pages[name]) if name in self.pages else _missing()

    async def part(self, request: Request) -> Response:
        """Give a script, style or picture."""
        found = self.parts.get(request.path_params["part"])
        return _missing() if found is None else Response(found[1], media_type=found[0])

    async def file(self, request: Request) -> Response:
        """Give a file that a run has written; the report is shown, the others are kept."""
        try:
            path = self.workspace.output(request.path_params["run"], request.path_params["name"])
        except InvalidArgument:
            return _missing()
        if path.suffix == ".html" and "keep" not in request.query_params:
            return FileResponse(
                path, media_type="text/html", headers={"Content-Security-Policy": REPORT}
            )
        kind = KINDS.get(path.suffix[1:], "text/plain")
        return FileResponse(path, media_type=kind, filename=f"{path.parent.name}-{path.name}")

    async def upload(self, request: Request) -> Response:
        """Take a table in, up to a size, whole or not at all."""
        try:
            upload = self.workspace.upload(request.path_params["name"])
        except TacitError as error:
            return _said(400, str(error))
        size = 0
        try:
            with upload.part.open("xb") as file:
                upload.part.chmod(0o600)
                stream = request.stream()
                while chunk := await _within(BODY_SECONDS, anext(stream, b"")):
                    size += len(chunk)
                    if size > LARGEST:
                        return _said(413, "the table is larger than 512 MB; put it in the folder")
                    file.write(chunk)
            upload.keep()
        except TacitError as error:
            return _said(400, str(error))
        except (ClientDisconnect, TimeoutError):
            return _said(400, "the table did not arrive whole")
        except OSError as error:
            return _said(409, f"the table could not be written: {error.strerror}")
        finally:
            upload.drop()
        return JSONResponse({"table": request.path_params["name"]})

    async def families(self, _: Request) -> Response:
        """Say which classes can be planned for and searched."""
        offered = {"planned": PLANNED, "searched": SEARCHED, "solved": SOLVED}
        return JSONResponse({name: described(each) for name, each in offered.items()})

    async def task(self, request: Request) -> Response:
        """Do a task and answer."""
        name = request.path_params["task"]
        if name not in TASKS or name in LONG:
            return _missing()
        return await _answered(lambda: self._task(request, name))

    async def _task(self, request: Request, name: str) -> dict[str, Any]:
        asked = await _body(request)
        if name == "plan.first":
            quick = asked | {"learners": self.known.learners(asked)}
            found = await self.quick.run(name, quick, seconds=QUICK_SECONDS)
            self.known.note(asked, found["results"])
            await self.small.warm()
            return found
        if name in LATER:
            work = self.later.run(name, asked, seconds=LATER_SECONDS)
            found = await _while_wanted(request, work)
            self.known.note(asked, [found] if name == "plan.one" else [])
            return found
        return await self.small.run(name, asked, seconds=LATER_SECONDS)

    async def begin(self, request: Request) -> Response:
        """Begin a job."""
        name = request.path_params["task"]
        if name not in LONG:
            return _missing()

        async def begun() -> dict[str, Any]:
            asked = await _body(request)
            job = self.jobs.begin(
                name, lambda tell: self.slow.run(name, asked, tell=tell, seconds=JOB_SECONDS)
            )
            return {"job": job, "seconds": JOB_SECONDS}

        return await _answered(begun)

    async def watch(self, request: Request) -> Response:
        """Say how a job is getting on."""
        watching = self.jobs.watch(request.path_params["job"], request.path_params["seen"])
        try:
            found = await _while_wanted(request, watching)
        except ClientDisconnect:
            found = None
        return _missing() if found is None else JSONResponse(found)

    async def running(self, _: Request) -> Response:
        """Say which runs are under way, for a page that was left and opened again."""
        jobs = {task: self.jobs.running(task) for task in RUNS}
        return JSONResponse({"jobs": jobs, "seconds": JOB_SECONDS})

    async def cancel(self, request: Request) -> Response:
        """Give a job up; the answer comes when its worker is gone."""
        found = await self.jobs.cancel(request.path_params["job"])
        return _missing() if found is None else JSONResponse(found)


def application(
    workspace: Workspace, token: str, *, arrived: Callable[[], None] = lambda: None
) -> ASGIApp:
    """Return the whole application, behind its guard; `arrived` is called when a page is shown."""
    explorer = Explorer(workspace, arrived)
    app = Starlette(routes=explorer.routes, lifespan=explorer.lifespan)
    app.router.redirect_slashes = False  # it would lead to a path without the token
    return Guard(app, token)


async def _answered(work: Callable[[], Awaitable[dict[str, Any]]]) -> Response:
    try:
        return JSONResponse(await work())
    except Answered as error:
        return _said(error.status, error.why)
    except TacitError as error:
        return _said(400, str(error))
    except Busy:
        return _said(503, "too many tasks are waiting; try again soon")
    except (ClientDisconnect, TimeoutError):
        return _said(400, "the request did not arrive whole")


async def _within(seconds: float, work: Awaitable[T]) -> T:
    async with asyncio.timeout(seconds):
        return await work


async def _body(request: Request) -> dict[str, Any]:
    """Read a JSON object of a limited size."""
    chunks, size = [], 0
    async with asyncio.timeout(BODY_SECONDS):
        async for chunk in request.stream():
            chunks.append(chunk)
            size += len(chunk)
            if size > LARGEST_BODY:
                raise Answered(413, "the request is too large")
    try:
        read = json.loads(b"".join(chunks), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise InvalidArgument("the request is no JSON") from None
    if not isinstance(read, dict):
        raise InvalidArgument("the request must be a JSON object")
    return read


def _no_number(text: str) -> Never:
    raise ValueError(text)


async def _while_wanted(request: Request, work: Awaitable[T]) -> T:
    """Do the work, or give it up as soon as the page no longer waits for it."""
    doing = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait({doing, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if doing.done():
            return doing.result()
        raise ClientDisconnect
    finally:
        for task in (doing, leaving):
            task.cancel()
        await asyncio.gather(doing, leaving, return_exceptions=True)


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _missing() -> Response:
    return Response(status_code=404)


def _said(status: int, why: str) -> Response:
    return JSONResponse({"why": why}, status_code=status)
