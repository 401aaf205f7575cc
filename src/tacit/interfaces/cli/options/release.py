"""Options that verbs share which make a release, and the values they name."""

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
NeighbourKind = Annotated[
    Neighbours,
    typer.Option(help="What is protected: one replaced, n public; or one added, n secret."),
]
LedgerFile = Annotated[Path, typer.Argument(help="The ledger.")]
EngineName = Annotated[
    Engine,
    typer.Option(
        help="What reads the rows; Spark also takes table:db.visits. duckdb: as embedded."
    ),
]
Master = Annotated[
    str | None,
    typer.Option(help="Spark's master: local[2], spark://HOST:PORT, sc://HOST:PORT, ..."),
]
Json = Annotated[bool, typer.Option("--json", help="Write one JSON object.")]


def read_schema(path: Path) -> Schema:
    """Read the schema that `--schema` names."""
    return read_as(path, Schema.parse, option="--schema", hint=TEMPLATE)


def coins(seed: int | None) -> Random:
    """Return the operating system's coins, or those of a seed."""
    return System() if seed is None else Seeded(seed)
