"""`python -m benchmarks.release_storm [KILLS]`: kill -9 while `tacit learn` releases, 300 times.

Each process runs the command on a table, with a ledger, and is killed at a random moment: half of
them at any time since they began, half just before, while or after they draw. At the end everything
that drew a coin must be charged, the file verified, and every model there is whole.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile
import time
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tacit.core.chance.randomness import System
from tacit.data import Bits, Integer, Schema
from tacit.data.ledger import Cap, Ledger, verify_ledger
from tacit.interfaces.cli.command import perform as tacit
from tacit.learners.contract.model import Model

SCHEMA = Schema({"age": Integer(0, 120), "sick": Bits()})
EACH = Fraction(1, 100)
WORLD: Any = multiprocessing.get_context("fork")
"""Forked from a process that has released once: what is loaded and compiled takes no time again."""
BEGUN, CHARGED, DRAWN = b"b", b"c", b"d"
KILLS = 300


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the processes that were killed, and of those that came to their end."""

    kills: int
    ended: int
    drew: int
    charged: int
    models: int
    broken: int
    remains: int

    @property
    def sound(self) -> bool:
        """Whether nothing was drawn that is not charged, and every file is whole."""
        return self.drew <= self.charged and self.models <= self.drew and not self.broken


def release_storm(folder: Path, *, kills: int) -> Outcome:
    """Kill so many processes that release, and count what is left of them."""
    ledger = Ledger.create(folder / "budget.db")
    ledger.grant("storm", SCHEMA, Cap(10**4))
    (folder / "schema.toml").write_text(SCHEMA.dump())
    rows = (f"{20 + i % 80},{int(i % 80 >= 45)}\n" for i in range(800))
    (folder / "people.csv").write_text("age,sick\n" + "".join(rows))
    chance, killed, runs = np.random.default_rng(1), 0, 0
    longest = _timed(folder)
    while killed < kills:
        runs += 1
        log = folder / f"log-{runs}"
        worker = WORLD.Process(target=_release, args=(folder, runs), daemon=True)
        worker.start()
        _wait_for(BEGUN, log, worker)
        if runs % 2:
            time.sleep(float(chance.uniform(0, longest)))
        else:
            _wait_for(CHARGED, log, worker)
            time.sleep(float(chance.uniform(0, longest / 4)))
        if worker.is_alive():
            worker.kill()
        worker.join()
        killed += worker.exitcode == -9
    marks = [path.read_bytes() for path in folder.glob("log-*")]
    models = sorted(folder.glob("model-*.json"))
    (account,) = verify_ledger(ledger).accounts.values()
    return Outcome(
        kills=killed,
        ended=len(marks) - killed,
        drew=sum(DRAWN in mark for mark in marks),
        charged=int(account.total.epsilon / EACH),
        models=len(models),
        broken=sum(not _is_whole(path) for path in models),
        remains=len(list(folder.glob(".tacit-*"))),
    )


def _timed(folder: Path) -> float:
    """Return how long a release takes that is left alone, the second time."""
    for number in (0, -1):
        started = time.perf_counter()
        _release(folder, number)
    return time.perf_counter() - started


def _wait_for(mark: bytes, log: Path, worker: Any) -> None:
    while worker.is_alive() and not (log.exists() and mark in log.read_bytes()):
        time.sleep(0.0005)


def _release(folder: Path, number: int) -> None:
    """Run the command, writing down when it begins, asks for its charge, and draws."""
    with (
        pytest.MonkeyPatch.context() as patch,
        Path(os.devnull).open("w") as nothing,
        redirect_stdout(nothing),
        (folder / f"log-{number}").open("ab", buffering=0) as log,
    ):
        patch.chdir(folder)
        patch.setattr(Ledger, "reserve", _marked(Ledger.reserve, log, CHARGED))
        for drawing in ("_take", "words"):
            patch.setattr(System, drawing, _marked(getattr(System, drawing), log, DRAWN))
        asked = [
            *("tacit", "learn", "people.csv", "--schema", "schema.toml", "--features", "age"),
            *("--labels", "sick", "--epsilon", str(EACH), "--out", f"model-{number}.json"),
            *("--ledger", "budget.db", "--dataset", "storm", "--report", f"report-{number}.md"),
        ]
        patch.setattr(sys, "argv", asked)
        log.write(BEGUN)
        with suppress(SystemExit):
            tacit()


def _marked(method: Any, log: Any, mark: bytes) -> Any:
    """Return a method that writes a mark whenever it is called, before anything else."""

    def marked(*asked: Any, **given: Any) -> Any:
        log.write(mark)
        return method(*asked, **given)

    return marked


def _is_whole(path: Path) -> bool:
    try:
        Model.loads(path.read_text())
    except ValueError:
        return False
    return True


def main() -> int:
    """Print what happened; the exit status says whether nothing was under-counted."""
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else KILLS
    with tempfile.TemporaryDirectory() as folder:
        found = release_storm(Path(folder), kills=kills)
    print(f"{found.kills} processes killed while they released, {found.ended} came to their end:")
    print(f"  {found.drew} drew a coin, {found.charged} were charged, the file verified")
    print(f"  {found.models} models, {found.broken} not whole, {found.remains} beginnings of files")
    return 0 if found.sound and found.kills == kills else 1


if __name__ == "__main__":
    sys.exit(main())
