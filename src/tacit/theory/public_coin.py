"""The error of public-coin one-way protocols with N messages: exact, with a certificate a side."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from math import lcm
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat
from numpy.typing import NDArray
from scipy.optimize import linprog

from tacit.core import check
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.randomness import Random, Seeded
from tacit.theory.incidence import Incidence
from tacit.theory.symmetry import Symmetry, orbits

MOST_CONCEPTS = 22
GRID = 1 << 26
LARGEST_WEIGHT = 1 << 40
TINY = 1e-8
STARTS = 24
LAST_STEPS = 4
"""What making the ends exact takes at most, in steps like those before."""
DENOMINATORS = (10**2, 10**3, 10**4, 10**6, 10**9)
"""Floats near a fraction of a small denominator are tried as that fraction."""

Cells = tuple[int, ...]
"""A deterministic protocol: the message that Alice sends for each concept."""

Mixture = tuple[tuple[Fraction, Cells, NDArray[np.bool_]], ...]
"""Protocols, each with its probability and with Bob's answers, one line a message."""


@dataclass(frozen=True, slots=True, eq=False)
class PublicCoinValue:
    """`lower <= least error with so many messages <= upper`, and what shows it.

    `mixture` is a public-coin protocol of error `upper`: which deterministic one is run with which
    probability, after a random symmetry, with Bob's answers in `answers`. `prior` are integer
    weights of (concept, point) under which every deterministic protocol errs at least `lower`.
    """

    messages: int
    lower: Fraction
    upper: Fraction
    mixture: Mixture
    prior: NDArray[np.int64]


def public_coin_value(
    table: Incidence,
    messages: int,
    *,
    symmetries: tuple[Symmetry, ...] = (),
    time_limit: float = 60.0,
    tolerance: float = 1e-9,
) -> PublicCoinValue:
    """Return the least error of a public-coin protocol for c(x) with so many messages.

    Exactness:
        Floats only propose: `lower` is an integer dynamic program over all partitions of the
        concepts under rational weights, `upper` the exact error of a rational mixture.

    Cost:
        Column generation; each exact step takes 3^N integer operations for N concepts, two to the N
        for two messages. Stops when the ends are `tolerance` apart or time is up.

    >>> three = Incidence.of(np.eye(3, dtype=int))
    >>> found = public_coin_value(three, 2)
    >>> found.upper - found.lower < 1e-9, float(found.upper)
    (True, 0.2222...)
    """
    check.count(messages=messages, least=1)
    if table.n > MOST_CONCEPTS:
        raise TooLarge(
            f"{table.n} concepts have too many partitions; at most {MOST_CONCEPTS} are tried"
        )
    truth = _matrix(table)
    groups = orbits(truth, symmetries)
    game = _Game(truth, groups, min(messages, table.n))
    end, rng = time.monotonic() + time_limit, Seeded(0)
    best_lower, best_prior = Fraction(0), np.ones(truth.shape, dtype=np.int64)
    while True:
        begun = time.monotonic()
        weights, prices, value = game.solve()
        prior = game.integers(prices)
        price, cells = game.price(prior)
        lower = Fraction(price, int(prior.sum()))
        if lower > best_lower:
            best_lower, best_prior = lower, prior
        new = game.add(cells, prior)
        new |= max(game.add(found, prior) for found in game.guesses(prior, rng))
        now = time.monotonic()
        late = now + LAST_STEPS * (now - begun) > end
        if value - float(best_lower) <= tolerance or not new or late:
            break
    tried = [game.mixture(game.basic(weights)), *map(game.mixture, game.simple_weights(weights))]
    upper, mixture = min(tried, key=lambda found: found[0])
    for digits in DENOMINATORS:
        prior = game.simple(prices, digits)
        lower = Fraction(game.price(prior)[0], int(prior.sum()))
        if lower > best_lower:
            best_lower, best_prior = lower, prior
    return PublicCoinValue(messages, best_lower, upper, mixture, best_prior)


def check_lower(table: Incidence, prior: NDArray[np.int64], messages: int) -> Fraction:
    """Return the least error that any deterministic protocol has under a prior: a lower bound."""
    if (prior < 0).any() or not prior.sum() or prior.shape != (table.n, table.m):
        raise InvalidArgument("a prior has a weight of at least 0 for each concept and point")
    game = _Game(_matrix(table), np.arange(table.n * table.m).reshape(table.n, -1), messages)
    return Fraction(game.price(prior)[0], int(prior.sum()))


