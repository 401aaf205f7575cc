"""The ledger: reserve before a release is drawn, commit when it is out.

A reservation counts as spent from the moment it is on the disk, whether or not it is ever
committed: a process that is killed between the two wastes budget and never privacy. Nobody can know
afterwards whether something was drawn with it, so that nothing gives it back.
"""

from __future__ import annotations

import hmac
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tacit.core.cost import Cost
from tacit.core.cost_json import encode_cost
from tacit.core.errors import InvalidArgument, Refused, TacitError
from tacit.core.numbers.exact import Exact
from tacit.core.version import __version__
from tacit.data.ledger import balances, store
from tacit.data.ledger.account import Account, Cap, Spent
from tacit.data.ledger.chain import Event, canonical
from tacit.data.schema.schema import Schema

LONGEST, LONGEST_PURPOSE = 200, 2000


class DataSet(NamedTuple):
    """One data set of a ledger, and how many releases were reserved and not committed."""

    name: str
    digest: str
    account: Account
    pending: int


@dataclass(frozen=True, slots=True)
class Ledger:
    """A file that knows what was spent from each data set, for any number of processes.

    Guarantee:
        All releases that were charged to a data set are together (epsilon, delta)-DP for its cap,
        and so are those of one analyst for that analyst's (docs/proofs/ledger.md). A data set is
        known by a keyed digest of its schema and the name it was given, never by its content.

    >>> import tempfile
    >>> from tacit.core.cost import Pure
    >>> from tacit.data import Bits
    >>> folder, schema = tempfile.TemporaryDirectory(), Schema({"sick": Bits()})
    >>> ledger = Ledger.create(Path(folder.name) / "budget.db")
    >>> ledger.grant("patients", schema, Cap(1))
    >>> with ledger.charging("patients", schema) as charge:
    ...     charge(Pure("0.75"))
    ...     release = "what a mechanism says"
    >>> ledger.datasets()[0].account.total.epsilon
    Fraction(3, 4)
    >>> with ledger.charging("patients", schema) as charge:
    ...     charge(Pure("0.5"))
    Traceback (most recent call last):
    tacit.core.errors.Refused: the budget of the data set is ε = 1, δ = 0, of which ...
    >>> folder.cleanup()
    """

    path: Path

    @classmethod
    def create(cls, path: Path) -> Ledger:
        """Make a new, empty ledger, with a secret key of its own."""
        ledger = cls(Path(path))
        first = store.now("init") | {"version": __version__, "id": os.urandom(16).hex()}
        store.create(ledger.path, key=os.urandom(32).hex(), first=first)
        return ledger

    def grant(self, name: str, schema: Schema, cap: Cap, *, analyst: str = "") -> None:
        """Set the cap of a data set, or of one analyst; the first cap of a name opens its account.

        A name has one account. Granting it with another schema lets tables be read in that way too,
        from the same budget.
        """
        _named("data set", name)
        if analyst:
            _named("analyst", analyst)
        with store.transaction(self.path) as file:
            digest = _identity(file, name, schema)
            known = file.execute("SELECT account FROM dataset WHERE name = ?", (name,)).fetchone()
            account = digest if known is None else str(known[0])
            if known is None:
                if analyst:
                    raise InvalidArgument(
                        f"the data set {name!r} has no cap yet; grant it one first, then its "
                        "analysts"
                    )
                file.execute("INSERT INTO dataset VALUES (?, ?)", (account, name))
            if not file.execute("SELECT 1 FROM identity WHERE digest = ?", (digest,)).fetchone():
                file.execute("INSERT INTO identity VALUES (?, ?)", (digest, account))
                store.append(file, store.now("admit") | {"dataset": account, "identity": digest})
            body = cap.encode()
            file.execute(
                "INSERT OR REPLACE INTO cap VALUES (?, ?, ?)",
                (account, analyst, canonical(body)),
            )
            store.append(file, store.now("grant") | {"dataset": account, "analyst": analyst} | body)

    def reserve(
        self,
        name: str,
        schema: Schema,
        cost: Cost,
        delta: Exact = 0,
        *,
        analyst: str = "",
        purpose: str = "",
    ) -> str:
        """Charge a release that is not drawn yet, for good; return what `commit` asks for."""
        if analyst:
            _named("analyst", analyst)
        charge = Spent.of(cost, delta)
        told = {
            "cost": encode_cost(cost),
            "purpose": purpose[:LONGEST_PURPOSE],
            "id": os.urandom(16).hex(),
        }
        with store.transaction(self.path) as file:
            digest, account = _known(file, name, schema)
            account.admit(analyst, charge)
            account.add(analyst, charge)
            whose = {"dataset": digest, "analyst": analyst}
            number = store.append(file, store.now("reserve") | whose | told | charge.encode())
            file.execute("INSERT INTO pending VALUES (?, ?)", (told["id"], number))
            _write_spent(file, digest, analyst, account.spent[analyst])
        return str(told["id"])

    def commit(self, *reservations: str) -> None:
        """Record that the releases are out."""
        store.check_open(self.path, reservations)
        store.note(self.path, reservations)

    @contextmanager
    def charging(self, name: str, schema: Schema, analyst: str = "") -> Iterator[Charge]:
        """Charge releases to a data set; they are committed when the block ends without an error.

        A name, schema or analyst that the ledger does not know is refused at the start.
        """
        with store.alone(self.path) as file:
            _known(file, name, schema)[1].check(analyst)
        charge = Charge(self, name, schema, analyst, [])
        yield charge
        with suppress(TacitError):  # it is out and charged: a note that fails is no reason to stop
            store.note(self.path, charge.reservations)

    def datasets(self) -> list[DataSet]:
        """Return all data sets by name, with their caps and what was spent."""
        with store.transaction(self.path) as file:
            return datasets(file)

    def events(self) -> list[Event]:
        """Return everything that happened, in order."""
        with store.transaction(self.path) as file:
            return list(store.events(file))


