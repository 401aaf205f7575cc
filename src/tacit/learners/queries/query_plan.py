"""How many rows an algorithm by statistical queries needs, and how they are dealt out."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tacit.core import Accuracy, Exact, InvalidArgument, Law, Random, check
from tacit.learners.queries.statistical_queries import ZeroQueries
from tacit.theory.enough.zero_test import SHARE, Cut, ZeroTest, gap, size


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """An algorithm, the test that answers its queries, and whether each gets rows of its own."""

    algorithm: ZeroQueries
    test: ZeroTest
    dealt: bool

    @property
    def blocks(self) -> int:
        """How many blocks there are."""
        return self.algorithm.queries if self.dealt else 1

    def sizes(self, n: int) -> list[int]:
        """Return equal sizes of the blocks of n rows; what is left over is not used."""
        return [n // self.blocks] * self.blocks

    def sample_size(self, accuracy: Accuracy) -> int:
        """Return the least number of rows for this accuracy: a union bound over the queries."""
        if accuracy.beta < self._beta:
            raise InvalidArgument(
                f"beta must be at least {self._beta}, which the learner is made for, "
                f"got {accuracy.beta}"
            )
        return self.blocks * size(self.test, self.algorithm.gap(accuracy.alpha))

    def enough(self, n: int, accuracy: Accuracy) -> bool:
        """Whether n rows are certainly enough for this accuracy."""
        missed = self.test.miss(n // self.blocks, self.algorithm.gap(accuracy.alpha))
        return accuracy.beta >= self._beta and missed <= self.test.level

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        """Return what n rows are enough for."""
        if check.probability(beta=beta) < self._beta:
            return None
        found = gap(self.test, check.count(n=n) // self.blocks)
        alpha = None if found is None else found / self.algorithm.gap(Fraction(1))
        return None if alpha is None or alpha >= 1 else Accuracy(alpha, beta)

    @property
    def _beta(self) -> Fraction:
        return self.test.level * self.algorithm.queries


def some(found: int, cut: Cut, *, rng: Random) -> Fraction:
    """Answer 1 where a private count is above the cut, and 0 where it is not."""
    coin = Fraction(rng.bits(SHARE), 1 << SHARE)
    return Fraction(int(found > cut.count + (coin < cut.share)))


def some_law(at: Fraction, beyond: Fraction, cut: Cut) -> Law[Fraction]:
    """Return the law of `some` from the chances of counts above cut.count, and above that + 1."""
    yes = (1 - cut.share) * at + cut.share * beyond
    return Law({Fraction(1): yes, Fraction(0): 1 - yes})
