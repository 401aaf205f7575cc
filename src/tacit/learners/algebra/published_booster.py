"""The published learner of lines, boosted: many runs of its vote, and a choice by fresh rows.

For comparison: `VotingLineLearner` is what to use of it. Proof in docs/proofs/voting_line.md.

Of the papers: FX14 Thm 12.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product

from tacit.concepts.algebra.lines import Lines
from tacit.core import Accuracy, Decay, Exact, least
from tacit.core.numbers.enclosures import log_lower, log_upper, round_down
from tacit.learners.algebra.published_line import BAD_SCALES, SHARE, PublishedLineLearner
from tacit.learners.made_from.confidence_booster import ConfidenceBooster
from tacit.theory.enough.selection import SelectionBound

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
