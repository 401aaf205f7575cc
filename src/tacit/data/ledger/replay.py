"""Everything that happened, done again: what an auditor checks without trusting the ledger."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tacit.core.cost_json import decode_cost
from tacit.core.errors import InvalidArgument, Refused
from tacit.data.ledger.account import Account, Cap, Spent
from tacit.data.ledger.chain import START, Event, read_lines

ROUNDED = 1 + Fraction(1, 10**6)


@dataclass(slots=True)
class Replay:
    """The accounts as the events left them, by data set, and the reservations still open."""

    accounts: dict[str, Account] = field(default_factory=dict)
    identities: dict[str, str] = field(default_factory=dict)
    pending: dict[str, dict[str, Any]] = field(default_factory=dict)
    count: int = 0
    head: str = START
    format: int = 1

    def apply(self, event: Event) -> None:
        """Do once more what an event says, with every check."""
        try:
            self._apply(event.body)
        except (ArithmeticError, LookupError, TypeError, ValueError, Refused) as error:
            raise InvalidArgument(f"event {event.number} cannot have happened: {error}") from None
        self.count, self.head = event.number, event.hash

    def _apply(self, body: dict[str, Any]) -> None:
        match body["kind"]:
            case "init" if self.count == 0:
                self.format = int(body.get("format", 1))
            case "upgrade" if self.format < body["format"]:
                self.format = body["format"]
            case "admit":
                self.identities[body["identity"]] = body["dataset"]
            case "grant":
                account = self.accounts.setdefault(body["dataset"], Account())
                account.caps[body["analyst"]] = Cap.decode(body)
            case "reserve":
                account, charge = self.accounts[body["dataset"]], Spent.decode(body)
                if not _covers(charge, Spent.of(decode_cost(body["cost"]), charge.delta)):
                    raise InvalidArgument("the charge is not what the cost comes to")
                account.admit(body["analyst"], charge)
                account.add(body["analyst"], charge)
                self.pending[body["id"]] = body
            case "commit":
                del self.pending[body["id"]]
            case "cancel" if self.format == 1:  # since format 2 a reservation is never given back
                taken = self.pending.pop(body["id"])
                account = self.accounts[taken["dataset"]]
                account.add(taken["analyst"], Spent() - Spent.decode(taken))
            case kind:
                raise InvalidArgument(f"nothing of the kind {kind!r} happens here")


def _covers(charge: Spent, due: Spent) -> bool:
    """Whether a charge is enough; another machine may round a price up in its last digit."""
    return all(
        getattr(due, name) <= getattr(charge, name) * ROUNDED
        for name in ("epsilon", "delta", "rho", "leak")
    )


def verify_lines(lines: Iterable[str], *, since: Iterable[str] = ()) -> Replay:
    """Check an export: the chain is whole, every charge is right, and no cap was ever exceeded.

    With `since`, an older export of the same ledger, also that nothing in it was rewritten or
    dropped: without one, a ledger that was rewritten from its first event on looks whole.
    """
    older = {event.number: event.hash for event in read_lines(since)}
    replay = Replay()
    for event in read_lines(lines):
        replay.apply(event)
        if older.pop(event.number, event.hash) != event.hash:
            raise InvalidArgument(f"event {event.number} differs from the older export")
    if older:
        raise InvalidArgument(f"events {min(older)} to {max(older)} of the older export are gone")
    if not replay.count:
        raise InvalidArgument("there are no events: not the export of a ledger")
    return replay
