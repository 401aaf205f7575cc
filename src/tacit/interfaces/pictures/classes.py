"""Pictures of a class: its mistake tree, and the least errors that so many messages allow."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from tacit.interfaces.pictures.picture import INK, picture
from tacit.theory.communication.bits import LeastError
from tacit.theory.dimensions.all_dimensions import Dimensions, Tree

DEEPEST = 6
"""Of a deeper tree the top is drawn."""

YES, NO = "#c1440e", "#2f6690"


def draw_dimensions(found: Dimensions, path: Path) -> None:
    """Draw the mistake tree above the curve of error against messages, and write the file."""
    with picture(path, 10, 9) as figure:
        upper, lower = figure.subplots(2, 1, height_ratios=(3, 2))
        _draw_tree(upper, found)
        _draw_curve(lower, found)
        figure.suptitle(str(found.concepts), fontsize=13, color=INK)


def _draw_tree(axes: Any, found: Dimensions) -> None:
    axes.set_axis_off()
    tree = found.tree
    if tree is None:
        axes.text(0.5, 0.5, found.without["littlestone"], ha="center", va="center", wrap=True)
        return
    depth = len(tree.concepts).bit_length() - 1
    shown = min(depth, DEEPEST)
    axes.set_title(_title(depth, shown), fontsize=11, color=INK)
    size = 9 if shown <= 4 else 6
    for node in range((1 << shown) - 1):
        x, y = _place(node)
        for child, label in ((2 * node + 1, 0), (2 * node + 2, 1)):
            cx, cy = _place(child)
            axes.plot([x, cx], [y, cy], color=YES if label else NO, linewidth=1, zorder=1)
            if shown <= 4:
                axes.text((x + cx) / 2, (y + cy) / 2, str(label), fontsize=7, ha="center")
        _label(axes, x, y, str(tree.points[node]), size)
    if shown == depth:
        _draw_leaves(axes, found, tree, shown, size)
    axes.set_ylim(-shown - 0.9, 0.5)


def _title(depth: int, shown: int) -> str:
    top = "" if shown == depth else f"; its top {shown} levels"
    return f"Mistake tree of depth {depth}: a point is asked, blue for 0 and red for 1{top}"


def _draw_leaves(axes: Any, found: Dimensions, tree: Tree, depth: int, size: int) -> None:
    names = [f"x{i}" for i in range(found.concepts.features)]
    for leaf, concept in enumerate(tree.concepts):
        x, y = _place((1 << depth) - 1 + leaf)
        said = concept.rule(names) if depth <= 3 else ""
        axes.plot([x], [y], marker="o", color=INK, markersize=3, zorder=2)
        axes.text(x, y - 0.12, said, fontsize=size - 1, rotation=30, ha="right", va="top")


def _place(node: int) -> tuple[float, float]:
    """Return where a node of the heap is drawn: its level's even spacing, and its level."""
    level = (node + 1).bit_length() - 1
    return (node + 1 - (1 << level) + 0.5) / (1 << level), -float(level)


def _label(axes: Any, x: float, y: float, said: str, size: int) -> None:
    box = {"boxstyle": "round,pad=0.25", "facecolor": "white", "edgecolor": INK, "linewidth": 0.6}
    axes.text(x, y, said, fontsize=size, ha="center", va="center", bbox=box, zorder=3)


def _draw_curve(axes: Any, found: Dimensions) -> None:
    axes.set_xlabel("messages")
    axes.set_ylabel("least error of a public-coin protocol")
    axes.set_ylim(0, 0.52)
    if found.curve:
        messages = [each.messages for each in found.curve]
        axes.fill_between(messages, *_sides(found.curve), color=NO, alpha=0.25)
        axes.plot(messages, _sides(found.curve)[1], marker="o", color=NO, markersize=4)
        axes.set_xticks(messages)
        axes.set_title("Least error, certified from both sides", fontsize=11, color=INK)
        return
    errors = [float(bits.error) for bits in found.communication]
    for side, color, said in (("lower", NO, "at least"), ("upper", YES, "at most")):
        bits = [2.0 ** min(float(getattr(b, side)), 1000.0) for b in found.communication]
        axes.plot(bits, errors, marker="o", color=color, markersize=4, label=f"messages {said}")
    axes.set_xscale("log", base=2)
    axes.legend()
    axes.set_title("Messages that are needed, and that are enough", fontsize=11, color=INK)


def _sides(curve: tuple[LeastError, ...]) -> tuple[list[float], list[float]]:
    lower = [float(each.lower) for each in curve]
    upper = [float(each.upper) for each in curve]
    assert all(math.isfinite(value) for value in (*lower, *upper))
    return lower, upper
