"""How soon a slider of the explorer is answered: a real server, moves as a reader makes them.

Each move is one request for a plan over loopback, timed from sending to the last byte. Now and then
the reader pauses, and the page asks for the slower learners until the next move cuts them off, as
the page does. The other answers of the page are timed between them. All is done twice: with
nothing else to do, and while tables are learned from, one after the other, which is then cancelled.
Starting the server and its first worker is timed too.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import Any

import numpy as np

from tacit.core.chance.randomness import Random, Seeded
from tacit.interfaces.page.families import PLANNED

MOVES = 500
BAR = 0.3
"""Seconds, at the 95th percentile."""

PAUSES, PATIENCE = 8, 2.0
"""One move in eight is followed by a pause of at most so many seconds."""

VALUES: dict[str, tuple[str, ...]] = {
    "n": ("100", "200", "500", "1000", "2000", "5000", "10000", "50000", "200000"),
    "alpha": ("0.01", "0.015", "0.02", "0.03", "0.04", "0.05", "0.08", "0.1", "0.2", "0.3"),
    "epsilon": ("0.1", "0.2", "0.3", "0.5", "0.8", "1", "1.5", "2", "3", "5"),
    "labels": ("1", "2", "3", "4", "8", "16"),
}
CHOICES: dict[str, tuple[Any, ...]] = {
    "question": ("n", "alpha", "epsilon"),
    "delta": ("0", "0", "1e-6"),
    "agnostic": (False, False, True),
}


ROWS, COLUMNS = 200_000, 10
"""The table that is learned from: large enough for one run to outlast many moves."""

Kinds = dict[str, list[float]]


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds: to the printed address, to the first plan, for each kind of answer, to a cancel."""

    start: float
    first: float
    idle: Kinds
    learning: Kinds
    cancel: float


def late(seconds: list[float]) -> float:
    """The 95th percentile."""
    return sorted(seconds)[int(0.95 * len(seconds))]


TABLE = "people.csv"
LEARN: dict[str, Any] = {
    "table": TABLE,
    "columns": [{"name": "c0", "type": "bits"}]
    + [{"name": f"c{i}", "type": "integer", "low": "0", "high": "99"} for i in range(1, COLUMNS)],
    "features": [f"c{i}" for i in range(1, COLUMNS)],
    "labels": ["c0"],
    "class": "scorecards",
    "epsilon": "1",
    "delta": "1e-6",
}
TASKS: dict[str, dict[str, Any]] = {
    "learn.choices": {},
    "learn.columns": {"table": TABLE},
    "budget.show": {"table": TABLE},
    "schema.of": {"run": "run-0001"},
    "theorems.list": {},
    "plan.table": LEARN | {"n": "1000"},
}
OTHERS = 5
"""Everything else is asked once in so many moves."""


