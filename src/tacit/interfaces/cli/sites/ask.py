"""`tacit ask`: a public question to several houses."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from tacit.core.errors import InvalidArgument
from tacit.core.unit import Neighbours
from tacit.data import Schema
from tacit.data.reading.files import matched
from tacit.interfaces.cli.options.lists import read_cuts, split
from tacit.interfaces.cli.options.release import Delta, Json, NeighbourKind, Person, read_schema
from tacit.interfaces.output.boxed import boxed
from tacit.interfaces.output.files import read_as, whole, writable
from tacit.learners.contract.model import Model
from tacit.workflows.releasing.pack import read_public
from tacit.workflows.sites.asking import KINDS, ask_after
from tacit.workflows.sites.asking import ask as pose
from tacit.workflows.sites.kinds.descent import read_state, told_whole
from tacit.workflows.sites.question import SiteQuestion


def ask(
    kind: Annotated[str, typer.Argument(help=f"One of {', '.join(KINDS)}.")],
    *,
    schema: Annotated[
        Path | None, typer.Option(help="The schema that all houses declare these columns by.")
    ] = None,
    sites: Annotated[
        list[str] | None, typer.Option(help="The public keys (.pub) of all houses.")
    ] = None,
    epsilon: Annotated[
        str | None,
        typer.Option(help="What an answer, or those to all rounds, may cost a row of its house."),
    ] = None,
    delta: Delta = "0",
    labels: Annotated[list[str] | None, typer.Option(help="Columns to be foretold.")] = None,
    features: Annotated[list[str] | None, typer.Option(help="By these; by all others.")] = None,
    cuts: Annotated[
        list[str] | None, typer.Option(help="Cut a label that is a number: income=20:40.")
    ] = None,
    steps: Annotated[
        Path | None, typer.Option(help="Where steps begin, told by a round of steps.")
    ] = None,
    model: Annotated[Path | None, typer.Option(help="The model that is measured.")] = None,
    by: Annotated[list[str] | None, typer.Option(help="Count by columns: sex,age=18:65.")] = None,
    mean: Annotated[list[str] | None, typer.Option(help="Means of these columns.")] = None,
    quantiles: Annotated[
        list[str] | None, typer.Option(help="Quantiles of a column: age=0.25:0.5.")
    ] = None,
    time: Annotated[str | None, typer.Option(help="A duration, or days=30:90:365.")] = None,
    event: Annotated[str | None, typer.Option(help="Whether the event ended it: bits.")] = None,
    columns: Annotated[list[str] | None, typer.Option(help="Columns of synthetic rows.")] = None,
    confidence: Annotated[str | None, typer.Option(help="Of intervals; 0.95.")] = None,
    person: Person = None,
    neighbours: NeighbourKind = Neighbours.REPLACED,
    until: Annotated[
        str | None,
        typer.Option(help="Answers are taken until then, as 2026-12-31; else for 30 days."),
    ] = None,
    honest: Annotated[
        int | None,
        typer.Option(help="Split noise between so many houses, and mask messages: see below."),
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(help="Of a descent: the first one, and a gradient each; 11.")
    ] = None,
    after: Annotated[
        Path | None,
        typer.Option(help="The next round of a descent: what tacit join made of the last one."),
    ] = None,
    round_: Annotated[int, typer.Option("--round", help="The round of a conversation.")] = 1,
    out: Annotated[Path, typer.Option(help="Where the question is written.")],
    as_json: Json = False,
) -> None:
    """Pose a public question to several houses, which answer with one message each.

    It says which noisy tables are wanted, by which declared columns, at what price, of whom and
    until when. No row is read, and nothing of it is secret: show it to all houses.

    With --honest H of three houses or more, noise is split: H of them make up the noise of one
    table. Messages are masked (tacit key mask), and only the sum of all of them shows anything.
    Each house then has to trust H - 1 others to follow the protocol; without, it trusts nobody.

    A descent takes several rounds, which --epsilon and --delta pay together: each question but the
    first is asked with --after and nothing else, and the last one makes the model.

    Examples:

      tacit ask scorecard --schema s.toml --labels ill --sites 'keys/*.pub' --epsilon 1 --out q.json

      tacit ask survival --schema s.toml --time days --event died --sites north.pub,south.pub
      --epsilon 1 --out q.json

      tacit ask count --schema s.toml --by sex,age=40:65 --sites 'keys/*.pub' --epsilon 1
      --out q.json

      tacit ask measure --model model.json --sites 'keys/*.pub' --epsilon 1 --out q2.json

      tacit ask descent --schema s.toml --labels ill --sites 'keys/*.pub' --epsilon 1 --delta 1e-6
      --out q1.json

      tacit ask descent --after state.json --out q2.json
    """
    inputs = [str(each) for each in (schema, model, steps, after) if each]
    writable(out, option="--out", inputs=inputs)
    measured = None if model is None else read_as(model, Model.loads, option="--model")
    if after is not None:
        more: list[Any] = [schema, sites, epsilon, labels, features, cuts, steps, model, by, mean]
        more += [quantiles, time, event, columns, confidence, person, honest, rounds]
        usual = (delta, neighbours, round_) == ("0", Neighbours.REPLACED, 1)
        if kind != "descent" or any(more) or not usual:
            raise InvalidArgument("--after says all of a descent but --until: leave out the rest")
        state = read_as(after, read_state, option="--after")
        _write(ask_after(state, until=_moment(until)), out, as_json=as_json)
        return
    if sites is None or epsilon is None:
        raise InvalidArgument("--sites and --epsilon are needed: who is asked, and at what price")
    if schema is not None:
        declared = read_schema(schema)
    elif measured is not None:
        declared = Schema.parse(measured.schema)
    else:
        raise InvalidArgument("--schema is needed: it declares the columns that are asked for")
    known = declared.names
    asked: dict[str, Any] = {
        "labels": split(labels or (), known),
        "features": split(features or (), known),
        "cuts": dict(read_cuts(text) for text in cuts or ()),
        "steps": None if steps is None else read_as(steps, _steps, option="--steps"),
        "by": split(by or (), known),
        "mean": split(mean or (), known),
        "quantiles": dict(read_cuts(text, "--quantiles") for text in quantiles or ()),
        "time": time,
        "event": event,
        "columns": split(columns or (), known),
        "confidence": confidence,
        "rounds": rounds,
    }
    try:
        question = pose(
            kind,
            declared,
            epsilon=epsilon,
            delta=delta,
            sites=[_key(path) for path in matched(split(sites))],
            until=_moment(until),
            round_=round_,
            person=split(person or ()),
            neighbours=neighbours,
            model=measured and _bare(measured),
            honest=honest,
            **{name: value for name, value in asked.items() if value},
        )
    except TypeError as error:
        named = str(error).partition(") ")[2] or str(error)
        raise InvalidArgument(f"tacit ask {kind}: {named}; see tacit ask --help") from None
    _write(question, out, as_json=as_json)


def _write(question: SiteQuestion, out: Path, *, as_json: bool) -> None:
    with whole(out) as text:
        text.write(question.dumps())
    told: dict[str, Any] = {"question": question.digest, "until": question.until, "out": str(out)}
    told |= {"sites": list(question.sites), "tells": [table.said for table in question.tables]}
    if as_json:
        typer.echo(json.dumps(told))
        return
    lines = [f"Each of {len(question.sites)} houses is asked until {question.until} for"]
    lines += [f"  {said}" for said in told["tells"]]
    lines += [*filter(None, [told_whole(question)]), f"by {out}"]
    if question.honest:
        lines.append("Each first makes a mask: tacit key mask PATH --question ... --key ...")
    typer.echo(boxed("\n".join(lines)))


def _key(path: Path) -> str:
    return read_as(path, read_public, option="--sites")


def _bare(model: Model) -> Model:
    """Leave out what was measured before: it is no part of the question."""
    return replace(model, measured=(), groups=(), grouped=())


def _moment(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidArgument(
            f"--until must look like 2026-12-31 or 2026-12-31T12:00, got {text!r}"
        ) from None
    told = read if read.tzinfo else read.replace(tzinfo=UTC)
    if told <= datetime.now(UTC):
        raise InvalidArgument(f"--until {text} is over already: no house could answer")
    return told


def _steps(text: str) -> dict[str, list[int]]:
    match json.loads(text) if text.lstrip()[:1] == "{" else None:
        case {"format": "tacit-steps-1", "steps": dict() as steps}:
            return steps
    raise InvalidArgument("not the steps that tacit join wrote for a question of kind steps")
