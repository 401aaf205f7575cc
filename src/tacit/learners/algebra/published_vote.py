"""What the published learner of lines by vote needs, with its mistakes corrected, and boosted.

For comparison: `VotingLineLearner` is what to use of it. Proof in docs/proofs/voting_line.md.

Of the papers: FX14 Thm 12, FX14 Lemma 16, FX14 Claim 17.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from tacit.core.accuracy import Accuracy
from tacit.core.numbers.enclosures import log_upper
from tacit.core.numbers.exact import Exact
from tacit.core.numbers.least import least
from tacit.learners.algebra.voting_line import decided
from tacit.mechanisms import StableRelease
from tacit.theory.enough.selection import SelectionBound, tempered

BAD_SCALES = 6
SCALES = range(BAD_SCALES + 1, 26)
NEAR = tuple(map(Fraction, ("1/4", "1/2", "7/10")))
"""Shares of alpha that a single try is to reach."""
UNDECIDED = tuple(map(Fraction, ("1/50", "1/20", "1/10", "1/5")))
"""Probabilities that the votes of a try do not suffice although its block size is good."""


@dataclass(frozen=True, slots=True)
class PublishedVote:
    """A try lets `voters` blocks of 2^k rows vote, k a uniform one of smallest, ...

    There are `scales` of those sizes, `repeats` tries, and `rows` rows to choose among them by.

    >>> published = PublishedVote.of(epsilon=1, delta="1e-6", accuracy=Accuracy(0.1, 0.05))
    >>> published, published.sample_size
    (PublishedVote(repeats=29, smallest=3, scales=7, voters=157, rows=2619), 2333755)
    """

    repeats: int
    smallest: int
    scales: int
    voters: int
    rows: int

    @property
    def sample_size(self) -> int:
        """All rows, with blocks of the largest size in every try."""
        return self.rows + (self.repeats * self.voters << (self.smallest + self.scales - 1))

    @classmethod
    def of(cls, *, epsilon: Exact, delta: Exact, accuracy: Accuracy) -> PublishedVote:
        """Return the sizes that need the fewest rows: half of beta for the tries, half to choose.

        At most six sizes are bad for a population, so a try fails with probability 6 / scales at
        least.
        """
        release, alpha, half = StableRelease(epsilon, delta), accuracy.alpha, accuracy.beta / 2
        voters = {undecided: _voters(release, undecided) for undecided in UNDECIDED}

        def sizes(near: Fraction, scales: int, undecided: Fraction) -> PublishedVote:
            failed = Fraction(BAD_SCALES, scales) + undecided
            repeats = least(lambda tries: failed**tries <= half, low=1)
            gap, decay = (1 - near) * alpha, tempered(release.epsilon, near)
            return cls(
                repeats,
                least(lambda k: log_upper(Fraction(3, 2)) <= near * alpha * 2**k, low=1),
                scales,
                voters[undecided],
                SelectionBound(repeats, gap, near * alpha, decay).sample_size(half),
            )

        plans = product(NEAR, SCALES, UNDECIDED)
        usable = [plan for plan in plans if Fraction(BAD_SCALES, plan[1]) + plan[2] < 1]
        return min((sizes(*plan) for plan in usable), key=lambda found: found.sample_size)


def _voters(release: StableRelease, undecided: Fraction) -> int:
    """Return the least number from which on any number of voters, odd or even, is enough."""
    two_thirds = Fraction(2, 3)
    return 2 * least(lambda m: decided(release, 2 * m, two_thirds, undecided), low=1) - 1
