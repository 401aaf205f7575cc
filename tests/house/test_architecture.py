"""The house rules that a program can check."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

import tacit

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src" / "tacit").rglob("*.py"))
PACKAGES = sorted(path.parent for path in SOURCES if path.name == "__init__.py")
BRACKETS = re.compile(r"\[([^\[\]]{3,200})\]")
KEY = re.compile(r"\b[A-Z][A-Za-z]*\d\d\b")


def _relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", SOURCES, ids=_relative)
def test_a_file_holds_one_concept(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= 400


@pytest.mark.parametrize("path", PACKAGES, ids=_relative)
def test_a_table_of_contents_is_true(path: Path) -> None:
    name = ".".join(path.relative_to(ROOT / "src").parts)
    module = import_module(name)
    listed = list(getattr(module, "__all__", []))
    assert len(set(listed)) == len(listed)
    assert all(hasattr(module, entry) for entry in listed)


def test_importing_the_package_costs_nothing() -> None:
    """What is listed at the top is imported when it is used, and not before."""
    heavy = "{'numpy', 'scipy', 'duckdb', 'pyarrow', 'numba', 'flint'}"
    told = f"import sys, tacit; print(sorted({heavy} & set(sys.modules)), tacit.learn.__name__)"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert done.stdout == "[] learn\n"


def test_every_citation_resolves() -> None:
    keys = set(re.findall(r"@\w+\{(\w+),", (ROOT / "docs" / "refs.bib").read_text()))
    texts = {*SOURCES, *(ROOT / "docs").rglob("*.md"), ROOT / "README.md"}
    groups = [group for path in texts for group in BRACKETS.findall(path.read_text())]
    cited = {key for group in groups for key in KEY.findall(group)}
    assert cited
    assert cited <= keys, f"not in docs/refs.bib: {sorted(cited - keys)}"
    assert keys <= cited, f"never cited: {sorted(keys - cited)}"


def test_every_page_that_is_cited_exists() -> None:
    for path in SOURCES:
        for proof in re.findall(r"docs/[\w/]+\.md", path.read_text()):
            assert (ROOT / proof).is_file(), f"{_relative(path)} cites {proof}"


def test_pins_are_names_and_versions() -> None:
    pins = (ROOT / "requirements" / "constraints.txt").read_text().splitlines()
    pinned = {line.split("==")[0].lower().replace("_", "-") for line in pins if "==" in line}
    assert all(re.fullmatch(r"[\w.-]+==[\w.!+]+|#.*|", line) for line in pins)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = [name for group in project["optional-dependencies"].values() for name in group]
    needed = {re.split(r"[><=\[]", name)[0].lower() for name in (*project["dependencies"], *extras)}
    tools = (ROOT / "requirements" / "test.txt").read_text().splitlines()
    needed |= {line.lower() for line in tools if line and not line.startswith("#")}
    assert needed <= pinned, f"not pinned: {sorted(needed - pinned)}"


def test_the_version_is_one() -> None:
    assert f"version: {tacit.__version__}" in (ROOT / "CITATION.cff").read_text()
    assert f"## {tacit.__version__}" in (ROOT / "CHANGELOG.md").read_text()
