"""The ledger under fire: processes that charge at once, and are killed at any moment.

A charge is a reservation that is synced, a release (a byte in the process's own file) and a commit.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from tacit.core.cost import Pure
from tacit.core.errors import InvalidArgument, Refused
from tacit.data import Bits, Schema
from tacit.data.ledger import Cap, Ledger, Replay, Spent, verify_ledger

SCHEMA = Schema({"sick": Bits()})
EACH = Pure(Fraction(1, 1000))
_METHODS = multiprocessing.get_all_start_methods()
WORLD: Any = multiprocessing.get_context("forkserver" if "forkserver" in _METHODS else "spawn")
WORLD.set_forkserver_preload(["benchmarks.storm"])
PAUSE = 0.001
"""How long a release takes to draw, so that some processes are killed at it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was released, what the ledger recorded, and how it went."""

    released: int
    recorded: Replay
    kills: int
    seconds: float
    rate: float
    """Charges a second since every process had made one: starting them takes longer than that."""

    @property
    def spent(self) -> Spent:
        """What all processes spent together."""
        (account,) = self.recorded.accounts.values()
        return account.total


def storm(
    folder: Path,
    *,
    processes: int,
    charges: int,
    kills: int,
    cap: Fraction,
    at: str | None = None,
    again: Callable[[], object] | None = None,
    every: int = 3,
) -> Outcome:
    """Let processes charge as fast as they can; kill one at random whenever enough was released.

    A process that was killed starts again, until it has released its share or is refused. The file
    is verified at the end: SQLite's own check, the chain, every charge, and every cap. With `at` a
    PostgreSQL server keeps the ledger, and `again`, if it is given, kills and starts that one after
    every so many kills of processes.
    """
    ledger = Ledger.create(folder / "budget.db", at=at)
    ledger.grant("storm", SCHEMA, Cap(cap))
    logs = [folder / f"released-{i}" for i in range(processes)]
    pause = PAUSE if kills else 0.0
    expected = min(processes * charges, int(cap / EACH.epsilon))
    workers = [_start(ledger, log, charges, pause) for log in logs]
    chance, killed, started = np.random.default_rng(1), 0, time.perf_counter()
    begun: tuple[float, int] | None = None
    while any(worker.is_alive() for worker in workers):
        time.sleep(float(chance.uniform(0, 0.01)))
        if begun is None and all(log.exists() and log.stat().st_size for log in logs):
            begun = time.perf_counter(), _released(logs)
        if killed == kills or _released(logs) < (killed + 1) * expected / (kills + 2):
            continue
        victim = int(chance.integers(processes))
        if workers[victim].is_alive():
            workers[victim].kill()
            workers[victim].join()
            workers[victim] = _start(ledger, logs[victim], charges, pause)
            killed += 1
            if again is not None and killed % every == 0:
                again()
    ended, (since, before) = time.perf_counter(), begun or (started, 0)
    assert all(worker.exitcode == 0 for worker in workers), "a worker failed"
    rate = (_released(logs) - before) / (ended - since)
    return Outcome(_released(logs), verify_ledger(ledger), killed, ended - started, rate)


def _start(ledger: Ledger, log: Path, charges: int, pause: float) -> Any:
    worker = WORLD.Process(target=_work, args=(ledger, log, charges, pause), daemon=True)
    worker.start()
    return worker


def _work(ledger: Ledger, log: Path, charges: int, pause: float) -> None:
    with log.open("ab", buffering=0) as released:
        while released.tell() < charges:
            try:
                with ledger.charging("storm", SCHEMA) as charge:
                    charge(EACH)
                    if pause:
                        time.sleep(pause)
                    released.write(b"x")
            except Refused:
                return
            except InvalidArgument as error:  # the server is down: nothing was drawn
                if "server" not in str(error):
                    raise
                time.sleep(0.05)


def _released(logs: list[Path]) -> int:
    return sum(log.stat().st_size for log in logs if log.exists())


def speed(folder: Path, *, processes: int, charges: int, at: str | None = None) -> float:
    """Return durable charges a second, nobody being killed."""
    cap = Fraction(10**4)
    outcome = storm(folder, processes=processes, charges=charges, kills=0, cap=cap, at=at)
    assert outcome.released == processes * charges
    return outcome.rate


def syncs(folder: Path, rounds: int = 200) -> float:
    """Return how many single writes a second the disk syncs."""
    handle = os.open(folder / "sync", os.O_CREAT | os.O_RDWR)
    started = time.perf_counter()
    for _ in range(rounds):
        os.write(handle, b"x")
        os.fsync(handle)
    os.close(handle)
    return rounds / (time.perf_counter() - started)
