"""`tacit attack --sweep`: up to how many people k labels can trace a learner's output."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tacit.core import InvalidArgument, Privacy, check
from tacit.core.chance.randomness import System
from tacit.interfaces.output.progress import patiently
from tacit.interfaces.pictures.curves import IN, OUT
from tacit.interfaces.pictures.picture import INK, picture
from tacit.theory.impossible.tracing import labels_untraceable
from tacit.verify.attack import Setting, allowed
from tacit.verify.attack.named import OPEN, learner
from tacit.verify.attack.sweep import Step, stops, sweep

LABELS = 1000
MOST_USERS = 200
COLOURS = (IN, INK)


class SweepOptions(NamedTuple):
    """What is swept: a learner with a budget, so many labels, and numbers of people."""

    name: str
    epsilon: str
    delta: str | None
    soundness: str
    labels: int
    sizes: tuple[int, ...]
    runs: int

    def privacy(self, rows: int) -> Privacy:
        """The budget with so many rows."""
        return Privacy(self.epsilon, Fraction(1, rows**2) if self.delta is None else self.delta)

    @property
    def claim(self) -> str:
        """The budget with the largest number of rows, in words."""
        privacy = self.privacy(max(self.sizes))
        return f"ε = {float(privacy.epsilon):g} and δ = {float(privacy.delta):.2g}"

    @property
    def needed(self) -> int:
        """Below so many rows no learner with the largest size's budget reproduces all labels."""
        privacy = self.privacy(max(self.sizes))
        tenth = Fraction(1, 10)
        return labels_untraceable(
            self.labels, epsilon=privacy.epsilon, delta=privacy.delta, beta=tenth
        )


def read_sizes(text: str) -> tuple[int, ...]:
    """Read numbers of people such as 2,4,8."""
    try:
        sizes = tuple(sorted({int(part) for part in text.split(",")}))
    except ValueError:
        raise InvalidArgument(f"--sweep must look like 2,4,8,16, got {text!r}") from None
    if not 2 <= sizes[0] <= sizes[-1] <= MOST_USERS:
        raise InvalidArgument(f"--sweep must lie between 2 and {MOST_USERS} people, got {text!r}")
    return sizes


def run_sweep(asked: SweepOptions, *, plot: Path | None, as_json: bool) -> None:
    """Sweep, and tell or draw it."""
    check.count(labels=asked.labels, least=1)
    check.count(runs=asked.runs, least=2)
    names = list(dict.fromkeys(("erm", asked.name)))
    found: dict[str, list[Step]] = {}
    with patiently() as tell:
        for name in names:
            tell(f"attacking {name} with {len(asked.sizes)} numbers of people")
            found[name] = sweep(
                asked.sizes,
                _maker(name, asked),
                labels=asked.labels,
                soundness=asked.soundness,
                runs=asked.runs,
                rng=System(),
            )
        if plot is not None:
            tell("drawing")
            _draw(found, asked, plot)
    if as_json:
        typer.echo(json.dumps(_encoded(found, asked)))
    else:
        _show(found, asked)


def _maker(name: str, asked: SweepOptions) -> Any:
    def make(setting: Setting, rows: int) -> Any:
        privacy = asked.privacy(rows)
        return learner(name, setting, labels=asked.labels, privacy=privacy, rows=rows)

    return make


def _budget(name: str, asked: SweepOptions, rows: int) -> Privacy | None:
    if name in OPEN:
        return Privacy(0, 0) if name == "constant" else None
    return asked.privacy(rows)


def _encoded(found: dict[str, list[Step]], asked: SweepOptions) -> dict[str, Any]:
    return {
        "labels": asked.labels,
        "soundness": float(Fraction(asked.soundness)),
        "runs": asked.runs,
        "no_private_learner_below": asked.needed,
        "learners": [
            {
                "learner": name,
                "untraceable_from": stops(steps),
                "sizes": [_step(name, step, asked) for step in steps],
            }
            for name, steps in found.items()
        ],
    }


