"""Lines by the vote of blocks of one random size, released by noise: the learner as published.

`VotingLineLearner` is what to use of it; this one is for comparison. Its rows grow with 2^(6/beta).

Of the papers: FX14 Thm 12, FX14 Thm 15, FX14 Lemma 16, FX14 Claim 17.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial, reduce
from itertools import pairwise, product

from tacit.concepts.algebra.lines import Line, Lines
from tacit.concepts.algebra.lines_or_points import PlanePoint
from tacit.concepts.outputs.never import NEVER
from tacit.core import Accuracy, Decay, Exact, InvalidArgument, Random, check, hold, least
from tacit.core.chance.law import Law, collect, mixture
from tacit.core.chance.uniform import bernoulli
from tacit.core.numbers.decay import growth
from tacit.core.numbers.enclosures import (
    log_lower,
    log_upper,
    lower,
    real,
    round_down,
    round_up,
    upper,
)
from tacit.learners.algebra.voting_line import Found, LinesByVote, basic
from tacit.learners.made_from.confidence_booster import ConfidenceBooster
from tacit.mechanisms.stable.binomial_miss import Missed
from tacit.statistics import LabelCounts, Stable
from tacit.theory.enough.selection import SelectionBound

SHARE = Fraction(2, 3)
"""The share of the votes that is expected for the right at a good size."""
HALF = Fraction(1, 2)
BAD_SCALES = 6
"""So many sizes are bad for a population at most."""


@dataclass(frozen=True, slots=True)
class PublishedLineLearner(LinesByVote):
    """Let `voters` blocks of 2^k rows vote, k a uniform one of smallest, ..., + scales - 1.

    The most frequent vote, ties by order, is told if its distance and Laplace noise of scale 1 /
    epsilon exceed ln(1 / (2 delta)) / epsilon + 1; else the answer is never. There are rows for the
    largest size; with fewer, blocks are as large as they can be. What the paper leaves open is
    filled in: positives with one x are read as in `basic` (erratum A14).

    Guarantee:
        (epsilon, delta)-DP on every sample. At most 6 sizes are bad for a population, so with
        `sample_size` rows it fails with 6 / scales and what the votes lose; the printed 3 is wrong
        (erratum A4) [FX14 Lemma 16].

    Exactness:
        Noise is not drawn: that it exceeds the bar has the probability `told`, a rational in the
        growth that stands for e^epsilon.

    Cost:
        `Approximate(epsilon, delta)` a label: no row is in two blocks.

    >>> tiny = PublishedLineLearner(
    ...     Lines(3), epsilon=1, delta="1/20", voters=3, smallest=0, scales=2
    ... )
    >>> tiny.rows, [round(float(tiny.told(c)), 3) for c in (1, 2, 3, 4, 5)]
    (6, [0.05, 0.136, 0.369, 0.751, 0.908])

    Proof: docs/proofs/voting_line.md
    """

    concepts: Lines
    epsilon: Fraction
    delta: Fraction
    voters: int
    smallest: int
    scales: int

    def __init__(
        self,
        concepts: Lines,
        *,
        epsilon: Exact,
        delta: Exact,
        voters: int,
        smallest: int,
        scales: int,
    ) -> None:
        hold(self, concepts=concepts).positive(epsilon=epsilon).probability(delta=delta)
        hold(self).count(voters=voters, scales=scales, least=1).count(smallest=smallest)
        if self.delta >= HALF:
            raise InvalidArgument("delta must be below 1/2, as published")

    @classmethod
    def printed(
        cls, concepts: Lines, *, epsilon: Exact, delta: Exact, accuracy: Accuracy
    ) -> PublishedLineLearner:
        """Return the learner with the printed constants, which keep no promise (errata A1, A4).

        >>> printed = PublishedLineLearner.printed(
        ...     Lines(7), epsilon=1, delta="1e-6", accuracy=Accuracy("0.05", "1/2")
        ... )
        >>> printed.voters, printed.smallest, printed.scales, printed.rows
        (1095, 4, 12, 35880960)
        """
        epsilon, delta = check.positive(epsilon=epsilon), check.probability(delta=delta)
        alpha, beta = accuracy.alpha, accuracy.beta
        first = lower(lambda: (real(Fraction(3, 2)).log() / real(alpha)).log() / real(2).log())
        by_votes = 12 / epsilon * log_upper(1 / (delta * beta)) + 13
        voters = -int(-max(by_votes, 72 * log_upper(4 / delta)) // 1)
        smallest = max(0, -int(-first // 1))
        scales = int((first + 6 / beta) // 1) - smallest + 1
        sizes = {"voters": voters, "smallest": smallest, "scales": scales}
        return cls(concepts, epsilon=epsilon, delta=delta, **sizes)

    @property
    def rows(self) -> int:
        """Enough for blocks of the largest size."""
        return self.voters << (self.smallest + self.scales - 1)

    @property
    def beta(self) -> Fraction:
        """Bound how often it fails at `rows` rows: a bad size, or votes that do not suffice."""
        return Fraction(BAD_SCALES, self.scales) + self.missed.among(self.voters, SHARE)

    @property
    def missed(self) -> Missed:
        """The chances that what has so many votes, at least, is not told."""
        half = self.voters // 2
        lead = (1 - self.told(c) for c in range(1, self.voters - half + 1))
        return Missed((*[Fraction(1)] * (half + 1), *lead))

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return `rows` if the bound keeps the promise with them; refuse if not."""
        if self.accuracy(self.rows, accuracy.beta) is None or self._alpha > accuracy.alpha:
            raise InvalidArgument(
                f"{self.scales} sizes from 2^{self.smallest} on and {self.voters} voters do not "
                f"reach alpha={accuracy.alpha}, beta={accuracy.beta}; take more of them"
            )
        return self.rows

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        beta = check.probability(beta=beta)
        if check.count(n=n) < self.rows or self.beta > beta or self._alpha >= 1:
            return None
        return Accuracy(self._alpha, beta)

    @property
    def _alpha(self) -> Fraction:
        return round_up(upper(lambda: real(Fraction(3, 2)).log() / real(2**self.smallest)), 24)

    def told(self, distance: int) -> Fraction:
        """Return the probability that distance and noise exceed the bar, from distance 1 on."""
        reached = self.delta * growth(self.epsilon) ** (check.count(distance=distance, least=1) - 1)
        return reached if reached <= HALF else 1 - 1 / (4 * reached)

    def block_sizes(self, n: int) -> list[int]:
        """Return the rows of all voters at the smallest size, then what each next size adds."""
        room = n // self.voters
        ends = [0, *(min(room, 1 << (self.smallest + j)) for j in range(self.scales))]
        pieces = [high - low for low, high in pairwise(ends)]
        return [piece for piece in pieces for _ in range(self.voters)]

    def learn(self, blocks: Sequence[LabelCounts], *, rng: Random) -> Found:
        """Learn from given pieces: draw the size, let the blocks vote, tell the winner or never."""
        poll = self._poll(blocks, rng.below(self.scales))
        return poll.value if bernoulli(self.told(poll.distance), rng=rng) else NEVER

    def blocks_law(self, blocks: Sequence[LabelCounts]) -> Law[Found]:
        """Return the exact law of what is learned from given pieces."""
        even = Fraction(1, self.scales)
        return mixture((even, self._law(self._poll(blocks, k))) for k in range(self.scales))

    def _law(self, poll: Stable[Found]) -> Law[Found]:
        told = self.told(poll.distance)
        return collect([(poll.value, told), (NEVER, 1 - told)])

    def _poll(self, blocks: Sequence[LabelCounts], scale: int) -> Stable[Found]:
        """Let the blocks of a size vote: each voter's pieces up to it, put together."""
        pieces = [blocks[voter :: self.voters][: scale + 1] for voter in range(self.voters)]
        votes = (basic(self.concepts, reduce(LabelCounts.merge, each)) for each in pieces)
        return frequent(votes, self.concepts.p)


