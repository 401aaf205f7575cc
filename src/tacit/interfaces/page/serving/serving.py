"""Running the server until it is told to stop."""

from __future__ import annotations

import asyncio
import os
import socket as sockets
from collections.abc import Callable
from signal import SIG_IGN, SIGINT, SIGTERM, signal

import uvicorn

from tacit.interfaces.page.serving.connections import MOST, Connection
from tacit.interfaces.page.serving.server import application
from tacit.interfaces.page.serving.workspace import Workspace

_BEGINNING = 0.01
"""Seconds between two looks whether the server has begun."""


def listen(host: str, port: int) -> sockets.socket:
    """Take a port, of loopback only."""
    taken = sockets.socket(sockets.AF_INET, sockets.SOCK_STREAM)
    try:
        if os.name == "posix":
            taken.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
        taken.bind((host, port))
        taken.listen(128)
    except OSError:
        taken.close()
        raise
    return taken


def serve(
    socket: sockets.socket,
    workspace: Workspace,
    token: str,
    *,
    opened: Callable[[], None],
    arrived: Callable[[], None],
) -> None:
    """Answer until Ctrl-C or a termination; workers are ended before this returns.

    Workers ignore Ctrl-C, because the signals that are ignored here are ignored there too; the
    server takes both signals while it runs.
    """
    config = uvicorn.Config(
        application(workspace, token, arrived=arrived),
        log_level="critical",
        access_log=False,
        server_header=False,
        limit_concurrency=2 * MOST,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=1,
        h11_max_incomplete_event_size=64 * 1024,
        http=Connection,
        ws="none",
        lifespan="on",
    )
    early: list[int] = []
    before = {
        SIGINT: signal(SIGINT, SIG_IGN),
        SIGTERM: signal(SIGTERM, lambda number, _: early.append(number)),
    }
    try:
        opened()
        asyncio.run(_serve(uvicorn.Server(config), socket, early))
    finally:
        for number, handler in before.items():
            signal(number, handler)
        socket.close()


async def _serve(server: uvicorn.Server, socket: sockets.socket, early: list[int]) -> None:
    """Serve; a termination that came before the server takes signals ends it once it has begun."""
    served = asyncio.create_task(server.serve(sockets=[socket]))
    while not server.started and not served.done():
        await asyncio.sleep(_BEGINNING)
    server.should_exit |= bool(early)
    await served
