"""`python -m benchmarks.ledger [postgres]`: the ledger's bars, at full size.

8 processes of 2,000 charges each with 200 kills at random moments, then durable charges a second,
beside what the disk can do: a charge takes about five syncs. With `postgres` a server keeps the
ledger, a real one, which is killed 20 times too.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import psycopg
from tests.support.servers import postgres

from benchmarks.storm import EACH, speed, storm, syncs

BAR = 200.0


def main() -> int:
    """Print what happened; the exit status says whether all bars hold."""
    if sys.argv[1:] != ["postgres"]:
        return report()
    with tempfile.TemporaryDirectory() as home, postgres(Path(home)) as again:
        return report(f"host={home} user=tests dbname=postgres", again)


def report(at: str | None = None, again: Callable[[], object] | None = None) -> int:
    """Storm a ledger in a file, or on a server."""
    where: Any = {"at": at, "again": again, "every": 10}
    with tempfile.TemporaryDirectory() as folder:
        cap = Fraction(155, 10)
        fire = storm(Path(folder), processes=8, charges=2000, kills=200, cap=cap, **where)
    spent = fire.spent.epsilon
    print(f"8 processes, {fire.kills} killed at random, {fire.seconds:.0f} s, file verified:")
    print(f"  released {fire.released}, recorded {spent / EACH.epsilon}, cap {cap / EACH.epsilon}")
    print(f"  {len(fire.recorded.pending)} reservations were never committed, and count")
    rates = {}
    for processes in (1, 8):
        with tempfile.TemporaryDirectory() as folder:
            _empty(at)
            shared = {"processes": processes, "charges": 1200 // processes}
            rates[processes] = speed(Path(folder), **shared, at=at)
            said = f"{rates[processes]:.0f} durable charges a second by {processes} processes"
            print(f"  {said}; the disk syncs {syncs(Path(folder)):.0f} writes a second")
    sound = fire.kills == 200 and fire.released * EACH.epsilon <= spent <= cap
    return 0 if sound and min(rates.values()) >= BAR else 1


def _empty(at: str | None) -> None:
    if at is not None:
        with psycopg.connect(at) as connection:
            connection.execute("DROP SCHEMA tacit_ledger CASCADE")


if __name__ == "__main__":
    sys.exit(main())
