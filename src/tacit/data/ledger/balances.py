"""What a ledger's file says is spent, granted and open, under a seal that is checked at each use.

The seal is a keyed digest of all balances and of the last event's hash. Whoever changes or deletes
a balance without the key breaks it, and so does damage; who has the key still cannot make balances
that `verify` finds in the events.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tacit.core.errors import InvalidArgument
from tacit.core.unit import Unit
from tacit.data.ledger.account import Account, Cap, Spent
from tacit.data.ledger.chain import START
from tacit.data.ledger.replay import Replay
from tacit.data.ledger.server import File

ALL = """SELECT * FROM (
    SELECT 'event', CAST(number AS TEXT) AS place, hash, body FROM event
    ORDER BY event.number DESC LIMIT 1
) AS last
UNION ALL SELECT 'dataset', account, name, '' FROM dataset
UNION ALL SELECT 'identity', digest, account, '' FROM identity
UNION ALL SELECT 'cap', account, analyst, body FROM cap
UNION ALL SELECT 'spent', account, analyst, body FROM spent
UNION ALL SELECT 'pending', id, CAST(number AS TEXT), '' FROM pending
UNION ALL SELECT 'secret', key, '', '' FROM secret
UNION ALL SELECT 'seal', mac, '', '' FROM seal
"""
"""All but the events before the last, in one question: a server is asked across a wire."""
_THERE = """UNION ALL SELECT 'format', CAST(format AS TEXT), '', '' FROM secret
UNION ALL SELECT 'done', id, '', '' FROM done"""
ON_A_SERVER = ALL + _THERE
"""There, also what a file says of itself, or has beside it."""
_UNSEALED = ("secret", "seal", "format", "done")


def seal(file: File, held: Balances) -> None:
    """Seal the balances that the file has now."""
    file.execute("UPDATE seal SET mac = ?", (held.sealed,))


def changed() -> InvalidArgument:
    """Return the error that they are not those that were sealed."""
    return InvalidArgument(
        "the balances of the ledger are not those that tacit wrote: nothing is charged to it; see "
        "what was changed with: tacit ledger verify, and take a backup"
    )


@dataclass(frozen=True, slots=True)
class Balances:
    """All balances of a ledger's file as they were read, by kind, and its last event."""

    rows: dict[str, list[tuple[str, str, str]]]

    @classmethod
    def of(cls, found: Iterable[tuple[str, ...]]) -> Balances:
        """Return the balances of what `ALL` found."""
        rows: dict[str, list[tuple[str, str, str]]] = {}
        for kind, first, second, third in sorted(found):
            rows.setdefault(kind, []).append((first, second, third))
        return cls(rows)

    @classmethod
    def read(cls, file: File) -> Balances:
        """Read the balances."""
        return cls.of(file.execute(ALL).fetchall())

    def put(self, kind: str, row: tuple[str, ...]) -> Balances:
        """Return them with a row, in place of the one of its key: all its columns but the last."""
        first, second, third = (*row, "", "")[:3]
        kept = [] if kind == "event" else self.without(kind, *row[:-1]).rows[kind]
        return Balances(self.rows | {kind: sorted([*kept, (first, second, third)])})

    def without(self, kind: str, *key: str) -> Balances:
        """Return them without the row of a key."""
        kept = [row for row in self._of(kind) if row[: len(key)] != key]
        return Balances(self.rows | {kind: kept})

    @property
    def secret(self) -> bytes:
        """The key of the ledger."""
        try:
            ((key, _, _),) = self.rows["secret"]
            return bytes.fromhex(key)
        except (LookupError, ValueError):
            raise InvalidArgument(
                "the ledger has lost its key, and knows no data set; take a backup"
            ) from None

    @property
    def sealed(self) -> str:
        """The seal that these balances have."""
        held = [(kind, self.rows[kind]) for kind in sorted(self.rows.keys() - {*_UNSEALED})]
        held = [(kind, rows) for kind, rows in held if rows]
        return hmac.digest(self.secret, repr(held).encode(), "sha256").hex()

    @property
    def untouched(self) -> bool:
        """Whether they are those that were sealed."""
        return self._of("seal") == [(self.sealed, "", "")]

    @property
    def last(self) -> tuple[int, str, str]:
        """The number, the hash and the time of the last event."""
        if "event" not in self.rows:
            return 0, START, ""
        with readable("event"):
            ((number, digest, body),) = self.rows["event"]
            return int(number), digest, str(json.loads(body)["time"])

    @property
    def pending(self) -> dict[str, int]:
        """The number of the event of each open reservation."""
        return {name: int(number) for name, number, _ in self._of("pending")}

    @property
    def out(self) -> list[str]:
        """The reservations that are noted on the server to be out."""
        return [name for name, _, _ in self._of("done")]

    def check_format(self, form: int) -> None:
        """Refuse tables on a server that are of another format."""
        (found, _, _), *_ = self._of("format") or [("", "", "")]
        if found != str(form):
            raise InvalidArgument(
                f"the ledger on the server has format {found}, this version of tacit reads {form}; "
                "update tacit"
            )

    @property
    def identities(self) -> dict[str, str]:
        """The account of each way to read a data set."""
        return {digest: account for digest, account, _ in self._of("identity")}

    @property
    def names(self) -> dict[str, str]:
        """The account of each name."""
        return {name: account for account, name, _ in self._of("dataset")}

    def account(self, digest: str) -> Account:
        """Return the caps of a data set and what was spent."""
        with readable("balance"):
            caps, spent = (
                {who: json.loads(body) for key, who, body in self._of(kind) if key == digest}
                for kind in ("cap", "spent")
            )
            return Account(
                {who: Cap.decode(body) for who, body in caps.items()},
                {who: Spent.decode(body) for who, body in spent.items()},
                Unit.decode(caps.get("", {}).get("unit")),
                caps.get("", {}).get("policy", ""),
                {
                    who: (body["begun"], Spent.decode(body["before"]))
                    for who, body in caps.items()
                    if "begun" in body
                },
            )

    def check(self, replay: Replay) -> None:
        """Refuse balances that are not what the events leave."""
        if self.pending.keys() != replay.pending.keys():
            raise InvalidArgument("the open reservations are not those that the events leave")
        if self.identities != replay.identities:
            raise InvalidArgument("the data sets are not those that the events admit")
        accounts = {digest: self.account(digest) for digest in self.names.values()}
        if accounts != replay.accounts:
            raise InvalidArgument("the balances are not what the events leave")

    def _of(self, kind: str) -> list[tuple[str, str, str]]:
        return self.rows.get(kind, [])


@contextmanager
def readable(what: str) -> Iterator[None]:
    """Say in one sentence that a row of the file is damaged."""
    try:
        yield
    except InvalidArgument:
        raise
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        raise InvalidArgument(f"the ledger holds a damaged {what}; take a backup") from None
