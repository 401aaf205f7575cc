"""`tacit explain`: what a word of the program means."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from tacit.interfaces.output.glossary import Word, words
from tacit.interfaces.output.glossary import word as named


def explain(
    word: Annotated[
        list[str] | None, typer.Argument(help="A word, as epsilon or VC dimension.")
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Write one JSON object.")] = False,
) -> None:
    """Say what a word means, in one or two sentences, and where to read on.

    Without a word, all are listed.

    Examples:

      tacit explain epsilon

      tacit explain representation dimension

      tacit explain
    """
    asked = " ".join(word or ()).strip()
    found = (named(asked),) if asked else tuple(words().values())
    if as_json:
        typer.echo(json.dumps({"words": [asdict(each) for each in found]}))
    elif asked:
        typer.echo(_told(found[0]))
    else:
        widest = max(len(each.name) for each in found)
        typer.echo("\n".join(f"{each.name:{widest}}  {each.title}" for each in found))


def _told(found: Word) -> str:
    others = f"\nAlso: {', '.join(found.also)}." if found.also else ""
    return f"{found.title}\n{found.says}\nRead on: {found.read}{others}"
