"""`tacit key`: the house's key, which signs what leaves it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from tacit.core.errors import InvalidArgument
from tacit.interfaces.cli.options.release import Json
from tacit.interfaces.output.files import read_as, whole, writable
from tacit.workflows.releasing.pack import new_key, public_text, read_key

app = typer.Typer(
    help="Make and show the key that signs what leaves the house.",
    no_args_is_help=True,
    add_completion=False,
)
KeyPath = Annotated[Path, typer.Argument(help="The private key's file.")]


@app.command()
def new(path: KeyPath, *, as_json: Json = False) -> None:
    """Make a new key: PATH, which only its owner may read, and PATH.pub, for everyone.

    Keep PATH where nobody else comes. Give PATH.pub, by another way than packs, to those who check
    them. A key that is there is never written over.

    Example:

      tacit key new house.key
    """
    writable(path, option="PATH")
    public = path.with_name(f"{path.name}.pub")
    for each in (path, writable(public, option="PATH")):
        if each.exists():
            raise InvalidArgument(f"{each} is there already, and a key is not written over")
    private, shown = new_key()
    with whole(path, private=True) as text:
        text.write(private)
    with whole(public) as text:
        text.write(shown)
    told = {"private": str(path), "public": str(public), "key": shown.split()[-1]}
    said = f"The private key is in {path}, the public one in {public}"
    typer.echo(json.dumps(told) if as_json else said)


@app.command()
def show(path: KeyPath, *, as_json: Json = False) -> None:
    """Show the public key of a private one, to compare or to write PATH.pub again.

    Example:

      tacit key show house.key
    """
    shown = public_text(read_as(path, read_key, option="PATH"))
    typer.echo(json.dumps({"key": shown.split()[-1]}) if as_json else shown.strip())
