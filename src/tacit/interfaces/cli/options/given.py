"""What every verb is given that makes a release from a table, as one value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any

import typer

from tacit.core.unit import Neighbours
from tacit.data import Schema
from tacit.interfaces.cli.options.engines import Engine
from tacit.interfaces.cli.options.lists import split
from tacit.interfaces.cli.options.release import (
    EngineName,
    Files,
    Json,
    Master,
    NeighbourKind,
    Person,
    read_schema,
)
from tacit.interfaces.output.files import beside

Verb = Callable[..., None]
FIRST = ("files", "schema")
"""What comes before a verb's own options; all else that is given comes after them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """The files and the options that the verbs share, each with its help.

    >>> Given(files=["people.csv"], person=["house,name"]).whom()["person"]
    ['house', 'name']
    """

    files: Files
    schema: Annotated[Path, typer.Option(help="The schema: each column's public domain.")] = Path()
    person: Person = None
    neighbours: NeighbourKind = Neighbours.REPLACED
    rows: Annotated[
        int | None,
        typer.Option("--rows", help="With --neighbours added: how many there are, if it is known."),
    ] = None
    ledger: Annotated[
        Path | None, typer.Option(help="Charge this ledger first; see: tacit ledger.")
    ] = None
    dataset: Annotated[
        str | None, typer.Option(help="The data set of the ledger that is asked.")
    ] = None
    analyst: Annotated[str, typer.Option(help="Who spends, where analysts have caps.")] = ""
    engine: EngineName = Engine.EMBEDDED
    master: Master = None
    policy: Annotated[
        Path | None, typer.Option(help="Refuse what this policy forbids; see: tacit policy.")
    ] = None
    record: Annotated[
        Path | None,
        typer.Option(help="Write the record of the release too: JSON, see docs/pack.md."),
    ] = None
    seed: Annotated[
        int | None, typer.Option(help="For tests only: reproducible, hence NOT private.")
    ] = None
    as_json: Json = False

    def declared(self) -> Schema:
        """Read the schema."""
        return read_schema(self.schema)

    def inputs(self, *more: Path | str) -> list[str]:
        """Return what no output may replace: the files, the schema, the ledger, and what else."""
        schema = [] if self.schema == Path() else [str(self.schema)]
        return [*self.files, *schema, *beside(self.ledger), *map(str, more)]

    @property
    def persons(self) -> list[str]:
        """The columns that tell persons apart."""
        return split(self.person or ())

    def whom(self) -> dict[str, Any]:
        """Return who is protected, as every verb of `workflows` takes it."""
        return {"person": self.persons, "neighbours": self.neighbours, "rows": self.rows}


def given_a_table(*without: str) -> Callable[[Verb], Verb]:
    """Let a verb, whose first argument is a `Given`, take its options, but for some.

    The verb's own arguments stay first in the command's help, then come the files and the schema,
    its own options, and the others.
    """
    shared = {
        each.name: each
        for each in signature(Given, eval_str=True).parameters.values()
        if each.name not in without
    }
    if "schema" in shared:
        shared["schema"] = shared["schema"].replace(default=Parameter.empty)

    def taken(verb: Verb) -> Verb:
        _, *own = signature(verb, eval_str=True).parameters.values()

        @wraps(verb)
        def take(**words: Any) -> None:
            verb(Given(**{name: words.pop(name) for name in shared}), **words)

        places = [each for each in own if each.kind != Parameter.KEYWORD_ONLY]
        head = [shared[name] for name in FIRST if name in shared]
        tail = [each for name, each in shared.items() if name not in FIRST]
        ordered = [*places, *head, *(each for each in own if each not in places), *tail]
        keywords = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in ordered]
        vars(take).update(__signature__=Signature(keywords), __annotations__={})
        return take

    return taken
