"""All databases of n labelled rows over few points, and the program of a class over them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, factorial, lcm, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core import Law, TooLarge
from tacit.theory.optimum.automorphisms import automorphisms, merged, of_labels
from tacit.theory.optimum.populations import HardPopulation, labels_of, populations
from tacit.theory.optimum.program import Edge, Limits, Losses, Program, Unknowns
from tacit.theory.solving.symmetry import Symmetry

LISTED = 1 << 19
"""Pairs of a database and a hypothesis that are listed before symmetry makes them fewer."""
POINTS = 16
"""Points of a domain: what is searched grows with all functions on them, or all histograms."""

Integers = NDArray[np.int64]
Answers = tuple[bool, ...]
"""A hypothesis as what it says, point by point; of several labels one after the other."""


@dataclass(frozen=True, slots=True, eq=False)
class Databases:
    """All histograms of n rows over the cells (x, y); sorted, so that each is found.

    Of k labels y is a number of k binary digits, the first label's first; its cell is 2^k x + y.
    """

    n: int
    labels: int
    histograms: Integers
    keys: Integers

    @classmethod
    def of(cls, n: int, points: int, labels: int = 1) -> Databases:
        """List them: C(n + 2^k points - 1, n) in number.

        >>> len(Databases.of(2, 2).histograms), len(Databases.of(2, 2, labels=2).histograms)
        (10, 36)
        """
        cells = points << labels
        rows = np.array(list(combinations_with_replacement(range(cells), n)), dtype=np.int64)
        histograms = np.stack([(rows == c).sum(axis=1) for c in range(cells)], axis=1)
        keys = histograms @ _powers(n, cells)
        order = np.argsort(keys)
        return cls(n, labels, histograms[order], keys[order])

    def find(self, histograms: Integers) -> Integers:
        """Return the numbers of histograms."""
        powers = _powers(self.n, histograms.shape[-1])
        return np.asarray(np.searchsorted(self.keys, histograms @ powers), dtype=np.int64)

    def moved(self, symmetry: Symmetry) -> Integers:
        """Return where a symmetry of all labels' answers takes each database."""
        said, points = self.said, len(symmetry.points) // self.labels
        place, point = np.divmod(np.array(symmetry.points).reshape(self.labels, points), points)
        flips = np.array(symmetry.flips).reshape(self.labels, points)
        there = np.repeat(point[0] << self.labels, 1 << self.labels)
        for j in range(self.labels):  # all answers at a point move to one point
            x = np.arange(len(there)) >> self.labels
            there = there + ((said[:, j] ^ flips[j, x]) << (self.labels - 1 - place[j, x]))
        images = np.empty_like(self.histograms)
        images[:, there] = self.histograms
        return self.find(images)

    @property
    def said(self) -> NDArray[np.bool_]:
        """The labels of each cell."""
        return labels_of(self.histograms.shape[1], self.labels)

    def errors(self, hypotheses: NDArray[np.bool_]) -> Integers:
        """Count the rows that speak against each hypothesis: by label, database, hypothesis."""
        said, cells = self.said, np.arange(self.histograms.shape[1])
        points = hypotheses.shape[1] // self.labels
        return np.array(
            [
                self.histograms
                @ (said[:, j, None] != hypotheses[:, (cells >> self.labels) + j * points].T)
                for j in range(self.labels)
            ]
        )


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """A database, or a population as (database, weight), and what each hypothesis loses there."""

    name: tuple[Any, ...]
    draws: tuple[tuple[int, int], ...]
    losses: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ClassProgram:
    """The program of a class, and which unknown each (database, hypothesis) is.

    What is minimised is the greatest loss over `judgements`, in units of 1 / `denominator`. There
    is one database for each state in `firsts`.
    """

    program: Program
    databases: Databases
    hypotheses: NDArray[np.bool_]
    unknowns: Integers
    firsts: Integers
    judgements: tuple[Judgement, ...]
    denominator: int

    def worst(self, law: Callable[[int], Law[Answers]]) -> Fraction:
        """Return the greatest loss of a learner, given its law on each database, by number."""
        index = {tuple(row.tolist()): h for h, row in enumerate(self.hypotheses)}
        laws: dict[int, list[tuple[int, Fraction]]] = {}
        lost = []
        for judgement in self.judgements:
            for s, _ in judgement.draws:
                if s not in laws:
                    laws[s] = [(index[rule], p) for rule, p in law(s).probabilities.items()]
            shares = (w * p * judgement.losses[h] for s, w in judgement.draws for h, p in laws[s])
            lost.append(sum(shares, Fraction(0)))
        return max(lost) / self.denominator


