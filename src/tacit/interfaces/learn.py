"""`tacit learn`, `tacit predict` and `tacit sql`: from a table to rules, and back to a table."""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from tacit.core.randomness import Random, Seeded, System
from tacit.data import Schema, describe, point_batches, query, rules
from tacit.data import learn as learn_table
from tacit.interfaces.files import read_text, whole, writable
from tacit.interfaces.learners import show_and_leave
from tacit.interfaces.lists import split
from tacit.learners.model import Model

Files = Annotated[list[str], typer.Argument(help="CSV or Parquet files, or globs.")]
Json = Annotated[bool, typer.Option("--json", help="Write one JSON object.")]


def learn(
    files: Files,
    *,
    schema: Annotated[Path, typer.Option(help="The schema: each column's public domain.")],
    concepts: Annotated[
        str,
        typer.Option("--class", help="What to learn, such as thresholds or boxes(bits=8, dims=2)."),
    ] = "thresholds",
    features: Annotated[list[str], typer.Option(help="Columns to learn from.")],
    labels: Annotated[list[str], typer.Option(help="Yes/no columns to predict.")],
    epsilon: Annotated[str, typer.Option(help="The privacy budget, for all labels together.")],
    delta: Annotated[str, typer.Option(help="The delta of the budget; 0 for pure privacy.")] = "0",
    learner: Annotated[str, typer.Option(help="How to learn; see --list.")] = "generic",
    listed: Annotated[  # noqa: ARG001
        bool,
        typer.Option("--list", help="Show all learners.", is_eager=True, callback=show_and_leave),
    ] = False,
    out: Annotated[Path, typer.Option(help="Where to write the model.")] = Path("model.json"),
    realisable: Annotated[
        bool, typer.Option("--realisable", help="Promise error for labels that a rule explains.")
    ] = False,
    alpha: Annotated[
        str | None, typer.Option(help="Refuse unless the error can be promised to be this small.")
    ] = None,
    beta: Annotated[str, typer.Option(help="How unsure the promise may be.")] = "0.05",
    seed: Annotated[
        int | None, typer.Option(help="For tests only: reproducible, hence NOT private.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Learn private yes/no rules from a table.

    Nothing is read off the data but counts; the domains come from the schema (see: tacit schema
    template FILE). What a cell holds is never a reason to stop: values out of range follow the
    schema's policy. The model says what it cost, and can be shown to anyone.

    Examples:

      tacit learn patients.csv --schema s.toml --features age --labels diabetes --epsilon 1

      tacit learn 'visits/*.parquet' --schema s.toml --class boxes --features age,bmi
      --labels stroke,death --epsilon 1 --delta 1e-6 --out model.json --json
    """
    writable(out, option="--out", inputs=[*files, str(schema)])
    model = learn_table(
        files if len(files) > 1 else files[0],
        Schema.parse(read_text(schema, option="--schema")),
        concepts=concepts,
        features=split(features),
        labels=split(labels),
        epsilon=epsilon,
        delta=delta,
        learner=learner,
        agnostic=not realisable,
        alpha=alpha,
        beta=beta,
        rng=_source(seed),
    )
    described = describe(model)
    with whole(out) as text:
        json.dump(described, text, indent=1)
    typer.echo(json.dumps(described)) if as_json else _show(model, out)


def predict(
    model: Annotated[Path, typer.Argument(help="A model written by tacit learn.")],
    files: Files,
    *,
    out: Annotated[Path, typer.Option(help="Where to write the predictions.")] = Path(
        "predictions.csv"
    ),
    as_json: Json = False,
) -> None:
    """Predict the labels of a table: one 0/1 column a label, in the order of the rows.

    Example:

      tacit predict model.json patients.csv --out predictions.csv
    """
    writable(out, option="--out", inputs=[*files, str(model)])
    read = Model.loads(read_text(model, option="MODEL"))
    source = files if len(files) > 1 else files[0]
    rows = 0
    with whole(out) as text:
        table = csv.writer(text, lineterminator="\n")
        table.writerow(read.labels)
        for points in point_batches(source, Schema.parse(read.schema), read.features):
            table.writerows(read.predict(points).astype(int).tolist())
            rows += len(points)
    said = {"rows": rows, "labels": list(read.labels), "out": str(out)}
    typer.echo(json.dumps(said) if as_json else f"{rows} rows predicted in {out}")


def sql(
    model: Annotated[Path, typer.Argument(help="A model written by tacit learn.")],
    *,
    table: Annotated[str, typer.Option(help="The table to predict for.")] = "data",
) -> None:
    """Write the model as a SQL query over the raw columns, for DuckDB.

    Example:

      tacit sql model.json --table patients
    """
    typer.echo(query(Model.loads(read_text(model, option="MODEL")), table))


def _source(seed: int | None) -> Random:
    return System() if seed is None else Seeded(seed)


def _show(model: Model, out: Path) -> None:
    console = Console(highlight=False, soft_wrap=True)
    for label, rule in zip(model.labels, rules(model), strict=True):
        console.print(f"[bold]{escape(label)}[/]: yes if {escape(rule)}")
    console.print("")
    for line in _certificate(model):
        console.print(line)
    console.print(f"\nThe model is in {out}")


def _certificate(model: Model) -> list[str]:
    epsilon, delta = _short(model.privacy.epsilon), _short(model.privacy.delta)
    size, above = _count(model.concepts.size), " above the best rule's" if model.agnostic else ""
    lines = [
        f"Private: ε = {epsilon}, δ = {delta} for replacing any one of the {model.n} rows.",
        f"Class: {model.concepts}, {size} rules; learner: {model.learner}.",
    ]
    if model.accuracy is None:
        lines.append("Promised: nothing about the error; the rows are too few for this class.")
    else:
        alpha, beta = float(model.accuracy.alpha), float(model.accuracy.beta)
        lines.append(f"Promised: error at most {alpha:.3g}{above}, for each label, except with")
        given = "" if model.agnostic else " and some rule of the class explains them"
        lines.append(f"probability {beta:.3g}, if the rows are independent draws{given}.")
    return lines if model.secure else [*lines, "[bold red]NOT PRIVATE: the coins were seeded.[/]"]


def _short(number: Fraction) -> str:
    return f"{float(number):.6g}"


def _count(size: int) -> str:
    return str(size) if size < 10**6 else f"about 2^{size.bit_length() - 1}"
