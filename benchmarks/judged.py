"""What is impossible, the exact optimum and what is planned, on all classes of up to three points.

For every kind of class (points renamed and labels flipped change nothing) and a grid of goals:
with one row less than a bound asks for, the best private law on the optimum's populations must fail
too often, if the bound's own population is among them; and with as many rows as are planned it must
not have to. Both are decided by certificates in exact arithmetic, for one label and for two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations, product

from tacit.concepts.contract.finite import Finite
from tacit.theory.optimum.optimum import optimum
from tacit.workflows.planning.goal import Goal
from tacit.workflows.planning.impossible import impossible
from tacit.workflows.planning.plan import solve

OTHERS = ("unseen points", "Littlestone dimension", "fingerprinting")
"""Bounds by populations of their own, or by an average over many: above the optimum of the family
they are not judged by it."""
MOST = {(1, 1): 12, (2, 1): 8, (3, 1): 5, (1, 2): 14, (2, 2): 4, (3, 2): 2}
"""Rows, by points and labels, up to which an optimum takes a few seconds."""
GOALS = tuple(
    (Fraction(a, 100), Fraction(b, 100), Fraction(e), Fraction(d, 100))
    for a, e, d in ((45, 2, 0), (40, 3, 1), (30, 1, 0), (45, 4, 0), (20, 2, 5))
    for b in (5, 10, 18, 25, 30, 35, 40, 47, 55, 65)
)
"""Alpha, beta, epsilon, delta: goals that few rows decide."""


@dataclass(frozen=True)
class Question:
    """A class and a goal."""

    functions: tuple[tuple[bool, ...], ...]
    goal: tuple[Fraction, Fraction, Fraction, Fraction]
    proper: bool
    agnostic: bool
    labels: int = 1

    def __str__(self) -> str:
        rows = "/".join("".join(map(str, map(int, f))) for f in self.functions)
        told = " ".join(str(float(number)) for number in self.goal)
        kind = " proper" * self.proper + " agnostic" * self.agnostic
        return f"{rows} {told}{kind}{' two labels' * (self.labels > 1)}"

    @property
    def asked(self) -> Goal:
        """The goal as the planner takes it."""
        concepts = Finite(self.functions)
        return Goal(
            concepts, *self.goal, labels=self.labels, agnostic=self.agnostic, proper=self.proper
        )

    @property
    def most(self) -> int:
        """How many rows are looked at; a delta makes programs of two labels ten times as large."""
        points = len(self.functions[0])
        return MOST[points, self.labels] - (self.goal[3] > 0 and self.labels > 1 < points)

    @property
    def rows(self) -> int | None:
        """The least rows with which the best law fails seldom enough; None if they are many."""
        beta, reach = self.goal[1], range(1, self.most + 1)
        return next((n for n in reach if self.best(n)[1] <= beta), None)

    def best(self, n: int) -> tuple[Fraction, Fraction]:
        """What the best private law with so many rows fails, from below and from above."""
        alpha, _, epsilon, delta = self.goal
        kind = ("proper",) * self.proper + ("agnostic",) * self.agnostic
        return _best(self.functions, n, alpha, epsilon, delta, self.labels, kind)

    def refuted(self, name: str, n: int) -> Iterator[str]:
        """Say so if a bound is above what the optimum needs."""
        rows = self.rows
        if rows is not None and n > rows and not name.startswith(OTHERS):
            yield f"{self}: {name} says {n} rows, {rows} are enough"

    def contradictions(self) -> Iterator[str]:
        """Yield what cannot all be true."""
        for bound in impossible(self.asked):
            if self.proper or not bound.proper:
                yield from self.refuted(bound.name, bound.n)
        made = solve("n", self.asked)
        if made.best is not None and 0 < made.best.n <= self.most:
            least = self.best(made.best.n)[0]
            if least > self.goal[1]:
                yield f"{self}: {made.best.name} promises what {float(least):.3f} forbids"


@lru_cache(maxsize=1 << 12)
def _best(
    functions: tuple[tuple[bool, ...], ...],
    n: int,
    alpha: Fraction,
    epsilon: Fraction,
    delta: Fraction,
    labels: int,
    kind: tuple[str, ...],
) -> tuple[Fraction, Fraction]:
    best = optimum(
        Finite(functions),
        n=n,
        epsilon=epsilon,
        delta=delta,
        alpha=alpha,
        labels=labels,
        proper="proper" in kind,
        agnostic="agnostic" in kind,
    )
    return best.lower, best.upper


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
    Question(kind, goal, proper, agnostic, labels)
    for labels in (1, 2)
    for points in (1, 2, 3)
    for kind in _kinds(points)
    for proper in (False, True)
    for agnostic in (False, True)
    for goal in GOALS
)


def report() -> int:
    """Ask all; the status says whether nothing contradicts."""
    found: list[str] = []
    for done, question in enumerate(QUESTIONS):
        found += question.contradictions()
        if done % 100 == 0:
            print(f"{done} of {len(QUESTIONS)} asked, {len(found)} contradictions", flush=True)
    print(*found, f"{len(QUESTIONS)} questions, {len(found)} contradictions", sep="\n")
    return 1 if found else 0
