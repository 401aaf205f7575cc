"""What every verb takes that makes a release from a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tacit.core.chance.randomness import Random, Seeded, System
from tacit.core.unit import Neighbours
from tacit.data import Schema
from tacit.interfaces.cli.options.engines import Engine
from tacit.interfaces.output.files import read_as

TEMPLATE = "; write one with: tacit schema template FILE"

Files = Annotated[list[str], typer.Argument(help="CSV or Parquet files, or globs.")]
SchemaPath = Annotated[Path, typer.Option(help="The schema: each column's public domain.")]
Delta = Annotated[str, typer.Option(help="The delta of the budget; 0 for pure privacy.")]
Beta = Annotated[str, typer.Option(help="How unsure the promise may be.")]
BestError = Annotated[
    str | None,
    typer.Option(help="What the best rule errs at most, if you know: promises assume it."),
]
LabelsOnly = Annotated[
    bool, typer.Option("--labels-only", help="Features are public: protect the labels only.")
]
Person = Annotated[
    list[str] | None,
    typer.Option(help="Columns that tell persons apart: all rows of one are protected, as one."),
]
Public = Annotated[
    list[str] | None,
    typer.Option(help="Files of public rows, drawn as the others: a cover from their features."),
]
PublicLabelled = Annotated[
    bool,
    typer.Option("--public-labelled", help="The public rows have labels: learn from these too."),
]
NeighbourKind = Annotated[
    Neighbours,
    typer.Option(help="What is protected: one replaced, n public; or one added, n secret."),
]
DeclaredRows = Annotated[
    int | None,
    typer.Option("--rows", help="With --neighbours added: how many there are, if it is known."),
]
LedgerFile = Annotated[Path, typer.Argument(help="The ledger.")]
LedgerPath = Annotated[
    Path | None, typer.Option(help="Charge this ledger first; see: tacit ledger.")
]
PolicyPath = Annotated[
    Path | None, typer.Option(help="Refuse what this policy forbids; see: tacit policy.")
]
RecordPath = Annotated[
    Path | None, typer.Option(help="Write the record of the release too: JSON, see docs/pack.md.")
]
Analyst = Annotated[str, typer.Option(help="Who spends, where analysts have caps.")]
Dataset = Annotated[str | None, typer.Option(help="The data set of the ledger that is asked.")]
Seed = Annotated[int | None, typer.Option(help="For tests only: reproducible, hence NOT private.")]
EngineName = Annotated[Engine, typer.Option(help="What reads the rows.", show_choices=True)]
Master = Annotated[str | None, typer.Option(help="Spark's master: local[2], spark://HOST:PORT.")]
Json = Annotated[bool, typer.Option("--json", help="Write one JSON object.")]


def read_schema(path: Path) -> Schema:
    """Read the schema that `--schema` names."""
    return read_as(path, Schema.parse, option="--schema", hint=TEMPLATE)


def coins(seed: int | None) -> Random:
    """Return the operating system's coins, or those of a seed."""
    return System() if seed is None else Seeded(seed)