def _step(name: str, step: Step, asked: SweepOptions) -> dict[str, Any]:
    budget, outcome = _budget(name, asked, step.users), step.outcome
    return {
        "users": step.users,
        "traced": outcome.traced,
        "traced_between": list(step.interval),
        "traceable": step.traceable,
        "shared_labels_reproduced": outcome.marked_right,
        "allowed_rate": None if budget is None else allowed(budget, outcome.soundness),
        "within_claim": None if budget is None else outcome.within(budget),
        "epsilon_at_least": outcome.epsilon_found(_delta(budget)),
    }


def _delta(budget: Privacy | None) -> float:
    return 0.0 if budget is None else float(budget.delta)


def _show(found: dict[str, list[Step]], asked: SweepOptions) -> None:
    console = Console(highlight=False, emoji=False)
    console.print(
        f"[bold]{asked.labels} labels a person[/], traced by p-values: someone who is not in the "
        f"data is accused with probability ≤ {float(Fraction(asked.soundness)):g}."
    )
    table = Table(box=None)
    for title in ("people", "learner", "labels reproduced", "runs that accuse", "between", "ε ≥"):
        table.add_column(title, justify="left" if title == "learner" else "right")
    for place, users in enumerate(asked.sizes):
        for name, steps in found.items():
            step = steps[place]
            low, high = step.interval
            table.add_row(
                str(users),
                escape(name),
                f"{step.outcome.marked_right:.1%}",
                f"{step.outcome.traced} of {asked.runs}",
                f"{low:.1%} and {high:.1%}",
                f"{step.outcome.epsilon_found(_delta(_budget(name, asked, users))):.2f}",
            )
    console.print(table)
    for name, steps in found.items():
        console.print(_conclusion(escape(name), stops(steps), asked))
    console.print(
        f"Below {asked.needed} rows no learner with {asked.claim} reproduces what all rows share."
    )


def _conclusion(name: str, end: int | None, asked: SweepOptions) -> str:
    if end is None:
        return f"{name} is traced up to {asked.sizes[-1]} people: ask for more people or labels."
    if end == asked.sizes[0]:
        return f"{asked.runs} runs do not show that {name} can be traced, at any of these sizes."
    return (
        f"From n({asked.labels}) = {end} people on, {asked.runs} runs no longer show that {name} "
        "can be traced."
    )


def _draw(found: dict[str, list[Step]], asked: SweepOptions, path: Path) -> None:
    """Draw the share of runs that accuse, and of labels reproduced, by the number of people."""
    with picture(path, 11, 4.5) as figure:
        traced, right = figure.subplots(1, 2, sharex=True)
        for colour, (name, steps) in zip(COLOURS, found.items(), strict=False):
            sizes, shares = [step.users for step in steps], [step.share for step in steps]
            lows = [share - step.interval[0] for share, step in zip(shares, steps, strict=True)]
            highs = [step.interval[1] - share for share, step in zip(shares, steps, strict=True)]
            off = [[max(0.0, x) for x in lows], [max(0.0, x) for x in highs]]
            traced.errorbar(
                sizes, shares, yerr=off, color=colour, marker="o", capsize=3, label=name
            )
            right.plot(
                sizes, [step.outcome.marked_right for step in steps], "o-", color=colour, label=name
            )
        for axes, title in (
            (traced, "runs that accuse somebody"),
            (right, "shared labels reproduced"),
        ):
            axes.axvline(
                asked.needed, color=OUT, linestyle="--", label=f"impossible below: {asked.claim}"
            )
            axes.set(xscale="log", ylim=(-0.03, 1.03), xlabel="people", ylabel="share", title=title)
            axes.legend(fontsize=8)
        figure.suptitle(f"{asked.labels} labels a person, {asked.runs} runs", color=INK)
