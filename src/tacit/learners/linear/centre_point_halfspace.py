"""Halfspaces through a deep point of what blocks of rows say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts import Halfspaces
from tacit.concepts.grid.halfspace import Halfspace
from tacit.core import Accuracy, Decay, Exact, InvalidArgument, Law, Random, check, hold, least
from tacit.core.cost import BoundedRangeCost
from tacit.learners.contract import Dealt, Proper, entry_of, least_accuracy, made_by
from tacit.mechanisms import Exponential
from tacit.statistics import LabelCounts, ScoreProfile
from tacit.theory.enough.depth import DepthBound

GRID = 10**7
"""Steps of alpha between 0 and 1 in which a promise is rounded up."""
HALF = Fraction(1, 2)
"""A constant errs on no more of the points: a larger alpha would be no promise."""
LISTED = 4096
"""No class has more concepts: each one's depth is computed."""


@dataclass(frozen=True, slots=True)
class CentrePointHalfspaceLearner(Proper[Halfspaces], Dealt[Halfspace], BoundedRangeCost):
    """Ask each of `blocks` blocks which halfspaces explain it; choose one that is deep among them.

    A block denies a label of a point if every halfspace that explains its rows says the other one.
    A halfspace is as deep as there are blocks that do not deny it, on the point where most do. In
    the space of weights that is Tukey's depth among the sets that blocks leave, except that only
    those planes are looked at that a point of the domain makes. The true halfspace is denied
    nowhere, and a bad one by all blocks that know a point on which it errs.

    Guarantee:
        epsilon-DP on every sample, and given the deal of bounded range epsilon: a row is in one
        block. Accurate, as in `Promising` [after BMNS19]. Proper. The generic learner needs fewer
        rows; this one shows the road that needs no class to be counted, only points to be deep.

    Exactness:
        As `Exponential`; depths are integers.

    Cost:
        `BoundedRange(epsilon)`; a pass over the class for each different block, one for depths.

    >>> from tacit.core.chance.randomness import Seeded
    >>> learner = CentrePointHalfspaceLearner.planned(
    ...     Halfspaces(bits=3, dims=1), epsilon=1, accuracy=Accuracy("0.2", "0.1")
    ... )
    >>> learner.blocks, learner.sample_size(Accuracy("0.2", "0.1"))
    (36, 72)
    >>> rows = [(x, (x >= 5,)) for x in range(8)] * 40
    >>> learner(LabelCounts.of(rows, labels=1), rng=Seeded(1)).rule(["dose"])
    'dose is at least 5'

    Proof: docs/proofs/centre_point.md
    """

    concepts: Halfspaces
    epsilon: Fraction
    blocks: int

    agnostic: ClassVar[bool] = False
    """Never: a block that no halfspace explains denies nothing."""
    theorem: ClassVar[str] = "BMNS19"
    largest_sample: ClassVar[int | None] = None

    def __init__(self, concepts: Halfspaces, *, epsilon: Exact, blocks: int) -> None:
        hold(self, concepts=concepts).positive(epsilon=epsilon).count(blocks=blocks, least=1)
        if concepts.size > LISTED:
            raise InvalidArgument(
                f"{concepts} is too large for each halfspace's depth: at most {LISTED} halfspaces"
            )

    @classmethod
    def planned(
        cls, concepts: Halfspaces, *, epsilon: Exact, accuracy: Accuracy
    ) -> CentrePointHalfspaceLearner:
        """Return the learner with about the number of blocks that needs the fewest rows."""
        one = cls(concepts, epsilon=epsilon, blocks=1)
        return cls(concepts, epsilon=epsilon, blocks=one._bound.blocks(accuracy))

    def failure(self, n: int, alpha: Fraction) -> Fraction:
        """Bound the probability that the error exceeds alpha."""
        sizes = self.block_sizes(n)
        return self._bound.failure(len(sizes), sizes[0], alpha)

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return the least multiple of the blocks for which the bound keeps the promise."""
        if not self._bound.reachable(self.blocks, accuracy.beta):
            raise InvalidArgument(
                f"blocks={self.blocks} are too few for beta={float(accuracy.beta):.3g}; see planned"
            )
        return self.blocks * least(
            lambda size: self._bound.failure(self.blocks, size, accuracy.alpha) <= accuracy.beta
        )

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        """Return the least alpha, in steps of 10^-7, that the bound proves for n rows."""
        beta, n = check.probability(beta=beta), check.count(n=n)
        promise = least_accuracy(
            lambda goal: goal.alpha > HALF or self.failure(n, goal.alpha) <= beta, beta, steps=GRID
        )
        return promise if promise and promise.alpha <= HALF else None

    def learn(self, blocks: Sequence[LabelCounts], *, rng: Random) -> Halfspace:
        """Learn from given blocks."""
        return Exponential(self.epsilon)(self._depths(blocks), rng=rng)

    def blocks_law(self, blocks: Sequence[LabelCounts]) -> Law[Halfspace]:
        """Return the exact law for given blocks."""
        return Exponential(self.epsilon).law(self._depths(blocks))

    def block_sizes(self, n: int) -> list[int]:
        """Return how many rows each block has; fewer rows than blocks make blocks of one row."""
        many = min(self.blocks, max(n, 1))
        return [n // many] * many

    @property
    def _bound(self) -> DepthBound:
        return DepthBound(_profiles(self.concepts), Decay.of(self.epsilon / 2), self._line)

    @property
    def _line(self) -> bool:
        return self.concepts.dims == 1

    def _depths(self, blocks: Sequence[LabelCounts]) -> ScoreProfile[Halfspace]:
        """Score each concept by the blocks that do not deny it, where most do."""
        listed, table, places = _values(self.concepts)
        no, yes = np.zeros((2, table.shape[1]), dtype=np.int64)
        for held, many in Counter(self._held(block, places) for block in blocks).items():
            columns, marks = np.array(sorted(held), dtype=np.int64).reshape(-1, 2).T
            explaining = table[(table[:, columns] == marks).all(axis=1)]
            if len(explaining):
                yes += many * ~explaining.any(axis=0)
                no += many * explaining.all(axis=0)
        denied = np.where(table, yes, no).max(axis=1)
        return ScoreProfile.among(listed, len(blocks) - denied)

    def _held(
        self, block: LabelCounts, places: dict[tuple[int, ...], int]
    ) -> frozenset[tuple[int, int]]:
        """Return the columns and labels of a block's rows."""
        points = self.concepts.clip(block.points).reshape(-1, self.concepts.dims).tolist()
        columns = [places[tuple(point)] for point in points]
        rows = zip(columns, block.totals.tolist(), block.positives[:, 0].tolist(), strict=True)
        return frozenset(
            (column, mark)
            for column, total, ones in rows
            for mark, many in enumerate((total - ones, ones))
            if many
        )


