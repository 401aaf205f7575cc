"""The papers' tables: every cell is whole, every key resolves, and lower is below upper."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tacit.core.errors import InvalidArgument
from tacit.interfaces.cli.application import app
from tacit.learners.catalogue import CATALOGUE
from tacit.theory.impossible.parity_rank import rank_bound
from tacit.theory.papers.errata import ERRATA
from tacit.theory.papers.references import REFERENCES
from tacit.theory.papers.tables import NAMES, Cell, table
from tacit.workflows.planning.table_numbers import Parameters, number

ROOT = Path(__file__).parents[3]
SOURCES = sorted((ROOT / "src" / "tacit").rglob("*.py"))
KEY = re.compile(r"\b[A-Z][A-Za-z]*\d\d\b")
CELLS = [(name, cell) for name in NAMES for cell in table(name).cells]
SIZES = {
    "pure_learning": 20,
    "many_pure_upper": 16,
    "many_pure_lower": 12,
    "many_approximate_upper": 16,
    "many_approximate_lower": 12,
    "classes": 24,
}


def test_the_references_are_those_of_the_documentation() -> None:
    """If this fails: cp docs/refs.bib src/tacit/theory/papers/refs.bib."""
    copy = ROOT / "src" / "tacit" / "theory" / "papers" / "refs.bib"
    assert copy.read_text() == (ROOT / "docs" / "refs.bib").read_text()
    assert set(REFERENCES) == set(re.findall(r"@\w+\{(\w+),", copy.read_text()))
    assert all(re.search(r": .+\. .+, \d{4}$", said) for said in REFERENCES.values())
    assert "\\" not in "".join(REFERENCES.values())


def test_every_key_in_the_code_resolves() -> None:
    stated = {listing.theorem for listing in CATALOGUE.values()}
    for path in SOURCES:
        text = path.read_text()
        for group in re.findall(r"\[([^\[\]]{3,200})\]", text):
            stated |= set(KEY.findall(group))
        stated |= set(re.findall(r"theorem=\"(\w+)\"", text))
        stated |= set(re.findall(r"LowerBound\([^)]*?\"([A-Z][A-Za-z]*\d\d)\"", text))
    assert len(stated) > 40
    assert stated <= set(REFERENCES)


@pytest.mark.parametrize("name", NAMES)
def test_tables_are_whole(name: str) -> None:
    read = table(name)
    assert read.source in REFERENCES
    assert len(read.cells) == SIZES[name]
    for cell in read.cells:
        assert cell.formula
        assert cell.theorem in REFERENCES
        assert set(cell.errata) <= set(ERRATA)


@pytest.mark.parametrize(("name", "cell"), CELLS, ids=lambda x: x if isinstance(x, str) else "")
def test_every_cell_has_a_number(name: str, cell: Cell) -> None:
    given = Parameters(bits=8, labels=2)
    found = number(cell, given, labels=1 if name == "pure_learning" else 2)
    assert not found.why
    assert found.value is not None or found.between is not None
    assert found.by


def _numbers(name: str, labels: int, given: Parameters) -> dict[tuple[str, str], int]:
    cells = table(name).cells
    found = {(e.row, e.column): number(e, given, labels=labels).value for e in cells}
    return {key: value for key, value in found.items() if value is not None}


@pytest.mark.parametrize("kind", ["pure", "approximate"])
def test_lower_is_below_upper(kind: str) -> None:
    given = Parameters(bits=12, labels=3, alpha="0.05")
    upper = _numbers(f"many_{kind}_upper", 3, given)
    lower = _numbers(f"many_{kind}_lower", 3, given)
    assert set(lower) < set(upper)
    assert all(lower[key] <= upper[key] for key in lower)
    single = _numbers("pure_learning", 1, given)
    for row in {row for row, _ in single}:
        assert single[row, f"{kind}, lower"] <= single[row, f"{kind}, upper"]


def test_golden_numbers() -> None:
    """Proper points, as known; the rank of uniform points; VC of boxes and trees of halfspaces."""
    given = Parameters(bits=32, beta="0.05")
    cells = {(e.row, e.column): e for e in table("pure_learning").cells}
    assert (number(cells["points, proper", "pure, lower"], given, labels=1).value or 0) >= 267
    assert rank_bound(32, beta="0.05") == 32
    facts = {(e.row, e.column): e for e in table("classes").cells}
    two = Parameters(bits=2)
    assert number(facts["BOX_b^2", "vc"], two, labels=1).value == 4
    assert number(facts["HS_b^2", "littlestone"], two, labels=1).value == 7


def test_the_command_answers_per_the_contract() -> None:
    asked = ["bounds", "--table", "many_pure_lower", "--bits", "8"]
    said: dict[str, Any] = json.loads(CliRunner().invoke(app, [*asked, "--json"]).stdout)
    assert set(said) == {"parameters", "tables", "errata", "theorems"}
    (only,) = said["tables"]
    assert only["name"] == "many_pure_lower"
    assert {cell["theorem"] for cell in only["cells"]} <= set(said["theorems"])
    assert all(cell["number"] > 0 for cell in only["cells"])
    shown = CliRunner().invoke(app, asked, env={"COLUMNS": "200"}).stdout
    assert "packing of labels" in shown
    assert "[BNS16" in shown


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["--table", "none"], "pure_learning"),
        (["--alpha", "0.5"], "alpha"),
        (["--bits", "0"], "bits"),
    ],
)
def test_nonsense_is_refused(asked: list[str], said: str) -> None:
    done = CliRunner().invoke(app, ["bounds", *asked])
    assert isinstance(done.exception, InvalidArgument)
    assert said in str(done.exception)