def frequent(votes: Iterable[Found], p: int) -> Stable[Found]:
    """Return the most frequent vote, ties by order, and how many must change for another to win.

    Another one that is before it in the order wins a tie, one after it does not; nobody's choices
    count too, with no votes.

    >>> some = [Line(0, 1, 3)] * 3 + [NEVER]
    >>> frequent(some, 3).distance, frequent(some[:3], 3).distance, frequent([NEVER], 3).distance
    (1, 2, 1)
    """
    table = Counter(votes)
    winner = min(table, key=lambda found: (-table[found], _rank(found, p)))
    rank, most = _rank(winner, p), table.pop(winner)
    before = [0] if rank > sum(_rank(other, p) < rank for other in table) else []
    before += [many for other, many in table.items() if _rank(other, p) < rank]
    after = [0, *(many for other, many in table.items() if _rank(other, p) > rank)]
    changes = [(most - many) // 2 + 1 for many in after] + [-(-(most - m) // 2) for m in before]
    return Stable(winner, min(changes))


def _rank(found: Found, p: int) -> int:
    """Number all hypotheses: never, the points, the lines."""
    match found:
        case PlanePoint(x, y):
            return 1 + x * p + y
        case Line(a, b):
            return 1 + (p + a) * p + b
    return 0


SCALES = range(BAD_SCALES + 1, 26)
NEAR = tuple(map(Fraction, ("1/4", "1/2", "7/10")))
"""Shares of alpha that a single run is to reach."""
UNDECIDED = tuple(map(Fraction, ("1/50", "1/20", "1/10", "1/5")))
"""Probabilities that the votes of a run do not suffice although its block size is good."""


def published_booster(
    concepts: Lines, *, epsilon: Exact, delta: Exact, accuracy: Accuracy
) -> ConfidenceBooster:
    """Return the learner of [FX14 Thm 12] with the sizes that need the fewest rows of those tried.

    Half of beta is for the runs, half for the choice among them, which may spend less than all of
    epsilon: more would magnify the mistakes of the best run. At most six sizes are bad for a
    population, so a run fails with probability 6 / scales at least.

    >>> goal = Accuracy("0.1", "0.05")
    >>> boosted = published_booster(Lines(7), epsilon=1, delta="1e-6", accuracy=goal)
    >>> boosted.repeats, boosted.base.voters, boosted.base.scales, boosted.sample_size(goal)
    (29, 161, 7, 2391611)
    """
    made = partial(PublishedLineLearner, concepts, epsilon=epsilon, delta=delta)
    alpha, half = accuracy.alpha, accuracy.beta / 2

    def voters(undecided: Fraction) -> int:
        """Return the least number from which on any number, odd or even, is enough."""

        def enough(m: int) -> bool:
            votes = made(voters=2 * m, smallest=0, scales=1).missed
            return votes.at_most(undecided, 2 * m, SHARE)

        return 2 * least(enough, low=1) - 1

    def sized(near: Fraction, scales: int, undecided: Fraction) -> tuple[int, ConfidenceBooster]:
        failed = Fraction(BAD_SCALES, scales) + undecided
        repeats = least(lambda runs: failed**runs <= half, low=1)
        smallest = least(lambda k: log_upper(Fraction(3, 2)) <= near * alpha * 2**k)
        base = made(voters=many[undecided], smallest=smallest, scales=scales)
        spent = min(base.epsilon, round_down(log_lower(1 / near), 24))
        choice = SelectionBound(repeats, (1 - near) * alpha, near * alpha, Decay.of(spent / 2))
        boosted = ConfidenceBooster(base, rows=base.rows, repeats=repeats, epsilon=spent)
        return repeats * base.rows + choice.sample_size(half), boosted

    many = {undecided: voters(undecided) for undecided in UNDECIDED}
    plans = product(NEAR, SCALES, UNDECIDED)
    usable = [plan for plan in plans if Fraction(BAD_SCALES, plan[1]) + plan[2] < 1]
    return min((sized(*plan) for plan in usable), key=lambda pair: pair[0])[1]
