"""How soon a slider of the explorer is answered: a real server, moves as a reader makes them.

Each move is one request for a plan over loopback, timed from sending to the last byte. Now and then
the reader pauses, and the page asks for the slower learners until the next move cuts them off, as
the page does. Starting the server and its first worker is timed too.
"""

from __future__ import annotations

import http.client
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

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


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds: to the printed address, to the first page, and for each move."""

    start: float
    page: float
    first: float
    moves: tuple[float, ...]

    @property
    def late(self) -> float:
        """The 95th percentile of the moves."""
        return sorted(self.moves)[int(0.95 * len(self.moves))]


@contextmanager
def server() -> Iterator[tuple[str, int, str]]:
    """Start the explorer and give its host, port and path."""
    command = [sys.executable, "-m", "tacit", "explore", "--no-browser", "--workspace"]
    with tempfile.TemporaryDirectory() as folder:
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
    """Start a server and make the moves."""
    begun, rng = time.perf_counter(), Seeded(seed)
    with server() as (host, port, path):
        started = time.perf_counter() - begun
        line = http.client.HTTPConnection(host, port, timeout=120)
        page = _seconds(line, "GET", f"{path}plan")
        stream = moves(rng)
        seconds: list[float] = []
        first = _asked(line, path, next(stream))[0]
        while len(seconds) < count:
            asked = next(stream)
            spent, found = _asked(line, path, asked)
            seconds.append(spent)
            if not rng.below(PAUSES):
                _pause(host, port, path, asked, found["pending"])
    return Measured(started, page, first, tuple(seconds))


def report() -> int:
    """Print what was measured; the status says whether the bar holds."""
    found = measure()
    print(f"{len(found.moves)} slider moves over loopback, in milliseconds:")
    print(f"  median {1000 * statistics.median(found.moves):.0f}")
    print(f"  95th percentile {1000 * found.late:.0f}, bar {1000 * BAR:.0f}")
    print(f"  slowest {1000 * max(found.moves):.0f}")
    print(f"address printed after {found.start:.2f} s, page {1000 * found.page:.0f} ms")
    print(f"first plan, with the loading of the planner: {found.first:.2f} s")
    print("holds" if found.late < BAR else "MISSED")
    return 0 if found.late < BAR else 1


def _seconds(line: http.client.HTTPConnection, method: str, path: str) -> float:
    begun = time.perf_counter()
    line.request(method, path)
    assert line.getresponse().read()
    return time.perf_counter() - begun


def _asked(
    line: http.client.HTTPConnection, path: str, asked: dict[str, Any], task: str = "plan.first"
) -> tuple[float, dict[str, Any]]:
    body = json.dumps(asked)
    headers = {"Content-Type": "application/json", "Origin": f"http://{line.host}:{line.port}"}
    begun = time.perf_counter()
    line.request("POST", f"{path}api/{task}", body, headers)
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
