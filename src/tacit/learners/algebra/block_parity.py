"""k parities from votes of blocks: the rows needed do not grow with k.

Of the papers: BNS16 Def 2.13, BNS16 Thm 3.12, BNS16 Alg 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from itertools import permutations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.algebra.parities import Parities, Parity
from tacit.core import Accuracy, Approximate, Exact, Pure, Random, TooLarge, check, hold
from tacit.core.chance.law import Law, mixture
from tacit.core.numbers.least import least, least_near
from tacit.learners.contract import Proper, entry_of, made_by
from tacit.mechanisms import StableRelease, VoteTally
from tacit.mechanisms.choice.vote_tally import missed_votes
from tacit.mechanisms.stable.binomial_miss import Missed
from tacit.statistics import JointCounts, Votes
from tacit.statistics.algebra.linear_system import LinearSystem, coefficients
from tacit.theory.enough.random_bits import pinned

SMALLEST = Fraction(1, 10**9)
SPARE = 40
"""Blocks of up to so many rows more than dimensions are considered."""
MOST = 1024
"""Columns that blocks are planned for in a second or two; the time grows with their cube."""

WIDEST = 1 << 14
"""Columns times labels up to which winners are told without a delta: a vote is a number so long."""
LEAST = Fraction(1, 1 << 110)
"""Without a delta a chance to fail below this one is not asked for."""

Vote = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BlockParityLearner(Proper[Parities]):
    """Let each block of rows solve for all k parities, and tell what most blocks found.

    A block votes if its rows fix the parities, agree with them, and would still fix them without
    any one row. So a replaced row can take a vote back or cast one, but not turn it into another.
    If nothing may be told, every label gets the parity of no column, which is constant. With delta
    0 a `VoteTally` tells the winner among all 2^(columns * labels), so that rows do grow with k.

    Guarantee:
        (epsilon, delta)-DP on every sample, whatever k. On n >= `sample_size` i.i.d. rows with
        uniform points, labelled by k parities, all of them are learned exactly with probability >=
        1 - beta; with a delta n does not grow with k [BNS16 Thm 3.12]. Proper. For points that are
        not uniform nothing is promised.

    Exactness:
        As `StableRelease`, or `VoteTally`.

    Cost:
        `Approximate(epsilon, delta)`, or `Pure(epsilon)`, for all labels together; one elimination
        a block.

    >>> learner = BlockParityLearner(Parities(32), labels=1000, epsilon=1, delta="1e-6")
    >>> learner.sample_size(Accuracy(0.1, 0.05)), learner.plan(714)
    (714, (42, 17))
    >>> pure = BlockParityLearner(Parities(8), labels=1, epsilon=4, delta=0)
    >>> pure.sample_size(Accuracy(0.1, 0.05))
    57

    Proof: docs/proofs/block_parity.md
    """

    concepts: Parities
    labels: int
    epsilon: Fraction
    delta: Fraction

    agnostic: ClassVar[bool] = False
    """Never: one wrong label silences a block."""
    theorem: ClassVar[str] = "BNS16"
    largest_sample: ClassVar[int | None] = None

    def __init__(self, concepts: Parities, *, labels: int, epsilon: Exact, delta: Exact) -> None:
        if concepts.dims > MOST:
            raise TooLarge(f"blocks are planned for up to {MOST} columns, got {concepts.dims}")
        hold(self, concepts=concepts).count(labels=labels, least=1).positive(epsilon=epsilon)
        hold(self).small_probability(delta=delta)
        if not self.delta and concepts.dims * labels > WIDEST:
            raise TooLarge(f"without a delta, up to {WIDEST} columns times labels are planned for")

    @property
    def cost(self) -> Pure | Approximate:
        return Approximate(self.epsilon, self.delta) if self.delta else Pure(self.epsilon)

    def failure(self, size: int, blocks: int) -> Fraction:
        """Bound the probability that the parities are not told, for uniform points."""
        missed, floor = self._missed(blocks)
        return missed.among(blocks, pinned(size, self.concepts.dims)) + floor

    def plan(self, n: int) -> tuple[int, int]:
        """Return the size and the number of blocks for n rows: those that fail least.

        Without a delta, another tally begins beyond each power of two: these many may be better.
        """
        sizes = [size for size in self._sizes if size <= n] or [max(n, 1)]
        plans = [(size, n // size) for size in sizes]
        if not self.delta:
            plans += [(s, 1 << j) for s, blocks in plans for j in range(blocks.bit_length())]
        return min(plans, key=lambda plan: self.failure(*plan))

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return the least rows in blocks that the bound allows; alpha does not matter."""
        best: int | None = None
        for size in sorted(self._sizes, key=self._rows_for_a_vote):
            enough = partial(self._enough, size, accuracy.beta)
            if best is None:
                best = size * least(enough)
            elif enough((best - 1) // size):
                best = size * least_near(enough, (best - 1) // size)
        assert best is not None
        return best

    def _rows_for_a_vote(self, size: int) -> Fraction:
        return size / pinned(size, self.concepts.dims)

    def _enough(self, size: int, beta: Fraction, blocks: int) -> bool:
        missed, floor = self._missed(blocks)
        return missed.at_most(beta - floor, blocks, pinned(size, self.concepts.dims))

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        """Return the best accuracy there is if n rows are enough to be right, else None."""
        beta, n = check.probability(beta=beta), check.count(n=n)
        return Accuracy(SMALLEST, beta) if self.failure(*self.plan(n)) <= beta else None

    def __call__(self, sample: JointCounts, /, *, rng: Random) -> tuple[Parity, ...]:
        size, blocks = self.plan(sample.n)
        votes = sample.each(self.vote, [size] * blocks, rng=rng)
        if self.delta:
            told = self._release(Votes.of(votes, switch=False).lead(), rng=rng)
            return self._read(told)
        return self._numbered(self.tally(blocks)(self._numbers(votes), rng=rng))

    def law(self, sample: JointCounts, /) -> Law[Any]:
        """Return the exact law of the hypotheses, over all deals of few rows to the blocks."""
        size, blocks = self.plan(sample.n)
        held = np.repeat(np.arange(len(sample.totals)), sample.totals).tolist()
        rows = [*held, *[None] * (sample.n - len(held))]
        deals = list(permutations(range(sample.n), size * blocks))
        return mixture(
            (Fraction(1, len(deals)), self.law_of_votes(self._dealt(sample, rows, deal, size)))
            for deal in deals
        )

    def _dealt(
        self, sample: JointCounts, rows: list[int | None], deal: tuple[int, ...], size: int
    ) -> Iterator[Vote | None]:
        for start in range(0, len(deal), size):
            held = [rows[i] for i in deal[start : start + size]]
            seen = np.array([i for i in held if i is not None], dtype=np.int64)
            ones = np.ones(len(seen), dtype=np.int64)
            block = sample.points[seen], sample.marks[seen], ones
            yield self.vote(JointCounts(size, self.labels, *block))

    def law_of_votes(self, votes: Iterable[Vote | None], /) -> Law[Any]:
        """Return the exact law of the hypotheses, given what the blocks vote."""
        if self.delta:
            return self._release.law(Votes.of(votes, switch=False).lead()).map(self._read)
        numbers = self._numbers(votes)
        return self.tally(numbers.voters).law(numbers).map(self._numbered)

    def tally(self, blocks: int) -> VoteTally:
        """Return what tells the winner of so many blocks if there is no delta."""
        width = max(blocks - 1, 0).bit_length()
        return _tally(self.concepts.dims * self.labels, width, self.epsilon)

    def _numbers(self, votes: Iterable[Vote | None]) -> Votes[int]:
        """Count votes, each written as one number: the coefficients of all labels in a row."""
        width = self.concepts.dims
        read = ("".join(f"{c:0{width}b}" for c in vote) if vote else None for vote in votes)
        return Votes.of((None if text is None else int(text, 2) for text in read), switch=False)

    def _numbered(self, number: int | None) -> tuple[Parity, ...]:
        if number is None:
            return self._read(None)
        shifts = range(self.concepts.dims * (self.labels - 1), -1, -self.concepts.dims)
        return self._read(tuple(number >> k & (1 << self.concepts.dims) - 1 for k in shifts))

    @property
    def _release(self) -> StableRelease:
        return StableRelease(self.epsilon, self.delta)

    def _missed(self, blocks: int) -> tuple[Missed, Fraction]:
        """Return how likely so many votes of blocks are missed, and with any more at most."""
        if self.delta:
            return Missed.untold(self._release), Fraction(0)
        return missed_votes(self.tally(blocks), LEAST), LEAST

    @property
    def _sizes(self) -> range:
        return range(self.concepts.dims + 1, self.concepts.dims + SPARE)

    def vote(self, block: JointCounts) -> Vote | None:
        """Solve a block for all labels; None if a row more or less could matter."""
        if int(block.totals.sum()) != block.n:
            return None
        rows = np.repeat(np.arange(len(block.totals)), block.totals)
        points = self.concepts.clip(block.points).reshape(-1, self.concepts.dims)[rows]
        system = LinearSystem.of(points, block.marks[rows])
        solved = system.solve(np.ones(len(rows), dtype=np.bool_))
        if solved.rank < self.concepts.dims or not solved.consistent.all() or _loose(points):
            return None
        drawn = solved.draw(rng=_NoCoins())
        return tuple(coefficients(drawn, j) for j in range(self.labels))

    def _read(self, vote: Vote | None) -> tuple[Parity, ...]:
        return tuple(map(Parity, vote)) if vote is not None else (Parity(0),) * self.labels


@lru_cache(maxsize=256)
def _tally(bits: int, width: int, epsilon: Fraction) -> VoteTally:
    return VoteTally.planned(1 << bits, 1 << width, epsilon, switch=False)


class _NoCoins:
    """For solutions that are unique: nothing is drawn."""

    def bits(self, count: int, /) -> int:
        assert count == 0
        return 0

    def below(self, bound: int, /) -> int:
        assert bound == 1
        return 0

    def words(self, count: int, /) -> NDArray[np.uint64]:
        assert count == 0
        return np.empty(0, dtype=np.uint64)


def _loose(points: NDArray[Any]) -> bool:
    """Whether the points have smaller rank without some row: a code word of weight 1 shows it."""
    turned = LinearSystem.of(points.T, np.zeros((points.shape[1], 1), dtype=np.bool_))
    solved = turned.solve(np.ones(points.shape[1], dtype=np.bool_))
    words = -(-len(points) // 64)
    lines = solved.lines[solved.pivots][:, :words]
    return bool((np.bitwise_count(lines).sum(axis=1) == 1).any())


ENTRY = entry_of(
    BlockParityLearner,
    "block-parity",
    "k parities from votes of blocks; for uniform points",
    families=("parities",),
    make_jointly=made_by(BlockParityLearner),
    polls=True,
    assumes="uniform points",
)
PURE = entry_of(
    BlockParityLearner,
    "pure-block-parity",
    "k parities from votes of blocks without a delta; for uniform points",
    families=("parities",),
    pure=True,
    make_jointly=made_by(partial(BlockParityLearner, delta=0)),
    polls=True,
    assumes="uniform points",
)
