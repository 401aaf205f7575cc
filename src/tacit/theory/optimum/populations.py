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
    """Masses of the cells (point, label), at 2 x + y, and for each hypothesis whether it fails."""

    masses: tuple[Fraction, ...]
    fails: tuple[bool, ...]


def populations(
    concepts: NDArray[np.bool_], hypotheses: NDArray[np.bool_], alpha: Fraction, *, agnostic: bool
) -> Iterator[HardPopulation]:
    """Yield the family: for each choice S of one to three points and each labelling by a concept

    - mass alpha (and a little more) on each point of S, the rest on an anchor;
    - even masses on S alone, if each is more than alpha;
    - if `agnostic`, even masses on S, each label right with probability (1 + |S| alpha) / 2 (and a
      little more), so that each wrong answer costs alpha (and a little more).

    >>> both = np.array([[0, 0], [0, 1]], dtype=bool)
    >>> len(list(populations(both, both, Fraction(1, 10), agnostic=False)))
    9
    """
    m = concepts.shape[1]
    for size in range(1, min(CHOSEN, m) + 1):
        if size * alpha >= 1:
            break
        for chosen in combinations(range(m), size):
            even = dict.fromkeys(chosen, Fraction(1, size))
            for target in _labellings(concepts, chosen):
                wrong = hypotheses[:, chosen] != target
                hit = wrong.any(axis=1)
                yield _population(m, even, chosen, target, Fraction(1), hit)
                if agnostic:
                    right = (1 + size * alpha) / 2
                    yield _population(m, even, chosen, target, right, hit)
            for anchor in set(range(m)) - set(chosen):
                points = (*chosen, anchor)
                rest = 1 - size * alpha
                light = dict.fromkeys(chosen, alpha) | {anchor: rest}
                for target in _labellings(concepts, points):
                    wrong = hypotheses[:, points] != target
                    # beside the limit an anchor of mass alpha has less than alpha
                    fails = wrong[:, :-1].any(axis=1) | (wrong[:, -1] & (rest > alpha))
                    yield _population(m, light, points, target, Fraction(1), fails)


def _labellings(concepts: NDArray[np.bool_], points: tuple[int, ...]) -> NDArray[np.bool_]:
    return np.asarray(np.unique(concepts[:, points], axis=0), dtype=np.bool_)


def _population(
    m: int,
    masses: dict[int, Fraction],
    points: tuple[int, ...],
    target: NDArray[np.bool_],
    right: Fraction,
    fails: NDArray[np.bool_],
) -> HardPopulation:
    cells = [Fraction(0)] * (2 * m)
    for x, label in zip(points, target.tolist(), strict=True):
        cells[2 * x + label] = masses[x] * right
        cells[2 * x + (not label)] = masses[x] * (1 - right)
    return HardPopulation(tuple(cells), tuple(fails.tolist()))
