"""A policy forbids what its clauses say, and is refused if it is not understood."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tacit.core.chance.randomness import Seeded
from tacit.core.cost import Added, Pure
from tacit.core.errors import InvalidArgument, Refused
from tacit.core.unit import Unit
from tacit.data import Bits, Category, Integer, Schema
from tacit.data.ledger import Cap, Ledger
from tacit.workflows import learn
from tacit.workflows.releasing.policy import CHOSEN, TEMPLATE, Intended, Policy, intended, to_learn
from tacit.workflows.releasing.record import of_model

FIRST = 'format = "tacit-policy-1"\n'
SCHEMA = Schema({"sick": Bits()})


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    made = Ledger.create(tmp_path / "l.db")
    for name in ("clinic", "ward"):
        made.grant(name, SCHEMA, Cap(9, "1e-3"))
    made.reserve("clinic", SCHEMA, Pure(1))
    made.reserve("ward", SCHEMA, Pure(2))
    return made


@pytest.mark.parametrize(
    ("clause", "asked", "why"),
    [
        ("[release]\nepsilon = 0.1", {"epsilon": "1/10", "delta": 0}, ""),
        ("[release]\nepsilon = 0.1", {"epsilon": "0.11", "delta": 0}, r"\[release\] epsilon"),
        ("[release]\ndelta = 0", {"epsilon": 1, "delta": "1e-9"}, r"\[release\] delta"),
        ('[allowed]\nclasses = ["rules"]', {"families": ("rules",)}, ""),
        ('[allowed]\nclasses = ["rules"]', {"families": ("points",)}, r"\[allowed\] classes"),
        ('[allowed]\nclasses = ["rules"]', {"families": CHOSEN}, r"\[allowed\] classes"),
        ('[allowed]\nlearners = ["margin"]', {"learner": "generic"}, r"\[allowed\] learners"),
        ('[allowed]\nunits = ["person"]', {}, r"\[allowed\] units"),
        ('[allowed]\nunits = ["person"]', {"person": ["who"]}, ""),
        ('[allowed]\nneighbours = ["added"]', {}, r"\[allowed\] neighbours"),
        ("[measured]\nrequired = true", {"measured": False}, r"\[measured\] required"),
        ("[measured]\nrequired = true", {"measured": True}, ""),
        ("[measured]\ngroups = true", {"grouped": False}, r"\[measured\] groups"),
        ("", {"labels_only": True}, "labels alone"),
    ],
)
def test_a_clause_forbids(clause: str, asked: dict[str, Any], why: str) -> None:
    policy, given = Policy.parse(FIRST + clause), {"epsilon": 1, "delta": 0} | asked
    if why:
        with pytest.raises(Refused, match=why):
            policy.check(intended(**given))
    else:
        policy.check(intended(**given))


@pytest.mark.parametrize(
    ("clause", "epsilon", "kept"),
    [
        ("[dataset]\nepsilon = 2", 1, True),
        ("[dataset]\nepsilon = 2", Fraction(11, 10), False),
        ("[year]\nepsilon = 2", 1, True),
        ("[year]\nepsilon = 2", 2, False),
        ("[person]\nepsilon = 4", 1, True),
        ("[person]\nepsilon = 4", Fraction(3, 2), False),
    ],
)
def test_the_ledger_is_added_up(ledger: Ledger, clause: str, epsilon: Any, *, kept: bool) -> None:
    policy, asked = Policy.parse(FIRST + clause), intended(epsilon, 0)
    if kept:
        rule = policy.keep(ledger, "clinic", asked, {})
        ledger.reserve("clinic", SCHEMA, Pure(epsilon), rule=rule)
    else:
        with pytest.raises(Refused, match="with what the ledger charged"):
            policy.keep(ledger, "clinic", asked, {})
        rule = policy.keep(ledger, "clinic", intended(0, 0), {})
    with pytest.raises(Refused, match="with what the ledger charged"):
        ledger.reserve("clinic", SCHEMA, Pure(epsilon), rule=rule)  # asked for before, or for less
    for kept_by, dataset in ((None, None), (None, "clinic"), (ledger, None)):
        with pytest.raises(Refused, match="charge this"):
            policy.keep(kept_by, dataset, intended(0, 0), {})


@pytest.mark.parametrize("unit", [Unit(["who"]), Unit((), "added")])
def test_what_rows_and_what_persons_pay_is_not_added_up(ledger: Ledger, unit: Unit) -> None:
    policy, asked = (
        Policy.parse(FIRST + "[person]\nepsilon = 9"),
        Intended(Fraction(1), Fraction(0)),
    )
    with pytest.raises(Refused, match="do not add up"):
        policy.keep(ledger, "clinic", replace(asked, unit=unit), {})
    policy.keep(ledger, "clinic", asked, {})
    ledger.grant("visits", SCHEMA, Cap(9), unit=unit)
    ledger.reserve("visits", SCHEMA, Added(Pure(1)) if unit.added else Pure(1), unit=unit)
    with pytest.raises(Refused, match="do not add up"):
        policy.keep(ledger, "clinic", asked, {})
    Policy.parse(FIRST + "[dataset]\nepsilon = 2").keep(ledger, "clinic", asked, {})


def test_all_rows_together_are_no_groups() -> None:
    people = {"age": [30, 70] * 50, "sex": ["f", "m"] * 50, "sick": [0, 1] * 50}
    schema = Schema({"age": Integer(0, 120), "sex": Category(["f", "m"]), "sick": Bits()})
    given: Any = {"concepts": "thresholds", "features": ["age"], "labels": ["sick"], "epsilon": 1}
    given |= {"neighbours": "added", "hold_out": "1/5", "rng": Seeded(1)}
    policy = Policy.parse(FIRST + "[measured]\ngroups = true")
    policy.check(of_model(learn(people, schema, by="sex", **given)))
    with pytest.raises(Refused, match="groups"):
        policy.check(of_model(learn(people, schema, **given)))


def test_the_template_is_a_policy() -> None:
    policy = Policy.parse(TEMPLATE)
    assert policy.clauses["release"] == {"epsilon": 1, "delta": Fraction(1, 10**6)}
    policy.check(Intended(Fraction(1), Fraction(0), families=("rules",), measured=True))
    long = "0.10000000000000000000001"
    assert Policy.parse(f"{FIRST}[year]\nepsilon = {long}").clauses["year"]["epsilon"] == Fraction(
        long
    )
    assert [to_learn("rules", "auto", hold_out=share)["measured"] for share in (None, 0)] == [1, 0]
    assert to_learn("auto", "auto", hold_out=None)["families"] == CHOSEN


@pytest.mark.parametrize(
    "text",
    [
        "",
        'format = "tacit-policy-2"',
        FIRST + "[relaese]\nepsilon = 1",
        FIRST + "[release]\nepsilom = 1",
        FIRST + "release = 1",
        FIRST + "[release]\nepsilon = -1",
        FIRST + '[release]\nepsilon = "many"',
        FIRST + "[release]\nepsilon = nan",
        FIRST + "[allowed]\nclasses = 3",
        FIRST + "[allowed]\nclasses = [3]",
        FIRST + f'[approval]\nneeded = true\nby = {{ ada = "{"1" * 64}" }}',
        FIRST + "[approval]\nneeded = 1",
        FIRST + '[approval]\nby = ["ada"]',
        FIRST + '[approval]\nby = { ada = "1234" }',
        FIRST + f'[approval]\nneeded = 2\nby = {{ ada = "{"1" * 64}" }}',
        FIRST + f'[approval]\nneeded = 0\nby = {{ ada = "{"1" * 64}" }}',
        FIRST + f'[approval]\nby = {{ ada = "{"1" * 64}", bob = "{"1" * 64}" }}',
        FIRST + f'[approval]\nby = {{ ada = "{"1" * 64}", " Ada" = "{"2" * 64}" }}',
        FIRST + "[measured]\nrequired = 1",
        FIRST + "#" * 20_000,
        "[",
    ],
)
def test_what_is_not_understood_is_refused(text: str) -> None:
    with pytest.raises(InvalidArgument):
        Policy.parse(text)


def test_what_was_charged_long_ago_is_added_up_as_it_was(ledger: Ledger) -> None:
    """A sum follows the chain: an event that somebody made smaller is found by the next charge."""
    policy = Policy.parse(f"{FIRST}[dataset]\nepsilon = 2\n")
    kept = policy.keep(ledger, "clinic", intended("1/2", 0), {"verb": "count"})
    with closing(sqlite3.connect(ledger.path)) as file, file:
        file.execute("DROP TRIGGER no_UPDATE")
        file.execute(
            'UPDATE event SET body = replace(body, \'"epsilon":"1"\', \'"epsilon":"0"\') '
            "WHERE number = 6"
        )
    for asks in (
        lambda: policy.keep(ledger, "clinic", intended("1/2", 0), {"verb": "count"}),
        lambda: ledger.reserve("clinic", SCHEMA, Pure("1/2"), rule=kept),
    ):
        with pytest.raises(InvalidArgument, match="event 6 was changed"):
            asks()
