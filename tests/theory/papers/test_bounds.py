"""The papers' tables: every cell is whole, every key resolves, and lower is below upper."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tacit.concepts.contract.specification import parse
from tacit.core.errors import InvalidArgument
from tacit.interfaces.cli.application import app
from tacit.learners.catalogue import CATALOGUE
from tacit.theory.impossible.fingerprints import (
    labels_of_uniform_points,
    many_labels,
    many_thresholds,
)
from tacit.theory.impossible.mistake_trees import littlestone_bound
from tacit.theory.impossible.packing import packing, rank_bound
from tacit.theory.impossible.unseen_points import unseen
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


UNKNOWN = {
    ("points", "PAC, proper"),
    ("points", "agnostic, proper"),
    ("points, proper", "approximate, upper"),
}
"""Cells for which no learner of the theorem is proper."""


@pytest.mark.parametrize(("name", "cell"), CELLS, ids=lambda x: x if isinstance(x, str) else "")
def test_every_cell_has_the_number_of_its_theorem(name: str, cell: Cell) -> None:
    """Or says why there is none: then what is known by other theorems still stands beside it."""
    labels = 1 if name == "pure_learning" else 1000
    found = number(cell, Parameters(bits=8, labels=1000, alpha="0.04"), labels=labels)
    if cell.side == "value":
        assert found.value is not None or found.between is not None
        assert found.by
        return
    assert found.best is not None
    assert found.best_by
    if found.value is None:
        assert found.why
        assert "log*" in cell.formula or (
            cell.side == "upper" and (cell.row, cell.column) in UNKNOWN
        )
        return
    assert found.by in cell.by
    assert found.value >= found.best if cell.side == "upper" else found.value <= found.best


def test_each_formula_has_a_bound_of_its_own() -> None:
    """√k, k^(1/3), 1, k, log|C|: for k and alpha, beta, delta of one's choice."""
    asked: dict[str, Any] = {"alpha": "0.02", "beta": "0.04", "delta": "1e-9", "epsilon": "0.5"}
    given, k = Parameters(bits=20, labels=5000, **asked), 5000
    spent = {"epsilon": "0.5", "beta": "0.04"}
    loose = {key: asked[key] for key in ("alpha", "beta")}
    expected = {
        ("many_approximate_lower", "points", "agnostic, improper"): many_labels(k, **asked),
        ("many_approximate_lower", "points", "PAC, improper"): unseen(**loose),
        ("many_approximate_lower", "thresholds", "PAC, improper"): many_thresholds(
            k, line=2**20, **asked
        ),
        ("many_approximate_lower", "parities, uniform points", "PAC, proper"): rank_bound(
            20, beta="0.04"
        ),
        ("many_approximate_lower", "parities, uniform points", "agnostic, improper"): max(
            labels_of_uniform_points(k, **asked), rank_bound(20, beta="0.04")
        ),
        ("many_pure_lower", "points", "agnostic, improper"): packing(2**k, **spent, mass="0.02"),
        ("many_pure_lower", "parities, uniform points", "PAC, proper"): packing(
            2 ** (20 * k), **spent
        ),
        ("pure_learning", "thresholds, proper or not", "pure, lower"): littlestone_bound(
            20, **spent, alpha="0.02"
        ),
        ("pure_learning", "points, proper", "approximate, lower"): unseen(**loose),
    }
    for (name, row, column), value in expected.items():
        (cell,) = (e for e in table(name).cells if (e.row, e.column) == (row, column))
        found = number(cell, given, labels=1 if name == "pure_learning" else k)
        assert found.value == value > 0, (name, row, column)


def test_what_cannot_be_run_is_still_promised() -> None:
    """Many labels of long intervals, parities of many columns: the theorem has a number."""
    given = Parameters(bits=64, labels=1000)
    for row in ("any class", "parities, uniform points"):
        cells = [e for e in table("many_approximate_upper").cells if e.row == row]
        found = [number(cell, given, labels=1000) for cell in cells]
        assert all(each.value for each in found)
    assert "takes up to" in found[-1].why
    assert found[-1].best is None


def _numbers(name: str, labels: int, given: Parameters) -> dict[tuple[str, str], tuple[int, int]]:
    """Return the number of each cell that has one, and what is known at best."""
    cells = table(name).cells
    made = {(e.row, e.column): number(e, given, labels=labels) for e in cells}
    return {
        key: (found.best if found.value is None else found.value, found.best)
        for key, found in made.items()
        if found.best is not None
    }


@pytest.mark.parametrize("kind", ["pure", "approximate"])
def test_lower_is_below_upper(kind: str) -> None:
    given = Parameters(bits=12, labels=3, alpha="0.05")
    upper = _numbers(f"many_{kind}_upper", 3, given)
    lower = _numbers(f"many_{kind}_lower", 3, given)
    assert set(lower) < set(upper)
    assert all(max(lower[key]) <= min(upper[key]) for key in lower)
    single = _numbers("pure_learning", 1, given)
    for row in {row for row, _ in single}:
        assert max(single[row, f"{kind}, lower"]) <= min(single[row, f"{kind}, upper"])


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


def test_fine_grids_are_told_in_closed_form() -> None:
    """The bits that are asked for, not fewer: halfspaces can be counted up to 8, balls up to 3."""
    facts = {(e.row, e.column): e for e in table("classes").cells}
    fine = {key: number(cell, Parameters(bits=12), labels=1) for key, cell in facts.items()}
    assert all("bits=12" in fine[row, "vc"].spec for row in ("HS_b^2", "BALL_b^2"))
    assert fine["HS_b^2", "littlestone"].between == (25, 49)
    assert fine["BALL_b^2", "littlestone"].between == (25, 73)
    assert fine["HS_b^2", "size"].between == (2**25, 2**49)
    six = number(facts["BALL_b^2", "size"], Parameters(bits=6), labels=1)
    assert six.between == (parse("halfspaces(bits=6, dims=2)").size, 2**37)


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
