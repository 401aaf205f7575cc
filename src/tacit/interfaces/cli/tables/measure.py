"""`tacit measure`: how good a model is on rows that it never saw."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from tacit.core.chance.randomness import is_secure
from tacit.data.schema.schema import Schema
from tacit.interfaces.cli.options.lists import read_cuts
from tacit.interfaces.cli.options.release import (
    Analyst,
    Dataset,
    Delta,
    Files,
    Json,
    LedgerPath,
    Seed,
    coins,
)
from tacit.interfaces.cli.tables.ledger import charging
from tacit.interfaces.output.files import beside, read_as, trial, whole, writable
from tacit.interfaces.output.privacy_line import privacy_line
from tacit.interfaces.output.progress import steadily
from tacit.learners.contract.model import Model
from tacit.mechanisms.measuring.ranking import ranking
from tacit.mechanisms.measuring.reading import Reading
from tacit.mechanisms.measuring.statement import sentence
from tacit.probability.noisy_share import ShareInterval
from tacit.workflows import model_text
from tacit.workflows.measuring import Measured
from tacit.workflows.measuring import measure as measure_model


def measure(
    model: Annotated[Path, typer.Argument(help="A model written by tacit learn.")],
    files: Files,
    *,
    epsilon: Annotated[str, typer.Option(help="The privacy budget, for all labels together.")],
    delta: Delta = "0",
    by: Annotated[
        str | None,
        typer.Option(help="A declared column: tell it by group too. Cut numbers as age=40:65."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write the model with what was measured, for risks.")
    ] = None,
    ledger: LedgerPath = None,
    dataset: Dataset = None,
    analyst: Analyst = "",
    seed: Seed = None,
    as_json: Json = False,
) -> None:
    """Tell privately how often a model is right on rows that it was not learned from.

    One noisy histogram of scores and labels is all that is let out of the rows. The intervals hold
    with 95 %, sampling and noise together, if the rows are independent draws. With --by half of
    epsilon goes to groups of the rows, whose sizes are told with noise too.

    Examples:

      tacit measure model.json new-patients.csv --epsilon 1

      tacit measure model.json new-patients.csv --epsilon 1 --by sex

      tacit measure model.json new.csv --epsilon 0.5 --ledger l.db --dataset clinic --out m2.json
    """
    inputs = [*files, str(model), *beside(ledger)]
    if out is not None:
        writable(out, option="--out", inputs=inputs)
    read, rng = read_as(model, Model.loads, option="MODEL"), coins(seed)
    declared = Schema.parse(read.schema)
    named, cuts = by, None
    if by is not None and by not in declared.names and "=" in by:
        named, cuts = read_cuts(by, "--by")

    def publish(told: Measured, out: Path | None) -> list[str]:
        if out is not None:
            secure = read.secure and told.secure
            with whole(out) as text:
                text.write(model_text(replace(read, measured=told.readings, secure=secure)))
        return _lines(told)

    def rehearse(told: Measured) -> None:
        with trial(out or model) as beside_out:
            publish(told, None if out is None else beside_out)
            told.describe()

    with (
        charging(ledger, dataset, analyst, declared, secure=is_secure(rng)) as charge,
        steadily() as tell,
    ):
        tell("measuring")
        found = measure_model(
            read,
            files if len(files) > 1 else files[0],
            epsilon=epsilon,
            delta=delta,
            by=named,
            cuts=cuts,
            rng=rng,
            charge=charge,
            rehearsal=rehearse,
        )
        shown = publish(found, out)
    if as_json:
        typer.echo(json.dumps(found.describe()))
        return
    shown += [] if out is None else [f"\nThe model with its risks is in {escape(str(out))}"]
    Console(highlight=False, emoji=False, soft_wrap=True).print("\n".join(shown))


def measured_lines(
    labels: Sequence[str], readings: Sequence[Reading], rows: str = "rows it never saw"
) -> list[str]:
    """Say of each label how good it was found, and how well it ranks where there is a ranking."""
    lines = []
    for label, told in zip(labels, readings, strict=bool(readings)):
        line = f"[bold]{escape(label)}[/] {escape(sentence(told, rows))}"
        if len(told.levels) > 1:
            found = ranking(told)
            low, high = found.area_interval
            line += f"; AUC {found.area:.3f}, between {low:.3f} and {high:.3f}"
        lines.append(f"{line}.")
    return lines


def _lines(told: Measured) -> list[str]:
    private = privacy_line(told.privacy, told.n, secure=told.secure)
    lines = measured_lines(told.labels, told.readings, "rows")
    for label, each in zip(told.labels, told.grouped, strict=False):
        lines.append(f"[bold]{escape(label)}[/] by group, all intervals at once with 95 %:")
        for group, held in zip(told.groups, each.shares(), strict=True):
            rows, error, positive = held.rows_between, held.error_interval, held.positive_interval
            lines.append(
                f"  {escape(group)}: {rows[0]} to {rows[1]} rows; errs {_percents(error)} of them; "
                f"{_percents(positive)} have the label"
            )
    fair = "A fair test, if the model was not learned from any of these rows."
    return [*lines, fair, "", private]


def _percents(interval: ShareInterval) -> str:
    return f"{100 * interval.low:.1f} to {100 * interval.high:.1f} %"
