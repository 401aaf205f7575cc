"""Round the circle on random small classes: learner, representation, protocol, learner.

Each step must keep what it declares, exactly. Of a representation, how often it fails under the
worst distribution is computed in two ways, from the law of one run and from the sets that runs put
out; of a protocol, how often it errs is counted for every concept and point; of a learner, how
often it fails is bounded from above in rationals, rounded up, for all concepts and many
distributions on two points, by a choice that is written here once more. `make circle` runs all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from math import comb, lcm

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.finite import Finite
from tacit.core.numbers.decay import Decay
from tacit.theory.communication.conversions import drawn_representation
from tacit.theory.representations.drawn import drawn_by, written_out
from tacit.workflows.converting import Conversion, convert

F = Fraction
GOALS = (("1/2", "1/4", "1/4"), ("1", "2/5", "1/5"), ("2", "3/10", "2/5"), ("3", "1/3", "1/10"))
"""Epsilon, alpha, beta."""
SHARE = F(1, 20)  # of beta: how often all runs may miss
GRID = 80  # bits to which chances are rounded up
ATTAINED = F(1, 1 << 50)  # the runs' sets are rounded by far less

Sets = Iterable[tuple[Fraction, NDArray[np.bool_]]]


@dataclass(frozen=True)
class Trip:
    """A random class of two to six concepts on two to four points, and a goal."""

    seed: int

    @cached_property
    def rows(self) -> NDArray[np.bool_]:
        """The class."""
        rng = np.random.default_rng(self.seed)
        while True:
            size = (int(rng.integers(2, 7)), int(rng.integers(2, 5)))
            rows = np.unique(rng.random(size) < 0.5, axis=0)
            if len(rows) > 1:
                return rows

    @cached_property
    def steps(self) -> tuple[Conversion, ...]:
        """The way round."""
        epsilon, alpha, beta = GOALS[self.seed % len(GOALS)]
        return convert(
            Finite(self.rows.tolist()),
            "learner",
            "learner",
            epsilon=epsilon,
            alpha=alpha,
            beta=beta,
            failure=SHARE * F(beta),
        )

    def __str__(self) -> str:
        return "/".join("".join(map(str, map(int, row))) for row in self.rows)

    def broken(self) -> Iterator[str]:
        """Say which promise was not kept."""
        first, drawn, protocol, last = self.steps
        if failed(first, [(F(1), self.rows)], self.rows) > first.declared["beta"]:
            yield f"{self}: the first learner fails too often"
        near = drawn.declared["failure"] - drawn.exact["failure"]
        if not 0 <= near <= ATTAINED or drawn.declared["failure"] > SHARE * first.declared["beta"]:
            yield f"{self}: the runs miss otherwise than declared"
        counted = sum(
            (p * (said[list(cells)] != self.rows).astype(int).astype(object))
            for p, cells, said in protocol.value.mixture
        )
        if not counted.max() == protocol.exact["error"] <= protocol.declared["error"]:
            yield f"{self}: the protocol errs more than declared"
        markov = drawn_representation(protocol.value, first.declared["alpha"])
        table = written_out(markov.lottery(), self.rows)
        if drawn_by(table, self.rows, markov.approximation).failure > markov.failure:
            yield f"{self}: the protocol's sets fail more often than declared"
        sets = [(p, said) for p, _, said in protocol.value.mixture]
        if last.value.runs != 1 or last.value.seeds != 1:
            yield f"{self}: the last learner repeats, which is not counted here"
        if failed(last, sets, self.rows) > last.declared["beta"]:
            yield f"{self}: the last learner fails too often"


def failed(step: Conversion, sets: Sets, concepts: NDArray[np.bool_]) -> Fraction:
    """Bound how often a choice from sets by agreements errs more than alpha, at worst."""
    alpha, pairs = step.declared["alpha"], list(permutations(range(concepts.shape[1]), 2))
    return max(
        _failed(step, _kinds(sets, c[list(pair)], pair), mass)
        for c in concepts
        for pair in pairs
        for mass in (F(1), F(1, 2), (alpha + 1) / 2, alpha + F(1, 1000))
    )


Kinds = tuple[int, int, int, int]
"""How many hypotheses of a set are right on both points, wrong on the first, the second, both."""


def _kinds(sets: Sets, labels: NDArray[np.bool_], pair: tuple[int, ...]) -> dict[Kinds, Fraction]:
    found: dict[Kinds, Fraction] = {}
    for chance, rows in sets:
        wrong = Counter((rows[:, list(pair)] != labels) @ np.array([1, 2]))
        kinds = (wrong[0], wrong[1], wrong[2], wrong[3])
        found[kinds] = found.get(kinds, F(0)) + chance
    return found


def _failed(step: Conversion, kinds: dict[Kinds, Fraction], mass: Fraction) -> Fraction:
    """Add up over the samples: k rows at the first point, all others at the second."""
    n, alpha = step.size, step.declared["alpha"]
    ratio = Decay.of(step.value.epsilon / 2).ratio
    a, b = ratio.numerator, ratio.denominator
    masses = (F(0), mass, 1 - mass, F(1))
    powers = [a**e * b ** (n - e) for e in range(n + 1)]
    unit = lcm(*(chance.denominator for chance in kinds.values()))
    whole = [(many, int(chance * unit)) for many, chance in kinds.items()]
    total, u, v = 0, mass.numerator, mass.denominator
    for k in range(n + 1):
        weights = (powers[0], powers[k], powers[n - k], powers[n])
        failing = 0
        for many, chance in whole:
            each = [count * weight for count, weight in zip(many, weights, strict=True)]
            bad = sum(w for w, error in zip(each, masses, strict=True) if error > alpha)
            failing += chance * -(-(bad << GRID) // sum(each))
        total += comb(n, k) * u**k * (v - u) ** (n - k) * failing
    return F(total, (unit << GRID) * v**n)


TRIPS = tuple(Trip(seed) for seed in range(200))


def report() -> int:
    """Go round on all classes; the status says whether every promise was kept."""
    found: list[str] = []
    more: list[float] = []
    for done, trip in enumerate(TRIPS, 1):
        found += trip.broken()
        more.append(trip.steps[-1].size / max(1, trip.steps[0].size))
        if done % 20 == 0:
            print(f"{done} of {len(TRIPS)} classes, {len(found)} promises broken", flush=True)
    rows = np.quantile(more, (0, 0.5, 1)).round(2).tolist()
    print(*found, f"times the rows of the first learner (least, median, most): {rows}", sep="\n")
    return 1 if found else 0
