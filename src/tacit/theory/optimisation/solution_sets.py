"""Does a set of solutions, fixed or drawn, hold a good one for every database of m rows?

Proofs in docs/proofs/optimisation.md.

Of the papers: BNS19 Def 22, BNS19 Def 23, BNS19 Def 24, BNS19 Def 25.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Any, Generic, NamedTuple

from tacit.core import Exact, InvalidArgument, Law, Random, check, hold
from tacit.core.numbers.enclosures import log_lower, log_upper
from tacit.theory.optimisation.problem import Problem, R, S
from tacit.theory.representations.drawn import drawn, independent


class WorstDatabase(NamedTuple):
    """The greatest number that a database has, and one that has it."""

    value: Fraction
    database: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class SolutionSets(Generic[S]):
    """Sets of solutions, each drawn with a probability; `draws` of them are put together.

    >>> coin = SolutionSets(((0,), (1,)), (Fraction(1, 3), Fraction(2, 3)), draws=2)
    >>> from tacit.theory.optimisation.problem import WorstTest
    >>> often = WorstTest((0, 1), (0, 1), ([[1, 0]], [[0, 1]]))
    >>> coin.failure(often, 3, "1/4")
    WorstDatabase(value=Fraction(4, 9), database=(0, 0, 0))
    >>> coin.size, coin.represents(often, 3, "1/4", "4/9")
    (2, True)
    """

    sets: tuple[tuple[S, ...], ...]
    chances: tuple[Fraction, ...]
    draws: int

    def __init__(
        self, sets: Sequence[Sequence[S]], chances: Sequence[Fraction], draws: int = 1
    ) -> None:
        hold(self, sets=tuple(map(tuple, sets)), chances=tuple(chances)).count(draws=draws, least=1)
        if sum(self.chances) != 1 or len(self.chances) != len(self.sets) or not all(self.sets):
            raise InvalidArgument("chances must add up to 1, one for each set, and no set be empty")

    @classmethod
    def fixed(cls, solutions: Sequence[S]) -> SolutionSets[S]:
        """Return a set that is always the same."""
        return cls((solutions,), (Fraction(1),))

    @classmethod
    def independent(cls, law: Law[S], draws: int) -> SolutionSets[S]:
        """Return so many solutions drawn by a law, each by itself."""
        return cls([(one,) for one in law.probabilities], [*law.probabilities.values()], draws)

    @property
    def size(self) -> int:
        """The most solutions that are drawn."""
        return self.draws * max(map(len, self.sets))

    def draw(self, rng: Random) -> tuple[S, ...]:
        """Draw solutions."""
        sets = (self.sets[drawn(self.chances, rng=rng)] for _ in range(self.draws))
        return tuple(chain.from_iterable(sets))

    def lottery(self) -> Iterator[tuple[Fraction, tuple[S, ...]]]:
        """Yield all outcomes with their probabilities, where they are few."""
        outcomes = independent(zip(self.chances, self.sets, strict=True), self.draws)
        return ((chance, tuple(chain.from_iterable(sets))) for chance, sets in outcomes)

    def failure(self, problem: Problem[R, S], m: int, alpha: Exact) -> WorstDatabase:
        """Return the least beta with which it (alpha, beta)-represents a problem for m rows."""
        bar = check.nonnegative(alpha=alpha) * problem.units * m

        def missed(gaps: list[tuple[int, Fraction]]) -> Fraction:
            return sum((p for gap, p in gaps if gap > bar), Fraction(0)) ** self.draws

        return self._worst(problem, m, missed)

    def approximation(self, problem: Problem[R, S], m: int, beta: Exact = 0) -> WorstDatabase:
        """Return the least alpha with which it (alpha, beta)-represents a problem for m rows."""
        beta = check.small_probability(beta=beta)

        def near(gaps: list[tuple[int, Fraction]]) -> Fraction:
            left = Fraction(1)
            for gap, chance in sorted(gaps):
                left -= chance
                if left**self.draws <= beta:
                    return Fraction(gap, problem.units * m)
            raise AssertionError("the chances add up to 1")

        return self._worst(problem, m, near)

    def represents(self, problem: Problem[R, S], m: int, alpha: Exact, beta: Exact = 0) -> bool:
        """Whether for all m rows a solution within alpha of the best is drawn, but for beta."""
        return self.failure(problem, m, alpha).value <= check.small_probability(beta=beta)

    def ratio(self, m: int) -> tuple[Fraction, Fraction] | None:
        """Return numbers below and above m / ln(size); None for one solution, which is any ratio.

        >>> [round(float(end), 3) for end in SolutionSets.fixed(range(8)).ratio(20)]
        [9.618, 9.618]
        """
        if self.size == 1:
            return None
        size = Fraction(self.size)
        return check.count(m=m, least=1) / log_upper(size), m / log_lower(size)

    def places(self, problem: Problem[Any, S]) -> list[list[int]]:
        """Return the members of each set by their numbers in a problem; refuse other solutions."""
        number = {solution: i for i, solution in enumerate(problem.solutions)}
        if unknown := [s for s in chain.from_iterable(self.sets) if s not in number]:
            raise InvalidArgument(f"{unknown[0]!r} is no solution of the problem")
        return [[number[s] for s in chosen] for chosen in self.sets]

    def _worst(self, problem: Problem[R, S], m: int, measure: Any) -> WorstDatabase:
        """Go through all databases; each set has a gap, by how much its best falls short."""
        pairs = list(zip(self.places(problem), self.chances, strict=True))
        worst = WorstDatabase(Fraction(-1), ())
        for database in problem.databases(check.count(m=m, least=1)):
            scores = problem.scores(problem.held(database))
            best = int(scores.max())
            gaps = [(best - int(scores[chosen].max()), p) for chosen, p in pairs]
            if (value := measure(gaps)) > worst.value:
                worst = WorstDatabase(value, database)
        return worst
