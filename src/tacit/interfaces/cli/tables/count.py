"""`tacit count`: from a table to counts, means and quantiles, with intervals, from one budget."""

from __future__ import annotations

from functools import partial
from math import floor, log10
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from tacit.core.errors import InvalidArgument
from tacit.core.numbers.shown import outwards
from tacit.data.schema.schema import Schema
from tacit.interfaces.cli.options.given import Given, given_a_table
from tacit.interfaces.cli.options.lists import split
from tacit.interfaces.cli.options.release import Delta
from tacit.interfaces.cli.tables.flow import let_out
from tacit.interfaces.output.promise import privacy_line
from tacit.workflows import TableAnswers, TableNumber
from tacit.workflows import count as count_of

SHOWN = 60
"""Lines of a table that are shown; all of them are in the file and in the JSON."""


@given_a_table()
def count(
    given: Given,
    *,
    by: Annotated[
        list[str] | None, typer.Option(help="Columns of the cross-table; numbers as age=18:40:65.")
    ] = None,
    mean: Annotated[
        list[str] | None, typer.Option(help="Columns of numbers, or yes/no, with their mean.")
    ] = None,
    quantiles: Annotated[
        list[str] | None, typer.Option(help="Columns with levels, as age=0.25:0.5:0.75.")
    ] = None,
    epsilon: Annotated[str, typer.Option(help="The privacy budget of all that is asked.")],
    delta: Delta = "0",
    confidence: Annotated[str, typer.Option(help="How sure each interval is.")] = "0.95",
    out: Annotated[
        Path | None, typer.Option(help="Write all answers to a .csv file, one a line.")
    ] = None,
) -> None:
    """Count rows by columns, with means and quantiles, each with an interval.

    The cross-table has all cells that the schema allows; numbers are cut at round ones, or where
    told. Means are of each cell of it, or without --by of all rows; quantiles of all rows. The
    budget is divided equally among the table, each mean, and each column with quantiles. Intervals
    are about the rows of the table, of which only noise hides anything.

    Examples:

      tacit count patients.csv --schema s.toml --by sex,ward --epsilon 1

      tacit count patients.csv --schema s.toml --by 'age=18:40:65,sick' --mean bmi,smoker
      --quantiles cost=0.5:0.9 --epsilon 1 --delta 1e-6 --out table.csv
    """
    if out is not None and out.suffix.lower() != ".csv":
        raise InvalidArgument(f"--out: {out} must end in .csv")
    declared = given.declared()
    asked: dict[str, list[str]] = {}
    for text in split(quantiles or (), declared.names):
        name, _, levels = text.rpartition("=")
        if (name := name.strip() or text) in asked:
            raise InvalidArgument(f"--quantiles: {name!r} comes twice; write {name}=0.25:0.5:0.75")
        asked[name] = levels.split(":") if name != text else ["1/2"]
    let_out(
        given,
        count_of,
        declared,
        partial(answer_lines, out, declared),
        out=out,
        fill=TableAnswers.write_csv,
        told=lambda found: found.describe() | ({} if out is None else {"out": str(out)}),
        by=split(by or (), declared.names),
        mean=split(mean or (), declared.names),
        quantiles=asked,
        epsilon=epsilon,
        delta=delta,
        confidence=confidence,
        **given.whom(),
    )


def answer_lines(out: Path | None, schema: Schema, found: TableAnswers) -> list[str]:
    """Say the table, what it cost, and how sure its intervals are."""
    cells: dict[tuple[str, ...], list[str]] = {}
    last = [a for a in found.answers if a.level is not None]
    asked = [a for a in found.answers if a.level is None]
    for told in asked:
        cells.setdefault(told.cell, []).append(_said(told))
    sure = f" ({float(100 * found.confidence):g} %)"
    heads = ("rows" if a.kind == "count" else f"mean {a.of}" for a in asked)
    titles = dict.fromkeys(head + sure for head in heads)
    lines = [[*found.by, *titles], *([*cell, *said] for cell, said in cells.items())]
    wide = [max(map(len, column)) for column in zip(*lines, strict=True)]
    shown = [
        "  ".join(text.ljust(w) for text, w in zip(line, wide, strict=True)).rstrip()
        for line in lines[: SHOWN + 1]
    ]
    if len(lines) > SHOWN + 1:
        shown.append(f"... and {len(lines) - SHOWN - 1} more: see --out or --json")
    shown += (
        ["", *(f"{a.of}: the quantile at {a.level} is {_said(a)}" for a in last)] if last else []
    )
    said = [escape(line) for line in shown if asked or line]
    if asked:
        said[0] = f"[bold]{said[0]}[/]"
    if out is not None:
        said += ["", f"All answers are in {escape(str(out))}"]
    return [
        *said,
        "",
        privacy_line(found.privacy, found.n, secure=found.secure, unit=found.unit),
        f"Each interval holds the table's own number with probability {float(found.confidence)};",
        f"noise: {found.noise}. {_how_many(found)}",
        *_missing(schema, found),
    ]


def _said(told: TableNumber) -> str:
    """Write a number with its interval, means to two digits of how wide that is.

    >>> _said(TableNumber(27.12344, 27.1231, 27.12381, "bmi"))
    '27.12344 (27.12310 to 27.12381)'
    """
    if told.kind != "mean":
        return f"{told.value} ({told.low} to {told.high})"
    wide = max(told.high - told.low, 1e-9)
    digits = max(1 - floor(log10(wide)), 0)
    low, high = outwards(told.low, told.high, digits)
    return f"{told.value:.{digits}f} ({low} to {high})"


def _missing(schema: Schema, found: TableAnswers) -> list[str]:
    """Say what cells without a value count as where numbers are told."""
    names = dict.fromkeys(a.of for a in found.answers if a.of)
    said = ", ".join(f"{name} is {schema[name].describe(0)}" for name in names)
    rest = "one beyond a declared range is its nearest end."
    return [escape(f"A cell without a number counts as the least: {said}; {rest}")] if said else []


def _how_many(found: TableAnswers) -> str:
    """Say how many rows or persons there are, if that is public."""
    if found.unit.added:
        return f"How many {found.unit.many} there are is secret."
    return f"There are {found.n} {found.unit.many}, which is public."
