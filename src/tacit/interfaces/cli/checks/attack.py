"""`tacit attack`: fingerprint a learner of many labels, and show who was in its data."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tacit.core import InvalidArgument, Privacy, check
from tacit.core.budget import read_budget, read_share
from tacit.core.chance.randomness import System
from tacit.interfaces.cli.checks.attack_packing import PackingOptions, run_packing
from tacit.interfaces.cli.checks.attack_sweep import LABELS, SweepOptions, read_sizes, run_sweep
from tacit.interfaces.output.files import writable
from tacit.interfaces.output.progress import patiently
from tacit.interfaces.pictures.curves import draw_attack
from tacit.interfaces.pictures.picture import drawable
from tacit.theory.codes import BonehShaw, Code, SymmetricTardos, Tardos
from tacit.theory.codes.p_value import PValueTardos
from tacit.theory.impossible.tracing import labels_untraceable, thresholds_untraceable
from tacit.verify.attack import Setting, Tracing, allowed, one_point, parities, thresholds
from tacit.verify.attack import attack as run_attack
from tacit.verify.attack.named import OPEN, learner

PLACES: dict[str, Callable[[int], Setting]] = {
    "thresholds": thresholds,
    "point": one_point,
    "parities": lambda users: parities(users.bit_length() - 1),
}
CODES = ("boneh-shaw", "tardos", "tardos-p-values", "original-tardos")
MOST_USERS = 200
MOST_RUNS = 10**6
"""Runs whose scores are held in memory."""


@dataclass(frozen=True, slots=True)
class _Attacked:
    """One learner and what tracing it found; its budget, if it has one."""

    learner: str
    privacy: Privacy | None
    outcome: Tracing


def attack(
    *,
    users: Annotated[int, typer.Option(help="How many people are in the data.")] = 10,
    code: Annotated[str, typer.Option(help=f"The fingerprints: {', '.join(CODES)}.")] = CODES[0],
    learner_name: Annotated[
        str,
        typer.Option(
            "--learner", help="erm (not private), constant, or a name of `tacit learners`."
        ),
    ] = "erm",
    epsilon: Annotated[str, typer.Option(help="The learner's budget for all labels.")] = "1",
    delta: Annotated[
        str | None, typer.Option(help="The delta of the budget; 1 / rows^2 if left out.")
    ] = None,
    soundness: Annotated[
        str, typer.Option(help="How often someone who is not in the data may be accused.")
    ] = "0.001",
    on: Annotated[
        str | None,
        typer.Option(help=f"What is learned: {', '.join(PLACES)}; what fits the code if left out."),
    ] = None,
    innocent: Annotated[
        str, typer.Option(help="Soundness for each absent person, one, or for any of them: any.")
    ] = "one",
    alpha: Annotated[
        str | None, typer.Option(help="Fill the table up as far as this error leaves a trace.")
    ] = None,
    rows: Annotated[
        int | None, typer.Option(help="Fill the table up to so many rows; users if left out.")
    ] = None,
    runs: Annotated[int, typer.Option(help="How often the attack is run.")] = 20,
    sweep: Annotated[
        str | None,
        typer.Option(metavar="SIZES", help="Up to how many people? Such as 2,4,8,16,32."),
    ] = None,
    packing: Annotated[
        bool, typer.Option("--packing", help="Draw k labels, or parities, and count who is right.")
    ] = False,
    labels: Annotated[
        int, typer.Option(help="With --sweep or --packing: how many labels there are.")
    ] = LABELS,
    dims: Annotated[int, typer.Option(help="With --packing --on parities: how many bits.")] = 4,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the accusation scores: .png, .svg, .pdf"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write one JSON object.")] = False,
) -> None:
    """Fingerprint a learner of many labels, and show who was in its data.

    Everyone gets a random word as their k labels. A learner that fits all labels must mix these
    words, and the code traces the mixture back to people. It is sound by itself: somebody who is
    not in the data is accused with probability at most --soundness, whatever the learner does. So
    a learner that is traced more often than its epsilon and delta allow does not keep them.

    Examples:

      tacit attack --users 10 --code boneh-shaw --learner erm

      tacit attack --users 10 --code tardos --learner generic --epsilon 1 --plot scores.svg

      tacit attack --users 5 --soundness 0.01 --learner generic --json

      tacit attack --users 8 --code tardos --on parities --soundness 0.01 --innocent any

      tacit attack --users 5 --soundness 0.01 --alpha 0.1 --learner erm

      tacit attack --sweep 2,4,8,16,32 --labels 1000 --learner generic --plot sweep.svg

      tacit attack --packing --labels 20 --rows 10 --learner generic --epsilon 1
    """
    if plot is not None:
        writable(drawable(plot), option="--plot")
    read_share(soundness=soundness)
    check.count(runs=runs, least=1, up_to=MOST_RUNS)
    read_budget(epsilon, delta or 0)
    if sweep is not None and packing:
        raise InvalidArgument("--sweep and --packing are two experiments; give one of them")
    if sweep is not None:
        sizes = read_sizes(sweep)
        asked = SweepOptions(learner_name, epsilon, delta, soundness, labels, sizes, runs)
        run_sweep(asked, plot=plot, as_json=as_json)
        return
    if packing:
        run_packing(
            PackingOptions(learner_name, on or "point", epsilon, labels, dims, rows or users, runs),
            delta=delta,
            as_json=as_json,
        )
        return
    setting = _setting(users, code, on, innocent)
    if rows is not None and alpha is not None:
        raise InvalidArgument("--rows and --alpha both say how far to fill up; leave out one")
    table_rows = rows or users if alpha is None else setting.most_rows(alpha)
    if table_rows < users:
        raise InvalidArgument(f"--rows must be at least --users = {users}, got {table_rows}")
    budget = Privacy(epsilon, Fraction(1, table_rows**2) if delta is None else delta)
    each = check.exact(soundness=soundness) / (users if innocent == "any" else 1)
    chosen = _code(code, users, str(each))
    if not setting.agnostic and not setting.takes(chosen):
        raise InvalidArgument(
            f"--code {code} has columns that no concept of --on {on} makes on {users} people: they "
            "are not compatible; choose --code boneh-shaw, or --on point or parities"
        )
    names = [learner_name] if learner_name == "erm" or as_json else ["erm", learner_name]
    with patiently() as tell:
        attacked = [
            _run(
                name,
                chosen,
                setting,
                budget,
                rows=table_rows,
                runs=runs,
                absent=users // 2 if innocent == "any" else 1,
                tell=tell,
            )
            for name in names
        ]
        if plot is not None:
            tell("drawing")
            draw_attack([(each.learner, each.outcome) for each in attacked], chosen, plot)
    needed = _needed(setting, chosen.columns, budget)
    if as_json:
        said = _encoded(attacked[-1], chosen, setting, table_rows, needed)
        level = {"soundness": float(check.exact(soundness=soundness)), "innocent": innocent}
        typer.echo(json.dumps(said | level))
    else:
        _show(attacked, chosen, table_rows, budget, needed, innocent)


def _setting(users: int, code: str, on: str | None, innocent: str) -> Setting:
    """Check what is asked for, and return where the users' rows stand."""
    if code not in CODES:
        raise InvalidArgument(f"--code must be one of {', '.join(CODES)}, got {code!r}")
    if not 2 <= users <= MOST_USERS:
        raise InvalidArgument(f"--users must lie between 2 and {MOST_USERS}, got {users}")
    if innocent not in ("one", "any"):
        raise InvalidArgument(f"--innocent must be one or any, got {innocent!r}")
    place = ("thresholds" if code == "boneh-shaw" else "point") if on is None else on
    if place not in PLACES:
        raise InvalidArgument(f"--on must be one of {', '.join(PLACES)}, got {on!r}")
    if place == "parities" and users & (users - 1):
        raise InvalidArgument(
            f"--on parities needs a person at every point of a cube: 2, 4, 8, 16 ..., got {users}"
        )
    return PLACES[place](users)


