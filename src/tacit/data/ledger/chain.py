"""Events in a chain of hashes: who changes one must change all that follow."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from tacit.core.errors import InvalidArgument

START = "0" * 64
"""What the first event follows."""


@dataclass(frozen=True, slots=True)
class Event:
    """What happened, and the hash of it and of all that happened before."""

    number: int
    body: dict[str, Any]
    hash: str

    @property
    def line(self) -> str:
        """The event as one line of JSON."""
        return canonical({"number": self.number, "event": self.body, "hash": self.hash})


def canonical(value: object) -> str:
    """Write JSON in the one way that is hashed.

    >>> canonical({"b": 1, "a": "ε"})
    '{"a":"ε","b":1}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def follow(before: str, body: str) -> str:
    """Return the hash of an event after one of hash `before`."""
    return sha256(f"{before}\n{body}".encode()).hexdigest()


def read_lines(lines: Iterable[str]) -> Iterator[Event]:
    """Read exported events and check that the chain is whole."""
    before = START
    for number, line in enumerate(lines, start=1):
        try:
            said = json.loads(line)
            event = Event(said["number"], said["event"], said["hash"])
        except (ValueError, KeyError, TypeError, RecursionError):
            raise InvalidArgument(f"line {number} is no event of a ledger") from None
        if event.number != number:
            raise InvalidArgument(f"line {number} holds event {event.number}: events are missing")
        if not isinstance(event.body, dict) or event.hash != follow(before, canonical(event.body)):
            raise InvalidArgument(f"event {number} was changed: its hash does not follow")
        before = event.hash
        yield event
