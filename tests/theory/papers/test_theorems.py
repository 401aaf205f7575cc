"""Theorem to code: every statement of the papers is listed, and what is said of it is true."""

from __future__ import annotations

import ast
import json
import re
import shlex
from functools import reduce
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tacit.core.errors import InvalidArgument
from tacit.theory.papers.references import REFERENCES
from tacit.theory.papers.theorems import (
    ABBREVIATIONS,
    Paper,
    Statement,
    papers,
    theorem,
    theorems,
)
from tacit.verify import registry
from tests.interfaces.cli.test_command import call
from tests.support.written_pages import theorems_page

ROOT = Path(__file__).parents[3]
SHOWN = [found for found in theorems() if found.runs]


def _key(found: Statement | Paper) -> str:
    return found.key


@pytest.mark.parametrize("paper", papers().values(), ids=_key)
def test_no_statement_is_left_out(paper: Paper) -> None:
    """Each series is there from its first to its last number, and nothing else."""
    expected = [
        f"{paper.key}:{name}{'.' if len(name) == 1 else ''}{number}"
        for name, (first, last) in paper.series.items()
        for number in range(first, last + 1)
    ]
    assert sorted(found.key for found in theorems(paper.key)) == sorted(expected)
    assert len(expected) == paper.statements
    assert paper.key in REFERENCES


@pytest.mark.parametrize("found", theorems(), ids=_key)
def test_what_is_said_of_a_statement_is_true(found: Statement) -> None:
    assert found.kind in ABBREVIATIONS
    assert found.says.endswith((".", "?"))
    assert "\n" not in found.says + found.runs + found.why
    assert found.code or found.why, "implemented, or said why not"
    assert bool(found.code) == bool(found.test) == bool(found.runs)
    for name in found.code:
        module, _, path = name.partition(":")
        assert path
        reduce(getattr, path.split("."), import_module(module))
    if found.proof:
        assert (ROOT / "docs" / "proofs" / found.proof).is_file()
    if found.case:
        assert found.case in registry.targets()
    if found.test:
        name, _, test = found.test.partition("::")
        assert re.search(rf"^def {test}\(", (ROOT / name).read_text(), re.MULTILINE)


@pytest.mark.parametrize("found", SHOWN, ids=_key)
def test_what_shows_a_statement_runs(found: Statement) -> None:
    if found.runs.startswith("tacit "):
        read = list(shlex.shlex(found.runs, posix=True, punctuation_chars=True))
        assert not {"(", ")", ";", "&", "|", "<", ">"} & set(read), "quote what a shell would read"
        assert call(*shlex.split(found.runs)[1:]).returncode == 0
        return
    lines = ast.parse(found.runs).body
    assert isinstance(lines[-1], ast.Expr), "a Python prompt shows the last part only"
    names: dict[str, Any] = {}
    exec(compile(ast.Module(lines[:-1], []), found.key, "exec"), names)
    shown = eval(compile(ast.Expression(lines[-1].value), found.key, "eval"), names)
    assert shown is not None
    assert shown is not False


def test_the_page_is_what_is_known() -> None:
    """Write it again by `print(theorems_page(), end="")`."""
    assert (ROOT / "docs" / "theorems.md").read_text(encoding="utf-8") == theorems_page()


@pytest.mark.parametrize("found", theorems(), ids=_key)
def test_a_statement_is_found_as_it_is_cited(found: Statement) -> None:
    kind, number = ABBREVIATIONS[found.kind], found.cited.split()[-1]
    for written in (
        found.key,
        found.key.lower(),
        found.cited,
        f"{found.paper} {kind}. {number}",
        f"{found.paper}:{found.kind.title()} {number}",
        f"{found.paper}, {found.kind} {number}",
    ):
        assert theorem(written) is found


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("BNS16:3.14", "near it are .*BNS16:3.13"),
        ("BNS19:Ex11", "BNS19:Ex10"),
        ("BNS16", "tacit theorem --paper BNS16"),
        ("BNS61:3.13", "there are FX14, Vitaly Feldman"),
        ("", "there are FX14"),
        ("Vad17:" + "8." * 1000 + "4", "is not known"),
    ],
)
def test_what_is_not_there_is_refused_with_a_way_out(asked: str, said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        theorem(asked)
    assert call("theorem", asked).returncode == 2


def test_the_command_answers_per_the_contract() -> None:
    every = json.loads(call("theorem", "--json").stdout)["theorems"]
    assert [each["key"] for each in every] == [found.key for found in theorems()]
    fields = {"key", "kind", "says", "code", "proof", "case", "test", "runs", "why"}
    assert all(set(each) == fields for each in every)
    (one,) = json.loads(call("theorem", "BNS16", "Thm", "3.13", "--json").stdout)["theorems"]
    assert one["code"] == list(theorem("BNS16:3.13").code)
    assert one["why"] is None
    (none,) = json.loads(call("theorem", "Vad17:8.10", "--json").stdout)["theorems"]
    assert (none["code"], none["runs"]) == ([], None)


def test_people_read_the_same() -> None:
    told = call("theorem", "BNS16:2.23").stdout
    found = theorem("BNS16:2.23")
    assert all(part in told for part in (found.says, *found.code, found.proof, found.case))
    assert f"limits: {found.why}" in told
    assert "why not: not runnable, because" in call("theorem", "Vad17:8.7").stdout
    listed = call("theorem", "--paper", "vad17").stdout.splitlines()
    assert len(listed) == papers()["Vad17"].statements
    assert (
        call("theorem", "3.13", "--paper", "BNS16").stdout == call("theorem", "BNS16:3.13").stdout
    )
    assert call("theorem", "--paper", "nobody").returncode == 2


def test_each_module_says_what_it_holds_of_the_papers() -> None:
    """The last paragraph of its docstring lists them, in one spelling, and no others."""
    listed: dict[str, list[str]] = {}
    for found in theorems():
        for module in dict.fromkeys(name.partition(":")[0] for name in found.code):
            listed.setdefault(module, []).append(found.cited)
    said = {}
    for path in (ROOT / "src").rglob("*.py"):
        told = ast.get_docstring(ast.parse(path.read_text())) or ""
        last = " ".join(told.split("\n\n")[-1].split())
        if last.startswith("Of the papers: "):
            name = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
            said[name.removesuffix(".__init__")] = last.removeprefix("Of the papers: ")[:-1]
    assert said == {module: ", ".join(cited) for module, cited in listed.items()}
