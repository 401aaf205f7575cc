"""Boosting by majorities: votes of many poor hypotheses come near the target.

Of the papers: BNS19 Lemma 18, BNS19 Thm 19.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from tacit.concepts.contract.concept_class import HypothesisClass
from tacit.concepts.contract.hypothesis_set import HypothesisSet
from tacit.concepts.outputs.majority_set import Majorities, MajoritySet
from tacit.core import Exact, InvalidArgument, Random, check, least
from tacit.probability.binomial_masses import between
from tacit.theory.representations.drawn import Lottery, Repeated, Representation, independent

HALF = Fraction(1, 2)  # the error of a coin: votes that are no better gain nothing


def outvoted(votes: int, error: Exact) -> Fraction:
    """Return the probability that at least half of an odd number of independent votes are wrong.

    >>> outvoted(3, "1/4")
    Fraction(5, 32)
    """
    wrong, half = check.small_probability(error=error), check.count(votes=votes, least=1) // 2
    return between(half + 1, votes, votes, wrong)


def votes_for(error: Exact, goal: Exact) -> int:
    """Return the least odd number of votes of this error that are outvoted with at most `goal`.

    >>> votes_for("1/4", "1/100")
    19
    """
    error, goal = check.small_probability(error=error), check.probability(goal=goal)
    if error >= HALF:
        raise InvalidArgument(f"error must be below 1/2, got {error}: more votes do not help")
    return 2 * least(lambda half: outvoted(2 * half + 1, error) <= goal) + 1


@dataclass(frozen=True, slots=True)
class Voted:
    """Majorities of one hypothesis from each of several draws [BNS19 Lemma 18].

    Of an (alpha_0, beta_0) representation `votes` lists of `draws` draws each are taken. Except
    with probability 1 - (1 - beta_0^draws)^votes some majority errs at most as often as `votes`
    independent votes of error alpha_0 are outvoted; proof in docs/proofs/representation_learner.md.
    `domain_size`, if it is small, allows more lists to be chosen from.

    >>> from tacit.concepts.line.points import Points
    >>> from tacit.theory.representations.drawn import Drawn
    >>> poor = Drawn((Points(3),), Points(3), approximation="1/4", failure="1/4")
    >>> better = Voted.until(poor, approximation="1/24", failure="1/80")
    >>> better.votes, better.draws, better.size == 40**11
    (11, 5, True)
    """

    of: Representation
    votes: int
    draws: int
    domain_size: int | None = None

    together: ClassVar[int] = 0
    """Unknown."""

    def __post_init__(self) -> None:
        check.count(draws=self.draws, least=1)
        if check.count(votes=self.votes, least=1) % 2 == 0:
            raise InvalidArgument(f"votes must be odd, got {self.votes}")

    @classmethod
    def until(
        cls,
        of: Representation,
        *,
        approximation: Exact,
        failure: Exact,
        domain_size: int | None = None,
    ) -> Voted:
        """Return the fewest votes, and then the fewest draws, that reach these."""
        votes = votes_for(of.approximation, approximation)
        failure = check.probability(failure=failure)
        draws = 1
        if of.failure:
            draws = least(lambda m: 1 - (1 - of.failure**m) ** votes <= failure, low=1)
        return cls(of, votes, draws, domain_size)

    @property
    def outputs(self) -> HypothesisClass[Any]:
        """Majorities of what is voted on."""
        return Majorities(self.of.outputs)

    @property
    def size(self) -> int:
        """The most majorities that a set has."""
        return int((self.draws * self.of.size) ** self.votes)

    @property
    def approximation(self) -> Fraction:
        """How near the best majority comes."""
        return outvoted(self.votes, self.of.approximation)

    @property
    def failure(self) -> Fraction:
        """The probability that some of the lists fails."""
        return 1 - (1 - self.of.failure**self.draws) ** self.votes

    def draw(self, *, rng: Random) -> HypothesisSet:
        """Draw the lists."""
        lists = tuple(Repeated(self.of, self.draws).draw(rng=rng) for _ in range(self.votes))
        return MajoritySet(lists, self.domain_size)

    def lottery(self) -> Lottery:
        """Yield all sets."""
        drawn = independent(Repeated(self.of, self.draws).lottery(), self.votes)
        return ((chance, MajoritySet(sets, self.domain_size)) for chance, sets in drawn)
