"""Pure privacy and many possible answers: how often any learner can be right, and how often one is.

With n rows that hold one of M answers, a learner that is epsilon-DP is right with probability at
most 1 / (1 + (M - 1) e^(-epsilon n)) on average over the answers (docs/proofs/lower_bounds.md).

Of the papers: BNS16 Thm 5.1, BNS16 Lemma 5.3, BNS16 Thm 5.4.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.algebra.parities import Parities, Parity, walsh_hadamard
from tacit.core import Exact, InvalidArgument, Random, check
from tacit.statistics import JointCounts
from tacit.verify.attack.setting import one_point


def right_at_most(answers: int, *, epsilon: Exact, rows: int) -> float:
    """Bound the average success of an epsilon-DP learner that must tell so many answers apart.

    >>> round(right_at_most(2**100, epsilon=1, rows=60), 4)
    0.0001
    """
    check.count(answers=answers, least=2)
    given = float(check.positive(epsilon=epsilon)) * check.count(rows=rows)
    odds = math.log(answers - 1) - given
    return 1 / (1 + math.exp(odds)) if odds < 700 else 0.0


def labels_read_back(
    learner: Callable[..., tuple[Any, ...]], *, labels: int, rows: int, runs: int, rng: Random
) -> int:
    """Count the runs in which all k labels of the one row, repeated, come back [BNS16 Thm 5.1].

    The learner is one of `one_point(...).concepts`; of 2^k answers one is drawn for each run.
    """
    setting = one_point(2)
    right = 0
    for _ in range(runs):
        secret = np.array([[rng.bits(1) == 1 for _ in range(labels)]])
        sample = JointCounts(rows, labels, setting.points[:1], secret, np.array([rows]))
        right += bool((setting.word(learner(sample, rng=rng)) == secret[0]).all())
    return right


def parities_read_back(
    learner: Callable[..., tuple[Any, ...]],
    cube: Parities,
    *,
    labels: int,
    rows: int,
    runs: int,
    rng: Random,
) -> int:
    """Count the runs in which k parities come back, hypotheses rounded [BNS16 Thm 5.4].

    Of 2^(k d) answers one is drawn for each run, and points are uniform.
    """
    points, right = cube.domain(), 0
    for _ in range(runs):
        secret = [cube.draw(rng=rng) for _ in range(labels)]
        at = points[[rng.below(len(points)) for _ in range(rows)]]
        marks = np.column_stack([parity(at) for parity in secret])
        sample = JointCounts(rows, labels, at, marks, np.ones(rows, dtype=np.int64))
        found = [nearest_parity(h(points)).parity for h in learner(sample, rng=rng)]
        right += found == secret
    return right


@dataclass(frozen=True, slots=True)
class Nearest:
    """A parity and on how many of the points it differs; `certain` if no other is as near.

    >>> Nearest(Parity(1), 0, 4).certain
    True
    """

    parity: Parity
    mistakes: int
    points: int

    @property
    def certain(self) -> bool:
        """Whether fewer than a quarter of the points differ: any two parities differ on half."""
        return 4 * self.mistakes < self.points


def nearest_parity(table: NDArray[np.bool_]) -> Nearest:
    """Return the parity that differs least from a function on {0, 1}^d, the first of several.

    Guarantee:
        If the function differs from some parity on less than a quarter of the points, then that
        parity is returned [BNS16 Lemma 5.3]; a quarter is not enough.

    Cost:
        d 2^d additions of integers.

    >>> x = np.arange(8)
    >>> odd = (x ^ x >> 2) & 1 == 1
    >>> odd[3] = not odd[3]
    >>> nearest_parity(odd)
    Nearest(parity=Parity(mask=5), mistakes=1, points=8)
    """
    size = len(table)
    if size == 0 or size & (size - 1) or table.dtype != np.bool_:
        raise InvalidArgument(f"a truth table has 2^d truth values, got {size} of {table.dtype}")
    agreements = walsh_hadamard(np.where(table, np.int64(-1), np.int64(1)))
    best = int(np.argmax(agreements))
    return Nearest(Parity(best), (size - int(agreements[best])) // 2, size)