@dataclass(frozen=True, slots=True)
class Charge:
    """What a learner calls just before it draws."""

    ledger: Ledger
    name: str
    schema: Schema
    analyst: str
    reservations: list[str]

    def __call__(self, cost: Cost, delta: Exact = 0, purpose: str = "") -> None:
        """Reserve the cost, or refuse."""
        self.reservations.append(
            self.ledger.reserve(
                self.name, self.schema, cost, delta, analyst=self.analyst, purpose=purpose
            )
        )


def datasets(file: sqlite3.Connection) -> list[DataSet]:
    """Return all data sets by name."""
    rows = file.execute("SELECT name, account FROM dataset ORDER BY name").fetchall()
    waiting = file.execute("SELECT body FROM pending JOIN event USING (number)").fetchall()
    with balances.readable("event"):
        open_in = [json.loads(body)["dataset"] for (body,) in waiting]
    return [
        DataSet(name, digest, balances.account(file, digest), open_in.count(digest))
        for name, digest in rows
    ]


def _named(what: str, name: str) -> None:
    if not name.strip() or len(name) > LONGEST or not name.isprintable():
        raise InvalidArgument(
            f"the name of the {what} must be 1 to {LONGEST} printable characters, got {name[:40]!r}"
        )


def _identity(file: sqlite3.Connection, name: str, schema: Schema) -> str:
    """Return the keyed digest by which a schema and a name are known in this ledger."""
    told = f"{schema.digest}\n{name}"
    return hmac.digest(balances.secret(file), told.encode(), "sha256").hex()


def _known(file: sqlite3.Connection, name: str, schema: Schema) -> tuple[str, Account]:
    """Return the account of a data set, or refuse one that was granted nothing."""
    digest = _identity(file, name, schema)
    found = file.execute("SELECT account FROM identity WHERE digest = ?", (digest,)).fetchone()
    if found is None:
        other = file.execute("SELECT 1 FROM dataset WHERE name = ?", (name,)).fetchone()
        how = " for this schema" if other else ""
        raise Refused(
            f"the data set {name!r} was granted no budget{how}; the owner of the ledger can grant "
            "it: tacit ledger grant"
        )
    return found[0], balances.account(file, found[0])


def _write_spent(file: sqlite3.Connection, digest: str, analyst: str, spent: Spent) -> None:
    body = canonical(spent.encode())
    file.execute("INSERT OR REPLACE INTO spent VALUES (?, ?, ?)", (digest, analyst, body))