@lru_cache(maxsize=4)
def _values(
    concepts: Halfspaces,
) -> tuple[list[Halfspace], NDArray[np.bool_], dict[tuple[int, ...], int]]:
    """Return all concepts, a table of what each says on each point, and the points' columns."""
    domain, listed = concepts.domain(), list(concepts.concepts())
    places = {tuple(point): place for place, point in enumerate(domain.tolist())}
    return listed, np.array([concept(domain) for concept in listed]), places


@lru_cache(maxsize=64)
def _profiles(concepts: Halfspaces) -> tuple[tuple[int, ...], ...]:
    """Return, for each kind of target, how many concepts differ from it on 1, 2, ... points."""
    points = concepts.domain_size
    if concepts.dims == 1:
        return ((2,) * (points - 1) + (1,),)
    table = _values(concepts)[1].astype(np.float32)
    apart = table.sum(axis=1)[:, None] + table.sum(axis=1) - 2 * table @ table.T
    counts = [np.bincount(row, minlength=points + 1)[1:] for row in apart.astype(np.int64)]
    return tuple(tuple(kind) for kind in np.unique(np.array(counts), axis=0).tolist())


ENTRY = entry_of(
    CentrePointHalfspaceLearner,
    "centre-point-halfspace",
    "a halfspace that is deep among those of blocks",
    families=("halfspaces",),
    make=made_by(CentrePointHalfspaceLearner.planned),
    slow=True,
)
