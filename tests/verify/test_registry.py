"""The bars of the registry: everything private verified, every twin caught, nothing left out."""

from __future__ import annotations

import inspect as python
import pkgutil
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib import import_module

import pytest

import tacit.verify.broken
import tacit.verify.cases
from tacit import learners, mechanisms, sanitizers
from tacit.concepts.contract.specification import parse
from tacit.core.chance.randomness import Seeded
from tacit.core.composition import price
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy
from tacit.learners import CATALOGUE
from tacit.learners.contract.entry import Request
from tacit.verify import tables
from tacit.verify.black_box import BlackBox
from tacit.verify.enumeration import Case, verify
from tacit.verify.finding import budget, leaf
from tacit.verify.places import PLACES
from tacit.verify.registry import (
    FAILURE,
    MOST_PROBES,
    Claimed,
    as_expected,
    held,
    inspect,
    probes,
    targets,
)
from tacit.verify.sampling import sound
from tests.verify.tables.not_refused import check_not_refused


def _name(entry: Claimed) -> str:
    return f"{entry.target}: {entry.setting}"


REGISTRY = [entry for entries in targets().values() for entry in entries]
PROBES = [probe for target in targets() for probe in probes(target)]
PRIVATE = [entry for entry in REGISTRY if entry.kind != "broken"]
BROKEN = [entry for entry in REGISTRY if entry.kind == "broken"]
READ = {case.target for case in tables.CASES}
CHARGED = [
    entry
    for entry in PRIVATE
    if isinstance(entry, Case)
    and entry.claim != getattr(getattr(entry.route, "mechanism", None), "cost", entry.claim)
]
"""Cases that claim other words than their object's cost."""


@pytest.mark.parametrize("entry", PRIVATE, ids=_name)
def test_every_claim_is_verified_by_enumeration(entry: Claimed) -> None:
    assert isinstance(entry, Case)
    read = entry.target in READ
    law = cache(entry.law) if read else entry.law
    finding = verify(replace(entry, law=law))
    assert finding.verdict == "verified"
    assert finding.pairs > 0
    if entry.tight:
        assert finding.share >= 0.999
    if read:
        check_not_refused(entry, law)


@pytest.mark.parametrize("entry", CHARGED, ids=_name)
def test_what_is_charged_is_no_less_than_what_is_verified(entry: Case) -> None:
    """A ledger is told the cost of the object, whatever its cases claim."""
    assert entry.route is not None
    delta = getattr(leaf(entry.claim), "delta", Fraction(0))
    with suppress(InvalidArgument):  # more delta is charged than is claimed
        charged = price(entry.route.mechanism.cost, delta).privacy
        assert charged.epsilon >= budget(entry.claim)


@pytest.mark.parametrize("target", sorted({entry.target for entry in BROKEN}))
def test_every_twin_is_caught(target: str) -> None:
    report = inspect(target, rng=Seeded(0))
    assert report.worst.verdict == "refuted"
    assert report.refuted_by_probe or report.worst.share > 1


@pytest.mark.parametrize(
    ("target", "settings"),
    [
        ("sampler-apart-from-its-law", {"verified"}),
        ("no-noise-above-50-rows", {"verified"}),
        ("certain-above-50-rows", {"verified"}),
        ("budget-for-two-labels", {"verified", "refuted"}),
        ("rows-outside-repr", {"refuted"}),
        ("no-noise-above-epsilon-4", {"verified", "refuted"}),
    ],
)
def test_where_a_verifier_may_be_fooled(target: str, settings: set[str]) -> None:
    """A few rows, two labels or a small budget alone would have passed for private."""
    report = inspect(target, rng=Seeded(0))
    assert {finding.verdict for finding in report.findings} == settings
    assert report.refuted_by_probe == (settings == {"verified"})
    how = {sounding.probe.case.n: sounding.apart > 0 for sounding in report.soundings}
    assert how == {
        "sampler-apart-from-its-law": {3: True},
        "no-noise-above-50-rows": {1000: True},
        "certain-above-50-rows": {1000: False},
    }.get(target, {})


TARGETS = sorted({entry.target for entry in PRIVATE} - READ)
"""All but the tables: these are about reading, and what is drawn from them has a target itself."""
NOISY = "with more noise its law has too many outcomes to list"
DEALT = "its law is over all ways to deal the rows"
LISTED = "its law lists all outcomes of two noisy counts, or all places for a split"
MANY_LABELS = {
    "block-parity-learner",
    "direct-sum",
    "histogram-learner",
    "label-histogram-learner",
    "label-private-learner",
    "pure-histogram-learner",
    "shared-cover-learner",
}
LARGE_ONLY = {"margin-learner": NOISY, "joint-margin": NOISY}
"""Why a target is enumerated and probed at large budgets only."""
SMALL_ONLY = {
    "resample": "drawing few of 1000 rows makes any budget a small one",
}
"""Why a target is not probed at a claim of 8 or more; what it calls is."""
FEW_ROWS = {
    "local-learner": DEALT,
    "private-queries": LISTED,
    "rows-dealt-by-words": LISTED,
    "local-queries": DEALT,
    "party-queries": LISTED,
    "site": LISTED,
    "split-cover": LISTED,
    "pair-sanitizer": LISTED,
    "told-number": "its law lists all numbers that may be told",
    "added-measurement": LISTED,
    "added-measured-learner": DEALT,
}
"""Why a target is not probed with 1000 rows."""


@pytest.mark.parametrize("target", TARGETS)
def test_coverage_is_wide(target: str) -> None:
    cases = [entry for entry in PRIVATE if entry.target == target]
    exact = [case for case in cases if isinstance(case, Case)]
    assert any(len(case.universe) >= 3 and case.n >= 3 for case in exact)
    budgets = {budget(case.claim) for case in exact}
    assert len(budgets) >= 3, "several epsilon"
    assert max(budgets) >= 6, "a large one"
    assert min(budgets) <= Fraction(1, 2) or target in LARGE_ONLY, "a small one"
    assert max(case.labels for case in exact) >= (3 if target in MANY_LABELS else 1)