def check_upper(
    table: Incidence,
    mixture: Mixture,
    symmetries: tuple[Symmetry, ...] = (),
) -> tuple[int, Fraction]:
    """Return a mixture's number of messages and its worst error, symmetries drawn at random."""
    truth = _matrix(table)
    groups = orbits(truth, symmetries)
    if sum((p for p, _, _ in mixture), Fraction(0)) != 1 or any(p < 0 for p, _, _ in mixture):
        raise InvalidArgument("a mixture's probabilities are at least 0 and add up to 1")
    worst = sum(
        (
            p * np.array([Fraction(e) for e in _orbit_errors(truth, groups, cells, answers)])
            for p, cells, answers in mixture
        ),
        np.zeros(int(groups.max()) + 1, dtype=object),
    )
    return max(len(set(cells)) for _, cells, _ in mixture), max(worst)


def _matrix(table: Incidence) -> NDArray[np.bool_]:
    concepts, points = np.meshgrid(np.arange(table.n), np.arange(table.m), indexing="ij")
    return table.values(concepts.ravel(), points.ravel()).reshape(table.n, table.m)


def _orbit_errors(
    truth: NDArray[np.bool_],
    groups: NDArray[np.int64],
    cells: Cells,
    answers: NDArray[np.bool_],
) -> list[Fraction]:
    """Return the share of each orbit of (concept, point) on which a protocol errs."""
    wrong = answers[np.array(cells)] != truth
    size = int(groups.max()) + 1
    errs = np.bincount(groups.ravel(), weights=wrong.ravel(), minlength=size)
    totals = np.bincount(groups.ravel(), minlength=size)
    return [Fraction(int(e), int(t)) for e, t in zip(errs, totals, strict=True)]


