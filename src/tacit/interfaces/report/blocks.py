"""What a report is made of, whatever it is written in."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph."""

    said: str


@dataclass(frozen=True, slots=True)
class Warned:
    """A paragraph that must not be overlooked; `grave` ones say that a promise does not hold."""

    said: str
    grave: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; without a header, of facts with their names."""

    rows: tuple[tuple[str, ...], ...]
    header: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Text to be kept as it is."""

    text: str


@dataclass(frozen=True, slots=True)
class Node:
    """A part of a tree, and the parts it is made of."""

    said: str
    parts: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class CurveBlock:
    """Errors by number of rows: what is promised, what is impossible, and where this table is."""

    promised: tuple[tuple[int, float], ...]
    impossible: tuple[tuple[int, float], ...]
    here: tuple[int, float] | None


Place = tuple[float, float]
"""Across and up, each from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Axis:
    """What a side of a plot tells, and its marks: where they are, and what they say."""

    said: str
    marks: tuple[tuple[float, str], ...]


@dataclass(frozen=True, slots=True)
class Stroke:
    """Places that belong together: kind "promised" is a line, "impossible" a dashed one, "band"
    the outline of an area, "here" and "told" are dots. What says nothing is not in the legend."""

    kind: str
    points: tuple[Place, ...]
    said: str


@dataclass(frozen=True, slots=True)
class PlotBlock:
    """Lines over two axes; `numbers` say the same where there are no pictures."""

    title: str
    across: Axis
    up: Axis
    lines: tuple[Stroke, ...]
    size: tuple[int, int] = (350, 280)
    numbers: Grid | None = None


@dataclass(frozen=True, slots=True)
class BarsBlock:
    """Whole numbers in columns, each with its words; `numbers` say the same in full."""

    title: str
    columns: tuple[tuple[str, tuple[tuple[str, int], ...]], ...]
    numbers: Grid


Block = Text | Warned | Grid | CodeBlock | Node | CurveBlock | PlotBlock | BarsBlock


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part of a report; what is folded is opened by whoever wants it, and printed.

    What is for programs rather than for readers is not `printed`.
    """

    title: str
    blocks: tuple[Block, ...]
    folded: bool = False
    printed: bool = True