def test_what_learns_many_labels_is_known() -> None:
    """A learner that is made for a number of labels is enumerated and probed with many."""
    taking = {
        _registered_name(name)
        for name in learners.__all__
        if _has_law(getattr(learners, name))
        and "labels" in python.signature(getattr(learners, name)).parameters
    }
    assert taking == MANY_LABELS


@pytest.mark.parametrize("target", TARGETS)
def test_every_sampler_is_drawn_from(target: str) -> None:
    """At the enumerated sizes, and far beyond: rows, budgets and labels."""
    drawn = [probe.case for probe in probes(target)]
    enumerated = [entry for entry in PRIVATE if entry.target == target]
    assert any(case in enumerated for case in drawn), "at the enumerated sizes"
    beyond = [case for case in drawn if case not in enumerated]
    assert (max(case.n for case in beyond) >= 1000) == (target not in FEW_ROWS)
    budgets = [budget(case.claim) for case in beyond]
    assert (min(budgets) <= Fraction(1, 2)) == (target not in LARGE_ONLY)
    assert (max(budgets) >= 8) == (target not in SMALL_ONLY)
    assert max(case.labels for case in beyond) >= (10 if target in MANY_LABELS else 1)


@pytest.mark.parametrize("target", TARGETS)
def test_every_sampler_follows_its_law(target: str) -> None:
    """All probes together err with probability FAILURE; here the source is seeded."""
    for probe in probes(target):
        found = sound(probe, failure=FAILURE / MOST_PROBES, rng=Seeded(0))
        assert found.verdict == "not refuted", probe.case.setting


def test_most_twins_are_refuted_by_proof() -> None:
    assert len(BROKEN) >= 12
    assert [entry.target for entry in BROKEN if isinstance(entry, BlackBox)] == ["float-laplace"]


def _has_law(value: object) -> bool:
    """Whether something is a class with a law, and neither describes one nor is a part of one."""
    if not python.isclass(value) or getattr(value, "_is_protocol", False):
        return False
    parts = (getattr(value, name, None) for name in dir(value))
    left_open = any(getattr(part, "__isabstractmethod__", False) for part in parts)
    return callable(getattr(value, "law", None)) and not left_open


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
        for found in pkgutil.walk_packages(folder.__path__, f"{folder.__name__}."):
            module = import_module(found.name)
            for name, value in vars(module).items():
                here = getattr(value, "__module__", "") == module.__name__
                if here and not name.startswith("_") and _has_law(value):
                    assert name in folder.__all__, f"{name} is not exported by {folder.__name__}"


def test_every_case_file_is_registered() -> None:
    """A case, and a function that makes cases, each have a place."""
    places = {place for placed in PLACES.values() for place in placed}
    for package in (tacit.verify.cases, tacit.verify.broken):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = import_module(found.name)
            for name, made in vars(module).items():
                here = getattr(made, "__module__", "") == module.__name__
                makes = here and getattr(made, "__annotations__", {}).get("return") == "Audited"
                if makes or isinstance(made, Case | BlackBox):
                    assert f"{found.name}:{name}" in places


@pytest.mark.parametrize("target", TARGETS)
def test_a_target_is_the_name_of_all_its_cases(target: str) -> None:
    """What a place makes under another name would be audited by nobody."""
    for place in PLACES[target]:
        cases, beyond = held(place)
        assert {case.target for case in cases} == {target}
        assert {probe.case.target for probe in beyond} == {target}


def test_every_target_has_cases_and_few_enough_probes() -> None:
    assert all(targets().values())
    assert {entry.target for entry in tables.CASES} <= set(PLACES)
    assert len(PROBES) <= MOST_PROBES


def test_one_target_is_audited_without_the_others() -> None:
    told = (
        "import sys; from tacit.core.chance.randomness import Seeded; "
        "from tacit.verify.registry import inspect; inspect('exponential', rng=Seeded(0)); "
        "print(*(m for m in sys.modules if m.startswith('tacit')))"
    )
    ran = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    loaded = ran.stdout.split()
    assert sorted(m for m in loaded if m.startswith("tacit.verify.cases.")) == [
        "tacit.verify.cases.choice",
        "tacit.verify.cases.statement",
    ]
    assert not any(m.startswith(("tacit.learners", "tacit.data", "tacit.theory")) for m in loaded)


LITTLE = {
    "boxes": "boxes(bits=3, dims=2)",
    "conjunctions": "conjunctions(dims=4, width=2)",
    "halfspaces": "halfspaces(bits=2, dims=2)",
    "lines": "lines(p=7)",
    "parities": "parities(dims=6)",
    "points": "points(bits=6)",
    "rules": 'rules({"width":1,"columns":[["a",0,3]],"literals":[[0,">=",1],[0,"<",1]]})',
    "scorecards": "scorecards(values=s9xc3)",
    "thresholds": "thresholds(bits=3)",
}


@pytest.mark.parametrize("name", [n for n, e in CATALOGUE.items() if not e.labels_only])
def test_what_a_learner_costs_is_what_it_was_given(name: str) -> None:
    """A learner made for a budget spends all of it; to say that it costs less would be a lie."""
    listing = CATALOGUE[name]
    budget = Privacy(1, 0 if listing.pure else "1e-6")
    spec = LITTLE[listing.families[0] if listing.families else "thresholds"]
    asked = Request(parse(spec), budget, 2000, None, Fraction(1, 20), agnostic=False, public=90)
    made = listing(asked)
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
