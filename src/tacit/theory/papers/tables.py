"""The papers' tables as data: of each cell its formula, its theorem, and how it gets a number.

Formulas hide constants, logarithms and the accuracy, as the papers do. What came later than a paper
is in the notes [ALMM19, CLNSS23].
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

NAMES = (
    "pure_learning",
    "many_pure_upper",
    "many_pure_lower",
    "many_approximate_upper",
    "many_approximate_lower",
    "classes",
)
"""The tables there are."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell; `by` names the learners, or the bounds, that its formula is about."""

    row: str
    column: str
    side: str
    formula: str
    theorem: str
    where: str
    spec: str
    privacy: str
    proper: bool
    agnostic: bool
    assumes: str
    note: str
    by: tuple[str, ...]
    errata: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table of a paper."""

    name: str
    title: str
    source: str
    where: str
    cells: tuple[Cell, ...]


def table(name: str) -> PaperTable:
    """Read a table.

    >>> found = table("pure_learning")
    >>> found.source, len(found.cells), found.cells[0].formula
    ('BNS19', 20, 'O(log|C|)')
    """
    read = tomllib.loads(files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8"))
    cells = tuple(
        _cell(read, row, column, place)
        for row in read["rows"]
        for place, column in enumerate(read["columns"])
    )
    return PaperTable(name, read["title"], read["source"], read["where"], cells)


def _cell(read: dict[str, Any], row: dict[str, Any], column: dict[str, Any], place: int) -> Cell:
    """Look for each thing at the row, then the column, then the table."""
    said = {**read, **column, **row}
    return Cell(
        row=row["name"],
        column=column["name"],
        side=said["side"],
        formula=row["formulas"][place],
        theorem=row["theorems"][place],
        where=said["where"],
        spec=row["spec"],
        privacy=said.get("privacy", "pure"),
        proper=said.get("proper", False),
        agnostic=said.get("agnostic", False),
        assumes=said.get("assumes", ""),
        note=row["notes"][place] if "notes" in row else "",
        by=tuple(row["by"][place]) if "by" in row else (),
        errata=tuple(row["errata"]),
    )
