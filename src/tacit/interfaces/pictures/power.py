"""A picture of the power curve: rows against error, between the impossible and the enough."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from tacit.interfaces.pictures.picture import INK, picture
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
