"""A ledger's file held against everything that happened, done again."""

from __future__ import annotations

from tacit.data.ledger import balances, store
from tacit.data.ledger.ledger import Ledger
from tacit.data.ledger.replay import Replay, verify_lines


def verify_ledger(ledger: Ledger) -> Replay:
    """Check a ledger's file: what an export shows, and that its balances are what that leaves."""
    with store.alone(ledger.path, sealed=False) as book:
        store.check_pages(book.file)
        lines = [event.line for event in book.events()]
    replay = verify_lines(lines)
    book.held.check(replay)
    if not book.held.untouched:
        raise balances.changed()
    return replay