def _code(name: str, users: int, soundness: str) -> Code:
    if name == "boneh-shaw":
        return BonehShaw(users, soundness=soundness)
    if name.startswith("tardos"):
        made = SymmetricTardos(users, soundness=soundness)
        return made if name == "tardos" else PValueTardos(made)
    return Tardos(users, soundness=soundness)


def _run(
    name: str, code: Code, setting: Setting, budget: Privacy, *, tell: Any, **asked: Any
) -> _Attacked:
    rows, runs = asked["rows"], asked["runs"]
    tell(f"attacking {name} {runs} times")
    made = learner(name, setting, labels=code.columns, privacy=budget, rows=rows)
    check.count(runs=runs, least=2)
    outcome = run_attack(code, setting, made, **asked, rng=System())
    private = {"erm": None, "constant": Privacy(0, 0)} if name in OPEN else {name: budget}
    return _Attacked(name, private[name], outcome)


def _needed(setting: Setting, labels: int, budget: Privacy) -> int:
    bound = labels_untraceable if setting.agnostic else thresholds_untraceable
    return bound(labels, epsilon=budget.epsilon, delta=budget.delta, beta=Fraction(1, 10))


def _encoded(
    attacked: _Attacked, code: Code, setting: Setting, rows: int, needed: int
) -> dict[str, Any]:
    outcome, privacy = attacked.outcome, attacked.privacy
    return {
        "users": code.users,
        "rows": rows,
        "code": code.name,
        "columns": code.columns,
        "soundness_each": float(code.soundness),
        "completeness": code.completeness,
        "setting": setting.name,
        "compatible": setting.takes(code),
        "traced_up_to_error": float(setting.bearable * code.users / rows),
        "learner": attacked.learner,
        "private": privacy is not None,
        "epsilon": None if privacy is None else float(privacy.epsilon),
        "delta": None if privacy is None else float(privacy.delta),
        "runs": outcome.runs,
        "traced": outcome.traced,
        "accused": [user + 1 for user in outcome.accused.nonzero()[0].tolist()],
        "accusations": outcome.accused.tolist(),
        "reached_bar": outcome.fired.tolist(),
        "innocent_accused": outcome.innocent_accused,
        "allowed_rate": None if privacy is None else allowed(privacy, outcome.soundness),
        "within_claim": None if privacy is None else outcome.within(privacy),
        "epsilon_at_least": outcome.epsilon_found(_delta(privacy)),
        "shared_labels_reproduced": outcome.marked_right,
        "untraceable_from_rows": needed,
    }


