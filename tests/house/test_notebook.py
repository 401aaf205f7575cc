"""The notebook of the tutorial runs from its first cell to its last, and shows what it says."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from tacit import Bits, Integer, Schema, learn

NOTEBOOK = Path(__file__).parents[2] / "docs" / "tutorial.ipynb"
RICH = {"planned", "learned", "audited"}
"""Cells that end with something a notebook shows as HTML."""


def run(source: str, names: dict[str, Any]) -> object:
    """Run a cell as a notebook does; return what its last line is worth, if it is an expression."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "cell", "exec"), names)
    if not isinstance(last, ast.Expr):
        return None
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def test_every_cell_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    book = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    cells = {cell["id"]: cell for cell in book["cells"]}
    assert len(cells) == len(book["cells"])
    names: dict[str, Any] = {"__name__": "__main__"}
    for name, cell in cells.items():
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            shown = run("".join(cell["source"]), names)
            assert hasattr(shown, "_repr_html_") == (name in RICH)
            if name in RICH:
                html = shown._repr_html_()
                assert html.startswith("<div><b>")
                assert html.count("<table>") == html.count("</table>") > 0
    assert "it never saw" in names["model"]._repr_html_()
    assert list(tmp_path.iterdir()) == []


def test_what_is_shown_is_text() -> None:
    schema = Schema({"<b>age": Integer(0, 9), "<i>ill": Bits()})
    rows = {"<b>age": [1, 8] * 50, "<i>ill": [0, 1] * 50}
    model = learn(rows, schema, concepts="thresholds", labels=["<i>ill"], epsilon=9, hold_out=0.2)
    assert "<i>" not in model._repr_html_()
    assert "&lt;i&gt;ill" in model._repr_html_()
