"""Requests and approvals, kept among a ledger's events: who let a release be made, and which.

A release that a policy lets be made only if persons approve it becomes a request. An approval signs
the hash of the request's event, which holds it and all that happened before: so it is good for no
other request, no other data set and no other ledger, and nobody writes one without the key. A
request is for one release: the charge names it, and no other charge may (docs/proofs/ledger.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tacit.core.errors import InvalidArgument, Refused
from tacit.data.ledger.chain import Event

ASKED = ("dataset", "analyst", "asked")
"""What a request and the charge for it have in common."""


class Unapproved(Refused):
    """Refused because too few persons have approved it; `request` is its number if it is one."""

    def __init__(self, said: str, request: int = 0) -> None:
        super().__init__(said)
        self.request = request


class Requirement(Protocol):
    """A policy, asked in the transaction that charges: nobody else charges in between."""

    @property
    def digest(self) -> str:
        """The SHA-256 of its file."""

    @property
    def asked(self) -> dict[str, Any]:
        """The question, as JSON."""

    def __call__(self, events: Sequence[Event], charge: dict[str, Any]) -> dict[str, Any]:
        """Refuse a charge after these events, or return what its own event says in addition."""


def statement(request: str, until: str) -> bytes:
    """Return what an approval signs: the hash of a request, and the last day it is good for."""
    return f"tacit-approval-1\n{request}\n{until}\n".encode()


def is_signed(body: dict[str, Any], request: Event) -> bool:
    """Whether an approval is signed by the key that it names."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(body["key"]))
        key.verify(bytes.fromhex(body["signature"]), statement(request.hash, body["until"]))
    except (InvalidSignature, LookupError, TypeError, ValueError):
        return False
    return True


def used(events: Sequence[Event]) -> set[int]:
    """Return the requests that charges have named."""
    return {each.body["request"] for each in events if "request" in each.body and charges(each)}


def charges(event: Event) -> bool:
    """Whether an event is a charge."""
    return bool(event.body["kind"] == "reserve")


def approving(events: Sequence[Event], request: Event, day: str) -> Iterator[str]:
    """Yield the keys that approve a request on a day; one key may come several times."""
    for event in events:
        body = event.body
        here = body["kind"] == "approve" and body["request"] == request.number
        if here and day <= body["until"] and is_signed(body, request):
            yield body["key"]


def covers(request: Mapping[str, Any], charge: Mapping[str, Any]) -> bool:
    """Whether a request is for a charge: the same question, and no less epsilon and delta."""
    same = all(request[name] == charge.get(name) for name in ASKED)
    return same and all(
        Fraction(charge[name]) <= Fraction(request[name]) for name in ("epsilon", "delta")
    )


def requested(events: Sequence[Event], number: int) -> Event:
    """Return the request of a number."""
    if 0 < number <= len(events) and events[number - 1].body["kind"] == "request":
        return events[number - 1]
    raise InvalidArgument(f"the ledger has no request {number}; see: tacit ledger requests")
