"""`python -m benchmarks.ledger [postgres]`: the ledger's bars, at full size.

8 processes of 2,000 charges each with 200 kills at random moments, then durable charges a second,
beside what the disk can do: a charge takes about five syncs. With `postgres` a server keeps the
ledger, a real one, which is killed 20 times too; beside its charges stands a bare loop of as many
processes that insert one row and commit it: the time of a busy machine is no ledger's.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import psycopg
from tests.support.servers import postgres

from benchmarks.storm import EACH, WORLD, speed, storm, syncs

BAR = 200.0
ROW = "x" * 400
"""About as long as the event of a charge."""


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
            shared = {"processes": processes, "charges": 2400 // processes}
            rates[processes] = speed(Path(folder), **shared, at=at)
            print(f"  {rates[processes]:.0f} durable charges a second by {processes} processes")
            bare = "" if at is None else f"bare rows {_bare(at, processes):.0f} a second; "
            load = f"{bare}load {os.getloadavg()[0]:.1f}"
            print(f"  (the disk syncs {syncs(Path(folder)):.0f} writes a second; {load})")
    sound = fire.kills == 200 and fire.released * EACH.epsilon <= spent <= cap
    reached = min(rates.values()) if at is None else rates[8]  # alone each waits for its own sync
    return 0 if sound and reached >= BAR else 1


def _bare(at: str, processes: int, rows: int = 2400) -> float:
    """Return how many rows as many processes insert and commit in a second, one by one."""
    with psycopg.connect(at) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS bare (body TEXT)")
    ready = WORLD.Barrier(processes + 1)
    share = at, rows // processes, ready
    workers = [WORLD.Process(target=_insert, args=share) for _ in range(processes)]
    for worker in workers:
        worker.start()
    ready.wait()
    started = time.perf_counter()
    for worker in workers:
        worker.join()
    return rows / (time.perf_counter() - started)


def _insert(at: str, rows: int, ready: Any) -> None:
    with psycopg.connect(at, autocommit=True) as connection:
        ready.wait()
        for _ in range(rows):
            connection.execute("INSERT INTO bare VALUES (%s)", [ROW])


def _empty(at: str | None) -> None:
    if at is not None:
        with psycopg.connect(at) as connection:
            connection.execute("DROP SCHEMA tacit_ledger CASCADE")


if __name__ == "__main__":
    sys.exit(main())
