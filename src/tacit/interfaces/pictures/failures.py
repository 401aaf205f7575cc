"""A picture of failures against rows."""

from __future__ import annotations

from pathlib import Path

from tacit.interfaces.pictures.picture import INK, picture
from tacit.verify.enough.failure_curves import Simulation

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
