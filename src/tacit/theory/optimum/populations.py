"""The populations on which failures are counted: few points, of which one error is too many.

An error of *exactly* alpha is none too many, so the family consists of limits: masses that tend to
the ones listed from the side on which a wrong label at a chosen point errs more than alpha. Rows
drawn from the limit are what rows drawn from nearby populations tend to, so what a private law
fails with here, every learner of the class fails with (or with as much as you like below it) on
some population with its error above alpha.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

CHOSEN = 3
"""Points of a population besides its anchor, at most."""


@dataclass(frozen=True, slots=True)
class HardPopulation:
    """Masses of the cells (point, labels), and for each hypothesis whether it fails."""

    masses: tuple[Fraction, ...]
    fails: tuple[bool, ...]


def populations(
    concepts: NDArray[np.bool_],
    hypotheses: NDArray[np.bool_],
    alpha: Fraction,
    *,
    agnostic: bool,
    labels: int = 1,
) -> Iterator[HardPopulation]:
    """Yield the family: for each choice S of one to three points and each labelling by a concept

    - mass alpha (and a little more) on each point of S, the rest on an anchor;
    - even masses on S alone, if each is more than alpha;
    - if `agnostic`, even masses on S, each label right with probability (1 + |S| alpha) / 2 (and a
      little more), so that each wrong answer costs alpha (and a little more).

    Of several labels each has its own concept, and one wrong answer of any is a failure.

    >>> both = np.array([[0, 0], [0, 1]], dtype=bool)
    >>> len(list(populations(both, both, Fraction(1, 10), agnostic=False)))
    9
    """
    m = concepts.shape[1] // labels
    for size in range(1, min(CHOSEN, m) + 1):
        if size * alpha >= 1:
            break
        for chosen in combinations(range(m), size):
            even = dict.fromkeys(chosen, Fraction(1, size))
            asked = _answers(chosen, m, labels)
            for target in _labellings(concepts, asked):
                hit = (hypotheses[:, asked] != target).any(axis=1)
                yield _population(m, even, target, Fraction(1), hit)
                if agnostic:
                    yield _population(m, even, target, (1 + size * alpha) / 2, hit)
            for anchor in set(range(m)) - set(chosen):
                rest = 1 - size * alpha
                light = dict.fromkeys(chosen, alpha) | {anchor: rest}
                asked = _answers((*chosen, anchor), m, labels)
                # beside the limit an anchor of mass alpha has less than alpha
                counts = (asked % m != anchor) | (rest > alpha)
                for target in _labellings(concepts, asked):
                    fails = ((hypotheses[:, asked] != target) & counts).any(axis=1)
                    yield _population(m, light, target, Fraction(1), fails)


def labels_of(cells: int, labels: int) -> NDArray[np.bool_]:
    """Return the labels of the cells 2^k x + y: the binary digits of y, the highest first.

    >>> labels_of(4, 2).astype(int).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    return (np.arange(cells)[:, None] >> np.arange(labels)[::-1] & 1).astype(np.bool_)


def _answers(points: tuple[int, ...], m: int, labels: int) -> NDArray[np.int64]:
    """Return the places of a hypothesis's answers at some points, label by label."""
    return np.concatenate([j * m + np.array(points, dtype=np.int64) for j in range(labels)])


def _labellings(concepts: NDArray[np.bool_], asked: NDArray[np.int64]) -> NDArray[np.bool_]:
    return np.asarray(np.unique(concepts[:, asked], axis=0), dtype=np.bool_)


def _population(
    m: int,
    masses: dict[int, Fraction],
    target: NDArray[np.bool_],
    right: Fraction,
    fails: NDArray[np.bool_],
) -> HardPopulation:
    """Give each cell its mass, labels being right independently of each other."""
    wanted = target.reshape(-1, len(masses))  # label by label, in the order of the masses
    labels = len(wanted)
    cells, said = [Fraction(0)] * (m << labels), labels_of(1 << labels, labels)
    for (x, mass), label in zip(masses.items(), wanted.T, strict=True):
        for y, correct in enumerate((said == label).sum(axis=1).tolist()):
            chance = right**correct * (1 - right) ** (labels - correct)
            cells[(x << labels) + y] = mass * chance
    return HardPopulation(tuple(cells), tuple(fails.tolist()))
