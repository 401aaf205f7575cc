"""`tacit join`: the messages of all houses, checked, added up, and made into what was asked for."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from tacit.core.errors import InvalidArgument
from tacit.data.reading.files import matched
from tacit.interfaces.cli.options.release import Json
from tacit.interfaces.cli.tables.count import answer_lines
from tacit.interfaces.cli.tables.learn import model_lines
from tacit.interfaces.cli.tables.measure import told_lines
from tacit.interfaces.output.boxed import boxed
from tacit.interfaces.output.files import read_as, whole, writable
from tacit.interfaces.output.promise import privacy_line
from tacit.learners.contract.model import Model
from tacit.workflows import describe, model_text
from tacit.workflows.counting.answers import TableAnswers
from tacit.workflows.measuring import Measured
from tacit.workflows.sites.asking import join_messages
from tacit.workflows.sites.joining import JoinedTables
from tacit.workflows.sites.kinds.descent import FORMAT
from tacit.workflows.sites.kinds.survival import SurvivalCurve
from tacit.workflows.sites.question import SiteQuestion
from tacit.workflows.synthetic_table import SyntheticTable


def join(
    messages: Annotated[list[str], typer.Argument(help="The messages of all houses, or globs.")],
    *,
    question: Annotated[
        Path | None, typer.Option(help="The question that they must answer, if you have it.")
    ] = None,
    some: Annotated[
        bool, typer.Option("--some", help="Do without houses that sent no message.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="The model, the synthetic rows, or the answers.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Check the messages of all houses, add them up, and make what was asked for.

    Refused are messages that were changed, are late, answer another question or another round, come
    from a house that was not asked, or twice from one. Nothing private is read, and whoever has the
    messages gets the same. The noise of all houses adds up, and intervals know it.

    Examples:

      tacit join messages/*.json --out model.json

      tacit join messages/*.json --question q.json --json
    """
    paths = matched(messages)
    if out is not None:
        inputs = [*map(str, paths), *([str(question)] if question else [])]
        writable(out, option="--out", inputs=inputs)
    expected = None
    if question is not None:
        expected = read_as(question, SiteQuestion.loads, option="--question")
    texts = [read_as(path, str, option="MESSAGES") for path in paths]
    joined, made = join_messages(texts, question=expected, some=some)
    if out is None and (isinstance(made, Model | SyntheticTable) or _is_state(made)):
        raise InvalidArgument("--out is needed: the file that is made of these messages")
    if out is not None:
        with whole(out) as text:
            _write(joined, made, text)
    if as_json:
        about = {"question": joined.question.digest, "sites": list(joined.sites)}
        told = describe(made) if isinstance(made, Model) else _told(made)
        typer.echo(json.dumps(told | {"joined": about} | ({"out": str(out)} if out else {})))
        return
    said = [f"Joined {joined.said}", ""]
    Console(highlight=False, emoji=False, soft_wrap=True).print(
        boxed("\n".join([*said, *_lines(made, joined, out)]))
    )


def _is_state(made: Any) -> bool:
    return isinstance(made, dict) and made["format"] == FORMAT


def _told(made: Any) -> dict[str, Any]:
    told: dict[str, Any] = made if isinstance(made, dict) else made.describe()
    return told


def _write(joined: JoinedTables, made: Any, text: Any) -> None:
    match made:
        case Model():
            text.write(model_text(made))
        case Measured() if joined.question.model is not None:
            known = joined.question.model
            secure = known.secure and made.secure
            later = replace(known, measured=made.readings, secure=secure, measured_later=True)
            text.write(model_text(later))
        case SyntheticTable() | TableAnswers():
            made.write_csv(text)
        case _:
            text.write(json.dumps(_told(made), indent=1) + "\n")


def _lines(made: Any, joined: JoinedTables, out: Path | None) -> list[str]:
    match made:
        case Model() if out is not None:
            rules: Any = describe(made)["rules"]
            return model_lines(made, rules, joined.question.privacy.epsilon, out)
        case Measured():
            return told_lines(made)
        case TableAnswers():
            return answer_lines(out, joined.question.schema, made)
        case SurvivalCurve():
            return [*_curve(made), *_private(made)]
        case SyntheticTable():
            return [f"{made.rows} synthetic rows are in {escape(str(out))}", *_private(made)]
    if _is_state(made):
        rounds = f"Round {made['round']} of {made['given']['rounds']} is in {escape(str(out))}"
        return [f"{rounds}; the next: tacit ask descent --after {escape(str(out))}"]
    cut = ", ".join(_told(made)["steps"])
    return [f"Steps of {cut}; give them to the next round: tacit ask scorecard --steps"]


def _curve(made: SurvivalCurve) -> list[str]:
    head = f"[bold]{escape(made.time)}[/]: without {escape(made.event)}, of {made.n or 'all'} rows"
    sure = f"all at once with {float(100 * made.confidence):g} %"
    return [
        f"{head}, {sure}",
        *(
            f"  after {escape(each['part'].rpartition(' to ')[2])}: {each['survival']:.3f} "
            f"({each['low']:.3f} to {each['high']:.3f})"
            for each in made.describe()["curve"]
        ),
    ]


def _private(made: SurvivalCurve | SyntheticTable) -> list[str]:
    return ["", privacy_line(made.privacy, made.n, secure=made.secure, unit=made.unit)]
