"""Lines by vote: blocks of two sizes each propose a line, a point or nothing.

Of the papers: FX14 Lemma 16, FX14 Claim 17.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import ClassVar

import numpy as np

from tacit.concepts.algebra.lines import Line, Lines
from tacit.concepts.algebra.lines_or_points import LinesOrPoints, PlanePoint
from tacit.concepts.outputs.never import NEVER, Never, OrNever
from tacit.core import Accuracy, ApproximateCost, Exact, Random, check, hold, least
from tacit.core.chance.law import Law, product
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.numbers.enclosures import Enclosure, lower, real, upper
from tacit.learners.contract import Dealt, entry_of, least_accuracy, made_by
from tacit.mechanisms import StableRelease
from tacit.mechanisms.stable.binomial_miss import Missed
from tacit.statistics import LabelCounts, Votes

SHARE = Fraction(7, 10)
"""The share of the votes, at one size of blocks or the other, that is expected for the right."""
RATIO = 6
"""How many times as many rows a large block has."""
GRID = 1 << 20
"""Steps of alpha for each row of a small block."""
LONGEST = 1 << 11
"""So many votes beyond half are certain to be told, at most, in what is planned."""
Found = Line | PlanePoint | Never
PREFERRED = (Line, PlanePoint, Never)


class LinesByVote(Dealt[Found], ApproximateCost):
    """What learners of lines from the votes of blocks have in common."""

    __slots__ = ()
    concepts: Lines

    proper: ClassVar[bool] = False
    """Never: positives that sit on one point do not say which line."""
    agnostic: ClassVar[bool] = False
    """Never: blocks with wrong labels vote for anything."""
    theorem: ClassVar[str] = "FX14"
    largest_sample: ClassVar[int | None] = None

    @property
    def hypotheses(self) -> OrNever:
        """Lines, points of the plane, and the hypothesis that always says no."""
        return OrNever(LinesOrPoints(self.concepts.p))


@dataclass(frozen=True, slots=True)
class VotingLineLearner(LinesByVote):
    """Let `voters` blocks of t rows vote, and as many of 6 t rows; n rows are shared out evenly.

    A block with two positive points votes for their line, with one for that point, with none for
    `NEVER`. The winner among the small blocks is told if its lead is stable, and so is that among
    the large ones. The answer is a line if one is told, else a point if one is told, that of the
    small blocks first, else `NEVER`. `LineLearner`, where single rows vote, needs a tenth of the
    rows.

    Guarantee:
        (epsilon, delta)-DP on every sample; accurate, as in `Promising` [FX14 Lemma 16, with two
        sizes in place of a random one].

    Exactness:
        As `StableRelease`.

    Cost:
        `Approximate(epsilon, delta)` a label: no row is in two blocks.

    >>> learner = VotingLineLearner(Lines(7), epsilon=1, delta="1e-6", voters=107)
    >>> learner.sample_size(Accuracy(0.1, 0.05)), float(learner.beta)
    (16478, 0.0476...)

    Proof: docs/proofs/voting_line.md
    """

    concepts: Lines
    epsilon: Fraction
    delta: Fraction
    voters: int

    def __init__(self, concepts: Lines, *, epsilon: Exact, delta: Exact, voters: int) -> None:
        hold(self, concepts=concepts).positive(epsilon=epsilon).probability(delta=delta)
        hold(self).count(voters=voters, least=1)

    @classmethod
    def planned(
        cls, concepts: Lines, *, epsilon: Exact, delta: Exact, beta: Exact
    ) -> VotingLineLearner:
        """Return the learner with as few voters as fail with probability beta at most.

        Their number is odd: one more would be no better.

        >>> VotingLineLearner.planned(Lines(7), epsilon=1, delta="1e-6", beta="0.05").voters
        107
        """
        release, beta = StableRelease(epsilon, delta), check.probability(beta=beta)
        if release.distance(0) > LONGEST:
            raise TooLarge(
                f"the votes are planned for leads of up to {LONGEST}; give more budget, or choose "
                "the line learner"
            )
        half = least(lambda m: decided(release, 2 * m + 1, SHARE, beta))
        return cls(concepts, epsilon=epsilon, delta=delta, voters=2 * half + 1)

    @property
    def beta(self) -> Fraction:
        """The probability that the votes do not suffice, whatever the number of rows."""
        return _undecided(self._release, self.voters).among(self.voters, SHARE)

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return the least n for which the bound keeps the promise; refuse when no n does."""
        if not self._decides(accuracy.beta):
            raise InvalidArgument(
                f"{self.voters} voters are too few for beta={float(accuracy.beta):g}; use "
                "VotingLineLearner.planned"
            )
        size = least(lambda t: separates(t, accuracy.alpha), low=1)
        return (1 + RATIO) * self.voters * size

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        beta, (size, _) = check.probability(beta=beta), self._sizes(check.count(n=n))
        if not size or not self._decides(beta):
            return None
        return least_accuracy(lambda goal: separates(size, goal.alpha), beta, steps=GRID * size)

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> Found:
        vote, sizes = partial(basic, self.concepts), self.block_sizes(sample.n)
        return self._told(sample.each(vote, sizes, label=label, rng=rng), rng=rng)

    def learn(self, blocks: Sequence[LabelCounts], *, rng: Random) -> Found:
        """Learn from given blocks: one a voter, the small ones before the large ones."""
        return self._told([basic(self.concepts, block) for block in blocks], rng=rng)

    def blocks_law(self, blocks: Sequence[LabelCounts]) -> Law[Found]:
        """Return the exact law of what is learned from given blocks, as in `learn`."""
        polls = self._polls([basic(self.concepts, block) for block in blocks])
        return product(self._release.law(poll.lead()) for poll in polls).map(_preferred)

    def _told(self, votes: Sequence[Found], *, rng: Random) -> Found:
        return _preferred([self._release(poll.lead(), rng=rng) for poll in self._polls(votes)])

    def _polls(self, votes: Sequence[Found]) -> tuple[Votes[Found], Votes[Found]]:
        return Votes.of(votes[: self.voters]), Votes.of(votes[self.voters :])

    def _sizes(self, n: int) -> tuple[int, int]:
        """Return the rows of a small block and of a large one."""
        small = n // ((1 + RATIO) * self.voters)
        return small, n // self.voters - small

    def block_sizes(self, n: int) -> list[int]:
        """Return how many of n rows each voter has, the small blocks first."""
        return [size for size in self._sizes(n) for _ in range(self.voters)]

    def _decides(self, beta: Fraction) -> bool:
        return decided(self._release, self.voters, SHARE, beta)

    @property
    def _release(self) -> StableRelease:
        return StableRelease(self.epsilon, self.delta)


