"""The bars of the registry: everything private verified, every twin caught, nothing left out."""

from __future__ import annotations

import inspect as python
import pkgutil
from fractions import Fraction
from importlib import import_module

import pytest

import tacit.evaluation.broken
import tacit.evaluation.cases
from tacit import learners, mechanisms, sanitizers
from tacit.concepts.specification import parse
from tacit.core.composition import price
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy
from tacit.core.randomness import Seeded
from tacit.evaluation.black_box import BlackBox, audit
from tacit.evaluation.registry import REGISTRY, Entry, as_expected, inspect, targets
from tacit.evaluation.verification import Case, verify
from tacit.learners import CATALOGUE
from tacit.learners.listing import Request


def _name(entry: Entry) -> str:
    return f"{entry.target}: {entry.setting}"


PRIVATE = [entry for entry in REGISTRY if entry.kind != "broken"]
BROKEN = [entry for entry in REGISTRY if entry.kind == "broken"]


@pytest.mark.parametrize("entry", PRIVATE, ids=_name)
def test_every_claim_is_verified_by_enumeration(entry: Entry) -> None:
    assert isinstance(entry, Case)
    finding = verify(entry)
    assert finding.verdict == "verified"
    assert finding.pairs > 0
    if entry.tight:
        assert finding.share >= 0.999


@pytest.mark.parametrize("entry", BROKEN, ids=_name)
def test_every_twin_is_caught(entry: Entry) -> None:
    finding = verify(entry) if isinstance(entry, Case) else audit(entry, rng=Seeded(0))
    assert finding.verdict == "refuted"
    assert finding.share > 1


@pytest.mark.parametrize("target", sorted({entry.target for entry in PRIVATE}))
def test_coverage_is_wide(target: str) -> None:
    cases = [entry for entry in PRIVATE if entry.target == target]
    exact = [case for case in cases if isinstance(case, Case)]
    assert any(len(case.universe) >= 3 and case.n >= 3 for case in exact)
    assert len({case.claim for case in cases}) >= 2, "several (epsilon, delta)"


def test_most_twins_are_refuted_by_proof() -> None:
    assert len(BROKEN) >= 12
    assert [entry.target for entry in BROKEN if isinstance(entry, BlackBox)] == ["float-laplace"]


def _has_law(value: object) -> bool:
    """Whether something is a class with a law, other than the protocols that describe one."""
    concrete = python.isclass(value) and not getattr(value, "_is_protocol", False)
    return concrete and callable(getattr(value, "law", None))


def _mechanisms() -> list[str]:
    """Return the names of all public classes that have a law, in every folder that may hold one."""
    folders = (mechanisms, sanitizers, learners)
    listed = [(folder, name) for folder in folders for name in getattr(folder, "__all__", ())]
    return [name for folder, name in listed if _has_law(getattr(folder, name))]


def _registered_name(name: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip(
        "-"
    )


@pytest.mark.parametrize("name", _mechanisms())
def test_an_unregistered_mechanism_fails_the_build(name: str) -> None:
    assert _registered_name(name) in targets()


def test_every_mechanism_module_is_in_the_table_of_contents() -> None:
    """A file that defines a class with a law must export it, so that the test above sees it."""
    for folder in (mechanisms, sanitizers, learners):
        for found in pkgutil.iter_modules(folder.__path__):
            module = import_module(f"{folder.__name__}.{found.name}")
            for name, value in vars(module).items():
                here = getattr(value, "__module__", "") == module.__name__
                if here and not name.startswith("_") and _has_law(value):
                    assert name in folder.__all__, f"{name} is not exported by {folder.__name__}"


def test_every_case_file_is_registered() -> None:
    for package in (tacit.evaluation.cases, tacit.evaluation.broken):
        for found in pkgutil.iter_modules(package.__path__):
            module = import_module(f"{package.__name__}.{found.name}")
            assert set(module.CASES) <= set(REGISTRY)


LITTLE = {
    "boxes": "boxes(bits=3, dims=2)",
    "conjunctions": "conjunctions(dims=4, width=2)",
    "halfspaces": "halfspaces(bits=2, dims=2)",
    "lines": "lines(p=7)",
    "parities": "parities(dims=6)",
    "points": "points(bits=6)",
    "thresholds": "thresholds(bits=3)",
}


@pytest.mark.parametrize("name", CATALOGUE)
def test_what_a_learner_costs_is_what_it_was_given(name: str) -> None:
    """A learner made for a budget spends all of it; to say that it costs less would be a lie."""
    listing = CATALOGUE[name]
    budget = Privacy(1, 0 if listing.pure else "1e-6")
    spec = LITTLE[listing.families[0] if listing.families else "thresholds"]
    made = listing(Request(parse(spec), budget, 2000, None, Fraction(1, 20), agnostic=False))
    assert Fraction(999, 1000) <= price(made.cost, budget.delta).privacy.epsilon <= 1


def test_another_claim_can_be_tested() -> None:
    assert inspect("exponential", claim=Privacy("0.01"), rng=Seeded(0)).worst.verdict == "refuted"
    loose = inspect("exponential", claim=Privacy(9, "0.1"), rng=Seeded(0))
    assert loose.worst.verdict == "verified"
    assert as_expected(loose.kind, loose.worst.verdict)
    lenient = inspect("float-laplace", claim=Privacy(1, "0.5"), rng=Seeded(0))
    assert lenient.worst.verdict == "not refuted"
    assert not as_expected(lenient.kind, lenient.worst.verdict)


def test_label_privacy_does_not_pass_for_more() -> None:
    full = inspect("label-private-learner", claim=Privacy(2), rng=Seeded(0))
    assert full.worst.verdict == "refuted"


def test_an_unknown_target_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="tacit audit --list"):
        inspect("nothing", rng=Seeded(0))
