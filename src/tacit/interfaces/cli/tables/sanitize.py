"""`tacit sanitize`: from a table to made-up rows that answer the same questions."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from tacit.core.errors import InvalidArgument
from tacit.core.numbers.shown import at_most
from tacit.interfaces.cli.options.given import Given, given_a_table
from tacit.interfaces.cli.options.lists import split
from tacit.interfaces.cli.options.release import Beta, Delta
from tacit.interfaces.cli.tables.flow import let_out
from tacit.interfaces.output.promise import privacy_line
from tacit.sanitizers.choice import METHODS
from tacit.sanitizers.contract.questions import FAMILIES
from tacit.workflows import SyntheticTable
from tacit.workflows import sanitize as sanitize_table

KNOWN = ", ".join(sorted({name for able in METHODS.values() for name in able}))
ENDINGS = (".csv", ".parquet")


@given_a_table("neighbours", "rows")
def sanitize(
    given: Given,
    *,
    columns: Annotated[
        list[str], typer.Option(help="Columns that the made-up rows have, cut as in age=40:65.")
    ],
    queries: Annotated[
        str | None,
        typer.Option(
            "--queries",
            "--class",
            help=f"What they shall answer: {', '.join(FAMILIES)}, or conjunctions(width=2).",
        ),
    ] = None,
    epsilon: Annotated[str, typer.Option(help="The privacy budget.")],
    delta: Delta = "0",
    method: Annotated[
        str | None, typer.Option(help=f"How: {KNOWN}; else chosen by public numbers.")
    ] = None,
    out: Annotated[
        Path, typer.Option(help="Where to write the rows: a .csv or .parquet file.")
    ] = Path("synthetic.csv"),
    rows: Annotated[
        int | None, typer.Option(help="How many rows to make; else as many as the table has.")
    ] = None,
    beta: Beta = "0.05",
    outcome: Annotated[
        str | None,
        typer.Option(help="The column to foretell from others: a wide table has less noise there."),
    ] = None,
) -> None:
    """Make a synthetic table that answers all queries of a class within an error.

    Nothing is read off the data but counts; the domains come from the schema (see: tacit schema
    template FILE). The rows are made up, in the values of the schema, and can be shown to anyone,
    with the error that is promised.
    Asked are thresholds if one column of numbers is named, else conjunctions of up to 3 columns.
    A wide table, of more cells than can be held, needs a delta: all pairs of columns are measured,
    numbers in bins: at round numbers, or where 'age=18:40:65' cuts them.
    As many rows are made as there are, which is public. Where their number is secret: tacit ask
    synthetic --neighbours added, which one house may ask itself (docs/sites.md).

    Examples:

      tacit sanitize patients.csv --schema s.toml --columns age --epsilon 1 --out ages.csv

      tacit sanitize 'visits/*.parquet' --schema s.toml --columns sex,ward,smoker --epsilon 1
      --delta 1e-6 --class 'conjunctions(width=2)' --out visits.parquet --json

      tacit sanitize patients.csv --schema s.toml --columns 'age=18:40:65,bmi,sex,ward,smoker,cost'
      --epsilon 1 --delta 1e-6
    """
    if out.suffix.lower() not in ENDINGS:
        raise InvalidArgument(f"--out: {out} must end in {' or '.join(ENDINGS)}")
    declared = given.declared()

    def write(made: SyntheticTable, text: Any) -> None:
        if out.suffix.lower() == ".csv":
            made.write_csv(text)
        else:
            made.write_parquet(text.buffer)

    let_out(
        given,
        sanitize_table,
        declared,
        partial(_lines, out),
        step="making rows",
        out=out,
        fill=write,
        spill=SyntheticTable.write_csv,
        told=lambda made: made.describe() | {"out": str(out)},
        columns=split(columns, declared.names),
        queries=queries,
        epsilon=epsilon,
        delta=delta,
        method=method,
        rows=rows,
        beta=beta,
        outcome=outcome,
        person=given.persons,
    )


def _lines(out: Path, made: SyntheticTable) -> list[str]:
    """Say how many rows there are, what they cost, and what is promised."""
    private = privacy_line(made.privacy, made.n, secure=made.secure, unit=made.unit)
    promise = "Promised: nothing about the error; there are too few rows."
    if made.error < 1:
        promise = (
            f"Promised: no answer to {made.questions} is off by more than {at_most(made.error)} "
            f"of the rows,\nexcept with probability {at_most(made.beta)}."
        )
    if binned := [each.name for each in made.bins if each.edges]:
        promise += (
            f"\nAsked by bins, in which values are spread evenly: {escape(', '.join(binned))}."
        )
    return [
        f"{made.rows} rows are in {escape(str(out))}",
        "",
        private,
        f"Method: {made.method}.",
        promise,
    ]
