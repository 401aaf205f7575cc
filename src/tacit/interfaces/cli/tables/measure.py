"""`tacit measure`: how good a model is on rows that it never saw."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from tacit.core.chance.randomness import is_secure
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.shown import outwards
from tacit.core.unit import Neighbours, Unit
from tacit.data.schema.schema import Schema
from tacit.interfaces.cli.options.engines import Engine, reading_with
from tacit.interfaces.cli.options.lists import read_by, split
from tacit.interfaces.cli.options.release import (
    Analyst,
    Dataset,
    DeclaredRows,
    Delta,
    EngineName,
    Files,
    Json,
    LedgerPath,
    Master,
    NeighbourKind,
    Person,
    PolicyPath,
    RecordPath,
    Seed,
    coins,
)
from tacit.interfaces.cli.policy import check_before
from tacit.interfaces.cli.tables.flow import write_record
from tacit.interfaces.cli.tables.ledger import charging
from tacit.interfaces.output.files import beside, read_as, trial, whole, writable
from tacit.interfaces.output.progress import steadily
from tacit.interfaces.output.promise import privacy_line
from tacit.learners.contract.model import Model
from tacit.mechanisms.measuring.group_measurement import GroupReading
from tacit.mechanisms.measuring.ranking import ranking
from tacit.mechanisms.measuring.reading import Reading
from tacit.mechanisms.measuring.statement import ONE, by_group, sentence
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
    person: Person = None,
    neighbours: NeighbourKind = Neighbours.REPLACED,
    rows: DeclaredRows = None,
    ledger: LedgerPath = None,
    dataset: Dataset = None,
    analyst: Analyst = "",
    engine: EngineName = Engine.EMBEDDED,
    master: Master = None,
    policy: PolicyPath = None,
    record: RecordPath = None,
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
        if neighbours is Neighbours.ADDED:
            raise InvalidArgument(
                "--out keeps risks by score, which are not told where the number of rows is "
                "secret: leave out --out, or --neighbours added"
            )
        writable(out, option="--out", inputs=inputs)
    if record is not None:
        writable(record, option="--record", inputs=inputs)
    named_persons = split(person or ())
    asked: Any = {"epsilon": epsilon, "delta": delta, "neighbours": neighbours}
    read, rng = read_as(model, Model.loads, option="MODEL"), coins(seed)
    digest = sha256(read_as(model, str, option="MODEL").encode()).hexdigest()
    question = {"verb": "measure", "model": digest, "by": by}
    account = (ledger, dataset, analyst)
    kept = check_before(policy, account, question, person=named_persons, **asked)
    declared = Schema.parse(read.schema)
    named, cuts = read_by(by, declared.names)

    def publish(told: Measured, out: Path | None) -> list[str]:
        if out is not None:
            secure, groups = read.secure and told.secure, (told.groups, told.grouped)
            kept = replace(read, measured=told.readings, secure=secure, measured_later=True)
            with whole(out) as text:
                text.write(model_text(replace(kept, groups=groups[0], grouped=groups[1])))
        return told_lines(told)

    def rehearse(told: Measured) -> None:
        with trial(out or model) as beside_out:
            publish(told, None if out is None else beside_out)
            told.describe()
        if record is not None:
            with trial(record) as beside_record:
                write_record(beside_record, "measure", told, declared, charge)

    with (
        reading_with(engine, master, files) as source,
        charging(*account, declared, secure=is_secure(rng), rule=kept) as charge,
        steadily() as tell,
    ):
        tell("measuring")
        found = measure_model(
            read,
            source,
            epsilon=epsilon,
            delta=delta,
            by=named,
            cuts=cuts,
            person=named_persons,
            neighbours=neighbours,
            rows=rows,
            rng=rng,
            charge=charge,
            rehearsal=rehearse,
        )
        shown = publish(found, out)
        if record is not None:
            write_record(record, "measure", found, declared, charge)
    if as_json:
        typer.echo(json.dumps(found.describe()))
        return
    shown += [] if out is None else [f"\nThe model with its risks is in {escape(str(out))}"]
    Console(highlight=False, emoji=False, soft_wrap=True).print("\n".join(shown))


def measured_lines(
    labels: Sequence[str], readings: Sequence[Reading], weights: Sequence[Fraction], rows: str
) -> list[str]:
    """Say of each label how good it was found, and how well it ranks where there is a ranking."""
    lines = []
    each = weights or (ONE,) * len(readings)
    for label, told, odds in zip(labels, readings, each, strict=bool(readings)):
        line = f"[bold]{escape(label)}[/] {escape(sentence(told, rows, odds))}"
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
    lines = measured_lines(told.labels, told.readings, told.weights, told.unit.tests)
    lines += group_lines(told.labels, told.groups, told.grouped, told.unit)
    fair = "A fair test, if the model was not learned from any of these rows."
    return [*lines, fair, "", private]


def _percents(low: float, high: float) -> str:
    least, most = outwards(low, high, 1, times=100)
    return f"{least} to {most} %"