def basic(lines: Lines, block: LabelCounts) -> Found:
    """Return the line through two positive points of different x, else one of them, else never.

    A total function of the block: with several such pairs, the least point and the least other one.

    >>> block = LabelCounts.of([((1, 3), (1,)), ((2, 5), (1,)), ((4, 0), (0,))], labels=1)
    >>> basic(Lines(7), block)
    Line(slope=2, intercept=1, p=7)
    """
    found = lines.clip(block.points.reshape(-1, 2)[block.positives[:, 0] > 0]).astype(np.int64)
    if not len(found):
        return NEVER
    order = np.lexsort((found[:, 1], found[:, 0]))
    (x, y), *others = found[order].tolist()
    for u, v in others:
        if u != x:
            slope = (v - y) * pow(u - x, -1, lines.p) % lines.p
            return Line(slope, (y - slope * x) % lines.p, lines.p)
    return PlanePoint(x, y)


def separates(t: int, alpha: Fraction) -> bool:
    """Whether blocks of t or of 6 t rows vote for the right, each with chance `SHARE`, for sure.

    The right is a hypothesis of error at most alpha. Let x be the positive mass off the heaviest
    point. Up to some x, blocks of t rows vote for that point; from there on, those of 6 t rows vote
    for the line.

    >>> separates(21, Fraction(1, 10)), separates(22, Fraction(1, 10))
    (False, True)
    """
    x = lower(lambda: -((real(SHARE) + real(1 - alpha) ** t).log() / t).expm1())

    def excess() -> Enclosure:
        """Return by how much a large block votes for no line too often, times alpha - x."""
        missed = real(alpha) * real(1 - x) ** (RATIO * t) - real(x) * real(1 - alpha) ** (RATIO * t)
        return missed - real((1 - SHARE) * (alpha - x))

    return x > 0 and upper(excess) <= 0


def decided(release: StableRelease, voters: int, share: Fraction, beta: Fraction) -> bool:
    """Whether what each votes for with chance `share` is told, but for probability beta.

    >>> release = StableRelease(1, "1e-6")
    >>> [decided(release, voters, SHARE, Fraction(1, 20)) for voters in (105, 106, 107, 108)]
    [False, False, True, False]
    """
    return _undecided(release, voters).at_most(beta, voters, share)


def _undecided(release: StableRelease, voters: int) -> Missed:
    """Return the chances not to be told for each number c of votes: the lead is 2 c - voters."""
    return Missed((Fraction(1),) * (voters // 2) + _lost(release))


@lru_cache(maxsize=64)
def _lost(release: StableRelease) -> tuple[Fraction, ...]:
    return tuple(map(release.failure, range(release.distance(0))))


def _preferred(told: Iterable[Found | None]) -> Found:
    return min((found or NEVER for found in told), key=lambda found: PREFERRED.index(type(found)))


ENTRY = entry_of(
    VotingLineLearner,
    "voting-line",
    "lines by vote of blocks of two sizes: the published method, for comparison",
    families=("lines",),
    beaten_by="line",
    make=made_by(VotingLineLearner.planned),
    slow=True,
    polls=True,
)
