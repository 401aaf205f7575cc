"""`tacit key`: the house's key, which signs what leaves it, and the masks of its messages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from tacit.core.errors import InvalidArgument
from tacit.interfaces.cli.options.release import Json
from tacit.interfaces.output.files import read_as, whole, writable
from tacit.workflows.releasing.pack import new_key, public_text, read_key
from tacit.workflows.sites.masks import new_mask
from tacit.workflows.sites.question import SiteQuestion

app = typer.Typer(
    help="Make and show the key that signs what leaves the house, and masks for its messages.",
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
    private, shown = new_key()
    _pair(path, private, shown, "key", as_json=as_json)


@app.command()
def mask(
    path: Annotated[Path, typer.Argument(help="The private mask's file.")],
    *,
    question: Annotated[Path, typer.Option(help="The question that is answered with it.")],
    key: Annotated[Path, typer.Option(help="This house's private key.")],
    as_json: Json = False,
) -> None:
    """Make the mask of one message: PATH, which stays here, and PATH.pub, for all other houses.

    Where a question splits noise (tacit ask --honest), each house makes a mask and sends PATH.pub
    to all others. With the public masks of all, tacit site hides its message; only the sum of all
    messages shows anything. PATH is for one message, and tacit site deletes it.

    Example:

      tacit key mask masks/north --question q.json --key north.key
    """
    asked = read_as(question, SiteQuestion.loads, option="--question")
    made = new_mask(asked)
    shown = made.public(asked, read_as(key, read_key, option="--key"))
    _pair(path, made.dumps(), shown.dumps(), "mask", as_json=as_json)


def _pair(path: Path, private: str, shown: str, what: str, *, as_json: bool) -> None:
    """Write what nobody else may read, and beside it what is for everyone."""
    writable(path, option="PATH")
    public = path.with_name(f"{path.name}.pub")
    for each in (path, writable(public, option="PATH")):
        if each.exists():
            raise InvalidArgument(f"{each} is there already, and a {what} is not written over")
    with whole(path, private=True) as text:
        text.write(private)
    with whole(public) as text:
        text.write(shown)
    told = {"private": str(path), "public": str(public)}
    told |= {"key": shown.split()[-1]} if what == "key" else {}
    said = f"The private {what} is in {path}, the public one in {public}"
    typer.echo(json.dumps(told) if as_json else said)


@app.command()
def show(path: KeyPath, *, as_json: Json = False) -> None:
    """Show the public key of a private one, to compare or to write PATH.pub again.

    Example:

      tacit key show house.key
    """
    shown = public_text(read_as(path, read_key, option="PATH"))
    typer.echo(json.dumps({"key": shown.split()[-1]}) if as_json else shown.strip())
