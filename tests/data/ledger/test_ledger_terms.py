"""Budgets that end and begin anew, approvals that nobody forges, and sums that hold at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from benchmarks.storm import WORLD

from tacit.core.cost import Pure
from tacit.core.errors import InvalidArgument, Refused
from tacit.data import Bits, Schema
from tacit.data.ledger import Cap, Ledger, days, verify_ledger
from tacit.data.ledger.approval import Unapproved, statement
from tacit.data.ledger.store import transaction
from tacit.workflows.releasing.pack import new_key, public_text, read_key
from tacit.workflows.releasing.policy import Kept, Policy, intended
from tests.data.ledger.test_ledger_server import address, server  # noqa: F401
from tests.support.packs import approved
from tests.support.processes import PATIENCE

SCHEMA = Schema({"sick": Bits()})
FIRST = 'format = "tacit-policy-1"\n'
Clock = Callable[[str], None]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Set the machine's clock to noon of a day."""
    return lambda day: monkeypatch.setattr(days, "now", lambda: f"{day}T12:00:00+00:00")


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger.create(tmp_path / "l.db")


def charge(ledger: Ledger, epsilon: Any, **more: Any) -> None:
    ledger.reserve("clinic", SCHEMA, Pure(epsilon), **more)


def test_a_budget_begins_anew_and_what_was_spent_stays(ledger: Ledger, clock: Clock) -> None:
    clock("2026-11-18")
    ledger.grant("clinic", SCHEMA, Cap(1, renews="04-01", until="2028-12-31"))
    charge(ledger, 1)
    clock("2027-03-31")
    with pytest.raises(Refused, match="is spent since 2026-04-01"):
        charge(ledger, "1/4")
    clock("2027-04-01")
    charge(ledger, "3/4")
    with pytest.raises(Refused, match="since 2027-04-01"):
        charge(ledger, "1/2")
    clock("2026-11-18")  # the clock is set back: time in a ledger is not
    with pytest.raises(Refused, match="since 2027-04-01"):
        charge(ledger, "1/2")
    clock("2028-12-31")
    charge(ledger, 1)
    clock("2029-01-01")
    with pytest.raises(Refused, match="ended on 2028-12-31"):
        charge(ledger, "1/100")
    assert ledger.datasets()[0].account.total.epsilon == Fraction(11, 4)
    assert verify_ledger(ledger).count == 6
    assert [event.body["time"][:4] for event in ledger.events()][3:] == ["2026", "2027", "2028"]


def test_odd_sums_of_many_analysts_end_a_year_and_take_off_no_more(
    ledger: Ledger, clock: Clock
) -> None:
    """Each has a denominator of 79 digits, all together one that no balance may have."""
    clock("2026-11-18")
    ledger.grant("clinic", SCHEMA, Cap(9, renews="04-01"))
    for odd in (9, 51, 63, 87, 93, 117):
        ledger.grant("clinic", SCHEMA, Cap(9), analyst=str(odd))
        charge(ledger, Fraction(10**78, 10**79 + odd), analyst=str(odd))
    account = ledger.datasets()[0].account
    exact = sum((spent.epsilon for spent in account.spent.values()), Fraction(0))
    assert len(str(exact.denominator)) > 400
    assert exact <= account.total.epsilon < exact + Fraction(1, 10**39)
    assert len(json.dumps(account.total.encode())) < 1000
    clock("2027-11-18")
    for _ in range(2):
        charge(ledger, "1/8", analyst="9")
    before = ledger.datasets()[0].account.begun[""][1].epsilon
    assert exact - Fraction(1, 10**39) < before <= exact
    assert verify_ledger(ledger).count == 17


def test_a_grant_of_another_kind_gives_nothing_back(ledger: Ledger, clock: Clock) -> None:
    clock("2026-11-18")
    ledger.grant("clinic", SCHEMA, Cap(2))
    charge(ledger, 2)
    ledger.grant("clinic", SCHEMA, Cap(2, renews="11-18"))
    ledger.grant("clinic", SCHEMA, Cap(2), analyst="ada")
    with pytest.raises(Refused, match="of which ε = 2"):
        charge(ledger, 1, analyst="ada")
    clock("2027-11-18")
    charge(ledger, 1, analyst="ada")
    ledger.grant("clinic", SCHEMA, Cap(2, renews="11-17"))
    with pytest.raises(Refused, match="of which ε = 1"):
        charge(ledger, "3/2", analyst="ada")
    clock("2028-11-18")
    with pytest.raises(Refused, match="analyst 'ada' is ε = 2"):  # whose cap does not renew
        charge(ledger, "3/2", analyst="ada")
    ledger.grant("clinic", SCHEMA, Cap(9))
    assert ledger.datasets()[0].account.begun == {}
    verify_ledger(ledger)


@pytest.mark.parametrize("renews", ["02-29", "4-1", "13-01", "04-01-01", "x"])
def test_a_day_of_every_year_is_needed(renews: str) -> None:
    with pytest.raises(InvalidArgument, match="renews must be"):
        Cap(1, renews=renews)
    with pytest.raises(InvalidArgument, match="until must be"):
        Cap(1, until=renews)


KEYS = [read_key(new_key()[0]) for _ in range(3)]
ADA, BOB, EVE = (public_text(key).split()[-1] for key in KEYS)
APPROVAL = f'{FIRST}[approval]\nneeded = 2\nby = {{ ada = "{ADA}", bob = "{BOB}" }}\n'
TWO = Policy.parse(APPROVAL)
ASKED = {"verb": "count", "by": ["sick"]}


