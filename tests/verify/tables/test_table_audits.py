"""Audits that start at the file: what they cover, what they catch, and that nothing is left out."""

from __future__ import annotations

import ast
import builtins
import importlib
import json
import math
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from benchmarks import person_pairs
from benchmarks.pairs import violations

import tacit
from tacit.core.chance.randomness import Seeded
from tacit.core.cost import Pure
from tacit.core.errors import InvalidArgument, MissingExtra
from tacit.data import Bits, Integer, Schema
from tacit.interfaces.cli.checks.audit import FITS
from tacit.interfaces.estimators import fit_audits
from tacit.verify import registry
from tacit.verify.enumeration import Case, verify
from tacit.verify.tables import CASES, WRITERS
from tacit.verify.tables.cells import FEATURES, LINES
from tacit.verify.tables.watching import law_of, shown
from tacit.workflows import learn
from tacit.workflows.charging import watched
from tests.interfaces.cli.test_command import call
from tests.support.table_pairs import Pair, violation
from tests.verify.tables.not_refused import check_not_refused

SCHEMA = Schema({"age": Integer(0, 3), "ill": Bits()})
ASKED: dict[str, Any] = {"concepts": "points", "features": ["age"], "labels": ["ill"], "epsilon": 1}


def _name(case: Case) -> str:
    return f"{case.target}: {case.setting}"


@pytest.mark.parametrize("case", fit_audits.CASES, ids=_name)
def test_fit_is_verified_from_the_rows_on(case: Case) -> None:
    law = cache(case.law)
    assert verify(replace(case, law=law)).verdict == "verified"
    check_not_refused(case, law)


def test_every_way_to_write_a_table_is_there() -> None:
    targets = registry.targets(FITS)
    assert {case.target for case in fit_audits.CASES} == set(FITS)
    assert {f"table-{writer.name}" for writer in WRITERS} <= set(targets)
    read = {case.setting.split(",")[0] for case in CASES}
    verbs = {"learn", "quantile", "optimise", "sanitize", "measure", "count", "site"}
    others = {"codes", "held out", "jointly", "labels only", "parties", "names"}
    assert read == verbs | others | {"public", "public labels"}
    persons = [case for case in CASES if "persons" in case.setting]
    held = {case.setting.split(",")[0] for case in persons}
    assert held == verbs | {"held out", "jointly"}
    assert len(persons) == len(held) * len(WRITERS)
    assert {name.split("_")[0] for name in FEATURES} == {
        "integer",
        "real",
        "category",
        "bits",
        "words",
        "date",
    }


# Everything that reads a table registers, or the build fails.

SOURCES = Path(tacit.__file__).parent
OPENS = "tacit.data.reading.source.open_source"
AUDITED = {
    "tacit.data.reading.type_check.check_fit": "owner",
    "tacit.workflows.learning.learn": "learn",
    "tacit.workflows.learning.prepare": "learn",
    "tacit.workflows.measuring.measure": "measure",
    "tacit.interfaces.cli.tables.measure.measure": "measure",
    "tacit.workflows.predicting.predict": "codes",
    "tacit.workflows.predicting.opened_for": "codes",
    "tacit.workflows.predicting.predictions": "codes",
    "tacit.workflows.sites.answering.answer": "site",
    "tacit.workflows.quantiles.quantile": "quantile",
    "tacit.workflows.optimising.optimise": "optimise",
    "tacit.data.reading.reduction.count_points": "quantile",
    "tacit.data.reading.reduction.point_batches": "codes",
    "tacit.data.reading.reduction.read_points": "codes",
    "tacit.data.reading.reduction.reduce": "learn",
    "tacit.data.reading.reduction.open_table": "codes",
    "tacit.data.reading.reduction.sample_of": "learn",
    "tacit.workflows.sanitizing.sanitize": "sanitize",
    "tacit.workflows.counting.units.count_units": "count",
    "tacit.workflows.learned_rows.counted_rows": "learn",
    "tacit.workflows.learned_rows.public_rows": "public",
    "tacit.workflows.counting.count.count": "count",
    "tacit.data.reading.source.open_source": "names",
    "tacit.data.reading.type_check.unread_cells": "owner",
    "tacit.data.reading.template.template": "names",
    "tacit.interfaces.page.learning.columns": "names",
    "tacit.interfaces.page.learning.preview": "owner",
    "tacit.interfaces.page.learning.run": "learn",
    "tacit.interfaces.page.counting.counted": "count",
    "tacit.interfaces.page.counting.made_up": "sanitize",
    "tacit.interfaces.cli.tables.learn.learn": "learn",
    "tacit.interfaces.cli.tables.predict.predict": "codes",
    "tacit.interfaces.bridges.opendp.learning": "learn",
    "tacit.interfaces.bridges.opendp.sanitizing": "sanitize",
    "tacit.interfaces.cli.tables.quantile.quantile": "quantile",
    "tacit.interfaces.cli.tables.count.count": "count",
    "tacit.interfaces.cli.tables.optimise.optimise": "optimise",
    "tacit.interfaces.cli.sites.site.site": "site",
    "tacit.interfaces.cli.tables.sanitize.sanitize": "sanitize",
    "tacit.interfaces.cli.tables.schema.check_schema": "owner",
    "tacit.interfaces.cli.tables.schema.write_template": "names",
}
"""What opens a source, and the cases that audit it; what is for the owner alone releases nothing,
and Spark's scores are audited where there is a cluster, in test_spark."""
ESTIMATORS = "tacit.interfaces.estimators."