@contextmanager
def server() -> Iterator[tuple[str, int, str]]:
    """Start the explorer with a table in its workspace, and give its host, port and path."""
    command = [sys.executable, "-m", "tacit", "explore", "--no-browser", "--workspace"]
    with tempfile.TemporaryDirectory() as folder:
        cells = np.random.default_rng(0).integers(0, 100, (ROWS, COLUMNS))
        cells[:, 0] = cells[:, 1:].sum(axis=1) > 50 * (COLUMNS - 1)
        names = ",".join(f"c{i}" for i in range(COLUMNS))
        np.savetxt(Path(folder) / TABLE, cells, "%d", ",", header=names, comments="")
        process = subprocess.Popen([*command, folder], stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            found = re.search(r"http://([\d.]+):(\d+)(/\w+/)", process.stdout.readline())
            assert found is not None
            yield found[1], int(found[2]), found[3]
        finally:
            process.terminate()
            process.wait()


def moves(rng: Random) -> Iterator[dict[str, Any]]:
    """Return what a reader asks: mostly a slider moved, sometimes another question or class."""
    asked: dict[str, Any] = {name: values[len(values) // 2] for name, values in VALUES.items()}
    asked |= {"labels": "1", "question": "n", "delta": "0", "agnostic": False, "beta": "0.05"}
    asked["class"] = {"family": PLANNED[0].name, "sizes": {}}
    while True:
        kind = rng.below(100)
        if kind < 80:
            name = list(VALUES)[rng.below(len(VALUES))]
            at = VALUES[name].index(asked[name]) + rng.below(5) - 2
            asked[name] = VALUES[name][max(0, min(at, len(VALUES[name]) - 1))]
        elif kind < 92:
            name = list(CHOICES)[rng.below(len(CHOICES))]
            asked[name] = CHOICES[name][rng.below(len(CHOICES[name]))]
        else:
            family = PLANNED[rng.below(len(PLANNED))]
            sizes = {s.name: s.low + rng.below(s.high - s.low + 1) for s in family.sizes}
            asked["class"] = {
                "family": family.name,
                "sizes": {name: 7 if name == "p" else size for name, size in sizes.items()},
            }
        yield {name: value for name, value in asked.items() if name != asked["question"]}


def measure(count: int = MOVES, seed: int = 0) -> Measured:
    """Start a server and make the moves, twice."""
    begun = time.perf_counter()
    with server() as (host, port, path):
        started, line = time.perf_counter() - begun, http.client.HTTPConnection(host, port)
        stream = moves(Seeded(seed))
        first = _asked(line, path, next(stream))[0]
        _asked(line, path, LEARN | {"cap_epsilon": "1000", "cap_delta": "1e-3"}, "budget.open")
        made, _ = _learn(host, port, path)
        _ended(host, port, path, made)
        idle = _round(host, port, path, stream, count)
        over, running = Event(), [""]
        learner = Thread(target=_keep_learning, args=(host, port, path, running, over))
        learner.start()
        while not running[0]:
            time.sleep(0.01)
        learning = _round(host, port, path, stream, count)
        over.set()
        line = http.client.HTTPConnection(host, port)  # the first was silent for too long
        cancel = _asked(line, path, {}, f"{running[0]}/cancel", under="job")[0]
        learner.join()
    return Measured(started, first, idle, learning, cancel)


def _round(host: str, port: int, path: str, stream: Iterator[dict[str, Any]], count: int) -> Kinds:
    """Make moves, and ask for everything else now and then."""
    line, rng = http.client.HTTPConnection(host, port, timeout=120), Seeded(count)
    found: Kinds = {}
    for place in range(count):
        asked = next(stream)
        spent, plan = _asked(line, path, asked)
        found.setdefault("plan.first", []).append(spent)
        if not rng.below(PAUSES):
            _pause(host, port, path, asked, plan["pending"])
        if place % OTHERS == 0:
            for page in ("plan", "learn", "static/style.css"):
                found.setdefault(page, []).append(_seconds(line, "GET", f"{path}{page}"))
            for task, told in TASKS.items():
                found.setdefault(task, []).append(_asked(line, path, told, task)[0])
    return found


def _learn(host: str, port: int, path: str) -> tuple[str, float]:
    """Begin to learn, and return the name of the job."""
    line = http.client.HTTPConnection(host, port, timeout=120)
    spent, found = _asked(line, path, LEARN, "learn.run", under="job")
    return found["job"], spent


def _ended(host: str, port: int, path: str, job: str) -> dict[str, Any]:
    """Watch a job to its end."""
    line, seen = http.client.HTTPConnection(host, port, timeout=120), 0
    while True:
        line.request("GET", f"{path}job/{job}/{seen}")
        found = json.loads(line.getresponse().read())
        if found["ended"] is not None:
            return dict(found["ended"])
        seen = found["steps"]


def _keep_learning(host: str, port: int, path: str, running: list[str], over: Event) -> None:
    while not over.is_set():
        running[0], _ = _learn(host, port, path)
        ended = _ended(host, port, path, running[0])
        assert "answer" in ended or over.is_set(), ended


def report() -> int:
    """Print what was measured; the status says whether the bar holds."""
    found = measure()
    print(f"address printed after {found.start:.2f} s")
    print(f"first plan, with the loading of the planner: {found.first:.2f} s")
    load = f"the machine's load is {os.getloadavg()[0]:.1f}"
    print(f"median and 95th percentile in milliseconds, bar {1000 * BAR:.0f}; {load}:")
    for name, idle in found.idle.items():
        times = idle, found.learning[name]
        told = (1000 * each for k in times for each in (statistics.median(k), late(k)))
        print(f"  {name:16}" + "idle {:4.0f} {:4.0f}   learning {:4.0f} {:4.0f}".format(*told))
    print(f"a cancelled run frees its worker after {found.cancel:.2f} s, bar 1")
    every = [late(each) for kinds in (found.idle, found.learning) for each in kinds.values()]
    holds = max(every) < BAR and found.cancel < 1
    print("holds" if holds else "MISSED")
    return 0 if holds else 1


def _seconds(line: http.client.HTTPConnection, method: str, path: str) -> float:
    begun = time.perf_counter()
    line.request(method, path)
    assert line.getresponse().read()
    return time.perf_counter() - begun


def _asked(
    line: http.client.HTTPConnection,
    path: str,
    asked: dict[str, Any],
    task: str = "plan.first",
    under: str = "api",
) -> tuple[float, dict[str, Any]]:
    body = json.dumps(asked)
    headers = {"Content-Type": "application/json", "Origin": f"http://{line.host}:{line.port}"}
    begun = time.perf_counter()
    line.request("POST", f"{path}{under}/{task}", body, headers)
    answer = line.getresponse()
    read = answer.read()
    spent = time.perf_counter() - begun
    assert answer.status == 200, (asked, read)
    return spent, json.loads(read)


def _pause(host: str, port: int, path: str, asked: dict[str, Any], pending: list[str]) -> None:
    """Ask for the slower learners, one by one, until the patience is over."""
    end = time.perf_counter() + PATIENCE
    for name in pending:
        line = http.client.HTTPConnection(host, port, timeout=max(0.05, end - time.perf_counter()))
        with suppress(TimeoutError):
            _asked(line, path, asked | {"learner": name}, "plan.one")
        line.close()
        if time.perf_counter() > end:
            return
