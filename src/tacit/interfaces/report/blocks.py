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


Block = Text | Warned | Grid | CodeBlock | Node | CurveBlock


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part of a report."""

    title: str
    blocks: tuple[Block, ...]
