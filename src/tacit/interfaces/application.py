"""The `tacit` command: parse, call, show; no mathematics."""

from __future__ import annotations

from typing import Annotated

import typer

from tacit.core.version import __version__
from tacit.interfaces.verbs import Verbs

app = typer.Typer(
    cls=Verbs,
    help="Differentially private PAC learning: exact, proved, and verified by enumeration.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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
