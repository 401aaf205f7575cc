"""The ledger: reserve before a release is drawn, commit when it is out.

A reservation counts as spent from the moment it is on the disk, whether or not it is ever
committed: a process that is killed between the two wastes budget and never privacy. Nobody can know
afterwards whether something was drawn with it, so that nothing gives it back.
"""

from __future__ import annotations

import hmac
import json
import os
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from tacit.core.cost import ReleaseCost
from tacit.core.cost_json import encode_cost
from tacit.core.errors import InvalidArgument, Refused, TacitError
from tacit.core.numbers.exact import Exact
from tacit.core.unit import ROWS, Unit
from tacit.core.version import __version__
from tacit.data.ledger import balances, store
from tacit.data.ledger.account import Account, Cap, Spent
from tacit.data.ledger.approval import (
    Requirement,
    Unapproved,
    is_signed,
    requested,
    statement,
)
from tacit.data.ledger.balances import Balances
from tacit.data.ledger.chain import Event, canonical
from tacit.data.ledger.days import check_day
from tacit.data.ledger.store import Book
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
    def create(cls, path: Path, *, at: str | None = None) -> Ledger:
        """Make a new, empty ledger, with a secret key of its own.

        With `at`, a connection string, a PostgreSQL server keeps it, or has kept it before, and the
        file says where it is.
        """
        ledger = cls(Path(path))
        first = {"version": __version__, "id": os.urandom(16).hex()}
        store.create(ledger.path, key=os.urandom(32).hex(), first=first, at=at)
        return ledger

    def grant(
        self,
        name: str,
        schema: Schema,
        cap: Cap,
        *,
        analyst: str = "",
        unit: Unit | None = None,
        policy: str = "",
    ) -> None:
        """Set the cap of a data set, or of one analyst; the first cap of a name opens its account.

        A name has one account. Granting it with another schema lets tables be read in that way too,
        from the same budget. The first cap also says who is protected, for good: one row, replaced,
        unless another `unit` is given. With the digest of a `policy`, all charges must keep that
        one, until another is given.
        """
        _named("data set", name)
        if analyst:
            _named("analyst", analyst)
        with store.transaction(self.path) as book:
            digest, known = _identity(book.held, name, schema), book.held.names.get(name)
            whose = known or digest
            account = book.held.account(whose)
            if known is None:
                if analyst:
                    raise InvalidArgument(
                        f"the data set {name!r} has no cap yet; grant it one first, then its "
                        "analysts"
                    )
                book.put("dataset", whose, name)
                account.unit = unit or ROWS
            if digest not in book.held.identities:
                book.put("identity", digest, whose)
                book.append("admit", {"dataset": whose, "identity": digest})
            if unit not in (None, account.unit):
                raise InvalidArgument(
                    f"the budget of {name!r} protects {account.unit.said}, for good: grant one "
                    f"that protects {unit.said} to another name"
                )
            account.policy = policy or account.policy
            account.grant(analyst, cap, book.day)
            book.append("grant", {"dataset": whose, "analyst": analyst} | account.terms(analyst))
            _put_cap(book, whose, analyst, account)

    def reserve(
        self,
        name: str,
        schema: Schema,
        cost: ReleaseCost,
        delta: Exact = 0,
        *,
        analyst: str = "",
        purpose: str = "",
        unit: Unit = ROWS,
        rule: Requirement | None = None,
    ) -> str:
        """Charge a release that is not drawn yet, for good; return what `commit` asks for.

        `unit` is who the release protects: it must be whom the data set's account protects. A
        `rule` is asked while the ledger is held: what it adds up is what is there when it charges.
        """
        if analyst:
            _named("analyst", analyst)
        charge = Spent.of(cost, delta)
        told: dict[str, Any] = {
            "cost": encode_cost(cost),
            "purpose": purpose[:LONGEST_PURPOSE],
            "id": os.urandom(16).hex(),
        }
        told |= {} if unit == ROWS else {"unit": unit.encode()}
        with store.transaction(self.path) as book:
            digest, account = _known(book.held, name, schema)
            account.check_policy("" if rule is None else rule.digest)
            account.check_unit(cost, unit)
            account.admit(analyst, charge, book.day)
            told |= {"dataset": digest, "analyst": analyst} | charge.encode()
            if rule is not None:
                past = list(book.events(whole=True))
                told |= rule(past, told | {"time": book.time, "asked": rule.asked})
            years = dict(account.begun)
            account.add(analyst, charge, book.day)
            number = book.append("reserve", told)
            book.put("pending", told["id"], str(number))
            book.put("spent", digest, analyst, canonical(account.spent[analyst].encode()))
            for whose in (who for who, year in account.begun.items() if years[who] != year):
                _put_cap(book, digest, whose, account)
        return str(told["id"])

    def ask(
        self,
        name: str,
        epsilon: Exact,
        delta: Exact,
        rule: Requirement,
        *,
        analyst: str,
        unit: Unit,
    ) -> None:
        """Refuse what a rule would refuse; what lacks approvals alone is written down as a request.

        The same question is written down once, until a charge has named it.
        """
        lacking, number = None, 0
        with store.transaction(self.path) as book:
            dataset = book.held.names.get(name)
            asked = {"dataset": dataset, "analyst": analyst, "asked": rule.asked}
            asked |= {"epsilon": str(epsilon), "delta": str(delta)}
            try:
                told = {"time": book.time, "unit": unit.encode()}
                rule(list(book.events(whole=True)), asked | told)
            except Unapproved as error:
                lacking, number = error, error.request
                if dataset is not None and not number:
                    number = book.append("request", asked)
        if lacking is not None and not number:
            raise lacking
        if lacking is not None:
            raise Unapproved(
                f"{lacking}. This is request {number} of the ledger; who may approve it says: "
                f"tacit ledger approve {self.path} {number} --sign KEY",
                number,
            )

    def approve(
        self, request: int, until: str, key: str, sign: Callable[[bytes], bytes]
    ) -> dict[str, Any]:
        """Sign a request, until a day; return the request."""
        with store.transaction(self.path) as book:
            event = requested(list(book.events()), request)
            if check_day(until) < book.day:
                raise InvalidArgument(f"until must not be past, and this day is {book.day}")
            body = {"request": request, "until": until, "key": key}
            body["signature"] = sign(statement(event.hash, until)).hex()
            if not is_signed(body, event):
                raise InvalidArgument("the key is not the one that signs")
            book.append("approve", body)
        return event.body

    def commit(self, *reservations: str) -> None:
        """Record that the releases are out."""
        pending = store.look(self.path).pending
        for reservation in reservations:
            if reservation not in pending:
                raise InvalidArgument(f"the ledger has no open reservation {reservation[:40]!r}")
        store.note(self.path, reservations)

    @contextmanager
    def charging(
        self, name: str, schema: Schema, analyst: str = "", rule: Requirement | None = None
    ) -> Iterator[Charge]:
        """Charge releases to a data set; they are committed when the block ends without an error.

        A name, schema or analyst that the ledger does not know is refused at the start.
        """
        held = store.look(self.path)
        if not held.untouched:
            raise balances.changed()
        account = _known(held, name, schema)[1]
        account.check_policy("" if rule is None else rule.digest)
        account.check(analyst)
        charge = Charge(self, name, schema, analyst, [], rule)
        yield charge
        with suppress(TacitError):  # it is out and charged: a note that fails is no reason to stop
            store.note(self.path, charge.reservations)

    def datasets(self) -> list[DataSet]:
        """Return all data sets by name, with their caps and what was spent."""
        with store.transaction(self.path) as book:
            return datasets(book)

    def events(self) -> list[Event]:
        """Return everything that happened, in order."""
        with store.transaction(self.path) as book:
            return list(book.events())


