"""The `tacit` command: parse, call, show; no mathematics."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from tacit import __version__
from tacit.core.errors import Refused, TacitError
from tacit.interfaces import schema
from tacit.interfaces.audit import audit
from tacit.interfaces.learn import learn, predict, sql
from tacit.interfaces.learners import learners

app = typer.Typer(
    help="Differentially private PAC learning: exact, proved, and verified by enumeration.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for verb in (learn, learners, predict, sql, audit):
    app.command()(verb)
app.add_typer(schema.app, name="schema")


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
    """Run the command; status 2 for a bad request, 3 for a refusal, with one line on stderr."""
    try:
        app()
    except TacitError as error:
        typer.echo(f"tacit: {error}", err=True)
        sys.exit(3 if isinstance(error, Refused) else 2)
    except KeyboardInterrupt:
        typer.echo("tacit: interrupted; nothing was written", err=True)
        sys.exit(130)
