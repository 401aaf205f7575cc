"""`tacit plan`: how many rows, which learner, and what is impossible."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from tacit.concepts.contract.domains import WIDEST
from tacit.core.accuracy import Accuracy
from tacit.core.errors import InvalidArgument, TacitError
from tacit.core.label_privacy import SAID
from tacit.core.numbers.exact import integer
from tacit.core.numbers.shown import at_most
from tacit.core.unit import Neighbours, Unit
from tacit.interfaces.cli.options.lists import read_cuts, split
from tacit.interfaces.cli.options.release import (
    BestError,
    LabelsOnly,
    NeighbourKind,
    Person,
    read_schema,
)
from tacit.interfaces.output.files import writable
from tacit.interfaces.output.progress import patiently
from tacit.interfaces.output.promise import each_gives, if_best
from tacit.interfaces.pictures.curves import draw_power
from tacit.interfaces.pictures.picture import drawable
from tacit.learners.catalogue import CATALOGUE
from tacit.learners.every_class import public_cover
from tacit.workflows.planning.advice import WayOut, sentence, ways_out
from tacit.workflows.planning.offers import CONTENDERS, Offer
from tacit.workflows.planning.plan import Plan, solve
from tacit.workflows.planning.plan import plan as plan_for
from tacit.workflows.planning.table_plan import plan_table

UNITS = {"n": "rows", "alpha": "error", "epsilon": "epsilon"}


def plan(
    concepts: Annotated[
        str | None,
        typer.Argument(metavar="[CLASS]", help="What to learn, such as thresholds(bits=32)."),
    ] = None,
    *,
    schema: Annotated[
        Path | None, typer.Option(help="In place of a class: a table's schema, for tacit learn.")
    ] = None,
    features: Annotated[
        list[str] | None, typer.Option(help="Of a schema: columns to learn from.")
    ] = None,
    cuts: Annotated[
        list[str] | None,
        typer.Option(help="Of a schema: where a number to predict is cut: 20:40, or income=20:40."),
    ] = None,
    alpha: Annotated[str | None, typer.Option(help="The error that is wanted.")] = None,
    epsilon: Annotated[str | None, typer.Option(help="The privacy budget for all labels.")] = None,
    n: Annotated[
        int | None,
        typer.Option("--n", help="How many rows there are; with --person, how many persons."),
    ] = None,
    beta: Annotated[str, typer.Option(help="How unsure the promise may be.")] = "0.05",
    delta: Annotated[str, typer.Option(help="The delta of the budget; 0 for pure privacy.")] = "0",
    labels: Annotated[
        str, typer.Option(help="How many labels are learned at once; of a schema, their names.")
    ] = "1",
    agnostic: Annotated[
        bool, typer.Option("--agnostic", help="Labels need not be explained by any rule.")
    ] = False,
    proper: Annotated[
        bool, typer.Option("--proper", help="Only learners whose rules are of the class.")
    ] = False,
    best_error: BestError = None,
    labels_only: LabelsOnly = False,
    public: Annotated[
        int, typer.Option(help="How many public rows without labels there are, drawn alike.")
    ] = 0,
    person: Person = None,
    neighbours: NeighbourKind = Neighbours.REPLACED,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw rows against error: .png, .svg, .pdf")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write one JSON object.")] = False,
) -> None:
    """Say how many rows are needed, which learner needs fewest, and what no learner can do.

    Leave out one of --alpha, --epsilon and --n: it is solved for. Give all three to hear whether
    that many rows are enough, and what to change if they are not. All learners that apply are
    ranked, but for a few that take long to plan and that another one is known to beat. With a
    schema: what tacit learn would choose for so many rows, and what it would promise.

    Examples:

      tacit plan --schema s.toml --labels diabetes --n 5000 --epsilon 1 --delta 1e-6

      tacit plan --schema s.toml --labels readmitted --n 2000 --epsilon 1 --person patient

      tacit plan 'thresholds(bits=32)' --alpha 0.05 --epsilon 1

      tacit plan 'conjunctions(dims=20, width=3)' --n 5000 --epsilon 1 --labels 8 --delta 1e-6

      tacit plan 'thresholds(bits=65536)' --alpha 0.1 --epsilon 1 --labels-only

      tacit plan 'thresholds(bits=64)' --alpha 0.1 --epsilon 1 --public 150
    """
    if schema is not None:
        unused = {"CLASS": concepts, "--alpha": alpha, "--plot": plot, "--best-error": best_error}
        given = [name for name, value in unused.items() if value is not None]
        given += ["--proper"] * proper + ["--labels-only"] * labels_only
        given += ["--public"] * (public > 0)
        given += ["--neighbours"] * (neighbours is Neighbours.ADDED)
        budget: dict[str, Any] = {"epsilon": epsilon, "delta": delta, "beta": beta}
        budget |= {"person": split(person or ())}
        _of_table(schema, cuts or (), labels, features, n, budget, given, as_json=as_json)
        return
    unit = Unit(split(person or ()), neighbours)
    if concepts is None or features or cuts:
        raise InvalidArgument(
            "name a CLASS to plan for, such as 'thresholds(bits=32)', or --schema"
        )
    if plot is not None:
        writable(drawable(plot), option="--plot")
    checked = n is not None and alpha is not None and epsilon is not None
    with patiently() as tell:
        tell("planning")
        found = plan_for(
            concepts,
            n=None if checked else n,
            alpha=alpha,
            epsilon=epsilon,
            beta=beta,
            delta=delta,
            labels=integer(labels, name="--labels"),
            agnostic=agnostic,
            proper=proper,
            best_error=best_error,
            labels_only=labels_only,
            public=public,
            neighbours=neighbours,
        )
        other = None if best_error is not None else _otherwise(found, n)
        asked = n if checked else None
        enough = None if asked is None else found.answer is not None and asked >= found.answer
        ways: tuple[WayOut, ...] = ()
        if asked is not None and not enough:
            tell("looking for ways out")
            ways = ways_out(found.goal, asked)
        if plot is not None:
            tell("drawing")
            draw_power(found.goal, plot)
    if as_json:
        told = _encoded(found, enough=enough, ways=ways) | unit.encode() | _other(other)
        typer.echo(json.dumps(told))
    else:
        _show(found, enough=enough, ways=ways)
        if unit.person:
            typer.echo(
                "\n".join(["Rows are persons here, as for learn --alpha.", *each_gives(unit, 1)])
            )
        if other is not None:
            typer.echo(_said_otherwise(found, other))


def _of_table(
    path: Path,
    cuts: Sequence[str],
    labels: str,
    features: list[str] | None,
    n: int | None,
    public: dict[str, Any],
    unused: list[str],
    *,
    as_json: bool,
) -> None:
    """Plan what `learn` would do with a table of this schema."""
    if unused:
        raise InvalidArgument(f"{unused[0]} is for a plan of a class: leave it out, or --schema")
    if n is None or public["epsilon"] is None:
        raise InvalidArgument("a plan for a schema needs --n, --epsilon and --labels NAMES")
    declared = read_schema(path)
    named = split([labels], declared.names)
    found = plan_table(
        declared,
        labels=named,
        cuts=dict(read_cuts(each, names=named) for each in cuts),
        n=n,
        features=None if features is None else split(features, declared.names),
        **public,
    )
    if as_json:
        typer.echo(json.dumps(found.describe()))
        return
    why, learned = found.chosen.why, f"{found.n - found.held} {found.unit.many} to learn from"
    lines = [f"{learned}, {found.held} to measure on.", *each_gives(found.unit, found.weight)]
    lines.append(f"{why[0].upper()}{why[1:]}.")
    if found.explained is None and found.arbitrary is None:
        lines.append("Nothing is promised about the error: it is measured.")
    else:
        lines.append(f"If some rule explains the labels, {_promised(found.explained, '')}.")
        lines.append(f"If none does, {_promised(found.arbitrary, ' above the best rule')}.")
    if found.told_within is not None:
        off = 100 * found.told_within
        ends = f"{max(20 - off, 0):.1f} to {20 + off:.1f} %"
        lines.append(f"An error of 20 % would be measured as one of about {ends}.")
    typer.echo("\n".join(lines))


def _promised(accuracy: Accuracy | None, above: str) -> str:
    if accuracy is None:
        return "nothing is promised"
    return f"an error of at most {at_most(accuracy.alpha)}{above} is promised"


def _otherwise(found: Plan, n: int | None) -> Plan | None:
    """Plan the same for labels of the other kind: explained by a rule, or by none."""
    goal = replace(found.goal, agnostic=not found.goal.agnostic)
    try:
        return solve(found.question, goal, n or 0, CONTENDERS)
    except TacitError:
        return None


def _other(other: Plan | None) -> dict[str, Any]:
    if other is None:
        return {"otherwise": None}
    return {"otherwise": {"agnostic": other.goal.agnostic, "answer": _number(other.answer)}}


def _said_otherwise(found: Plan, other: Plan) -> str:
    case = "no rule explains the labels" if other.goal.agnostic else "some rule explains the labels"
    if other.answer is None:
        return f"If {case}, no learner here can promise this."
    return f"If {case}, {_amount(found.question, other.answer)}."


def _amount(question: str, answer: int | Fraction) -> str:
    if question == "n":
        return f"{answer} rows are enough"
    return f"{UNITS[question]} {float(answer):g} is reached"


def _encoded(found: Plan, *, enough: bool | None, ways: tuple[WayOut, ...]) -> dict[str, Any]:
    said = {
        "question": found.question,
        "answer": _number(found.answer),
        "learners": [_offer(offer) for offer in found.offers],
        "best": None if found.best is None else found.best.name,
        "left_out": [{"name": name, "beaten_by": by} for name, by in found.left_out.items()],
        "too_large": [{"name": name, "why": why} for name, why in found.too_large.items()],
        "nonprivate_n": found.nonprivate_n,
        "lower_bounds": [bound.facts for bound in found.lower_bounds],
    }
    if enough is not None:
        said["enough"] = enough
        said["advice"] = [asdict(way) for way in ways]
        said["sentence"] = sentence(ways) if ways else None
    return said


def _offer(offer: Offer) -> dict[str, Any]:
    stated = offer.goal.best_error
    return {
        "name": offer.name,
        "n": offer.n,
        "alpha": float(offer.goal.alpha),
        "epsilon": float(offer.goal.epsilon),
        "delta": float(offer.goal.delta),
        "proper": offer.proper,
        "agnostic": offer.goal.agnostic,
        "best_error": None if stated is None else float(stated),
        "theorem": offer.theorem,
        "spec": str(offer.goal.concepts),
        "assumes": offer.assumes or None,
        "protects": "labels" if CATALOGUE[offer.name].labels_only else "rows",
    }


def _number(answer: int | Fraction | None) -> int | float | None:
    return float(answer) if isinstance(answer, Fraction) else answer


def _show(found: Plan, *, enough: bool | None, ways: tuple[WayOut, ...]) -> None:
    console = Console(highlight=False, emoji=False, soft_wrap=True)
    console.print(_headline(found, enough=enough))
    if found.best is not None and CATALOGUE[found.best.name].labels_only:
        console.print(f"By {found.best.name} {SAID}; all other learners protect whole rows.")
    if ways:
        console.print(sentence(ways))
    table = Table("learner", "rows", "hypothesis", "theorem", "if")
    for offer in found.offers:
        kind = "proper" if offer.proper else "improper"
        table.add_row(offer.name, str(offer.n), kind, offer.theorem, offer.assumes)
    console.print(table)
    if found.left_out:
        beaten = ", ".join(f"{name} (than {by})" for name, by in found.left_out.items())
        console.print(f"Not ranked, for they take long to plan and need more rows: {beaten}.")
    names = {*found.too_large, *(offer.name for offer in found.offers)}
    if found.goal.public and public_cover.ENTRY.name not in names:
        console.print(f"So few public rows are not enough for {public_cover.ENTRY.name}.")
    if found.too_large:
        large = ", ".join(found.too_large)
        console.print(
            f"The class is too large, or epsilon too small, for: {large} (--json says why)."
        )
    if (found.goal.concepts.domain_size - 1).bit_length() > WIDEST:
        console.print(f"Such a line is planned for only: tables are read up to {WIDEST} bits.")
    if found.goal.neighbours is Neighbours.ADDED:
        console.print(
            "One row is added or removed, and n is secret: that many rows are to be declared "
            "(--rows). Bounds are those proved for a replaced row at twice this ε, which this "
            "promise implies."
        )
    console.print(f"Without privacy {found.nonprivate_n} rows would be enough.")
    for bound in (each for each in found.lower_bounds if each.n > 1):
        console.print(f"At least {bound.n} rows are needed by {bound.applies_to} ({bound.name}).")
    if found.gap is not None:
        whom, ratio = found.gap.bound.applies_to, f"{found.gap.ratio:.1f}"
        console.print(f"The best takes {ratio} times what is proved necessary for {whom}.")


def _headline(found: Plan, *, enough: bool | None) -> str:
    if found.best is None or found.answer is None:
        larger, smaller = (
            "a larger alpha, epsilon or n",
            "a class of fewer values or columns, or a larger epsilon",
        )
        way = smaller if found.too_large else larger
        return f"[bold]No learner here can promise this[/]; try {way}."
    goal, name = found.goal, found.best.name
    if enough is not None:
        verdict = "Yes" if enough else "No"
        needed = f"the learner {name} needs {found.answer} rows"
        return f"[bold]{verdict}[/]: {needed}{if_best(goal.best_error)}."
    answer = f"{found.answer}" if found.question == "n" else f"{float(found.answer):g}"
    return (
        f"[bold]{answer} {UNITS[found.question]}[/], by the learner {name}: error at most "
        f"{float(goal.alpha):g} except with probability {float(goal.beta):g}, "
        f"epsilon {float(goal.epsilon):g}, delta {float(goal.delta):g}, "
        f"{goal.labels} label{'s' * (goal.labels > 1)}{_beside(found)}{if_best(goal.best_error)}."
    )


def _beside(found: Plan) -> str:
    """Say how many public rows there are besides, if the best learner is made from them."""
    public = found.best is not None and CATALOGUE[found.best.name].public
    return f", with {found.goal.public} public rows besides" if public else ""
