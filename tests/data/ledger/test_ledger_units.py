"""Whom a data set's account protects: fixed by its first grant, and the same for every charge."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacit.core.cost import Added, Pure
from tacit.core.errors import InvalidArgument, Refused
from tacit.core.unit import ROWS, Neighbours, Unit
from tacit.data import Bits, Schema
from tacit.data.ledger import Cap, Ledger, verify_ledger, verify_lines

SCHEMA = Schema({"sick": Bits()})
UNITS = [
    Unit(["patient"]),
    Unit((), Neighbours.ADDED),
    Unit(["clinic", "patient"], Neighbours.ADDED),
]


def paid(unit: Unit) -> Pure | Added:
    return Added(Pure("0.5")) if unit.added else Pure("0.5")


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger.create(tmp_path / "budget.db")


@pytest.mark.parametrize("unit", UNITS)
def test_an_account_takes_charges_of_its_own_unit_alone(ledger: Ledger, unit: Unit) -> None:
    ledger.grant("visits", SCHEMA, Cap(1), unit=unit)
    ledger.grant("visits", SCHEMA, Cap(2))
    ledger.grant("visits", SCHEMA, Cap(1), analyst="ada", unit=unit)
    asked = {"analyst": "ada", "purpose": "a test"}
    ledger.reserve("visits", SCHEMA, paid(unit), **asked, unit=unit)
    for other in (ROWS, *UNITS):
        if other != unit:
            with pytest.raises(Refused, match="tacit ledger grant"):
                ledger.reserve("visits", SCHEMA, paid(other), **asked, unit=other)
            with pytest.raises(InvalidArgument, match="to another name"):
                ledger.grant("visits", SCHEMA, Cap(1), unit=other)
    (held,) = ledger.datasets()
    assert held.account.unit == unit
    assert held.account.total.epsilon == Pure("0.5").epsilon
    assert verify_ledger(ledger).accounts[held.digest].unit == unit


def test_a_cost_must_be_one_for_the_neighbours_of_its_release(ledger: Ledger) -> None:
    ledger.grant("rows", SCHEMA, Cap(1))
    with pytest.raises(InvalidArgument, match="neighbours"):
        ledger.reserve("rows", SCHEMA, Added(Pure(1)))
    ledger.grant("secret", SCHEMA, Cap(1), unit=UNITS[1])
    with pytest.raises(InvalidArgument, match="neighbours"):
        ledger.reserve("secret", SCHEMA, Pure(1), unit=UNITS[1])


def test_a_row_is_told_as_before_so_that_older_events_stay(ledger: Ledger) -> None:
    ledger.grant("rows", SCHEMA, Cap(1))
    ledger.reserve("rows", SCHEMA, Pure(1))
    assert all("unit" not in event.body for event in ledger.events())


def test_events_that_change_who_is_protected_cannot_have_happened(ledger: Ledger) -> None:
    ledger.grant("visits", SCHEMA, Cap(1), unit=UNITS[0])
    assert ledger.events()[-1].body["unit"] == UNITS[0].encode()
    ledger.grant("visits", SCHEMA, Cap(2))
    replay = verify_lines(event.line for event in ledger.events())
    granted = next(e for e in ledger.events() if e.body["kind"] == "grant")
    body = {k: v for k, v in granted.body.items() if k != "unit"}
    forged = type(granted)(granted.number, body, granted.hash)
    with pytest.raises(InvalidArgument, match="protected was changed"):
        replay.apply(forged)
