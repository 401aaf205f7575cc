"""`tacit schema`: write a schema to fill in, and check one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from tacit.core.errors import InvalidArgument
from tacit.data import Bits, Category, Date, Integer, Real, Schema
from tacit.data.reading.template import template
from tacit.data.reading.type_check import check_fit, unread_cells
from tacit.interfaces.output.boxed import boxed
from tacit.interfaces.output.files import read_as

app = typer.Typer(
    help="Declare the public domain of each column.", no_args_is_help=True, add_completion=False
)


@app.command("template")
def write_template(
    file: Annotated[
        str,
        typer.Argument(help="A CSV or Parquet file, for its columns' names and stored types only."),
    ],
) -> None:
    """Write a schema with the columns' names, the kinds of their stored types, and blank ranges.

    The ranges are yours to fill in from public knowledge: a range read off the data would tell its
    extreme rows to everyone who sees a rule.

    Example:

      tacit schema template patients.csv > schema.toml
    """
    typer.echo(template(file), nl=False)


@app.command("check")
def check_schema(
    schema: Annotated[Path, typer.Argument(help="A schema in TOML.")],
    file: Annotated[
        str | None, typer.Argument(help="A table whose structure should fit the schema.")
    ] = None,
    *,
    owner: Annotated[
        bool,
        typer.Option("--owner", help="Count the cells that do not read: for the owner's eyes."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write one JSON object.")] = False,
) -> None:
    """Check a schema, and that a table has the columns it declares, in types that can hold them.

    What it says is for the table's owner: a type can be chosen by the values of a column. With
    --owner it counts, column by column, the cells that the schema cannot read, and shows a few.

    Example:

      tacit schema check schema.toml patients.csv
    """
    read = read_as(schema, Schema.parse, option="SCHEMA")
    if file is not None:
        check_fit(file, read, read.names)
    if owner and file is None:
        raise InvalidArgument("--owner needs a table: tacit schema check SCHEMA FILE --owner")
    if owner:
        found = unread_cells(str(file), read, read.names)
        if as_json:
            typer.echo(json.dumps({"owner_only": _WARNING, **found}))
        else:
            typer.echo(boxed("\n".join(_told_owner(found, read))))
        return
    sizes = {name: read[name].size for name in read.names}
    if as_json:
        typer.echo(json.dumps({"columns": sizes, "digest": read.digest}))
        return
    for name, size in sizes.items():
        apart = ", or missing" if read[name].outside == "null" else ""
        typer.echo(boxed(f"{name}: {read[name].domain}{apart} ({size} values)"))
    if file is not None:
        typer.echo("The names and types fit. Whether the cells are read: --owner, for the owner.")


_WARNING = (
    "For the table's owner only, never for publication: what follows is counted from private "
    "cells. No budget was spent, and nothing was written."
)


_WRITTEN = {
    Date: "Write dates as 2026-01-31; a time may follow.",
    Integer: "Write numbers as 1234.5, with nothing between thousands.",
    Real: "Write numbers as 1234.5, with nothing between thousands.",
    Category: "Add to values what is a value of its own.",
    Bits: "Name the words: yes = [...] and no = [...].",
}
"""What makes cells readable, by the type of their column."""


def _told_owner(found: dict[str, Any], schema: Schema) -> Iterator[str]:
    """Say of each column how many cells are not read, what they count as, and the way out."""
    yield _WARNING
    lost = False
    for name, counts in found["columns"].items():
        column, examples = schema[name], counts.pop("examples")
        told = ", ".join(f"{times:,} {kind}" for kind, times in counts.items() if times)
        such = f" (such as {', '.join(map(repr, examples))})" if examples else ""
        said = f"{name}: of {found['rows']:,} cells {told or 'all are read'}{such}"
        if counts["missing"] or counts["unreadable"]:
            said += f"; what does not read counts as {column.describe(column.code(None))}."
            lost |= column.outside == "clip"
        yield f"{said} {_WRITTEN[type(column)]}" if counts["unreadable"] else said
    if lost:
        yield 'In a column to learn from, outside = "null" keeps what does not read apart.'
