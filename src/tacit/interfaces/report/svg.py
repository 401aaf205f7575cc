"""Drawings inside a page: no library, no network, no fonts but the reader's."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape

from tacit.interfaces.report.blocks import CurveBlock, Node

ROW, STEP = 26, 22
MOST_ROWS = 60
WIDTH, HEIGHT = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 62, 16, 14, 46


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
        parts.append(f'<text x="{x + 12}" y="{y + 4.5}">{escape(said)}</text>')
    left = len(rows) - len(shown)
    if left:
        y = ROW * len(shown) + ROW / 2 + 4.5
        parts.append(f'<text x="12" y="{y}">and {left} more</text>')
    widest = max(12 + STEP * depth + 24 + 7.6 * len(said) for depth, _, said in shown)
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
    x_low, x_high = _ends([n for n, _ in points])
    y_low, y_high = _ends([error for _, error in points])

    def place(point: tuple[float, float]) -> tuple[float, float]:
        x = (math.log10(point[0]) - x_low) / (x_high - x_low)
        y = (math.log10(point[1]) - y_low) / (y_high - y_low)
        across, up = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
        return LEFT + across * x, HEIGHT - BOTTOM - up * y

    parts = [*_grid(x_low, x_high, y_low, y_high, place)]
    for name, line in (("promised", curve.promised), ("impossible", curve.impossible)):
        if line:
            path = " L".join(f"{x:.1f} {y:.1f}" for x, y in map(place, line))
            parts.append(f'<path class="{name}" d="M{path}"/>')
            first = name == "promised"
            x, y = place(line[len(line) // 4 if first else 3 * len(line) // 4])
            said = "promised" if first else "fewer rows are never enough"
            parts.append(f'<text class="{name}" x="{x + 8:.1f}" y="{y - 6:.1f}">{said}</text>')
    if curve.here is not None:
        x, y = place(curve.here)
        parts.append(f'<circle class="here" cx="{x:.1f}" cy="{y:.1f}" r="5"/>')
        parts.append(f'<text x="{x - 8:.1f}" y="{y + 18:.1f}" text-anchor="end">this table</text>')
    return _svg(WIDTH, HEIGHT, "Error against number of rows", parts)


def _ends(values: Sequence[float]) -> tuple[float, float]:
    low, high = math.log10(min(values)), math.log10(max(values))
    return low - 0.1, high + 0.1


def _grid(x_low: float, x_high: float, y_low: float, y_high: float, place: object) -> Iterator[str]:
    assert callable(place)
    for value in _ticks(x_low, x_high):
        x, _ = place((value, 10**y_low))
        yield f'<path class="grid" d="M{x:.1f} {TOP} V{HEIGHT - BOTTOM}"/>'
        yield f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{value:g}</text>'
    for value in _ticks(y_low, y_high):
        _, y = place((10**x_low, value))
        yield f'<path class="grid" d="M{LEFT} {y:.1f} H{WIDTH - RIGHT}"/>'
        yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>'
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">rows</text>'
    turned = f"rotate(-90 14 {HEIGHT / 2})"
    yield f'<text x="14" y="{HEIGHT / 2}" text-anchor="middle" transform="{turned}">error</text>'


def _ticks(low: float, high: float) -> list[float]:
    powers = range(math.floor(low), math.ceil(high) + 1)
    steps = (1, 2, 5) if high - low < 3 else (1,)
    ticks = [step * 10.0**power for power in powers for step in steps]
    return [tick for tick in ticks if low <= math.log10(tick) <= high]


def _svg(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    return f'<svg {size} role="img"><title>{escape(title)}</title>{"".join(parts)}</svg>'