@dataclass(frozen=True, slots=True)
class Charge:
    """What a learner calls just before it draws."""

    ledger: Ledger
    name: str
    schema: Schema
    analyst: str
    reservations: list[str]
    rule: Requirement | None = None

    def __call__(
        self, cost: ReleaseCost, delta: Exact = 0, purpose: str = "", unit: Unit = ROWS
    ) -> None:
        """Reserve the cost, or refuse."""
        told: Any = {"analyst": self.analyst, "purpose": purpose, "rule": self.rule}
        reserved = self.ledger.reserve(self.name, self.schema, cost, delta, **told, unit=unit)
        self.reservations.append(reserved)


def datasets(book: Book) -> list[DataSet]:
    """Return all data sets by name."""
    open_now = book.execute("SELECT body FROM pending JOIN event USING (number)").fetchall()
    with balances.readable("event"):
        waiting = [json.loads(body)["dataset"] for (body,) in open_now]
    return [
        DataSet(name, digest, book.held.account(digest), waiting.count(digest))
        for name, digest in sorted(book.held.names.items())
    ]


def _named(what: str, name: str) -> None:
    if not name.strip() or len(name) > LONGEST or not name.isprintable():
        raise InvalidArgument(
            f"the name of the {what} must be 1 to {LONGEST} printable characters, got {name[:40]!r}"
        )


def _identity(held: Balances, name: str, schema: Schema) -> str:
    """Return the keyed digest by which a schema and a name are known in this ledger."""
    told = f"{schema.digest}\n{name}"
    return hmac.digest(held.secret, told.encode(), "sha256").hex()


def _known(held: Balances, name: str, schema: Schema) -> tuple[str, Account]:
    """Return the account of a data set, or refuse one that was granted nothing."""
    found = held.identities.get(_identity(held, name, schema))
    if found is None:
        how = " for this schema" if name in held.names else ""
        raise Refused(
            f"the data set {name!r} was granted no budget{how}; the owner of the ledger can grant "
            f"it: tacit ledger grant FILE --dataset {shlex.quote(name)} --schema FILE --epsilon 1"
        )
    return found, held.account(found)


def _put_cap(book: Book, digest: str, analyst: str, account: Account) -> None:
    terms = account.terms(analyst) | account.year(analyst)
    book.put("cap", digest, analyst, canonical(terms))
