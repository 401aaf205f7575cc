"""A picture of accusation scores: the people in the data, the people who are not, and the bar."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import numpy as np

from tacit.core.errors import InvalidArgument, MissingExtra
from tacit.theory.codes import Code
from tacit.verify.attack import Outcome

FORMATS = ("png", "svg", "pdf")
INK, IN, OUT = "#1b2a41", "#c1440e", "#8d99ae"


def picture_format(path: Path) -> str:
    """Return the format that a file's name asks for, or refuse it."""
    kind = path.suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        raise InvalidArgument(f"--plot: {path} must end in .{', .'.join(FORMATS)}")
    return kind


def draw_attack(outcomes: list[tuple[str, Outcome]], code: Code, path: Path) -> None:
    """Draw one panel a learner: scores of the last run, and of those left out in all runs."""
    kind = picture_format(path)
    try:
        figures = import_module("matplotlib.figure")
    except ImportError:
        raise MissingExtra(package="matplotlib", extra="plot") from None
    figure = figures.Figure(figsize=(5.5 * len(outcomes), 4.5), layout="constrained")
    panels = figure.subplots(1, len(outcomes), sharey=True, squeeze=False)[0]
    for axes, (name, outcome) in zip(panels, outcomes, strict=True):
        users = np.arange(1, code.users + 1)
        axes.axhline(outcome.inside.bar, color=INK, linewidth=1, linestyle="--", label="accused")
        axes.bar(users, outcome.inside.scores, color=IN, label="in the data")
        side = np.full(outcome.runs, code.users + 1.5)
        axes.plot(side, outcome.left_out, ".", color=OUT, label="left out, all runs")
        axes.set_title(f"{name}: {outcome.traced} of {outcome.runs} runs accuse", color=INK)
        axes.set_xlabel("person")
        axes.legend(fontsize=8)
    panels[0].set_ylabel("accusation score")
    figure.suptitle(f"{code.users} people, {code.columns} labels, {code.name} code", color=INK)
    try:
        figure.savefig(path, format=kind)
    except OSError as error:
        raise InvalidArgument(f"--plot: {path} could not be written: {error.strerror}") from None
