"""`tacit learn`, `tacit predict` and `tacit sql`: from a table to rules, and back to a table."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from tacit.concepts.contract.specification import FAMILIES, READERS
from tacit.concepts.rules.scorecard import Scorecard
from tacit.core import check
from tacit.core.chance.randomness import is_secure
from tacit.core.errors import InvalidArgument
from tacit.core.unit import Neighbours
from tacit.interfaces.cli.options.engines import Engine, reading_with
from tacit.interfaces.cli.options.lists import read_by, read_cuts, read_weights, split
from tacit.interfaces.cli.options.release import (
    Analyst,
    BestError,
    Beta,
    DeclaredRows,
    Delta,
    Files,
    Json,
    LabelsOnly,
    LedgerPath,
    NeighbourKind,
    Person,
    PolicyPath,
    Public,
    PublicLabelled,
    SchemaPath,
    Seed,
    coins,
    read_schema,
)
from tacit.interfaces.cli.policy import check_before
from tacit.interfaces.cli.tables.ledger import charging
from tacit.interfaces.cli.tables.measure import group_lines, measured_lines
from tacit.interfaces.output.files import beside, trial, whole, writable
from tacit.interfaces.output.progress import steadily
from tacit.interfaces.output.promise import privacy_line, promise, public_line, rules_in_class
from tacit.interfaces.report import Asked, reportable, write_report
from tacit.learners.contract.model import Model
from tacit.workflows import describe, model_text
from tacit.workflows import learn as learn_table
from tacit.workflows.card_points import points_by_column
from tacit.workflows.learned.question import AUTO
from tacit.workflows.learned_rows import check_apart
from tacit.workflows.predicting import outcomes_of
from tacit.workflows.releasing.policy import to_learn

LONG, FEW = 80, 12
SENTENCE = 300
"""Letters of a scorecard that is said in one sentence."""
ALL = "all"
"""In place of features: every other column of the schema."""
KNOWN = ", ".join(sorted({*FAMILIES, *READERS}))


def learn(
    files: Files,
    *,
    schema: SchemaPath,
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
    person: Person = None,
    public: Public = None,
    public_labelled: PublicLabelled = False,
    neighbours: NeighbourKind = Neighbours.REPLACED,
    rows: DeclaredRows = None,
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
        typer.Option(help="Write a report too: .html, which a browser prints to PDF, or .md."),
    ] = None,
    ledger: LedgerPath = None,
    dataset: Annotated[
        str | None, typer.Option(help="The data set of the ledger that is learned from.")
    ] = None,
    analyst: Analyst = "",
    engine: Annotated[
        Engine,
        typer.Option(
            help="What reads the rows; Spark also takes the name of a table. duckdb: as embedded."
        ),
    ] = Engine.EMBEDDED,
    master: Annotated[
        str | None, typer.Option(help="Spark's master: local[2], spark://HOST:PORT, ...")
    ] = None,
    policy: PolicyPath = None,
    seed: Seed = None,
    as_json: Json = False,
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
    inputs = [*files, *(public or ()), str(schema), *beside(ledger)]
    writable(out, option="--out", inputs=inputs)
    if public is not None and engine == Engine.SPARK:
        check_apart(public, files)  # Spark reads the private ones
    if report is not None:
        writable(reportable(report, out), option="--report", inputs=inputs)
    rng = coins(seed)
    secure = is_secure(rng)
    asked = Asked(
        concepts,
        check.exact(epsilon=epsilon),
        check.exact(delta=delta),
        None if alpha is None else check.exact(alpha=alpha),
        check.exact(beta=beta),
        dataset,
        analyst,
    )
    declared = read_schema(schema)
    columns = split(features or [ALL], declared.names)
    asked_for = split(labels, declared.names)
    named_cuts = dict(read_cuts(each, names=asked_for) for each in cuts or ())
    named_by, at = read_by(by, declared.names)
    named_cuts |= {} if named_by is None or at is None else {named_by: at}
    account, persons = (ledger, dataset, analyst), split(person or ())
    question: dict[str, Any] = {"verb": "learn", "class": concepts, "learner": learner, "by": by}
    question |= {"labels": asked_for, "features": None if columns == [ALL] else columns}
    kept = check_before(
        policy,
        account,
        question,
        epsilon=epsilon,
        delta=delta,
        person=persons,
        neighbours=neighbours,
        labels_only=labels_only,
        **to_learn(concepts, learner, hold_out=hold_out, by=by),
    )

    def publish(model: Model, out: Path, report: Path | None) -> tuple[dict[str, Any], list[str]]:
        """Write the model and its report; return what is to be shown."""
        written = model_text(model)
        with whole(out) as text:
            text.write(written)
        if report is not None:
            digest = sha256(out.read_bytes()).hexdigest()
            write_report(report, model, replace(asked, model_digest=digest))
        described = json.loads(written)
        shown = model_lines(model, described["rules"], asked.epsilon, out)
        return described, [*_unsaid(model, named_cuts, named=columns != [ALL]), *shown]

    def rehearse(model: Model) -> None:
        with trial(out) as beside_out, trial(report or out) as beside_report:
            publish(model, beside_out, None if report is None else beside_report)

    with (
        charging(*account, declared, secure=secure, rule=kept) as charge,
        reading_with(engine, master, files) as source,
        steadily() as tell,
    ):
        tell("learning")
        model = learn_table(
            source,
            declared,
            concepts=concepts,
            features=None if columns == [ALL] else columns,
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
            person=persons,
            neighbours=neighbours,
            rows=rows,
            by=named_by,
            public=public,
            public_labelled=public_labelled,
            weights=read_weights(weights or (), asked_for),
            rng=rng,
            charge=charge,
            rehearsal=rehearse,
        )
        try:
            described, shown = publish(model, out, report)
        except InvalidArgument as error:  # since the rehearsal, the disk has filled up
            typer.echo(json.dumps(describe(model)))
            raise InvalidArgument(f"{error}; the model is on standard output instead") from None
    if as_json:
        typer.echo(json.dumps(described))
        return
    shown += [] if report is None else [f"The report is in {escape(str(report))}"]
    Console(highlight=False, emoji=False, soft_wrap=True).print("\n".join(shown))


def model_lines(model: Model, rules: dict[str, str], given: Fraction, out: Path) -> list[str]:
    """Say the rules, what they cost, what is promised, and where the model is."""
    said = [
        f"[bold]{escape(name)}[/]: {escape(_sentence(rules[name]))}"
        if len(rules[name]) <= SENTENCE or not isinstance(model.hypotheses[place], Scorecard)
        else _added(model, place)
        for place, name in enumerate(rules)
    ]
    seen = f"{model.unit.tests} it never saw"
    said += measured_lines(model.labels, model.measured, model.weights, seen)
    said += group_lines(model.labels, model.groups, model.grouped, model.unit)
    certificate = [_privacy(model, given), _class(model), *promise(model)]
    certificate += [*each_gives(model), *public_line(model)]
    certificate += [f"Chosen: {escape(model.why)}."] if model.why else []
    return [*said, "", *certificate, f"\nThe model is in {escape(str(out))}"]


def each_gives(model: Model) -> list[str]:
    """Say what each person gave, where persons are protected."""
    if not model.unit.person:
        return []
    given = "the mean of their rows" if model.weight > 1 else "one of their rows, drawn"
    return [f"Each person gives as much as any other: {given}. Rows without one are one person's."]


def _unsaid(model: Model, cuts: Mapping[str, Any], *, named: bool) -> list[str]:
    """Say what the schema decided: the columns that are learned from, and where numbers are cut."""
    said = []
    if not named:
        first, more = ", ".join(model.features[:FEW]), len(model.features) - FEW
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
                f"--cuts {shlex.quote(f'{outcome.name}={places}')}"
            )
    return [*map(escape, said), ""] if said else []


def _added(model: Model, place: int) -> str:
    """Say a scorecard that is too long for a sentence column by column, to be added up."""
    card: Any = model.hypotheses[place]
    name = f"[bold]{escape(model.labels[place])}[/]"
    lines = [
        f"  {column.column}: "
        + ", ".join(f"{points} if {words}" for words, points in column.points)
        for column in points_by_column(model, place)
    ]
    return "\n".join([f"{name}: yes from {card.threshold} points on", *map(escape, lines)])


def _sentence(rule: str) -> str:
    """Say when the answer is yes; a list of rules says so itself."""
    constant = {"always": "yes, always", "never": "no, always"}
    return constant.get(rule, rule if rule.startswith("if ") else f"yes if {rule}")


def _privacy(model: Model, given: Fraction) -> str:
    spent = model.privacy.epsilon
    part = "" if spent > Fraction(99, 100) * given else f" (of the {float(given):.6g} given)"
    return privacy_line(model.privacy, model.n, secure=model.secure, of=part, unit=model.unit)


def _class(model: Model) -> str:
    told, many = str(model.concepts), rules_in_class(model)
    if len(told) > LONG or not many:
        told = told.partition("(")[0] + ("" if many else f" over {len(model.features)} columns")
    return f"Class: {escape(told)}{many}; learner: {model.learner}."
