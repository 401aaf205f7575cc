"""A ledger on a real PostgreSQL server: as a file's, for several processes, through kills."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest
from benchmarks.storm import EACH, SCHEMA, storm

from tacit.core.cost import Pure
from tacit.core.errors import InvalidArgument, Refused
from tacit.core.unit import Unit
from tacit.data.ledger import Cap, Ledger, verify_ledger, verify_lines
from tests.data.ledger.test_ledger import call
from tests.support.servers import postgres

Server = tuple[str, Callable[[], object]]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A connection string, and what kills the server and starts it again."""
    lazy = "-c wal_writer_delay=10s"  # what nobody waits for is not on the disk by itself
    with TemporaryDirectory() as home, postgres(Path(home), lazy) as again:
        yield f"host={home} user=tests dbname=postgres", again


@pytest.fixture
def address(server: Server) -> Iterator[str]:
    yield server[0]
    with psycopg.connect(server[0]) as connection:
        connection.execute("DROP SCHEMA IF EXISTS tacit_ledger CASCADE")


def test_it_is_a_ledger(address: str, tmp_path: Path) -> None:
    ledger = Ledger.create(tmp_path / "a.db", at=address)
    assert (tmp_path / "a.db").stat().st_mode & 0o777 == 0o600
    ledger.grant("patients", SCHEMA, Cap(1))
    ledger.grant("visits", SCHEMA, Cap(1), unit=Unit(["patient"]))
    with ledger.charging("patients", SCHEMA) as charge:
        charge(Pure("0.75"))
    other = Ledger.create(tmp_path / "b.db", at=address)  # somebody else's file names the same one
    with pytest.raises(Refused, match="the budget of the data set"):
        other.reserve("patients", SCHEMA, Pure("0.5"))
    found = {each.name: each for each in other.datasets()}
    assert found["patients"].account.total.epsilon == Fraction(3, 4)
    assert found["patients"].pending == 0
    verify_ledger(other)
    verify_lines([event.line for event in other.events()])
    kinds = [event.body["kind"] for event in other.events()]
    assert kinds == ["init", "admit", "grant", "admit", "grant", "reserve", "commit"]


def test_what_was_changed_there_is_found(address: str, tmp_path: Path) -> None:
    ledger = Ledger.create(tmp_path / "a.db", at=address)
    ledger.grant("patients", SCHEMA, Cap(1))
    ledger.reserve("patients", SCHEMA, Pure("0.5"))
    with psycopg.connect(address) as connection:
        connection.execute("UPDATE tacit_ledger.spent SET body = replace(body, '1/2', '1/9')")
    with pytest.raises(InvalidArgument, match="not those that tacit wrote"):
        ledger.reserve("patients", SCHEMA, Pure("0.1"))
    with pytest.raises(InvalidArgument):
        verify_ledger(ledger)
    for deed in ("DELETE FROM tacit_ledger.event", "TRUNCATE tacit_ledger.event"):
        with pytest.raises(psycopg.Error, match="stays"), psycopg.connect(address) as connection:
            connection.execute(deed)


def test_a_charge_outlives_the_server(server: Server, address: str, tmp_path: Path) -> None:
    """It is on the disk when it returns, although the lock was let go before; a note may be lost.

    Who may log in and make a schema may keep a ledger.
    """
    with psycopg.connect(address) as connection:
        connection.execute("CREATE ROLE clerk LOGIN")
        connection.execute("GRANT CREATE ON DATABASE postgres TO clerk")
    theirs = address.replace("user=tests", "user=clerk")
    ledger = Ledger.create(tmp_path / "a.db", at=theirs)
    ledger.grant("patients", SCHEMA, Cap(1))
    ledger.reserve("patients", SCHEMA, Pure("0.5"))
    ledger.commit(ledger.reserve("patients", SCHEMA, Pure("0.25")))
    server[1]()
    assert verify_ledger(ledger).count == 5
    assert ledger.datasets()[0].account.total.epsilon == Fraction(3, 4)


def test_it_is_named_as_any_other(address: str, tmp_path: Path) -> None:
    schema, file = tmp_path / "s.toml", tmp_path / "budget.db"
    schema.write_text(SCHEMA.dump())
    for words in (
        ["init", file, "--at", address],
        ["grant", file, "--dataset", "p", "--schema", schema, "--epsilon", "1"],
        ["verify", file],
    ):
        assert call("ledger", *map(str, words)).returncode == 0
    said = call("ledger", "show", str(file), "--json")
    assert json.loads(said.stdout)["datasets"][0]["name"] == "p"


@pytest.mark.parametrize("wrong", ["", "host=/nowhere dbname=x", "no such=string"])
def test_a_server_that_is_not_there_is_told(wrong: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match=r"server|--at"):
        Ledger.create(tmp_path / "a.db", at=wrong)
    assert not (tmp_path / "a.db").exists()


def test_nobody_spends_too_much_through_kills(server: Server, address: str, tmp_path: Path) -> None:
    """Processes charge at once; some are killed, and twice the server is."""
    found = storm(
        tmp_path, processes=4, charges=60, kills=6, cap=Fraction(3, 25), at=address, again=server[1]
    )
    assert found.released <= 120
    assert found.spent.epsilon <= Fraction(3, 25)
    assert found.spent.epsilon >= found.released * EACH.epsilon
