"""Pictures of numbers: rows against error, failures against rows, scores of accusations."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np

from tacit.interfaces.pictures.picture import INK, picture
from tacit.theory.codes import Code
from tacit.verify.attack import Tracing
from tacit.verify.enough.failure_curves import Simulation
from tacit.workflows.planning.goal import Goal
from tacit.workflows.planning.plan import Plan, solve

ENOUGH, OPEN, NEVER = "#c1440e", "#2f6690", "#9bb1c4"
PARTS = tuple(Fraction(part, 4) for part in (1, 2, 3, 4, 6, 8, 12, 16))
MOST = Fraction(49, 100)


def power_curve(goal: Goal) -> list[Plan]:
    """Plan for errors around the goal's, from a quarter to four times it.

    >>> from tacit.concepts.algebra.parities import Parities
    >>> found = power_curve(Goal(Parities(4), Fraction(1, 10), Fraction(1, 20), Fraction(1)))
    >>> [each.answer for each in found][:3]
    [572, 285, 189]
    """
    alphas = sorted({min(goal.alpha * part, MOST) for part in PARTS})
    return [solve("n", replace(goal, alpha=alpha)) for alpha in alphas]


def draw_power(goal: Goal, path: Path) -> None:
    """Draw rows that are enough, that would be without privacy, and that never are."""
    curve = [found for found in power_curve(goal) if found.best is not None]
    with picture(path, 8, 5) as figure:
        axes = figure.subplots()
        errors = [float(found.goal.alpha) for found in curve]
        best = [0 if found.best is None else found.best.n for found in curve]
        never = [found.impossible_below for found in curve]
        axes.plot(errors, best, "o-", color=ENOUGH, label="enough, by the best learner")
        axes.plot(
            errors, [f.nonprivate_n for f in curve], "o-", color=OPEN, label="without privacy"
        )
        axes.plot(errors, never, "o-", color=NEVER, label="fewer are not")
        axes.axvline(float(goal.alpha), color=INK, linestyle="--", linewidth=1)
        budget = f"epsilon {float(goal.epsilon):g}, delta {float(goal.delta):g}"
        said = f"{goal.concepts}: {budget}, {goal.labels} labels"
        axes.set(xscale="log", yscale="log", xlabel="error", ylabel="rows", title=said)
        axes.legend()


WORST, OTHER, PROMISE = "#c1440e", "#9bb1c4", "#2f6690"


def draw_failures(found: Simulation, path: Path, *, title: str, beta: float, promised: int) -> None:
    """Draw every curve, the worst with its intervals, and what is promised; write the file."""
    with picture(path, 8, 5) as figure:
        axes = figure.subplots()
        sizes = list(found.sizes)
        for curve in found.curves[1:]:
            axes.plot(sizes, [each.rate for each in curve.shares], color=OTHER, linewidth=1)
        worst = found.worst.shares
        rates = [each.rate for each in worst]
        below = [each.rate - each.low for each in worst]
        above = [each.high - each.rate for each in worst]
        bars = {"marker": "o", "capsize": 3, "color": WORST, "label": f"worst: {found.worst.name}"}
        axes.errorbar(sizes, rates, yerr=[below, above], **bars)
        axes.axhline(beta, color=PROMISE, linestyle="--", label=f"beta = {beta:g}")
        axes.axvline(promised, color=PROMISE, label=f"promised: {promised} rows")
        axes.set_xlabel("rows")
        axes.set_ylabel("share of runs that fail")
        axes.set_ylim(0, 1)
        axes.set_title(title, fontsize=11, color=INK)
        axes.legend()


IN, OUT = "#c1440e", "#8d99ae"


def draw_attack(outcomes: list[tuple[str, Tracing]], code: Code, path: Path) -> None:
    """Draw one panel a learner: scores of the last run, and of those left out in all runs."""
    with picture(path, 5.5 * len(outcomes), 4.5) as figure:
        panels = figure.subplots(1, len(outcomes), sharey=True, squeeze=False)[0]
        for axes, (name, outcome) in zip(panels, outcomes, strict=True):
            users = np.arange(1, code.users + 1)
            axes.axhline(
                outcome.inside.bar, color=INK, linewidth=1, linestyle="--", label="accused"
            )
            axes.bar(users, outcome.inside.scores, color=IN, label="in the data")
            side = np.full(outcome.runs, code.users + 1.5)
            axes.plot(side, outcome.left_out, ".", color=OUT, label="left out, all runs")
            axes.set_title(f"{name}: {outcome.traced} of {outcome.runs} runs accuse", color=INK)
            axes.set_xlabel("person")
            axes.legend(fontsize=8)
        panels[0].set_ylabel("accusation score")
        figure.suptitle(f"{code.users} people, {code.columns} labels, {code.name} code", color=INK)
