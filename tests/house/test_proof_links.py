"""A class that guarantees privacy names its proof, and the proof names the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROOFS = sorted((ROOT / "docs" / "proofs").glob("*.md"))
FOLDERS = ("learners", "mechanisms", "sanitizers")
BY_ITS_MAKER = {"Kernel"}
"""What it guarantees is its maker's promise: there is nothing to prove."""


def _guarantees() -> Iterator[tuple[str, str, str]]:
    """Yield module, class and docstring of everything public with a guarantee."""
    for folder in FOLDERS:
        for path in sorted((ROOT / "src" / "tacit" / folder).rglob("*.py")):
            for node in ast.parse(path.read_text()).body:
                doc = isinstance(node, ast.ClassDef) and ast.get_docstring(node)
                if doc and "Guarantee:" in doc and node.name not in BY_ITS_MAKER:
                    yield str(path.relative_to(ROOT)), node.name, doc


def _code(page: Path) -> list[str]:
    """Return the modules that a proof names at its top."""
    title, _, line, *_ = page.read_text().splitlines()
    assert title.startswith("# "), page.name
    assert line.startswith("Code: "), f"{page.name} must name its code below the title"
    return line.removeprefix("Code: ").split(", ")


@pytest.mark.parametrize(("module", "name", "doc"), list(_guarantees()), ids=lambda part: part[:60])
def test_a_guarantee_ends_with_its_proof(module: str, name: str, doc: str) -> None:
    last = doc.splitlines()[-1]
    assert re.fullmatch(r"Proof: docs/proofs/\w+\.md", last), f"{name} must end with its proof"
    page = ROOT / last.removeprefix("Proof: ")
    assert page.exists()
    assert module in _code(page)


@pytest.mark.parametrize("page", PROOFS, ids=lambda page: page.stem)
def test_a_proof_names_code_that_names_it(page: Path) -> None:
    for module in _code(page):
        assert f"docs/proofs/{page.name}" in (ROOT / module).read_text(), module


def test_pages_name_modules_that_are_there() -> None:
    """A file that a page of the documentation names is a module of ours, or a file of the house."""
    sources = ROOT / "src" / "tacit"
    names = {path.name for path in sources.rglob("*.py")}
    for page in [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "ARCHITECTURE.md"]:
        for named in re.findall(r"(?<![\w/.*-])[a-z][\w/]*\.py\b", page.read_text()):
            inside = named.removeprefix("src/").removeprefix("tacit/")
            known = inside in names or (sources / inside).is_file() or (ROOT / named).is_file()
            assert known, f"{page.name} names {named}"
