"""`tacit learn`, `tacit predict` and `tacit sql`: from a table to rules, and back to a table."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer
from rich.markup import escape

from tacit.concepts.contract.specification import FAMILIES, READERS
from tacit.concepts.rules.scorecard import Scorecard
from tacit.core import check
from tacit.interfaces.cli.options.engines import Engine
from tacit.interfaces.cli.options.given import Given, given_a_table
from tacit.interfaces.cli.options.lists import listed, read_by, read_cuts, read_weights, split
from tacit.interfaces.cli.options.release import BestError, Beta, Delta, LabelsOnly
from tacit.interfaces.cli.tables.flow import let_out
from tacit.interfaces.cli.tables.measure import group_lines, measured_lines
from tacit.interfaces.output.files import writable
from tacit.interfaces.output.promise import (
    CONSTANT,
    class_said,
    decided,
    each_gives,
    privacy_line,
    promise,
    public_line,
)
from tacit.interfaces.report import Asked, reportable, write_report
from tacit.learners.contract.model import Model
from tacit.learners.made_from.weighted import OFFERED
from tacit.workflows import learn as learn_table
from tacit.workflows import model_text, rules
from tacit.workflows.card_points import points_by_column, verdict
from tacit.workflows.learned.question import AUTO
from tacit.workflows.learned_rows import check_apart
from tacit.workflows.predicting import outcomes_of
from tacit.workflows.releasing.policy import request_to_learn, to_learn

FEW = 12
SENTENCE = 300
"""Letters of a scorecard that is said in one sentence."""
CARDS = 3
"""Scorecards of which all points are shown; a report shows those of the others."""
ALL = "all"
"""In place of features: every other column of the schema."""
KNOWN = ", ".join(sorted({*FAMILIES, *READERS}))


@given_a_table("record")
def learn(
    given: Given,
    *,
    concepts: Annotated[
        str,
        typer.Option(
            "--class",
            help="What to learn: auto, which chooses by public numbers, or "
            f"{KNOWN}; sizes may follow in brackets.",
        ),
    ] = AUTO,
    features: Annotated[
        list[str] | None,
        typer.Option(help="Columns to learn from; all: every other; -NAME: every other but NAME."),
    ] = None,
    labels: Annotated[
        list[str],
        typer.Option(help="Columns to predict: yes/no, a category, or a number."),
    ],
    cuts: Annotated[
        list[str] | None,
        typer.Option(help="Where a number to predict is cut: 20:40:60, or income=20:40:60."),
    ] = None,
    weights: Annotated[
        list[str] | None,
        typer.Option(help="How many false alarms a missed yes costs: 5, or ill=5,dead=20."),
    ] = None,
    epsilon: Annotated[str, typer.Option(help="The privacy budget, for all labels together.")],
    delta: Delta = "0",
    learner: Annotated[str, typer.Option(help="How to learn; see --list.")] = AUTO,
    listed: Annotated[  # noqa: ARG001
        bool, typer.Option("--list", help="Show all learners, as: tacit learners.")
    ] = False,
    out: Annotated[Path, typer.Option(help="Where to write the model.")] = Path("model.json"),
    realisable: Annotated[
        bool, typer.Option("--realisable", help="Promise error for labels that a rule explains.")
    ] = False,
    alpha: Annotated[
        str | None, typer.Option(help="Refuse unless the error can be promised to be this small.")
    ] = None,
    beta: Beta = "0.05",
    best_error: BestError = None,
    labels_only: LabelsOnly = False,
    public: Annotated[
        list[str] | None,
        typer.Option(
            help="Files of public rows, drawn as the others: a cover from their features."
        ),
    ] = None,
    public_labelled: Annotated[
        bool,
        typer.Option(
            "--public-labelled", help="The public rows have labels: learn from these too."
        ),
    ] = False,
    hold_out: Annotated[
        str | None,
        typer.Option(
            help="The share of rows that measure what was learned from the others; 0: do not. "
            "[default: 0.2]"
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(help="A declared column: measure its groups too. Cut numbers as age=40:65."),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(help="Write a report too: .html, .pdf or .md."),
    ] = None,
) -> None:
    """Learn private predictors from a table, and measure them on rows they never saw.

    Class and learner are chosen by public numbers unless named: rows, columns, budget. Nothing is
    read off the data but counts; the domains come from the schema (see: tacit schema template
    FILE). What a cell holds is never a reason to stop: values out of range follow the schema's
    policy. The model says what it cost, and can be shown to anyone.

    Examples:

      tacit learn patients.csv --schema s.toml --labels diabetes --epsilon 1 --delta 1e-6

      tacit learn patients.csv --schema s.toml --class thresholds --features age
      --labels diabetes --epsilon 1 --by sex

      tacit learn 'visits/*.parquet' --schema s.toml --class 'rules(width=2)' --features age,bmi
      --labels stroke,death --epsilon 1 --delta 1e-6 --out model.json --json

      tacit learn visits.csv --schema s.toml --labels readmitted --epsilon 1 --person patient

      tacit learn wards.csv --schema s.toml --class thresholds --features dose --labels ill
      --epsilon 1 --public registry.csv

      tacit learn north.csv south.csv --learner parties --realisable --schema s.toml
      --class conjunctions --features fever,cough --labels ill --epsilon 1

    With --labels-only the features are public: labels are protected, features are not. No ledger
    takes such a release, since its epsilon is not one of whole rows.

    Several files are one table, unless the learner takes one from each party. Learners may be made
    from others: --learner 'boosted(parity)', 'empirical(prior)', 'selected(generic, prior)'.

    What can be learned from the schema alone: thresholds, intervals and points over one column;
    boxes, halfspaces and balls over several; rules over columns of any type, such as
    rules(width=2, age=40:65); conjunctions and parities over yes/no columns.
    """
    if public is not None and given.engine == Engine.SPARK:
        check_apart(public, given.files)  # Spark reads the private ones
    if report is not None:
        writable(reportable(report, out), option="--report", inputs=given.inputs(*(public or ())))
    asked = Asked(
        concepts,
        check.exact(epsilon=epsilon),
        check.exact(delta=delta),
        None if alpha is None else check.exact(alpha=alpha),
        check.exact(beta=beta),
        given.dataset,
        given.analyst,
    )
    declared = given.declared()
    columns = split(features or [ALL], declared.names)
    named = None if columns == [ALL] else columns
    asked_for = split(labels, declared.names)
    named_cuts = dict(read_cuts(each, names=asked_for) for each in cuts or ())
    named_by, at = read_by(by, declared.names)
    named_cuts |= {} if named_by is None or at is None else {named_by: at}
    facts = {"epsilon": epsilon, "delta": delta, "labels_only": labels_only}
    facts |= {"person": given.persons, "neighbours": given.neighbours}
    request: dict[str, Any] = {"concepts": concepts, "learner": learner, "by": by, "cuts": cuts}
    request |= {"labels": asked_for, "features": named, "hold_out": hold_out, "weights": weights}
    request |= {"public": public, "public_labelled": public_labelled, "rows": given.rows}

    def fill(model: Model, text: TextIO) -> None:
        text.write(model_text(model))

    def report_on(model: Model, path: Path) -> None:
        digest = sha256(model_text(model).encode()).hexdigest()
        write_report(path, model, replace(asked, model_digest=digest))

    def lines(model: Model) -> list[str]:
        said = dict(zip(model.labels, rules(model), strict=True))
        shown = model_lines(model, said, asked.epsilon, out)
        told = [] if report is None else [f"The report is in {escape(str(report))}"]
        return [*_unsaid(model, named_cuts, named=named is not None), *shown, *told]

    let_out(
        given,
        learn_table,
        declared,
        lines,
        step="learning",
        inputs=public or (),
        out=out,
        fill=fill,
        also={} if report is None else {report: report_on},
        told=lambda model: dict(json.loads(model_text(model))),
        facts=facts | to_learn(concepts, learner, hold_out=hold_out, by=by),
        request=request_to_learn(request),
        concepts=concepts,
        features=named,
        labels=asked_for,
        epsilon=epsilon,
        delta=delta,
        learner=learner,
        agnostic=not realisable,
        alpha=alpha,
        beta=beta,
        best_error=best_error,
        labels_only=labels_only,
        hold_out=hold_out,
        cuts=named_cuts,
        by=named_by,
        public=public,
        public_labelled=public_labelled,
        weights=read_weights(weights or (), asked_for),
        **given.whom(),
    )


def model_lines(model: Model, rules: dict[str, str], given: Fraction, out: Path) -> list[str]:
    """Say the rules, what they cost, what is promised, and where the model is."""
    cards = [
        name
        for card, name, always in zip(model.hypotheses, rules, model.always, strict=True)
        if isinstance(card, Scorecard)
        and (len(rules[name]) > SENTENCE or (always is not None and rules[name] not in CONSTANT))
    ]
    said = [
        _added(model, place)
        if name in cards
        else f"[bold]{escape(name)}[/]: {escape(decided(rules[name]))}"
        for place, name in enumerate(rules)
        if name not in cards[CARDS:]
    ]
    if more := cards[CARDS:]:
        said.append(
            f"The points of {len(more)} more are left out here; all are in the report: "
            f"tacit report {escape(shlex.quote(str(out)))}"
        )
    told = map(model.said, range(len(model.measured)))
    said += measured_lines(model.labels, model.measured, told)
    said += [
        f"Each cut of {escape(outcome.name)} was measured by itself, with noise of its own; the "
        "risks that tacit predict tells never rise from cut to cut."
        for outcome in outcomes_of(model)
        if model.measured and len(outcome.cuts) > 1
    ]
    said += group_lines(model.labels, model.groups, model.grouped, model.unit)
    said += _weighing(model)
    certificate = [
        _privacy(model, given),
        f"Class: {escape(class_said(model))}; learner: {model.learner}.",
        *promise(model),
    ]
    certificate += [*each_gives(model.unit, model.weight), *public_line(model)]
    certificate += [f"Chosen: {escape(model.why)}."] if model.why else []
    return [*said, "", *certificate, f"\nThe model is in {escape(str(out))}"]


def _weighing(model: Model) -> list[str]:
    """Say what is left to do where the cheapest answer is no to every row, if misses cost more."""
    asked = {outcome.name for outcome in outcomes_of(model)}
    never = [
        label
        for label, fixed in zip(model.labels, model.always, strict=True)
        if fixed is False and label in asked
    ]
    if not never or model.weights or not model.measured or model.learner not in OFFERED.split(", "):
        return []
    weight = escape(shlex.quote(f"{never[0]}=20"))
    return [f"If a missed yes costs as much as 20 false alarms, say so: --weights {weight}"]


def _unsaid(model: Model, cuts: Mapping[str, Any], *, named: bool) -> list[str]:
    """Say what the schema decided: the columns that are learned from, and where numbers are cut."""
    said = []
    if not named:
        first, more = listed(model.features[:FEW]), len(model.features) - FEW
        others = f" and {more} other{'s' * (more > 1)}" if more > 0 else ""
        said.append(
            f"Learned from every other column: {first}{others}. If one is known only with the "
            f"answer, leave it out: --features {shlex.quote(f'-{model.features[-1]}')}"
        )
    for outcome in outcomes_of(model):
        if outcome.nested and outcome.name not in cuts:
            places = ":".join(map(outcome.column.describe, outcome.cuts))
            said.append(
                f"{outcome.name} is cut at {places.replace(':', ', ')}, round values of its "
                f"declared range. If these are no use, say where: "
                f"--cuts {shlex.quote(f'{outcome.name}={places}')}; where the numbers lie is told "
                f"privately by tacit count --quantiles {outcome.name}=0.25:0.5:0.75"
            )
    return [*map(escape, said), ""] if said else []


def _added(model: Model, place: int) -> str:
    """Say a scorecard that is too long for a sentence column by column, to be added up."""
    name = f"[bold]{escape(model.labels[place])}[/]"
    lines = [
        f"  {column.column}: "
        + ", ".join(f"{points} if {words}" for words, points in column.points)
        for column in points_by_column(model, place)
    ]
    return "\n".join([f"{name}: {verdict(model, place)}", *map(escape, lines)])


def _privacy(model: Model, given: Fraction) -> str:
    spent = model.privacy.epsilon
    part = "" if spent > Fraction(99, 100) * given else f" (of the {float(given):.6g} given)"
    return privacy_line(model.privacy, model.n, secure=model.secure, of=part, unit=model.unit)
