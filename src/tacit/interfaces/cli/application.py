"""The `tacit` command: parse, call, show; no mathematics."""

from __future__ import annotations

from typing import Annotated

import typer

from tacit.core.version import __version__
from tacit.interfaces.cli.verbs import Verbs
from tacit.interfaces.output.progress import QUIET

app = typer.Typer(
    cls=Verbs,
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
    version: Annotated[  # noqa: ARG001
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Show results and errors, but no progress.")
    ] = False,
) -> None:
    """Differentially private PAC learning: exact, proved, and verified by enumeration.

    The story, from a table about people to rules that may be shown to anyone:

    \b
      tacit schema template people.csv > schema.toml     declare what is public
      tacit plan --schema schema.toml --labels sick --n 9000 --epsilon 1
      tacit learn people.csv --schema schema.toml --labels sick
                  --epsilon 1 --report report.html       learn, measure, explain
      tacit predict model.json new.csv --risk            use it
      tacit audit measured-learner                       why believe it?

    Every verb has --help with examples; those that answer have --json for programs.
    """
    QUIET.set(quiet)
