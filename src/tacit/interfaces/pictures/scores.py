"""A picture of accusation scores: the people in the data, the people who are not, and the bar."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tacit.interfaces.pictures.picture import INK, picture
from tacit.theory.codes import Code
from tacit.verify.attack import Tracing

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