def class_program(
    concepts: NDArray[np.bool_],
    *,
    n: int,
    alpha: Fraction | None,
    proper: bool,
    agnostic: bool,
    pure: bool,
    labels: int = 1,
    symmetric: bool = True,
) -> ClassProgram:
    """Make the program of a class whose lines are distinct concepts.

    Of several labels a hypothesis is one for each, an error that of the worst of them.

    Proof:
        A symmetry of the class maps databases to databases, hypotheses to hypotheses, neighbours to
        neighbours and losses to losses. The average of a private law over all symmetries is
        private, loses no more, and is equal on each orbit of (hypothesis, database).
    """
    m = concepts.shape[1]
    _listable(n, m << labels, (len(concepts) if proper else 1 << m) ** labels)
    concepts, symmetries = of_labels(automorphisms(concepts), concepts, labels)
    hypotheses = concepts if proper else _functions(concepts.shape[1])
    databases, smaller = (Databases.of(k, m, labels) for k in (n, n - 1))
    symmetries = symmetries if symmetric else ()
    actions = [_action(each, hypotheses) for each in symmetries]
    orbits = merged(len(databases.keys), [databases.moved(each) for each in symmetries])
    unknowns = _merged_pairs(databases, symmetries, actions, len(hypotheses))
    errors = databases.errors(hypotheses)
    firsts = np.unique(orbits, return_index=True)[1]
    _, where, many = np.unique(unknowns[firsts].ravel(), return_index=True, return_counts=True)
    state, one = np.divmod(where, len(hypotheses))
    if alpha is None:
        best = databases.errors(concepts).min(axis=2)
        excess = (errors - best[:, :, None]).max(axis=0).tolist()
        denominator, rows = n, databases.histograms
        explained = range(len(rows)) if agnostic else np.flatnonzero(best.max(axis=0) == 0).tolist()
        judgements = tuple(
            Judgement(tuple(rows[s].tolist()), ((s, 1),), tuple(excess[s])) for s in explained
        )
    else:
        family = tuple(populations(concepts, hypotheses, alpha, agnostic=agnostic, labels=labels))
        denominator, judgements = _on_populations(databases, family)
    losses = Losses.of(
        (
            (
                judgement.name,
                (
                    (v, weight * loss)
                    for s, weight in judgement.draws
                    for v, loss in zip(unknowns[s].tolist(), judgement.losses, strict=True)
                    if loss
                ),
            )
            for judgement in judgements
        ),
        denominator=denominator,
    )
    if pure:
        hubs = _merged_pairs(smaller, symmetries, actions, len(hypotheses))
        limits = Limits.by_hubs(_completions(databases, smaller, unknowns, hubs))
    else:
        limits = Limits.by_pairs(_neighbours(databases, unknowns, firsts))
    kinds = Unknowns(
        state.astype(np.int64), tuple(many.tolist()), errors.max(axis=0)[firsts[state], one]
    )
    program = Program(kinds, losses, limits)
    return ClassProgram(program, databases, hypotheses, unknowns, firsts, judgements, denominator)


def _on_populations(
    databases: Databases, family: tuple[HardPopulation, ...]
) -> tuple[int, tuple[Judgement, ...]]:
    """Return what n rows of each population can be, weighed over a common denominator."""
    common = lcm(*(mass.denominator for each in family for mass in each.masses))
    judgements = []
    for each in family:
        weights = [int(mass * common) for mass in each.masses]
        outside = databases.histograms[:, np.array(weights, dtype=object) == 0]
        draws = []
        for s in np.flatnonzero(outside.sum(axis=1) == 0).tolist():
            counts = databases.histograms[s].tolist()
            ways = factorial(databases.n) // prod(factorial(k) for k in counts)
            draws.append((s, ways * prod(w**k for w, k in zip(weights, counts, strict=True))))
        judgements.append(Judgement(each.masses, tuple(draws), tuple(map(int, each.fails))))
    return common**databases.n, tuple(judgements)


def _listable(n: int, cells: int, hypotheses: int) -> None:
    if comb(n + cells - 1, n) * hypotheses > LISTED or (n + 1) ** cells >= 1 << 62:
        raise TooLarge(
            f"n={n} rows over {cells} labelled points make too many databases for {hypotheses} "
            "hypotheses: take a smaller n or fewer points, or --proper (proper=True)"
        )


def _functions(points: int) -> NDArray[np.bool_]:
    return (np.arange(1 << points)[:, None] >> np.arange(points) & 1).astype(np.bool_)


def _powers(n: int, cells: int) -> Integers:
    return np.array([(n + 1) ** c for c in range(cells)], dtype=np.int64)


def _action(symmetry: Symmetry, hypotheses: NDArray[np.bool_]) -> Integers:
    """Return where a symmetry takes each hypothesis: all functions, or a class that it keeps."""
    index = {row.tobytes(): i for i, row in enumerate(hypotheses)}
    moved = np.empty_like(hypotheses)
    moved[:, symmetry.points] = hypotheses ^ np.array(symmetry.flips)
    return np.array([index[row.tobytes()] for row in moved], dtype=np.int64)


def _merged_pairs(
    databases: Databases, symmetries: tuple[Symmetry, ...], actions: list[Integers], many: int
) -> Integers:
    """Number (database, hypothesis) up to symmetry."""
    moves = [
        (databases.moved(each)[:, None] * many + action).ravel()
        for each, action in zip(symmetries, actions, strict=True)
    ]
    return merged(len(databases.keys) * many, moves).reshape(-1, many)


def _completions(
    databases: Databases, smaller: Databases, unknowns: Integers, hubs: Integers
) -> Integers:
    """Pair each unknown with the hubs from which one row leads to it."""
    after = int(unknowns.max()) + 1
    found = []
    for row in np.eye(smaller.histograms.shape[1], dtype=np.int64):
        whole = unknowns[databases.find(smaller.histograms + row)]
        found.append(np.unique(np.stack((whole.ravel(), hubs.ravel() + after), axis=1), axis=0))
    return np.concatenate(found)


def _neighbours(
    databases: Databases, unknowns: Integers, firsts: Integers
) -> Iterator[Counter[Edge]]:
    """Yield, for each first database of an orbit and each neighbour, the pairs of unknowns."""
    steps = np.eye(databases.histograms.shape[1], dtype=np.int64)
    for s in firsts.tolist():
        held = np.flatnonzero(databases.histograms[s]).tolist()
        near = [(p, q) for p in held for q in range(len(steps)) if q != p]
        moved = databases.histograms[s] + np.array([steps[q] - steps[p] for p, q in near])
        for other in databases.find(moved).tolist():
            both = zip(unknowns[s].tolist(), unknowns[other].tolist(), strict=True)
            yield Counter((a, b) for a, b in both if a != b)
