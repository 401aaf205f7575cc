"""`tacit learn`, `tacit predict` and `tacit sql`: from a table to rules, and back to a table."""

from __future__ import annotations

import csv
import json
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
from tacit.core.dialect import DIALECTS
from tacit.core.errors import InvalidArgument
from tacit.interfaces.cli.options.engines import Engine, reading_with
from tacit.interfaces.cli.options.lists import read_cuts, split
from tacit.interfaces.cli.options.release import (
    Analyst,
    BestError,
    Beta,
    Delta,
    Files,
    Json,
    LabelsOnly,
    LedgerPath,
    SchemaPath,
    Seed,
    coins,
    read_schema,
)
from tacit.interfaces.cli.tables.ledger import charging
from tacit.interfaces.cli.tables.measure import measured_lines
from tacit.interfaces.output.files import beside, read_as, trial, whole, writable
from tacit.interfaces.output.privacy_line import privacy_line
from tacit.interfaces.output.progress import steadily
from tacit.interfaces.output.promise import promise, rules_in_class
from tacit.interfaces.report import Asked, reportable, write_report
from tacit.learners.contract.model import Model
from tacit.workflows import describe, model_text, query
from tacit.workflows import learn as learn_table
from tacit.workflows.card_points import points_by_column
from tacit.workflows.learning import AUTO
from tacit.workflows.predicting import header, predictions

LONG = 80
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
        list[str] | None, typer.Option(help="Columns to learn from; all: every other column.")
    ] = None,
    labels: Annotated[
        list[str],
        typer.Option(help="Columns to predict: yes/no, a category, or a number."),
    ],
    cuts: Annotated[
        list[str] | None,
        typer.Option(help="Where a label that is a number is cut, as in income=20:40:60."),
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
    hold_out: Annotated[
        str | None,
        typer.Option(
            help="The share of rows that measure what was learned from the others; 0: do not. "
            "[default: 0.2]"
        ),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="Write a report too: a page .html, or Markdown .md.")
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
      --labels diabetes --epsilon 1

      tacit learn 'visits/*.parquet' --schema s.toml --class 'rules(width=2)' --features age,bmi
      --labels stroke,death --epsilon 1 --delta 1e-6 --out model.json --json

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
    inputs = [*files, str(schema), *beside(ledger)]
    writable(out, option="--out", inputs=inputs)
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
    named_cuts = dict(read_cuts(each) for each in cuts or ())

    def publish(model: Model, out: Path, report: Path | None) -> tuple[dict[str, Any], list[str]]:
        """Write the model and its report; return what is to be shown."""
        written = model_text(model)
        with whole(out) as text:
            text.write(written)
        if report is not None:
            digest = sha256(out.read_bytes()).hexdigest()
            write_report(report, model, replace(asked, model_digest=digest))
        described = json.loads(written)
        return described, _lines(model, described["rules"], asked.epsilon, out)

    def rehearse(model: Model) -> None:
        with trial(out) as beside_out, trial(report or out) as beside_report:
            publish(model, beside_out, None if report is None else beside_report)

    with (
        charging(ledger, dataset, analyst, declared, secure=secure) as charge,
        reading_with(engine, master, files) as source,
        steadily() as tell,
    ):
        tell("learning")
        model = learn_table(
            source,
            declared,
            concepts=concepts,
            features=None if columns == [ALL] else columns,
            labels=split(labels, declared.names),
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
    as_json: Json = False,
) -> None:
    """Predict the labels of a table, one line for each of its rows, in their order.

    Only the label columns are written: 0 or 1 for yes/no, the likeliest value of a category, of a
    number LABEL, LABEL_low and LABEL_high, its median and the ends of an interval of 80 %. A risk
    is the share of rows of such a score that had the label when the model was measured.

    Examples:

      tacit predict model.json patients.csv --out predictions.csv

      tacit predict model.json patients.csv --risk
    """
    writable(out, option="--out", inputs=[*files, str(model)])
    read = read_as(model, Model.loads, option="MODEL")
    source = files if len(files) > 1 else files[0]
    rows = 0
    with steadily() as tell, whole(out, private=True) as text:
        tell("predicting")
        table = csv.writer(text, lineterminator="\n")
        table.writerow(header(read, risk=risk))
        for said in predictions(read, source, risk=risk):
            table.writerows(said)
            rows += len(said)
    told = {"rows": rows, "labels": list(read.labels), "out": str(out)}
    typer.echo(json.dumps(told) if as_json else f"{rows} rows predicted in {out}")


def sql(
    model: Annotated[Path, typer.Argument(help="A model written by tacit learn.")],
    *,
    table: Annotated[str, typer.Option(help="The table to predict for.")] = "data",
    dialect: Annotated[str, typer.Option(help=f"{', '.join(DIALECTS)}.")] = "duckdb",
    as_json: Json = False,
) -> None:
    """Write the model as a SQL query over the raw columns, for one of four servers.

    Of yes/no labels it gives what tacit predict gives, whatever types the columns are stored in;
    of a category or a number one column of 0 and 1 for each question that was learned of it. It
    reads only the columns that the rules use.

    Example:

      tacit sql model.json --table patients --dialect postgres
    """
    written = query(read_as(model, Model.loads, option="MODEL"), table, dialect)
    typer.echo(json.dumps({"sql": written, "dialect": dialect}) if as_json else written)


def _lines(model: Model, rules: dict[str, str], given: Fraction, out: Path) -> list[str]:
    """Say the rules, what they cost, what is promised, and where the model is."""
    said = [
        f"[bold]{escape(name)}[/]: {escape(_sentence(rules[name]))}"
        if len(rules[name]) <= SENTENCE or not isinstance(model.hypotheses[place], Scorecard)
        else _added(model, place)
        for place, name in enumerate(rules)
    ]
    said += measured_lines(model.labels, model.measured)
    certificate = [_privacy(model, given), _class(model), *promise(model)]
    certificate += [f"Chosen: {escape(model.why)}."] if model.why else []
    return [*said, "", *certificate, f"\nThe model is in {escape(str(out))}"]


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
    return privacy_line(model.privacy, model.n, secure=model.secure, of=part)


def _class(model: Model) -> str:
    told, many = str(model.concepts), rules_in_class(model)
    shown = told if len(told) <= LONG else told.partition("(")[0]
    return f"Class: {escape(shown)}, {many} rules; learner: {model.learner}."
