"""A ledger's file held against everything that happened, done again."""

from __future__ import annotations

from tacit.data.ledger import balances, store
from tacit.data.ledger.ledger import Ledger
from tacit.data.ledger.replay import Replay, verify_lines


def verify_ledger(ledger: Ledger) -> Replay:
    """Check a ledger's file: what an export shows, and that its balances are what that leaves."""
    with store.alone(ledger.path, sealed=False) as file:
        store.check_pages(file)
        held = balances.Balances.read(file)
        lines = [event.line for event in store.events(file)]
        untouched = balances.is_sealed(file)
    replay = verify_lines(lines)
    held.check(replay)
    if not untouched:
        raise balances.changed()
    return replay
