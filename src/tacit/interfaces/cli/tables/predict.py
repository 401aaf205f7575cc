"""`tacit predict` and `tacit sql`: use a model, here or where the table is."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Annotated

import typer

from tacit.core.dialect import DIALECTS
from tacit.core.errors import InvalidArgument
from tacit.data.schema.outcome import SHARE
from tacit.data.spark.writing import write_said
from tacit.interfaces.cli.options.engines import Engine, reading_with
from tacit.interfaces.cli.options.lists import split
from tacit.interfaces.cli.options.release import EngineName, Files, Json, Master
from tacit.interfaces.output.files import read_as, whole, writable
from tacit.interfaces.output.progress import steadily
from tacit.learners.contract.model import Model
from tacit.workflows import query
from tacit.workflows.predicting import Saying, opened_for, outcomes_of, predictions


def predict(
    model: Annotated[Path, typer.Argument(help="A model written by tacit learn.")],
    files: Files,
    *,
    out: Annotated[Path, typer.Option(help="Where to write the predictions.")] = Path(
        "predictions.csv"
    ),
    risk: Annotated[
        bool, typer.Option("--risk", help="Add a column LABEL_risk in [0, 1] for each label.")
    ] = False,
    keep: Annotated[
        list[str] | None, typer.Option(help="Columns of the table to copy beside what is said.")
    ] = None,
    engine: EngineName = Engine.EMBEDDED,
    master: Master = None,
    as_json: Json = False,
) -> None:
    """Predict the labels of a table, one line for each of its rows, in their order.

    Only the label columns are written, after those to --keep: 0 or 1 for yes/no, the likeliest
    value of a category, of a number LABEL, LABEL_low and LABEL_high, its median and the ends of an
    interval of 80 %. A risk is the share of rows of such a score that had the label when the model
    was measured. Spark's workers write their rows in parallel, in no order, so say with --keep what
    tells them apart: --out is then a new folder of Parquet files.

    Examples:

      tacit predict model.json patients.csv --out predictions.csv

      tacit predict model.json patients.csv --risk --keep id

      tacit predict model.json 'visits/*.parquet' --engine spark --keep id --out said.parquet
    """
    writable(out, option="--out", inputs=[*files, str(model)])
    read = read_as(model, Model.loads, option="MODEL")
    saying, kept, rows = Saying(read, risk), split(keep or ()), 0
    if engine is Engine.SPARK:
        if out.suffix != ".parquet" or out.exists():
            raise InvalidArgument(
                f"--out: with --engine spark a new folder is written; {out} must be none that is "
                "there, and end in .parquet"
            )
        with reading_with(engine, master, files) as source, steadily() as tell:
            tell("predicting")
            opened = opened_for(saying, source, kept)
            rows = write_said(opened, saying, kept, out)
    else:
        with (
            reading_with(engine, master, files) as source,
            steadily() as tell,
            whole(out, private=True) as text,
        ):
            tell("predicting")
            table = csv.writer(text, lineterminator="\n")
            table.writerow([*kept, *(name for name, _ in saying.columns)])
            for said in predictions(read, source, risk=risk, keep=kept):
                table.writerows(said)
                rows += len(said)
    told = {"rows": rows, "labels": list(read.labels), "out": str(out)}
    spread = any(outcome.nested for outcome in outcomes_of(read))
    ends = f"; _low and _high are the ends of intervals of {SHARE:.0%}" if spread else ""
    typer.echo(json.dumps(told) if as_json else f"{rows} rows predicted in {out}{ends}")


def sql(
    model: Annotated[Path, typer.Argument(help="A model written by tacit learn.")],
    *,
    table: Annotated[str, typer.Option(help="The table to predict for.")] = "data",
    dialect: Annotated[str, typer.Option(help=f"{', '.join(DIALECTS)}.")] = "duckdb",
    as_json: Json = False,
) -> None:
    """Write the model as a SQL query over the raw columns, for one of four servers.

    Of yes/no labels it gives what tacit predict gives, whatever types the columns are stored in. Of
    a category it gives the likeliest value and of a number a range, by the rules' answers alone, so
    that tacit predict, which knows risks, may tell better; then 0 or 1 for each question that was
    learned of it. It reads only the columns that the rules use.

    Example:

      tacit sql model.json --table patients --dialect postgres
    """
    written = query(read_as(model, Model.loads, option="MODEL"), table, dialect)
    typer.echo(json.dumps({"sql": written, "dialect": dialect}) if as_json else written)
