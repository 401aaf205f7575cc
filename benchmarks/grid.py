"""What is impossible, what was needed and what is planned, in a grid of cells: docs/grid.md.

In each cell the planner chooses a learner that assumes nothing. It is run on every population that
`tacit.verify.enough.adversary` knows or finds; `needed` is the least number of rows, on the worst
of them, from which on the failures are at most beta. `lower` is the best bound that applies to it.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from pathlib import Path

from tacit.concepts.contract.specification import parse
from tacit.core.chance.randomness import Seeded
from tacit.learners.catalogue import named
from tacit.theory.impossible.packing import packing
from tacit.verify.enough.adversary import Adversary
from tacit.verify.enough.simulation import joint_failures
from tacit.workflows.planning.plan import plan

ALPHA = BETA = Fraction(1, 10)
CLASSES = (
    "points(bits=8)",
    "points(bits=32)",
    "thresholds(bits=8)",
    "thresholds(bits=32)",
    "intervals(bits=4)",
    "intervals(bits=16)",
    "boxes(bits=2, dims=2)",
    "conjunctions(dims=8, width=2)",
    "parities(dims=8)",
    "lines(p=7)",
    "halfspaces(bits=2, dims=2)",
    "balls(bits=2, dims=2)",
)
BUDGETS = (("1", "0", 1), ("0.25", "0", 1), ("1", "0", 8), ("1", "1e-6", 8))
CELLS = tuple((spec, *budget) for spec, budget in product(CLASSES, BUDGETS))
AVERAGED, RUN, SCREENED = 2000, 150, 40
"""So many samples for learners whose failures are averaged, and for those that are run: to find the
rows that are needed, and before that the worst population."""

TRIES = {True: 30, False: 4}
CHECKED = 200
TRIED = 5
"""Rows up to five quarters of the planned ones are tried: needed may come out above planned."""

LARGEST_RATIO, LARGEST_MEDIAN = 4.0, 2.0
PAGE = Path(__file__).parent.parent / "docs" / "grid.md"
BEGIN, END = "<!-- grid -->\n", "<!-- end of grid -->\n"
OPTIMUM = """## Where the optimum is known

Two concepts that differ at one point and agree at another, α = β = 0.1: the lower bound is what the
best private learner needs ([proof](proofs/lower_bounds.md)). `tacit optimum` computes it for other
small problems.
"""
TITLES = "| class | ε | δ | k | lower | needed | planned | planned / needed | learner | worst on |"


@dataclass(frozen=True)
class Cell:
    """One row of the table."""

    spec: str
    epsilon: str
    delta: str
    labels: int
    lower: int
    needed: int
    planned: int
    learner: str
    worst: str
    kept: bool

    @property
    def ratio(self) -> float:
        """How many times too many rows are planned, for all that was found."""
        return self.planned / self.needed

    @property
    def holds(self) -> bool:
        """Whether lower <= needed <= planned, the promise is kept, and the ratio is small."""
        ordered = self.lower <= self.needed <= self.planned
        return ordered and self.kept and self.ratio <= LARGEST_RATIO

    @property
    def row(self) -> str:
        """The row as Markdown."""
        numbers = f"{self.lower} | {self.needed} | {self.planned} | {self.ratio:.2f}"
        start = f"| {self.spec} | {self.epsilon} | {self.delta} | {self.labels} "
        return f"{start}| {numbers} | {self.learner} | {self.worst} |"


def measure(cells: Iterable[tuple[str, str, str, int]] = CELLS) -> Iterator[Cell]:
    """Measure cells one by one."""
    return (cell(*asked) for asked in cells)


def cell(spec: str, epsilon: str, delta: str, labels: int) -> Cell:
    """Plan, then find the worst population for three quarters of the rows, then bisect."""
    concepts = parse(spec)
    found = plan(concepts, alpha=ALPHA, beta=BETA, epsilon=epsilon, delta=delta, labels=labels)
    assert found.best is not None
    n, entry = found.best.n, named(found.best.name)
    learner = entry(found.goal.request)
    adversary = Adversary(concepts, learner, ALPHA, runs=AVERAGED, tries=TRIES[True], seed=1)
    screen = adversary
    if not adversary.quick:
        screen = replace(adversary, runs=SCREENED, tries=TRIES[False])
        adversary = replace(adversary, runs=RUN)
    populations = screen.populations(3 * n // 4)
    chances = {name: screen.chance(p, 3 * n // 4) for name, p in populations.items()}
    worst = max(chances, key=lambda name: chances[name])
    needed = adversary.needed(populations[worst], BETA, most=TRIED * n // 4)
    chance = replace(adversary, seed=2).chance(populations[worst], n)
    failed = joint_failures(
        learner, populations[worst], n=n, limit=ALPHA, runs=CHECKED, rng=Seeded(2)
    )
    assert found.gap is not None
    lower = found.gap.bound.n
    kept = chance <= _highest(adversary.runs) and failed <= CHECKED * _highest(CHECKED)
    return Cell(spec, epsilon, delta, labels, lower, needed, n, entry.name, worst, kept)


def _highest(runs: int) -> float:
    """Return the share of failures that a kept promise exceeds by three standard errors of luck."""
    beta = float(BETA)
    return beta + 3 * math.sqrt(beta * (1 - beta) / runs)


OPTIMA = tuple(product(("1", "0.25", "4"), ("0", "1e-6")))
"""Budgets for which two concepts are planned, beside what the best learner of all needs."""
KNOWN = "| ε | δ | optimum | planned | planned / optimum | learner |"


def optima() -> Iterator[str]:
    """Compare plans with the best private learner, where it is known: of two concepts, one label.

    There the lower bound is met: whoever tells two concepts apart by the steps of its proof fails
    least where the mass is least, so that its worst population is the one of the proof.
    """
    for epsilon, delta in OPTIMA:
        found = plan("thresholds(values=2)", alpha=ALPHA, beta=BETA, epsilon=epsilon, delta=delta)
        assert found.best is not None
        best = packing(2, epsilon=epsilon, delta=delta, beta=BETA, mass=ALPHA)
        ratio = found.best.n / best
        yield f"| {epsilon} | {delta} | {best} | {found.best.n} | {ratio:.2f} | {found.best.name} |"


def write() -> int:
    """Measure all cells and write the page; the exit status says whether the bars hold."""
    started, cells = time.monotonic(), []
    for found in measure():
        cells.append(found)
        print(found.row, "" if found.holds else "DOES NOT HOLD", flush=True)
    ratios = [found.ratio for found in cells]
    median, held = statistics.median(ratios), sum(found.holds for found in cells)
    said = (
        f"{held} of {len(cells)} cells hold; planned / needed is {median:.2f} in the median, "
        f"{min(ratios):.3f} at least and {max(ratios):.2f} at most; measured in "
        f"{time.monotonic() - started:.0f} s.\n"
    )
    rule = "|---|---|---|---|---|---|---|---|---|---|"
    table = "\n".join([TITLES, rule, *(found.row for found in cells)])
    text = PAGE.read_text(encoding="utf-8")
    before = text.partition(BEGIN)[0]
    known = "\n".join([KNOWN, "|---|---|---|---|---|---|", *optima()])
    page = f"{before}{BEGIN}\n{said}\n{table}\n\n{END}\n{OPTIMUM}\n{known}\n"
    PAGE.write_text(page, encoding="utf-8")
    print(said)
    return 0 if held == len(cells) and median <= LARGEST_MEDIAN else 1
