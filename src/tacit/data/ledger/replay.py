"""Everything that happened, done again: what an auditor checks without trusting the ledger."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tacit.core.cost_json import decode_cost
from tacit.core.errors import InvalidArgument, Refused
from tacit.core.unit import Unit
from tacit.data.ledger.account import Account, Cap, Spent
from tacit.data.ledger.approval import covers, is_signed
from tacit.data.ledger.chain import START, Event, read_lines

ROUNDED = 1 + Fraction(1, 10**6)


@dataclass(slots=True)
class Replay:
    """The accounts as the events left them, by data set; reservations and requests still open."""

    accounts: dict[str, Account] = field(default_factory=dict)
    identities: dict[str, str] = field(default_factory=dict)
    pending: dict[str, dict[str, Any]] = field(default_factory=dict)
    requests: dict[int, Event] = field(default_factory=dict)
    time: str = ""
    count: int = 0
    head: str = START
    format: int = 1

    def apply(self, event: Event) -> None:
        """Do once more what an event says, with every check."""
        try:
            self._apply(event, event.body)
        except (ArithmeticError, LookupError, TypeError, ValueError, Refused) as error:
            raise InvalidArgument(f"event {event.number} cannot have happened: {error}") from None
        self.count, self.head = event.number, event.hash

    def _apply(self, event: Event, body: dict[str, Any]) -> None:
        if self.format > 1 and body["time"] < self.time:
            raise InvalidArgument("time runs back")
        self.time, day = body["time"], body["time"][:10]
        match body["kind"]:
            case "init" if self.count == 0:
                self.format = int(body.get("format", 1))
            case "upgrade" if self.format < body["format"]:
                self.format = body["format"]
            case "admit":
                self.identities[body["identity"]] = body["dataset"]
            case "grant":
                account, unit = self.accounts.get(body["dataset"]), Unit.decode(body.get("unit"))
                if account is None:
                    account = self.accounts[body["dataset"]] = Account(unit=unit)
                if not body["analyst"] and account.unit != unit:
                    raise InvalidArgument("who is protected was changed")
                if not body["analyst"]:
                    account.policy = body.get("policy", "")
                account.grant(body["analyst"], Cap.decode(body), day)
            case "reserve":
                self._charge(body, day)
            case "request":
                self.requests[event.number] = event
            case "approve":
                if not is_signed(body, self.requests[body["request"]]):
                    raise InvalidArgument("the approval is not signed by its key")
            case "commit":
                del self.pending[body["id"]]
            case "cancel" if self.format == 1:  # since format 2 a reservation is never given back
                taken = self.pending.pop(body["id"])
                account = self.accounts[taken["dataset"]]
                account.add(taken["analyst"], Spent() - Spent.decode(taken))
            case kind:
                raise InvalidArgument(f"nothing of the kind {kind!r} happens here")

    def _charge(self, body: dict[str, Any], day: str) -> None:
        account, charge = self.accounts[body["dataset"]], Spent.decode(body)
        cost = decode_cost(body["cost"])
        if not _covers(charge, Spent.of(cost, charge.delta)):
            raise InvalidArgument("the charge is not what the cost comes to")
        account.check_unit(cost, Unit.decode(body.get("unit")))
        account.admit(body["analyst"], charge, day)
        if "request" in body:
            asked = self.requests.pop(body["request"]).body
            if not covers(asked, body | {"asked": asked["asked"]}):
                raise InvalidArgument("it was charged for another request")
        account.add(body["analyst"], charge, day)
        self.pending[body["id"]] = body


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
