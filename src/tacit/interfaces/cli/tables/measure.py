"""`tacit measure`: how good a model is on rows that it never saw."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer
from rich.markup import escape

from tacit.core.errors import InvalidArgument
from tacit.core.numbers.shown import outwards
from tacit.core.unit import Neighbours, Unit
from tacit.data.schema.schema import Schema
from tacit.interfaces.cli.options.given import Given, given_a_table
from tacit.interfaces.cli.options.lists import read_by
from tacit.interfaces.cli.options.release import Delta
from tacit.interfaces.cli.tables.flow import let_out
from tacit.interfaces.output.files import read_as
from tacit.interfaces.output.promise import privacy_line
from tacit.learners.contract.model import Model
from tacit.mechanisms.measuring.group_measurement import GroupReading
from tacit.mechanisms.measuring.ranking import ranking
from tacit.mechanisms.measuring.reading import Reading
from tacit.mechanisms.measuring.statement import by_group
from tacit.workflows import model_text
from tacit.workflows.measuring import Measured
from tacit.workflows.measuring import measure as measure_model


@given_a_table("schema")
def measure(
    given: Given,
    model: Annotated[Path, typer.Argument(help="A model written by tacit learn.")],
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
    if out is not None and given.neighbours is Neighbours.ADDED:
        raise InvalidArgument(
            "--out keeps risks by score, which are not told where the number of rows is secret: "
            "leave out --out, or --neighbours added"
        )
    read = read_as(model, Model.loads, option="MODEL")
    digest = sha256(read_as(model, str, option="MODEL").encode()).hexdigest()
    declared = Schema.parse(read.schema)
    named, cuts = read_by(by, declared.names)

    def measuring(source: Any, _: Schema, **asked: Any) -> Measured:
        return measure_model(read, source, by=named, cuts=cuts, **asked)

    def fill(told: Measured, text: TextIO) -> None:
        secure, groups = read.secure and told.secure, (told.groups, told.grouped)
        kept = replace(read, measured=told.readings, secure=secure, measured_later=True)
        text.write(model_text(replace(kept, groups=groups[0], grouped=groups[1])))

    def lines(told: Measured) -> list[str]:
        kept = [] if out is None else [f"\nThe model with its risks is in {escape(str(out))}"]
        return [*told_lines(told), *kept]

    let_out(
        given,
        measuring,
        declared,
        lines,
        name="measure",
        step="measuring",
        inputs=[model],
        out=out,
        fill=fill,
        spill=lambda told, text: text.write(json.dumps(told.describe()) + "\n"),
        request={"model": digest, "by": by},
        epsilon=epsilon,
        delta=delta,
        **given.whom(),
    )


def measured_lines(
    labels: Sequence[str], readings: Sequence[Reading], sentences: Iterable[str]
) -> list[str]:
    """Say of each label how good it was found, and how well it ranks where there is a ranking."""
    lines = []
    for label, told, said in zip(labels, readings, sentences, strict=bool(readings)):
        line = f"[bold]{escape(label)}[/] {escape(said)}"
        if len(told.levels) > 1:
            found = ranking(told)
            low, high = outwards(*found.area_interval, 3)
            line += f"; AUC {found.area:.3f} ({low} to {high})"
        lines.append(f"{line}.")
    return lines


def group_lines(
    labels: Sequence[str], groups: tuple[str, ...], grouped: Sequence[GroupReading], unit: Unit
) -> list[str]:
    """Say once how large the groups are, and of each label how good it was found in each."""
    found = by_group(labels, groups, grouped)
    if len(groups) == 1:
        return [
            f"[bold]{escape(label)}[/] errs on {_percents(g['low'], g['high'])} of "
            f"{g['rows_low']} to {g['rows_high']} {unit.tests} it was not learned from "
            "(95 % intervals, all at once); "
            f"{_percents(g['positive_low'], g['positive_high'])} have the label."
            for label, (g,) in found.items()
        ]
    sizes = [
        f"{g['group']} ({g['rows_low']} to {g['rows_high']})"
        for g in next(iter(found.values()), ())
    ]
    lines = (
        [f"{unit.many.capitalize()} of the groups: {escape(', '.join(sizes))}."] if sizes else []
    )
    for label, stated in found.items():
        lines.append(f"[bold]{escape(label)}[/] by group, all intervals at once with 95 %:")
        lines += [
            f"  {escape(g['group'])}: errs on {_percents(g['low'], g['high'])} of them; "
            f"{_percents(g['positive_low'], g['positive_high'])} have the label"
            for g in stated
        ]
    return lines


def told_lines(told: Measured) -> list[str]:
    """Say what was measured, what makes it a fair test, and what it cost."""
    private = privacy_line(told.privacy, told.n, secure=told.secure, unit=told.unit)
    lines = measured_lines(told.labels, told.readings, told.sentences())
    lines += group_lines(told.labels, told.groups, told.grouped, told.unit)
    fair = "A fair test, if the model was not learned from any of these rows."
    return [*lines, fair, "", private]


def _percents(low: float, high: float) -> str:
    least, most = outwards(low, high, 1, times=100)
    return f"{least} to {most} %"
