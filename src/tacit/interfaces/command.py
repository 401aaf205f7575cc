"""The `tacit` command: parse, call, show; no mathematics."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from tacit import __version__
from tacit.core.errors import TacitError
from tacit.interfaces.audit import audit

app = typer.Typer(
    help="Differentially private PAC learning: exact, proved, and verified by enumeration.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(audit)


def _show_version(asked: bool) -> None:  # noqa: FBT001
    if asked:
        typer.echo(f"tacit {__version__}")
        raise typer.Exit


@app.callback()
def tacit(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Differentially private PAC learning: exact, proved, and verified by enumeration."""


def main() -> None:
    """Run the command; refuse bad requests with status 2 and one line on stderr."""
    try:
        app()
    except TacitError as error:
        typer.echo(f"tacit: {error}", err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        typer.echo("tacit: interrupted; nothing was written", err=True)
        sys.exit(130)
