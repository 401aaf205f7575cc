"""The family that CONTRIBUTING.md shows is whole: it needs no other file than its own."""

from __future__ import annotations

import importlib.util
import re
import sys
from itertools import product
from pathlib import Path
from types import ModuleType

import pytest

from tacit.concepts.contract.specification import FAMILIES, parse
from tacit.core.errors import InvalidArgument
from tacit.data import Integer
from tacit.data.schema.classes import class_for
from tacit.data.schema.schema import Schema
from tacit.learners.every_class.generic import GenericLearner
from tacit.theory.dimensions.all_dimensions import dimensions
from tacit.verify.enumeration import Case, verify
from tacit.verify.route import Route, labelled
from tacit.workflows.planning.plan import plan
from tests.support.concept_contract import check_contract

SHOWN = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture
def family(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Write what is shown into a module of its own, and register it as the text says."""
    (shown,) = SHOWN.findall((Path(__file__).parents[3] / "CONTRIBUTING.md").read_text())
    path = tmp_path / "multiples.py"
    path.write_text(shown)
    spec = importlib.util.spec_from_file_location("multiples", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "multiples", module)
    spec.loader.exec_module(module)
    monkeypatch.setitem(FAMILIES, "multiples", module.Multiples)
    return module


def test_it_keeps_the_contract(family: ModuleType) -> None:
    check_contract(family.Multiples(values=9), exact=False)
    check_contract(family.Multiples(3), exact=False)
    with pytest.raises(InvalidArgument, match="no concept"):
        family.Multiples(3).decode({"of": 9})


def test_it_is_planned_for_and_bounded(family: ModuleType) -> None:
    found = plan("multiples(values=12)", alpha="0.1", epsilon=1)
    assert "generic" in {offer.name for offer in found.offers}
    assert found.lower_bounds
    known = dimensions("multiples(values=12)", time_limit=30.0)
    assert known.vc.exact
    assert known.littlestone.exact
    schema = Schema({"age": Integer(0, 11)})
    assert class_for("multiples", schema, ["age"]) == parse("multiples(values=12)")


def test_it_is_learned_privately(family: ModuleType) -> None:
    concepts = parse("multiples(values=3)")
    learner = GenericLearner(concepts, epsilon=1)
    universe = tuple((x, (y,)) for x, y in product(range(3), (0, 1)))
    case = Case(
        "generic", str(concepts), "learner", learner.cost, universe, 3, Route(learner, labelled)
    )
    assert verify(case).verdict == "verified"
