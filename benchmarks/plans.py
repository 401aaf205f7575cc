"""How long plans take: CPU seconds of `tacit.plan` over a wide grid and at random, one process."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, product
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from tacit.concepts.contract.specification import parse
from tacit.core.errors import InvalidArgument
from tacit.workflows.planning.plan import plan

BAR, RANDOM = 2.0, 650
SHOWN = 15
CLASSES = (
    "thresholds(bits=32)",
    "thresholds(bits=8)",
    "points(bits=32)",
    "points(bits=8)",
    "parities(dims=16)",
    "intervals(bits=16)",
    "boxes(bits=8, dims=2)",
    "conjunctions(dims=20, width=3)",
    "halfspaces(bits=6, dims=2)",
    "balls(bits=2, dims=2)",
    "lines(p=101)",
    "scorecards(values=12x9xc4)",
)
EPSILONS = ("1e-6", "1e-4", "0.01", "0.1", "1", "10", "100")
DELTAS = ("0", "1e-6")
LABELS = (1, 8, 100, 1000)
ALPHAS = ("0.001", "0.01", "0.1", "0.4")
ROWS = (100, 10**4, 10**6, 10**9)
EXTREME: tuple[dict[str, Any], ...] = tuple(
    {"spec": spec, "delta": delta, **asked}
    for spec in ("thresholds(bits=32)", "points(bits=32)", "parities(dims=16)")
    for delta in DELTAS
    for asked in (
        {"alpha": "0.1", "epsilon": "1e9"},
        {"alpha": "0.1", "epsilon": "1e-400"},
        {"alpha": "1e-9", "epsilon": 1},
        {"alpha": "0.1", "epsilon": 1, "labels": 10**6},
        {"alpha": "0.1", "epsilon": 1, "beta": "1e-12"},
        {"n": 10**15, "epsilon": "1e-9"},
        {"n": 10**15, "alpha": "1e-9"},
        {"n": 1, "epsilon": 1},
    )
)


class Timed(NamedTuple):
    """One question, what it took and what was answered."""

    seconds: float
    asked: dict[str, Any]
    answer: str


def questions() -> Iterator[dict[str, Any]]:
    """Yield what is asked: every class with every budget, in turn for n, alpha and epsilon."""
    yield from EXTREME
    grid = product(CLASSES, DELTAS, LABELS, (False, True))
    for place, (spec, delta, labels, agnostic) in enumerate(grid):
        shared = {"spec": spec, "delta": delta, "labels": labels, "agnostic": agnostic}
        for i, (epsilon, alpha) in enumerate(product(EPSILONS, ALPHAS)):
            if (i + place) % 3 == 0:
                yield {**shared, "epsilon": epsilon, "alpha": alpha}
            elif (i + place) % 6 == 1:
                yield {**shared, "epsilon": epsilon, "n": ROWS[i % len(ROWS)]}
            elif (i + place) % 6 == 2:
                yield {**shared, "alpha": alpha, "n": ROWS[(i + place // 6) % len(ROWS)]}


def random_questions(count: int = RANDOM, seed: int = 1) -> Iterator[dict[str, Any]]:
    """Yield what is asked: any class, budget and goal, for n, alpha or epsilon."""
    rng = random.Random(seed)
    for _ in range(count):
        asked = {
            "n": int(10 ** rng.uniform(1.5, 9.5)),
            "alpha": f"{10 ** rng.uniform(-4, -0.35):.4g}",
            "epsilon": f"{10 ** rng.uniform(-6, 2):.4g}",
        }
        del asked[rng.choice(("n", "alpha", "epsilon"))]
        yield {
            "spec": rng.choice(CLASSES),
            "delta": rng.choice(("0", "1e-9", "1e-6", "1e-4")),
            "labels": rng.choice((1, 2, 3, 8, 30, 100, 300, 1000)),
            "agnostic": rng.random() < 0.4,
            "beta": rng.choice(("0.05", "0.1", "0.001")),
            **asked,
        }


def timed(asked: dict[str, Any]) -> Timed:
    """Ask, and time it; a refusal is an answer."""
    given = dict(asked)
    concepts = parse(given.pop("spec"))
    start = time.process_time()
    try:
        found = plan(concepts, **given).answer
        answer = f"{float(found):g}" if isinstance(found, Fraction) else str(found)
    except InvalidArgument as refusal:
        answer = f"refused: {refusal}"
    return Timed(time.process_time() - start, asked, answer)


def report() -> int:
    """Print the slowest plans; the exit status says whether all are below the bar."""
    both = chain(random_questions(), questions())
    rows = sorted((timed(asked) for asked in both), key=lambda row: -row.seconds)
    table = Table("CPU s", "asked", "answer", box=None)
    for row in rows[:SHOWN]:
        said = ", ".join(f"{name}={value}" for name, value in row.asked.items())
        table.add_row(f"{row.seconds:.2f}", said, row.answer)
    slow = sum(row.seconds >= BAR for row in rows)
    parts = {"median": 2, "of ten one": 10, "of a hundred one": 100}
    shares = ", ".join(
        f"{name} {rows[len(rows) // part].seconds:.2f} s" for name, part in parts.items()
    )
    said = (
        f"{len(rows)} plans; CPU: {shares} or more, at most {rows[0].seconds:.2f} s; "
        f"{slow} took {BAR:g} s or more"
    )
    Console(width=150, file=sys.stdout).print(table, said, sep="\n")
    return 0 if not slow else 1
