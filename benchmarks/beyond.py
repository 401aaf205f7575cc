"""What docs/proofs/beyond_exponential.md says: plans of all families, interior points, few choices.

Plans are pure, for one label that a rule explains; `before` is what was planned without the choices
that go beyond the exponential mechanism.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, product
from typing import Any

from benchmarks import line_optimum as line
from tacit.concepts.contract.finite import Finite
from tacit.learners import CATALOGUE
from tacit.mechanisms import Exponential, PermuteAndFlip
from tacit.statistics import ScoreProfile
from tacit.theory.optimum.optimum import optimum
from tacit.workflows.planning.plan import plan
from tacit.workflows.regret import regrets

Rows = Iterator[tuple[Any, ...]]
BEYOND = {"tally-point", "hashed-tally", "pure-block-parity", "tree-threshold"}
RULES = (
    'rules({"width":2,"columns":[["age",0,120],["dose",0,99]],'
    '"literals":[[0,">=",40],[0,"<",65],[1,">=",50],[1,"<",20]]})'
)
FAMILIES = (
    "points(bits=32)",
    "thresholds(bits=16)",
    "thresholds(bits=32)",
    "thresholds(bits=32, direction=both)",
    "thresholds(bits=64)",
    "intervals(bits=32)",
    "boxes(bits=8, dims=2)",
    "parities(dims=16)",
    "conjunctions(dims=16, width=3)",
    RULES,
    "halfspaces(bits=3, dims=2)",
    "balls(bits=3, dims=2)",
    "lines(p=101)",
)
GOAL: dict[str, Any] = {"alpha": "0.05", "beta": "0.05", "epsilon": 1}
SMALL = (
    *((m, n, "1") for m, n in ((2, 6), (2, 10), (3, 6), (4, 5), (5, 4), (6, 3))),
    *((m, n, "2") for m, n in ((2, 6), (3, 6), (4, 4), (5, 3), (6, 3))),
)
"""Points, rows and epsilon of thresholds whose best law is computed."""
LINES = ((4, 6), (4, 12), (8, 6), (8, 12), (12, 6), (16, 4), (16, 6))
FEW = ((2, 10, "1"), (2, 20, "1"), (2, 30, "1/2"), (3, 4, "1"), (3, 5, "1"), (4, 2, "2"))


def report() -> int:
    """Print all tables as they stand on the page."""
    for table in (_families, _thresholds, _lines, _rows_of_lines, _few):
        for row in table():
            print("|", " | ".join(map(str, row)), "|", flush=True)
        print()
    return 0


def _families() -> Rows:
    before = [name for name in CATALOGUE if name not in BEYOND]
    for proper, spec in product((True, False), FAMILIES):
        old = plan(spec, **GOAL, proper=proper, among=before)
        new = plan(spec, **GOAL, proper=proper)
        told = ((found.answer, found.best and found.best.name) for found in (old, new))
        yield spec, "proper" * proper, *chain.from_iterable(told)


def _thresholds() -> Rows:
    for m, n, epsilon in SMALL:
        concepts = Finite(tuple(tuple(x >= t for x in range(m)) for t in range(m + 1)))
        best = optimum(concepts, n=n, epsilon=epsilon, proper=True, agnostic=False)
        ours = {each.name: float(each.loss) for each in regrets(best, seconds=60)[0]}
        losses = [
            f"{ours[name] / float(best.upper):.2f}" for name in ("permute-and-flip", "generic")
        ]
        yield m, n, epsilon, f"{float(best.lower):.5f}", *losses


def _lines() -> Rows:
    for cells, n in LINES:
        heaps = line.two_heaps(n, cells)
        least = line.least_loss(heaps, line.outside, 1.0)
        laws = [line.by_exponential("1"), line.by_permute_and_flip("1")]
        capped = min(
            line.worst(line.by_capped_depth("1", cap), heaps, line.outside)
            for cap in range(1, n // 2 + 1)
        )
        tree = min(
            line.worst(line.by_tree("1", n, cells, deep, none), heaps, line.outside)
            for deep, none in product(range(1, min(n // 2, 6) + 1), ("1/5", "1/20", "1/100"))
        )
        others = [line.worst(law, heaps, line.outside) for law in laws]
        yield cells, n, f"{least:.5f}", *(f"{lost / least:.1f}" for lost in (*others, capped, tree))


def _rows_of_lines() -> Rows:
    for bits in (8, 16, 32, 64):
        yield bits, *line.fewest(bits, "1", 0.05)


def _few() -> Rows:
    for many, n, epsilon in FEW:
        choices = Choices(many, n)
        states = line.histograms(n, len(choices.kinds))
        least = line.least_loss(states, choices.losses, line.eval_fraction(epsilon))
        lost = [
            line.worst(partial(choices.law, made), states, choices.losses)
            for made in (PermuteAndFlip(epsilon), Exponential(epsilon))
        ]
        yield many, n, epsilon, len(states), f"{least:.5f}", *(f"{e / least:.2f}" for e in lost)


@dataclass(frozen=True)
class Choices:
    """Candidates that err on rows of every kind; a row on which all err tells nothing."""

    many: int
    n: int

    @property
    def kinds(self) -> list[tuple[int, ...]]:
        """Return who errs, for each kind of row."""
        return [wrong for wrong in product((0, 1), repeat=self.many) if not all(wrong)]

    def errors(self, state: line.State) -> list[int]:
        """Return the errors of each candidate."""
        kinds = list(zip(state, self.kinds, strict=True))
        return [sum(k * wrong[c] for k, wrong in kinds) for c in range(self.many)]

    def losses(self, state: line.State) -> list[float]:
        """Return what each candidate errs above the best."""
        found = self.errors(state)
        return [(e - min(found)) / self.n for e in found]

    def law(self, made: Any, state: line.State) -> Any:
        """Return the law of a choice by agreements."""
        return made.law(ScoreProfile.of([self.n - e for e in self.errors(state)]))
