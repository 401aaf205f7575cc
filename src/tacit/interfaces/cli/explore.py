"""`tacit explore`: the explorer, a web page on this machine's loopback."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from tacit.core.errors import InvalidArgument, MissingExtra
from tacit.interfaces.page.serving.redirect import Redirect
from tacit.interfaces.page.serving.workspace import Workspace

LOOPBACK = "127.0.0.1"


def explore(
    *,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="A port of this machine; 0 for any free one.")
    ] = 0,
    workspace: Annotated[
        Path, typer.Option(help="The folder with your tables; all files are written here.")
    ] = Path("tacit-workspace"),
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in your browser.")
    ] = True,
) -> None:
    """Open a local web page: plan, learn, dimensions and attacks with sliders and plots.

    The page is served to this machine only, under an address with a random part that changes with
    every start and that no other user sees. It loads nothing from the network and sends nothing
    anywhere. Ctrl-C stops it.

    Examples:

      tacit explore

      tacit explore --workspace ~/tables --port 8400 --no-browser
    """
    try:
        serving = import_module("tacit.interfaces.page.serving.serving")
    except ImportError as error:
        if error.name in ("starlette", "uvicorn"):
            raise MissingExtra(package=error.name, extra="explorer") from None
        raise
    folder = Workspace.at(workspace)
    folder.sweep()
    token = os.urandom(16).hex()
    try:
        socket = serving.listen(LOOPBACK, port)
    except OSError as error:
        raise InvalidArgument(
            f"--port: {port} cannot be used ({error.strerror}); name another, or 0 for any"
        ) from None
    address = f"http://{LOOPBACK}:{socket.getsockname()[1]}/{token}/"
    typer.echo(
        f"The explorer is at {address}\nTables and results: {folder.folder}\nCtrl-C stops it."
    )

    redirect = Redirect(address, folder.folder)
    try:
        serving.serve(
            socket,
            folder,
            token,
            opened=redirect.open if browser else redirect.remove,
            arrived=redirect.remove,
        )
    finally:
        redirect.remove()
    typer.echo("The explorer has stopped.")