def keep(ledger: Ledger, epsilon: Any = 1, asked: Any = ASKED, **more: Any) -> Any:
    return TWO.keep(ledger, "clinic", intended(epsilon, 0), asked, **more)


def test_approvals_are_of_two_persons_for_one_release(ledger: Ledger, clock: Clock) -> None:
    clock("2026-11-18")
    ledger.grant("clinic", SCHEMA, Cap(9))
    number = approved(ledger, lambda: keep(ledger), KEYS[0], KEYS[0], KEYS[2])
    with pytest.raises(Unapproved, match=f"and ada did. This is request {number} of"):
        keep(ledger)
    ledger.approve(number, "2026-11-20", BOB, KEYS[1].sign)
    rule = keep(ledger)
    others: list[dict[str, Any]] = [
        {"epsilon": 2},
        {"asked": {"verb": "count"}},
        {"analyst": "eve"},
    ]
    for other in others:
        with pytest.raises(Unapproved, match="nobody did"):
            keep(ledger, **other)
    with pytest.raises(Unapproved):
        charge(ledger, 2, rule=rule)
    clock("2026-11-21")
    with pytest.raises(Unapproved, match="and ada did"):
        charge(ledger, 1, rule=rule)  # what bob signed has ended
    ledger.approve(number, "2026-11-21", BOB, KEYS[1].sign)
    charge(ledger, 1, rule=rule)
    with pytest.raises(Unapproved):
        charge(ledger, "1/2", rule=rule)  # used
    assert ledger.events()[-1].body["request"] == number
    verify_ledger(ledger)
    with pytest.raises(InvalidArgument, match="no request"):
        ledger.approve(1, "2026-12-01", ADA, KEYS[0].sign)
    with pytest.raises(InvalidArgument, match="must not be past"):
        ledger.approve(number, "2026-11-20", ADA, KEYS[0].sign)
    with pytest.raises(InvalidArgument, match="not the one that signs"):
        ledger.approve(number, "2026-12-01", ADA, KEYS[2].sign)


def forged(ledger: Ledger, **body: Any) -> None:
    """Write an approval as who holds the file could, under its seal."""
    with transaction(ledger.path) as book:
        book.append("approve", body)


def test_nobody_forges_or_replays_an_approval(ledger: Ledger) -> None:
    ledger.grant("clinic", SCHEMA, Cap(9))
    first = approved(ledger, lambda: keep(ledger), *KEYS[:2])
    second = approved(ledger, lambda: keep(ledger, asked={"verb": "quantile"}))
    hashes = {event.number: event.hash for event in ledger.events()}
    day = {"until": "9999-12-31"}
    of_first = {
        key: sign.sign(statement(hashes[first], day["until"])).hex()
        for key, sign in zip((ADA, BOB), KEYS, strict=False)
    }
    for key, signature in of_first.items():  # good for the other question only
        forged(ledger, request=second, key=key, signature=signature, **day)
        forged(ledger, request=second, key=key, signature="00" * 64, **day)
    eve = KEYS[2].sign(statement(hashes[second], day["until"])).hex()
    forged(ledger, request=second, key=ADA, signature=eve, **day)
    early = KEYS[0].sign(statement(hashes[second], "2020-01-01")).hex()
    forged(ledger, request=second, key=ADA, signature=early, **day)
    with pytest.raises(Unapproved, match="nobody did"):
        keep(ledger, asked={"verb": "quantile"})
    with pytest.raises(InvalidArgument, match="not signed by its key"):
        verify_ledger(ledger)


def test_a_ledger_keeps_the_policy_that_it_was_granted_with(ledger: Ledger) -> None:
    policy = Policy.parse(FIRST)
    ledger.grant("clinic", SCHEMA, Cap(1), policy=policy.digest)
    ledger.grant("clinic", SCHEMA, Cap(9))  # stays
    other = Policy.parse(f"{FIRST}# another").keep(None, None, intended(1, 0), {})
    for rule in (None, other):
        with pytest.raises(Refused, match=policy.digest):
            charge(ledger, 1, rule=rule)
    with pytest.raises(Refused, match=policy.digest):
        ledger.charging("clinic", SCHEMA).__enter__()
    charge(ledger, 1, rule=policy.keep(None, None, intended(1, 0), {}))
    verify_ledger(ledger)


def spend(path: Path) -> None:
    """Charge as often as a policy lets, as one who asked before anybody charged."""
    ledger, policy = Ledger(path), Policy.parse(f"{FIRST}[dataset]\nepsilon = 1\n")
    rule = Kept(policy, {})
    for _ in range(5):
        try:
            charge(ledger, "1/10", rule=rule)
        except Refused:
            return


@pytest.mark.parametrize("shared", [False, True])
def test_sums_of_a_policy_hold_for_processes_at_once(
    tmp_path: Path, request: pytest.FixtureRequest, *, shared: bool
) -> None:
    at = request.getfixturevalue("address") if shared else None
    ledger = Ledger.create(tmp_path / "l.db", at=at)
    ledger.grant("clinic", SCHEMA, Cap(9))
    workers = [WORLD.Process(target=spend, args=(ledger.path,)) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(PATIENCE)
    assert [worker.exitcode for worker in workers] == [0] * 4
    assert ledger.datasets()[0].account.total.epsilon == 1