def _readers() -> set[str]:
    """Return every public function and class of the package from which a source is opened."""
    calls: dict[str, set[str]] = {}
    for path in sorted(SOURCES.rglob("*.py")):
        name = ".".join(("tacit", *path.relative_to(SOURCES).with_suffix("").parts))
        if path.name not in ("__init__.py", "__main__.py"):
            calls |= dict(_calls(importlib.import_module(name), ast.parse(path.read_text())))
    reaching = {OPENS}
    while more := {name for name, called in calls.items() if called & reaching} - reaching:
        reaching |= more
    private = ("tacit.verify.",)  # audits read tables too: those that they make up
    return {
        name
        for name in reaching
        if not name.rpartition(".")[2].startswith("_") and not name.startswith(private)
    }


def _calls(module: Any, tree: ast.Module) -> Iterator[tuple[str, set[str]]]:
    """Yield what a module defines, with all that it names, by where those are defined."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Assign):
            named = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
            parts = [part for part in ast.walk(node) if isinstance(part, ast.Attribute)]
            held = [getattr(module, name, None) for name in named if not hasattr(builtins, name)]
            held += [
                getattr(getattr(module, part.value.id, None), part.attr, None)
                for part in parts
                if isinstance(part.value, ast.Name)
            ]
            targets = node.targets if isinstance(node, ast.Assign) else [ast.Name(node.name)]
            where = {f"{_home(value)}.{value.__qualname__}" for value in held if _home(value)}
            for target in targets:
                if isinstance(target, ast.Name):
                    yield f"{module.__name__}.{target.id}", where


def _home(value: object) -> str:
    home = getattr(value, "__module__", None) if hasattr(value, "__qualname__") else None
    return home if isinstance(home, str) and home.startswith("tacit") else ""


def test_everything_that_reads_a_table_is_audited() -> None:
    readers = _readers()
    assert {name for name in readers if not name.startswith(ESTIMATORS)} == set(AUDITED)
    read = {case.setting.split(",")[0] for case in CASES}
    assert set(AUDITED.values()) <= read | {"owner", "spark"}


def test_every_fit_of_an_estimator_is_audited() -> None:
    """Those that have a `fit` of their own are, or a way to it, or hold rows out; others inherit.

    The search fits them.
    """
    estimators = importlib.import_module("tacit.estimators")
    classes = [getattr(estimators, name) for name in estimators.__all__ if name.startswith("Priv")]
    classes.append(estimators.MultiLabelPrivateClassifier)
    own = {each for each in classes if {"fit", "given", "hold_out"} & vars(each).keys()}
    made = {type(make(estimators, Pure(1))) for make, _ in fit_audits.ESTIMATORS.values()}
    audited = {base for each in made for base in each.__mro__}
    assert own - audited == {estimators.PrivateSearchCV}


# What is watched.


def test_a_release_is_drawn_from_the_law_that_was_audited() -> None:
    people = {"age": [1, 2, 2], "ill": [0, 1, 1]}
    with watched() as releases:
        models = [learn(people, SCHEMA, rng=Seeded(seed), **ASKED) for seed in range(40)]
    laws = [release.law().map(shown) for release in releases]
    assert all(law == laws[0] for law in laws)
    drawn = {shown(model) for model in models}
    assert len(drawn) > 1
    assert drawn <= set(laws[0].probabilities)


def test_a_prepared_release_shows_no_counts_and_a_refusal_costs_nothing() -> None:
    with watched() as releases:
        learn({"age": [1], "ill": [0]}, SCHEMA, rng=Seeded(1), **ASKED)
    assert "statistic" not in repr(releases[0])
    charged: list[Any] = []
    with pytest.raises(InvalidArgument, match="no rows"):
        learn({"age": [], "ill": []}, SCHEMA, charge=lambda *cost: charged.append(cost), **ASKED)
    assert not charged


def test_an_exception_a_warning_and_a_line_are_outcomes(capsys: pytest.CaptureFixture[str]) -> None:
    def loud() -> None:
        sys.stderr.write("in /private/1: hm")
        raise KeyError("cell")

    (outcome,) = law_of(loud, private="/private", known={}).probabilities
    assert outcome == (("KeyError: 'cell'", "in /1: hm"), None, ())
    assert capsys.readouterr().err == ""
    with pytest.raises(MissingExtra):
        law_of(lambda: _missing(), private="/", known={})


def _missing() -> None:
    raise MissingExtra(package="polars", extra="polars")


# Random pairs.


def test_only_the_replaced_row_of_random_tables_changes() -> None:
    """Ten thousand are compared by `python -m benchmarks pairs`."""
    assert [found for _, found in violations(150) if found] == []


def test_the_law_of_random_files_with_persons_keeps_its_claim() -> None:
    told = list(person_pairs.violations(60))
    assert [found for _, found in told if found] == []
    assert all(name.endswith("verified") for name, _ in told)


def test_a_reader_that_is_not_row_local_is_found(tmp_path: Path) -> None:
    schema = Schema({"x": Integer(0, 9), "label": Bits()})
    plain = {"x": [1, 2, 3], "label": [0, 0, 1]}
    assert violation(Pair("lists", plain, plain | {"x": [1, 9, 3]}, 1, schema)) is None
    found = violation(Pair("lists", plain, plain | {"x": [1, 9, 4]}, 1, schema))
    assert found == "row 1 was replaced, and the codes of rows [1, 2] changed"
    short = {"x": [1, 2], "label": [0, 0]}
    assert violation(Pair("lists", plain, short, 1, schema)) == "3 rows | 2 rows"
    other = violation(Pair("lists", plain, {"y": [1, 2, 3], "label": [0, 0, 1]}, 1, schema))
    assert other is not None
    assert "no column" in other


# What the command says.


def test_a_target_that_lacks_its_extra_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    few = {"table-polars", "table-lists"}
    chosen = tuple(case for case in CASES if case.target in few and "names" in case.setting)
    monkeypatch.setitem(sys.modules, "few_tables", SimpleNamespace(CASES=chosen))
    for module in ("tacit.verify.registry", "tacit.interfaces.cli.checks.audit"):
        held = dict.fromkeys(sorted(few), ("few_tables",))
        monkeypatch.setattr(f"{module}.PLACES", held)
    monkeypatch.setattr("tacit.interfaces.cli.checks.audit.FITS", {})
    monkeypatch.setitem(sys.modules, "polars", None)
    alone = call("audit", "table-polars")
    assert (alone.returncode, alone.stdout) == (2, "")
    assert "pip install 'tacit[polars]'" in alone.stderr
    told = call("audit", "--all", "--json")
    answer = json.loads(told.stdout)
    assert told.returncode == 0
    assert [target["target"] for target in answer["targets"]] == ["table-lists"]
    assert [left["target"] for left in answer["not_run"]] == ["table-polars"]
    assert "table-polars was not run: polars is not installed" in call("audit", "--all").stdout


def test_the_finding_of_nan_is_reproduced_and_fixed(tmp_path: Path) -> None:
    """A thousand rows of NaN, and the same with a 1: all rows moved from code 0 to code 50."""
    schema = Schema({"x": Integer(0, 50), "label": Bits()})
    writer = next(writer for writer in WRITERS if writer.name == "parquet-pyarrow")
    storage = writer.storages[0]
    columns = [(storage, [first, *[math.nan] * 999]) for first in (math.nan, 1.0)]
    a, b = (writer({"x": x, "label": x}, tmp_path / str(i)) for i, x in enumerate(columns))
    assert violation(Pair(writer.name, a, b, 0, schema)) is None


def test_raw_lines_hold_what_was_found() -> None:
    assert any(cell.startswith(b"\xef\xbb\xbf") for cell in LINES.cells)
