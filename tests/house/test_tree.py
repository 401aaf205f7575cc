"""The house: rooms not too full, tests where the code is, names that mean one thing."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE, TESTS = ROOT / "src" / "tacit", ROOT / "tests"
FOLDERS = sorted(path.parent for path in SOURCE.rglob("__init__.py"))
MOST = 15
"""Modules of a folder: what one look at a list takes in."""
BESIDE = {"house", "support"}
"""Folders of tests that have no folder of sources: rules of the house, and what tests share."""


def _name(folder: Path) -> str:
    return str(folder.relative_to(SOURCE))


def _modules(folder: Path) -> list[Path]:
    return [path for path in folder.glob("*.py") if path.name != "__init__.py"]


@pytest.mark.parametrize("folder", FOLDERS, ids=_name)
def test_a_folder_is_taken_in_at_a_look(folder: Path) -> None:
    assert len(_modules(folder)) <= MOST


@pytest.mark.parametrize("folder", FOLDERS, ids=_name)
def test_a_folder_says_what_it_holds(folder: Path) -> None:
    assert ast.get_docstring(ast.parse((folder / "__init__.py").read_text()))


def test_tests_stand_in_the_same_tree() -> None:
    for path in TESTS.rglob("test_*.py"):
        place = path.parent.relative_to(TESTS)
        assert place.parts[0] in BESIDE or (SOURCE / place).is_dir(), place


def test_the_map_shows_every_folder() -> None:
    """ARCHITECTURE.md names each folder, and no folder that is not there."""
    shown = set()
    for line in (ROOT / "ARCHITECTURE.md").read_text().splitlines():
        if line.startswith("| `") and line.split("`")[1].endswith("/"):
            outer = line.split("`")[1].rstrip("/")
            shown.add(outer)
            inner = line.split("|")[2].split("`")[1::2]
            shown |= {f"{outer}/{name.rstrip('/')}" for name in inner if name.endswith("/")}
    assert shown == {_name(folder) for folder in FOLDERS} - {"."}


def test_a_name_means_one_thing() -> None:
    """No two classes have one name, and no two packages export different things by one."""
    classes, exported = defaultdict(set), defaultdict(set)
    for path in SOURCE.rglob("*.py"):
        tree = ast.parse(path.read_text())
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                classes[node.name].add(path)
        if path.name == "__init__.py":
            for told in ast.walk(tree):
                if isinstance(told, ast.ImportFrom) and told.module and told.level == 0:
                    for alias in told.names:
                        exported[alias.name].add(_home(told.module, alias.name))
    assert {name: paths for name, paths in classes.items() if len(paths) > 1} == {}
    assert {name: homes for name, homes in exported.items() if len(homes) > 1} == {}


def _home(module: str, name: str) -> str:
    """Follow an export through packages to the module that defines it."""
    init = ROOT / "src" / Path(*module.split(".")) / "__init__.py"
    if init.is_file():
        for node in ast.walk(ast.parse(init.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
                for alias in node.names:
                    if alias.name == name and node.module != module:
                        return _home(node.module, name)
    return module