class _Game:
    """The matrix game between protocols and (orbits of) inputs, grown column by column."""

    def __init__(self, truth: NDArray[np.bool_], groups: NDArray[np.int64], messages: int) -> None:
        self.truth = truth
        self.signs = np.where(truth, 1, -1).astype(np.int64)
        self.groups = groups
        self.sizes = np.bincount(groups.ravel())
        self.messages = messages
        self.kernel: Any = import_module("tacit.theory.clustering_kernel")
        self.protocols: list[tuple[Cells, NDArray[np.bool_]]] = []
        self.errors: list[list[Fraction]] = []
        self.seen: set[tuple[Fraction, ...]] = set()
        for value in (False, True):
            self._keep((0,) * len(truth), np.full((1, truth.shape[1]), value))

    def _keep(self, cells: Cells, answers: NDArray[np.bool_]) -> bool:
        errors = _orbit_errors(self.truth, self.groups, cells, answers)
        if tuple(errors) in self.seen:
            return False
        self.seen.add(tuple(errors))
        self.protocols.append((cells, answers))
        self.errors.append(errors)
        return True

    def add(self, cells: Cells, prior: NDArray[np.int64]) -> bool:
        """Keep a protocol, with the answers that are best under a prior; False if it is known."""
        return self._keep(cells, self._answers(cells, prior))

    def _answers(self, cells: Cells, prior: NDArray[np.int64]) -> NDArray[np.bool_]:
        sums = np.zeros((max(cells) + 1, self.truth.shape[1]), dtype=np.int64)
        np.add.at(sums, np.array(cells), prior * self.signs)
        return sums > 0

    def solve(self) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
        """Return the best mixture of the known protocols, the orbits' prices, and its error."""
        matrix = np.array([[float(e) for e in errors] for errors in self.errors]).T
        rows, columns = matrix.shape
        solved = linprog(
            np.append(np.zeros(columns), 1.0),
            A_ub=np.hstack((matrix, -np.ones((rows, 1)))),
            b_ub=np.zeros(rows),
            A_eq=np.append(np.ones(columns), 0.0)[None],
            b_eq=[1.0],
            bounds=(0, None),
            method="highs",
        )
        prices = np.maximum(-solved.ineqlin.marginals, 0)
        return np.maximum(solved.x[:-1], 0), prices, float(solved.fun)

    def integers(self, prices: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return integer weights of (concept, point), the price of an orbit spread evenly."""
        even = np.ones_like(prices)
        share = (prices if prices.sum() > 0 else even) / (prices.sum() or even.sum()) / self.sizes
        return np.asarray(np.ceil(share[self.groups] * GRID), dtype=np.int64)

    def simple(self, prices: NDArray[np.float64], denominator: int) -> NDArray[np.int64]:
        """Return integer weights in proportion to prices, read as simple fractions."""
        share = prices / (prices.sum() or 1.0)
        exact = [
            Fraction(float(p)).limit_denominator(denominator) / int(size)
            for p, size in zip(share, self.sizes, strict=True)
        ]
        common = lcm(*(p.denominator for p in exact))
        if not any(exact) or common > LARGEST_WEIGHT:
            return np.ones(self.truth.shape, dtype=np.int64)
        whole = np.array([int(p * common) for p in exact], dtype=np.int64)
        return np.asarray(whole[self.groups], dtype=np.int64)

    def price(self, prior: NDArray[np.int64]) -> tuple[int, Cells]:
        """Return the least weight that a deterministic protocol errs, and such a protocol."""
        n = len(self.truth)
        costs = {1: self.kernel.subset_costs(prior * self.signs)}

        def table(parts: int) -> Any:
            if parts not in costs:
                costs[parts] = self.kernel.combine(table(parts // 2), table(parts - parts // 2))
            return costs[parts]

        cells = [0] * n
        label = iter(range(self.messages))

        def assign(subset: int, parts: int) -> None:
            if parts == 1 or subset == 0:
                name = next(label)
                for c in range(n):
                    if subset >> c & 1:
                        cells[c] = name
                return
            half = parts // 2
            part, _ = self.kernel.cut(table(half), table(parts - half), subset)
            assign(int(part), half)
            assign(subset ^ int(part), parts - half)

        everything = (1 << n) - 1
        if self.messages == 1:
            assign(everything, 1)
            return int(costs[1][everything]), tuple(cells)
        half = self.messages // 2
        _, least = self.kernel.cut(table(half), table(self.messages - half), everything)
        assign(everything, self.messages)
        return int(least), tuple(cells)

    def guesses(self, prior: NDArray[np.int64], rng: Random) -> list[Cells]:
        """Return protocols that single moves do not improve, from random starts."""
        signed, found = prior * self.signs, set()
        for _ in range(STARTS):
            start = (rng.words(len(signed)) % np.uint64(self.messages)).astype(np.int64)
            improved = self.kernel.improve(signed, start, self.messages)
            found.add(tuple(int(cell) for cell in improved))
        return sorted(found)

    def simple_weights(self, weights: NDArray[np.float64]) -> Iterator[list[Fraction]]:
        """Yield the weights read as fractions of small denominators."""
        for denominator in DENOMINATORS:
            yield [Fraction(float(w)).limit_denominator(denominator) for w in weights]

    def basic(self, weights: NDArray[np.float64]) -> list[Fraction]:
        """Solve exactly for the weights that make the worst orbits equal, as a vertex does."""
        used = np.flatnonzero(weights > TINY)
        errors = np.array([[float(e) for e in self.errors[i]] for i in used]).T
        found = errors @ weights[used]
        tight = np.flatnonzero(found > found.max() - TINY)
        rows = [[*(self.errors[i][r] for i in used), Fraction(-1), Fraction(0)] for r in tight]
        rows.append([*(Fraction(1) for _ in used), Fraction(0), Fraction(1)])
        entries = [fmpq(e.numerator, e.denominator) for row in rows for e in row]
        reduced, rank = fmpq_mat(len(rows), len(used) + 2, entries).rref()
        exact = [Fraction(0)] * len(weights)
        for r in range(rank):
            pivot = next(c for c in range(len(used) + 2) if reduced[r, c] != 0)
            if pivot < len(used):
                value = reduced[r, len(used) + 1]
                exact[used[pivot]] = max(Fraction(int(value.p), int(value.q)), Fraction(0))
        return exact

    def mixture(self, weights: list[Fraction]) -> tuple[Fraction, Mixture]:
        """Return the exact error of the protocols mixed in these proportions, and the mixture."""
        scale = sum(weights, Fraction(0))
        if not scale:
            return Fraction(1), ()
        used = [(w / scale, i) for i, w in enumerate(weights) if w > 0]
        worst = max(
            sum((w * self.errors[i][row] for w, i in used), Fraction(0))
            for row in range(len(self.sizes))
        )
        return worst, tuple((w, *self.protocols[i]) for w, i in used)