def _delta(privacy: Privacy | None) -> float:
    return 0.0 if privacy is None else float(privacy.delta)


def _show(
    attacked: list[_Attacked], code: Code, rows: int, budget: Privacy, needed: int, innocent: str
) -> None:
    console = Console(highlight=False, emoji=False)
    among = f", any of {code.users} such ≤ {float(code.users * code.soundness):.3g}"
    console.print(
        f"[bold]{code.users} people, {code.columns} labels[/] ({code.name}), {rows} rows: "
        f"someone who is not in the data is accused with probability ≤ {float(code.soundness):.3g}"
        f"{among if innocent == 'any' else ''}."
    )
    table = Table(box=None)
    titles = ("learner", "claim", "labels reproduced", "runs with an accusation", "accused")
    for title in (*titles, "absent accused", "so ε is at least"):
        table.add_column(title, justify="left" if title in titles[:2] else "right")
    for each in attacked:
        table.add_row(*_row(each))
    console.print(table)
    for each in attacked:
        console.print(_conclusion(each))
    console.print(
        f"With {code.columns} labels no learner with ε = {float(budget.epsilon):g} and "
        f"δ = {float(budget.delta):g} reproduces what all rows share on tables below {needed} rows."
    )


def _row(each: _Attacked) -> tuple[str, ...]:
    outcome, privacy = each.outcome, each.privacy
    claim = "none" if privacy is None else f"ε {float(privacy.epsilon):g}, δ {_delta(privacy):.3g}"
    who = ", ".join(str(user + 1) for user in outcome.accused.nonzero()[0].tolist()) or "nobody"
    return (
        escape(each.learner),
        claim,
        f"{outcome.marked_right:.1%}",
        f"{outcome.traced} of {outcome.runs}",
        who,
        f"{outcome.innocent_accused} of {outcome.runs}",
        f"{outcome.epsilon_found(_delta(privacy)):.2f}",
    )


def _conclusion(each: _Attacked) -> str:
    name, outcome, privacy = escape(each.learner), each.outcome, each.privacy
    if privacy is None:
        share = outcome.traced / outcome.runs
        return f"{name} is not private: {share:.0%} of its outputs name somebody in the data."
    most = allowed(privacy, outcome.soundness)
    if outcome.within(privacy):
        return f"{name} keeps its claim here: it may give a person away in {most:.2%} of runs."
    return f"[bold red]{name} breaks its claim[/]: it may give a person away in {most:.2%} of runs."
