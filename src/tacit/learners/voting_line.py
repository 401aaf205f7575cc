"""Lines by vote: blocks of a random size each propose a line, a point or nothing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from tacit.concepts.lines import Line, Lines
from tacit.concepts.lines_or_points import LinesOrPoints, PlanePoint
from tacit.concepts.never import NEVER, Never, OrNever
from tacit.core import check
from tacit.core.accuracy import Accuracy
from tacit.core.balls import log_lower, log_upper, round_up
from tacit.core.cost import Approximate
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.exact import Exact
from tacit.core.law import Law, mixture
from tacit.core.randomness import Random
from tacit.core.search import least
from tacit.learners.confidence_booster import ConfidenceBooster
from tacit.learners.dealing import deals
from tacit.learners.listing import Listing, Request
from tacit.mechanisms import StableRelease
from tacit.mechanisms.binomial_miss import binomial_miss
from tacit.statistics import LabelCounts, Votes
from tacit.theory.selection_bound import SelectionBound, representation

BAD_SCALES = 6
LONGEST = 128
SCALES = (7, 8, 9)
USUAL = Fraction(1, 10)
Found = Line | PlanePoint | Never


@dataclass(frozen=True, slots=True)
class VotingLineLearner:
    """Let `voters` blocks of t rows vote, t a uniform one of the `scales` powers 2^smallest, ...

    A block with two positive points votes for their line, with one for that point, with none for
    `NEVER`. The winner is told if its lead is stable; else the answer is `NEVER`. At most six block
    sizes are bad for a population, so beta is at least 6 / scales: use `boosted`, or better
    `LineLearner`, which needs a thousandth of the rows.

    Guarantee:
        (epsilon, delta)-DP on every sample. On `sample_size` i.i.d. rows labelled by a line, the
        error is at most alpha with probability at least 1 - beta [FX14, Lem. 16, with the
        corrections in docs/proofs/voting_line.md].

    Exactness:
        As `StableRelease`.

    Cost:
        `Approximate(epsilon, delta)` a label.

    >>> learner = VotingLineLearner(
    ...     Lines(7), epsilon=1, delta="1e-6", smallest=3, scales=7, voters=157
    ... )
    >>> learner.size, float(learner.beta), float(learner.alpha)
    (80384, 0.8736..., 0.0506...)
    """

    concepts: Lines
    epsilon: Fraction
    delta: Fraction
    smallest: int
    scales: int
    voters: int

    def __init__(
        self,
        concepts: Lines,
        *,
        epsilon: Exact,
        delta: Exact,
        smallest: int,
        scales: int,
        voters: int,
    ) -> None:
        object.__setattr__(self, "concepts", concepts)
        object.__setattr__(self, "epsilon", check.positive(epsilon=epsilon))
        object.__setattr__(self, "delta", check.probability(delta=delta))
        object.__setattr__(self, "smallest", check.count(smallest=smallest))
        object.__setattr__(self, "scales", check.count(scales=scales, least=1))
        object.__setattr__(self, "voters", check.count(voters=voters, least=1))

    @classmethod
    def boosted(
        cls, concepts: Lines, *, epsilon: Exact, delta: Exact, accuracy: Accuracy
    ) -> ConfidenceBooster:
        """Return the learner with confidence boosted, of the sizes that need the fewest rows.

        >>> goal = Accuracy(0.1, 0.05)
        >>> learner = VotingLineLearner.boosted(Lines(7), epsilon=1, delta="1e-6", accuracy=goal)
        >>> learner.repeats, learner.base.voters, learner.sample_size(goal) <= 2_333_755
        (23, 157, True)
        """
        release, goal = StableRelease(epsilon, delta), accuracy
        end = release.distance(0)
        if end > LONGEST:
            raise TooLarge(
                f"votes are planned for up to {LONGEST} voters beyond half; give more budget, or "
                "choose the line learner"
            )
        coarse = range(3 * end, 7 * end, max(1, end // 4))
        near = min(_plans(release, coarse, goal)).voters
        best = min(_plans(release, range(max(1, near - end // 4), near + end // 4 + 1), goal))
        base = cls(
            concepts,
            epsilon=epsilon,
            delta=delta,
            smallest=best.smallest,
            scales=best.scales,
            voters=best.voters,
        )
        ratio = _choice(release, best.repeats, goal.alpha, base.alpha).decay.ratio
        spent = min(release.epsilon, 2 * log_lower(1 / ratio))
        return ConfidenceBooster(base, rows=base.size, repeats=best.repeats, epsilon=spent)

    @property
    def hypotheses(self) -> OrNever:
        """Lines, points of the plane, and the hypothesis that always says no."""
        return OrNever(LinesOrPoints(self.concepts.p))

    @property
    def cost(self) -> Approximate:
        """What learning one label costs."""
        return Approximate(self.epsilon, self.delta)

    @property
    def proper(self) -> bool:
        """Never: positives that sit on one point do not say which line."""
        return False

    @property
    def agnostic(self) -> bool:
        """Never: blocks with wrong labels vote for anything."""
        return False

    @property
    def theorem(self) -> str:
        """The key of the theorem behind `sample_size`."""
        return "FX14"

    @property
    def largest_sample(self) -> int | None:
        """There is no limit."""
        return None

    @property
    def size(self) -> int:
        """The rows that the largest blocks take together."""
        return self.voters << (self.smallest + self.scales - 1)

    @property
    def alpha(self) -> Fraction:
        """The least alpha that blocks of this size allow: ln(3 / 2) / 2^smallest."""
        return _finest(self.smallest)

    @property
    def beta(self) -> Fraction:
        """The probability of a bad block size, and that the votes do not suffice at a good one."""
        release = StableRelease(self.epsilon, self.delta)
        return Fraction(BAD_SCALES, self.scales) + _undecided(release, self.voters)

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return `size` if it keeps the promise; no other number of rows is of use."""
        if accuracy.alpha < self.alpha or accuracy.beta < self.beta:
            raise InvalidArgument(
                f"block sizes and voters are for alpha >= {float(self.alpha):.4g} and "
                f"beta >= {float(self.beta):.4g}; use VotingLineLearner.boosted"
            )
        return self.size

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        """Return the accuracy that n rows are enough for, or None if there is none."""
        beta, n = check.probability(beta=beta), check.count(n=n)
        return Accuracy(self.alpha, beta) if n >= self.size and beta >= self.beta else None

    def __call__(self, sample: LabelCounts, /, *, label: int = 0, rng: Random) -> Found:
        """Learn one label."""
        size = self._sizes(sample.n)[rng.below(self.scales)]
        vote = partial(basic, self.concepts)
        votes: Votes[Found] = Votes.of(
            sample.each(vote, [size] * self.voters, label=label, rng=rng)
        )
        return self._release(votes.lead(), rng=rng) or NEVER

    def learn(self, blocks: Sequence[LabelCounts], *, rng: Random) -> Found:
        """Learn from given blocks, one a voter."""
        return self._release(self._votes(blocks).lead(), rng=rng) or NEVER

    def law(self, sample: LabelCounts, /, *, label: int = 0) -> Law[Found]:
        """Return the exact law of the hypothesis, for few rows."""
        return mixture(
            (weight / self.scales, self.blocks_law(blocks))
            for size in self._sizes(sample.n)
            for weight, blocks in deals(sample, [size] * self.voters, label=label)
        )

    def blocks_law(self, blocks: Sequence[LabelCounts]) -> Law[Found]:
        """Return the exact law of what is learned from given blocks, one a voter."""
        return self._release.law(self._votes(blocks).lead()).map(lambda found: found or NEVER)

    @property
    def _release(self) -> StableRelease:
        return StableRelease(self.epsilon, self.delta)

    def _sizes(self, n: int) -> list[int]:
        """Return the block sizes to choose from; no larger than the rows allow."""
        return [min(1 << k, n // self.voters) for k in self._exponents]

    @property
    def _exponents(self) -> range:
        return range(self.smallest, self.smallest + self.scales)

    def _votes(self, blocks: Sequence[LabelCounts]) -> Votes[Found]:
        return Votes.of([basic(self.concepts, block) for block in blocks])


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


@lru_cache(maxsize=4096)
def _undecided(release: StableRelease, voters: int) -> Fraction:
    """Bound the probability that a candidate with 2/3 of the expected votes is not told."""
    table = release.table
    missed = [1 - table.probability(-(-max(2 * c - voters, 0) // 2)) for c in range(voters + 1)]
    return binomial_miss(missed, voters, Fraction(2, 3))


def _finest(smallest: int) -> Fraction:
    """Return ln(3 / 2) / 2^smallest, rounded up."""
    return round_up(log_upper(Fraction(3, 2)) / (1 << smallest), 32)


class _Plan(NamedTuple):
    """Sizes of a boosted learner, and the rows that it needs."""

    rows: int
    repeats: int
    smallest: int
    scales: int
    voters: int


def _plans(release: StableRelease, voters: Iterable[int], goal: Accuracy) -> Iterator[_Plan]:
    """Yield plans with these numbers of voters, for the two largest alphas below the goal's."""
    fine = least(lambda k: _finest(k) < goal.alpha, start=1)
    for count in voters:
        undecided = _undecided(release, count)
        for smallest, scales in product((fine, fine + 1), SCALES):
            beta, size = Fraction(BAD_SCALES, scales) + undecided, count << (smallest + scales - 1)
            for repeats in _repeats(beta, goal.beta) if beta < 1 else ():
                choice = _choice(release, repeats, goal.alpha, _finest(smallest))
                rows = choice.sample_size(goal.beta - beta**repeats)
                yield _Plan(repeats * size + rows, repeats, smallest, scales, count)


def _repeats(base: Fraction, beta: Fraction) -> list[int]:
    """Return numbers of repetitions after which all fail with some part of beta."""
    tries = {
        math.ceil(math.log(part * beta) / math.log(base) + 1e-9) for part in (0.25, 0.5, 0.75, 0.9)
    }
    return [repeats for repeats in sorted(tries) if base**repeats < beta]


@lru_cache(maxsize=1024)
def _choice(
    release: StableRelease, repeats: int, alpha: Fraction, near: Fraction
) -> SelectionBound:
    return representation(epsilon=release.epsilon, size=repeats, alpha=alpha, approximation=near)


def _make(request: Request) -> ConfidenceBooster:
    concepts: Any = request.concepts
    goal = Accuracy(request.alpha or USUAL, request.beta)
    privacy = request.privacy
    return VotingLineLearner.boosted(
        concepts, epsilon=privacy.epsilon, delta=privacy.delta, accuracy=goal
    )


LISTING = Listing(
    name="voting-line",
    summary="lines by vote of blocks, boosted: the published learner, for comparison",
    families=("lines",),
    pure=False,
    proper=False,
    agnostic=False,
    theorem="FX14",
    beaten_by="line",
    make=_make,
)
