"""`tacit plan`: how many rows, which learner, and what is impossible."""

from __future__ import annotations

import json
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from tacit.concepts.contract.line_length import WIDEST
from tacit.core.label_privacy import SAID
from tacit.interfaces.cli.options.release import BestError, LabelsOnly
from tacit.interfaces.output.files import writable
from tacit.interfaces.output.progress import patiently
from tacit.interfaces.output.promise import if_best
from tacit.interfaces.pictures.picture import drawable
from tacit.interfaces.pictures.power import draw_power
from tacit.learners.catalogue import CATALOGUE
from tacit.workflows.planning.advice import WayOut, sentence, ways_out
from tacit.workflows.planning.offers import Offer
from tacit.workflows.planning.plan import Plan
from tacit.workflows.planning.plan import plan as plan_for

UNITS = {"n": "rows", "alpha": "error", "epsilon": "epsilon"}


def plan(
    concepts: Annotated[
        str, typer.Argument(metavar="CLASS", help="What to learn, such as thresholds(bits=32).")
    ],
    *,
    alpha: Annotated[str | None, typer.Option(help="The error that is wanted.")] = None,
    epsilon: Annotated[str | None, typer.Option(help="The privacy budget for all labels.")] = None,
    n: Annotated[int | None, typer.Option("--n", help="How many rows there are.")] = None,
    beta: Annotated[str, typer.Option(help="How unsure the promise may be.")] = "0.05",
    delta: Annotated[str, typer.Option(help="The delta of the budget; 0 for pure privacy.")] = "0",
    labels: Annotated[int, typer.Option(help="How many labels are learned at once.")] = 1,
    agnostic: Annotated[
        bool, typer.Option("--agnostic", help="Labels need not be explained by any rule.")
    ] = False,
    proper: Annotated[
        bool, typer.Option("--proper", help="Only learners whose rules are of the class.")
    ] = False,
    best_error: BestError = None,
    labels_only: LabelsOnly = False,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw rows against error: .png, .svg, .pdf"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write one JSON object.")] = False,
) -> None:
    """Say how many rows are needed, which learner needs fewest, and what no learner can do.

    Leave out one of --alpha, --epsilon and --n: it is solved for. Give all three to hear whether
    that many rows are enough, and what to change if they are not. All learners that apply are
    ranked, but for a few that take long to plan and that another one is known to beat.

    Examples:

      tacit plan 'thresholds(bits=32)' --alpha 0.05 --epsilon 1

      tacit plan 'conjunctions(dims=20, width=3)' --n 5000 --epsilon 1 --labels 8 --delta 1e-6

      tacit plan 'thresholds(bits=65536)' --alpha 0.1 --epsilon 1 --labels-only
    """
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
            labels=labels,
            agnostic=agnostic,
            proper=proper,
            best_error=best_error,
            labels_only=labels_only,
        )
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
        typer.echo(json.dumps(_encoded(found, enough=enough, ways=ways)))
    else:
        _show(found, enough=enough, ways=ways)


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
        beaten = ", ".join(f"{name} (by {by})" for name, by in found.left_out.items())
        console.print(f"Not ranked, as it would take long and they are beaten: {beaten}.")
    if found.too_large:
        console.print(f"Too large for: {', '.join(found.too_large)} (--json says what).")
    if (found.goal.concepts.domain_size - 1).bit_length() > WIDEST:
        console.print(f"Such a line is planned for only: tables are read up to {WIDEST} bits.")
    console.print(f"Without privacy {found.nonprivate_n} rows would be enough.")
    for bound in found.lower_bounds:
        console.print(f"Fewer than {bound.n} rows are not, for {bound.applies_to} ({bound.name}).")
    if found.gap is not None:
        whom = found.gap.bound.applies_to
        console.print(f"That is {found.gap.ratio:.1f} times what is proved necessary for {whom}.")


def _headline(found: Plan, *, enough: bool | None) -> str:
    if found.best is None or found.answer is None:
        larger, smaller = "a larger alpha, epsilon or n", "a class of fewer values or columns"
        way = smaller if found.too_large else larger
        return f"[bold]No learner here can promise this[/]; try {way}."
    goal, name = found.goal, found.best.name
    if enough is not None:
        verdict = "Yes" if enough else "No"
        needed = f"{found.answer} rows are needed, by the learner {name}"
        return f"[bold]{verdict}[/]: {needed}{if_best(goal.best_error)}."
    answer = f"{found.answer}" if found.question == "n" else f"{float(found.answer):g}"
    return (
        f"[bold]{answer} {UNITS[found.question]}[/], by the learner {name}: error at most "
        f"{float(goal.alpha):g} but for probability {float(goal.beta):g}, "
        f"epsilon {float(goal.epsilon):g}, delta {float(goal.delta):g}, "
        f"{goal.labels} label{'s' * (goal.labels > 1)}{if_best(goal.best_error)}."
    )
