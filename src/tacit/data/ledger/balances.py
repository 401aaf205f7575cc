"""What a ledger's file says is spent, granted and open, under a seal that is checked at each use.

The seal is a keyed digest of all balances and of the last event's hash. Whoever changes or deletes
a balance without the key breaks it, and so does damage; who has the key still cannot make balances
that `verify` finds in the events.
"""

from __future__ import annotations

import hmac
import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tacit.core.errors import InvalidArgument
from tacit.data.ledger.account import Account, Cap, Spent
from tacit.data.ledger.replay import Replay

_SEALED = ("dataset", "identity", "cap", "spent", "pending")


def secret(file: sqlite3.Connection) -> bytes:
    """Return the key of a ledger."""
    try:
        (key,) = file.execute("SELECT key FROM secret").fetchone()
        return bytes.fromhex(key)
    except (TypeError, ValueError):
        raise InvalidArgument(
            "the ledger has lost its key, and knows no data set; take a backup"
        ) from None


def seal(file: sqlite3.Connection) -> None:
    """Seal the balances as they are, where they are not."""
    made = _seal(file)
    if _written(file) != [(made,)]:
        file.execute("DELETE FROM seal")
        file.execute("INSERT INTO seal VALUES (?)", (made,))


def is_sealed(file: sqlite3.Connection) -> bool:
    """Whether the balances are those that were sealed."""
    return _written(file) == [(_seal(file),)]


def changed() -> InvalidArgument:
    """Return the error that they are not."""
    return InvalidArgument(
        "the balances of the ledger are not those that tacit wrote: nothing is charged to it; see "
        "what was changed with: tacit ledger verify, and take a backup"
    )


@dataclass(frozen=True, slots=True)
class Balances:
    """All balances of a ledger's file, to be held against what its events leave."""

    pending: set[str]
    identities: dict[str, str]
    accounts: dict[str, Account]

    @classmethod
    def read(cls, file: sqlite3.Connection) -> Balances:
        """Read the balances."""
        known = file.execute("SELECT account FROM dataset").fetchall()
        return cls(
            {row[0] for row in file.execute("SELECT id FROM pending")},
            dict(file.execute("SELECT digest, account FROM identity").fetchall()),
            {digest: account(file, digest) for (digest,) in known},
        )

    def check(self, replay: Replay) -> None:
        """Refuse balances that are not what the events leave."""
        if self.pending != replay.pending.keys():
            raise InvalidArgument("the open reservations are not those that the events leave")
        if self.identities != replay.identities:
            raise InvalidArgument("the data sets are not those that the events admit")
        if self.accounts != replay.accounts:
            raise InvalidArgument("the balances are not what the events leave")


def account(file: sqlite3.Connection, digest: str) -> Account:
    """Return the caps of a data set and what was spent."""

    def read(table: str) -> list[tuple[str, dict[str, Any]]]:
        query = f"SELECT analyst, body FROM {table} WHERE account = ?"  # noqa: S608
        return [(who, json.loads(body)) for who, body in file.execute(query, (digest,))]

    with readable("balance"):
        return Account(
            {who: Cap.decode(body) for who, body in read("cap")},
            {who: Spent.decode(body) for who, body in read("spent")},
        )


@contextmanager
def readable(what: str) -> Iterator[None]:
    """Say in one sentence that a row of the file is damaged."""
    try:
        yield
    except InvalidArgument:
        raise
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        raise InvalidArgument(f"the ledger holds a damaged {what}; take a backup") from None


def _seal(file: sqlite3.Connection) -> str:
    last = "SELECT number, hash FROM event ORDER BY number DESC LIMIT 1"
    held = [file.execute(last).fetchall()]
    held += [file.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall() for name in _SEALED]  # noqa: S608
    return hmac.digest(secret(file), repr(held).encode(), "sha256").hex()


def _written(file: sqlite3.Connection) -> list[Any]:
    return file.execute("SELECT mac FROM seal").fetchall()
