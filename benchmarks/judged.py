"""What is impossible, the exact optimum and what is planned, on all classes of up to three points.

For every kind of class (points renamed and labels flipped change nothing) and a grid of goals:
with one row less than a bound asks for, the best private law on the optimum's populations must fail
too often, if the bound's own population is among them; and with as many rows as are planned it must
not have to. Both are decided by certificates in exact arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, permutations, product

from tacit.concepts.contract.finite import Finite
from tacit.theory.optimum.optimum import ClassOptimum, optimum
from tacit.workflows.planning.goal import Goal
from tacit.workflows.planning.impossible import impossible
from tacit.workflows.planning.plan import solve

SHARED = ("two concepts", "labels of a point", "unseen point", "coins")
"""Bounds whose populations the optimum's family holds."""
MOST = {1: 12, 2: 8, 3: 5}
"""Rows, by points, up to which an optimum takes a second or two."""
GOALS = tuple(
    (Fraction(a, 100), Fraction(b, 100), Fraction(e), Fraction(d, 100))
    for a, b, e, d in (
        (45, 30, 2, 0),
        (40, 25, 3, 1),
        (30, 40, 1, 0),
        (45, 10, 4, 0),
        (20, 35, 2, 5),
    )
)
"""Alpha, beta, epsilon, delta: goals that few rows decide."""


@dataclass(frozen=True)
class Question:
    """A class and a goal."""

    functions: tuple[tuple[bool, ...], ...]
    goal: tuple[Fraction, Fraction, Fraction, Fraction]
    proper: bool
    agnostic: bool

    def __str__(self) -> str:
        rows = "/".join("".join(map(str, map(int, f))) for f in self.functions)
        told = " ".join(str(float(number)) for number in self.goal)
        return f"{rows} {told}{' proper' * self.proper}{' agnostic' * self.agnostic}"

    @property
    def asked(self) -> Goal:
        """The goal as the planner takes it."""
        return Goal(Finite(self.functions), *self.goal, agnostic=self.agnostic, proper=self.proper)

    @cached_property
    def rows(self) -> int | None:
        """The least rows with which the best law fails seldom enough; None if they are many."""
        most, beta = MOST[len(self.functions[0])], self.goal[1]
        return next((n for n in range(1, most + 1) if self.best(n).upper <= beta), None)

    def best(self, n: int) -> ClassOptimum:
        """The best private law with so many rows."""
        alpha, _, epsilon, delta = self.goal
        return optimum(
            Finite(self.functions),
            n=n,
            epsilon=epsilon,
            delta=delta,
            alpha=alpha,
            proper=self.proper,
            agnostic=self.agnostic,
        )

    def refuted(self, name: str, n: int) -> Iterator[str]:
        """Say so if a bound is above what the optimum needs."""
        if name in SHARED and self.rows is not None and n > self.rows:
            yield f"{self}: {name} says {n} rows, {self.rows} are enough"

    def contradictions(self) -> Iterator[str]:
        """Yield what cannot all be true."""
        for bound in impossible(self.asked):
            if self.proper or not bound.proper:
                yield from self.refuted(bound.name, bound.n)
        made, most = solve("n", self.asked), MOST[len(self.functions[0])]
        if made.best is not None and 0 < made.best.n <= most:
            least = self.best(made.best.n).lower
            if least > self.goal[1]:
                yield f"{self}: {made.best.name} promises what {float(least):.3f} forbids"


def _kinds(points: int) -> Iterator[tuple[tuple[bool, ...], ...]]:
    """Yield one class of each kind on so many points."""
    everything = list(product((False, True), repeat=points))
    moves = list(product(permutations(range(points)), everything))
    seen = set()
    for size in range(2, len(everything) + 1):
        for chosen in combinations(everything, size):
            moved = (
                tuple(sorted(tuple(f[x] ^ flips[x] for x in order) for f in chosen))
                for order, flips in moves
            )
            if (kind := min(moved)) not in seen:
                seen.add(kind)
                yield kind


QUESTIONS = tuple(
    Question(kind, goal, proper, agnostic)
    for points in (1, 2, 3)
    for kind in _kinds(points)
    for goal in GOALS
    for proper in (False, True)
    for agnostic in (False, True)
)


def report() -> int:
    """Ask all; the status says whether nothing contradicts."""
    found: list[str] = []
    for done, question in enumerate(QUESTIONS):
        found += question.contradictions()
        if done % 20 == 0:
            print(f"{done} of {len(QUESTIONS)} asked, {len(found)} contradictions", flush=True)
    print(*found, f"{len(QUESTIONS)} questions, {len(found)} contradictions", sep="\n")
    return 1 if found else 0
