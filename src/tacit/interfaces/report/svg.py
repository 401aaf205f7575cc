"""Drawings inside a page: no library, no network, no fonts but the reader's."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import Any

from tacit.interfaces.output.boxed import boxed
from tacit.interfaces.report.blocks import (
    Axis,
    BarsBlock,
    CurveBlock,
    Node,
    Place,
    PlotBlock,
    Stroke,
)

ROW, STEP, LETTER = 26, 22, 7.6
"""The height of a line, how far it is indented, and how wide a letter may be."""
MOST_ROWS = 60
LEFT, RIGHT, TOP, BOTTOM = 62, 16, 14, 46
BAR, WORDS, NUMBER = 20, 36, 74
"""The height of a bar; how many letters are written before it, and how much room a number has."""
ACROSS, BARS = 190.0, 40
"""How wide all bars are together, and how many of one column; more are not drawn."""


def draw_tree(tree: Node) -> str:
    """Draw a tree with one row a node, children below and to the right of their parent."""
    rows = list(_rows(tree, 0, None))
    shown = rows[:MOST_ROWS]
    parts = []
    for place, (depth, parent, said) in enumerate(shown):
        x, y = 12 + STEP * depth, ROW * place + ROW / 2
        if parent is not None:
            top = ROW * parent + ROW / 2 + 5
            parts.append(f'<path class="edge" d="M{x - STEP} {top} V{y} H{x - 5}"/>')
        parts.append(f'<circle class="node" cx="{x}" cy="{y}" r="5"/>')
        parts.append(_words(x + 12, y + 4.5, said))
    left = len(rows) - len(shown)
    if left:
        parts.append(_words(12, ROW * len(shown) + ROW / 2 + 4.5, f"and {left} more"))
    widest = max(12 + STEP * depth + 24 + LETTER * len(said) for depth, _, said in shown)
    height = ROW * (len(shown) + bool(left))
    return _svg(widest, height, "The tree of costs", parts)


def _rows(
    node: Node, depth: int, parent: int | None, place: int = 0
) -> Iterator[tuple[int, int | None, str]]:
    yield depth, parent, node.said
    after = place + 1
    for part in node.parts:
        for row in _rows(part, depth + 1, place, after):
            yield row
            after += 1


def draw_curve(curve: CurveBlock) -> str:
    """Draw errors against rows, both in logarithms."""
    points = [*curve.promised, *curve.impossible, *([curve.here] if curve.here else [])]
    (rows, across), (errors, up) = (_logarithms([p[i] for p in points]) for i in (0, 1))

    def placed(line: Sequence[tuple[int, float]]) -> tuple[Place, ...]:
        return tuple((rows(n), errors(error)) for n, error in line)

    lines = [Stroke("promised", placed(curve.promised), "promised")]
    if curve.impossible:
        lines.append(Stroke("impossible", placed(curve.impossible), "fewer rows are never enough"))
    if curve.here is not None:
        lines.append(Stroke("here", placed([curve.here]), "this table"))
    title, size = "Error against number of rows", (640, 340)
    return draw_plot(PlotBlock(title, Axis("rows", across), Axis("error", up), tuple(lines), size))


def _logarithms(values: Sequence[float]) -> tuple[Callable[[float], float], tuple[Any, ...]]:
    """Return where a number is on an axis in logarithms, and the marks of the axis."""
    low, high = math.log10(min(values)) - 0.1, math.log10(max(values)) + 0.1
    powers = range(math.floor(low), math.ceil(high) + 1)
    steps = (1, 2, 5) if high - low < 3 else (1,)
    ticks = [step * 10.0**power for power in powers for step in steps]

    def at(value: float) -> float:
        return (math.log10(value) - low) / (high - low)

    return at, tuple((at(tick), f"{tick:g}") for tick in ticks if 0 <= at(tick) <= 1)


def draw_plot(plot: PlotBlock) -> str:
    """Draw lines, dots and a band, what they are called above them; marks that fit are written."""
    width, height = plot.size
    named, top = _legend(plot.lines, width)

    def place(point: Place) -> tuple[float, float]:
        x, y = point
        return LEFT + (width - LEFT - RIGHT) * x, height - BOTTOM - (height - BOTTOM - top) * y

    parts, end = [*named], -math.inf
    for at, said in plot.across.marks:
        x, half = place((at, 0))[0], LETTER * len(said) / 2
        parts.append(f'<path class="grid" d="M{x:.1f} {top} V{height - BOTTOM}"/>')
        if x - half > end and x + half <= width:
            parts.append(_words(x, height - BOTTOM + 16, said, "middle"))
            end = x + half + 4
    for at, said in plot.up.marks:
        y = place((0, at))[1]
        parts.append(f'<path class="grid" d="M{LEFT} {y:.1f} H{width - RIGHT}"/>')
        parts.append(_words(LEFT - 6, y + 4, said, "end"))
    middle = (top + height - BOTTOM) / 2
    parts.append(_words((LEFT + width - RIGHT) / 2, height - 8, plot.across.said, "middle"))
    parts.append(
        _words(14, middle, plot.up.said, "middle", f' transform="rotate(-90 14 {middle})"')
    )
    for line in plot.lines:
        found = [place(point) for point in line.points]
        if line.kind in DOTS:
            parts += [_dot(line.kind, x, y) for x, y in found]
        else:
            path = " L".join(f"{x:.1f} {y:.1f}" for x, y in found)
            parts.append(f'<path class="{line.kind}" d="M{path}{" Z" * (line.kind == "band")}"/>')
    return _svg(width, height, plot.title, parts)


DOTS = ("here", "told")
"""What is drawn as dots; a band is filled, all else are lines."""


def _legend(lines: Sequence[Stroke], width: float) -> tuple[list[str], float]:
    """Return what the lines are called, in as many rows as it takes, and where the plot begins."""
    parts: list[str] = []
    x, y = float(LEFT), float(TOP)
    for line in filter(lambda line: line.said, lines):
        wide = 26 + LETTER * len(line.said) + 10
        if x + wide > width and x > LEFT:
            x, y = float(LEFT), y + 18
        if line.kind in DOTS:
            parts.append(_dot(line.kind, x + 9, y - 4))
        else:
            thick = ' stroke-width="10"' if line.kind == "band" else ""
            box = f"M{x} {y - 9} h18 v10 h-18 Z" if thick else f"M{x} {y - 4} h18"
            parts.append(f'<path class="{line.kind}" d="{box}"/>')
        parts.append(_words(x + 24, y, line.said))
        x += wide
    return parts, y + 12


def _dot(kind: str, x: float, y: float) -> str:
    return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{5 if kind == "here" else 4}"/>'


def draw_bars(block: BarsBlock) -> str:
    """Draw a bar for each number, to the right of zero or to the left; a drawing for each column.

    All have one scale, and stand side by side where there is room.
    """
    numbers = [number for _, bars in block.columns for _, number in bars]
    low, high = min(0, *numbers), max(0, *numbers)
    widest = max(len(said) for _, bars in block.columns for said, _ in bars[:BARS])
    first = LETTER * min(widest, WORDS) + 8
    room = max((LETTER * len(f"{number:+,}") + 5 for number in numbers if number < 0), default=0)
    zero = first + room - low * (scale := ACROSS / max(high - low, 1))
    width = first + room + ACROSS + NUMBER
    drawn = (
        _column(block.title, name, bars, (first - 8, zero, scale, width))
        for name, bars in block.columns
    )
    return f'<div class="bars">{"".join(drawn)}</div>'


def _column(
    title: str, name: str, bars: Sequence[tuple[str, int]], at: tuple[float, float, float, float]
) -> str:
    """Draw the bars of one column: where words end, where zero is, how wide a point is, and all."""
    words, zero, scale, width = at
    shown, left = bars[:BARS], len(bars) - BARS
    parts, y = [_words(0, 15, name, more=' class="strong"')], BAR + 2.0
    parts.append(f'<path class="grid" d="M{zero:.1f} {y} v{BAR * len(shown)}"/>')
    for said, number in shown:
        x, long = zero + min(number, 0) * scale, abs(number) * scale
        size = f'x="{x:.1f}" y="{y + 3}" width="{max(long, 0.5):.1f}" height="{BAR - 6}"'
        parts.append(f'<rect class="{"less" if number < 0 else "node"}" {size}/>')
        short = said if len(said) <= WORDS else f"{said[: WORDS - 1]}…"
        parts.append(_words(words, y + 14, short, "end"))
        beside = (x - 5, "end") if number < 0 else (x + long + 5, "start")
        parts.append(_words(beside[0], y + 14, f"{number:+,}" if number else "0", beside[1]))
        y += BAR
    if left > 0:
        parts.append(_words(words, y + 14, f"and {left} more", "end"))
        y += BAR
    return _svg(width, y + 8, f"{title}: {name}", parts)


def _words(x: float, y: float, said: str, anchor: str = "start", more: str = "") -> str:
    side = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x:g}" y="{y:g}"{side}{more}>{text(said)}</text>'


def text(said: str) -> str:
    """Write words so that none is markup; what no page may hold is shown as a box."""
    return escape(boxed(said))


def _svg(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    return f'<svg {size} role="img"><title>{text(title)}</title>{"".join(parts)}</svg>'
