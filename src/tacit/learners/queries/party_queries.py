"""Any algorithm by statistical queries, run between parties that show each other noisy counts only.

Of the papers: Vad17 Thm 8.4.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product as choices
from math import prod
from typing import Any

from tacit.core import Exact, InvalidArgument, Law, Random, check, hold, least
from tacit.core.chance.law import mixture, product
from tacit.learners.queries.private_queries import PrivateQueries, share
from tacit.learners.queries.statistical_queries import Query, SQAlgorithm, law_of, learned
from tacit.probability.noisy_mean import NoisyMean
from tacit.statistics import LabelCounts
from tacit.statistics.counts.label_counts import PartyTables

RARE = Fraction(1, 1 << 64)
"""How often a noise may be so large that its message is cut."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """What was learned, and all that was said: for each query, each party's noisy count."""

    learned: Any
    messages: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class PartyQueries:
    """Each party answers every query from its own rows, with noise of its own; all hear all.

    Guarantee:
        epsilon-DP for each row of each party, towards all others together, for the whole transcript
        and whatever they hold [BNO08]. On n >= `sample_size(beta)` i.i.d. rows of all parties
        together all answers are within the tolerance with probability at least 1 - beta.

    Exactness:
        As `DiscreteLaplace`; a message is moved into [-reach, rows + reach].

    Cost:
        `Pure(epsilon)` for each party; one message a party and query.

    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.learners.queries.statistical_queries import ThresholdQueries
    >>> parties = PartyQueries(ThresholdQueries(16), tolerance="0.1", epsilon=1, parties=2)
    >>> parties.sample_size("0.1")
    946
    >>> north = LabelCounts.of([(x, (x >= 5,)) for x in range(16)] * 40, labels=1)
    >>> told = parties(PartyTables((north, north)), rng=Seeded(1))
    >>> told.learned, len(told.messages)
    (Threshold(at=6, up=True), 4)

    Proof: docs/proofs/parties.md
    """

    answers: PrivateQueries
    parties: int
    reach: int

    def __init__(
        self,
        algorithm: SQAlgorithm,
        *,
        tolerance: Exact,
        epsilon: Exact,
        parties: int,
        reach: int | None = None,
    ) -> None:
        answers = PrivateQueries(algorithm, tolerance=tolerance, epsilon=epsilon)
        hold(self, answers=answers).count(parties=parties, least=2)
        far = least(lambda b: answers.beyond(b) <= RARE, low=0) if reach is None else reach
        hold(self).count(reach=far)

    @property
    def cost(self) -> Any:
        """What a run costs each party's rows."""
        return self.answers.cost

    def sample_size(self, beta: Exact) -> int:
        """Return how many rows are enough, those of all parties together, however they hold them.

        A party of n rows uses n // T of them for each of T adaptive queries.
        """
        times, blocks = self.answers.algorithm.queries, self.answers.blocks
        cut = self.parties * self.answers.beyond(self.reach)
        each = check.probability(beta=beta) / times - cut
        if each <= 0:
            raise InvalidArgument(f"beta={beta} is too small for reach={self.reach}; give more")
        mean = NoisyMean(self.answers.decay, self.parties)
        rows = mean.chernoff_size(self.answers.tolerance, each)
        return blocks * rows + self.parties * (blocks - 1)

    def __call__(self, sample: PartyTables, /, *, label: int = 0, rng: Random) -> Conversation:
        """Run the protocol; every message is made from one party's rows."""
        held = [self.answers.blocks_of(table, label, rng=rng) for table in self._tables(sample)]
        rounds = iter(range(self.answers.algorithm.queries))

        def say(query: Query) -> tuple[int, ...]:
            i = next(rounds)
            return tuple(self._message(parts[i], query, place, rng=rng) for parts, place in held)

        return learned(self._run([parts for parts, _ in held]), say)

    def law(self, sample: PartyTables, /, *, label: int = 0) -> Law[Any]:
        """Return the exact law of the conversation, for few rows; over all ways to deal them."""
        tables = self._tables(sample)
        return mixture(
            (prod((weight for weight, _, _ in way), start=Fraction(1)), self._law(way))
            for way in choices(*(self.answers.ways(table, label) for table in tables))
        )

    def _law(self, way: Sequence[tuple[Fraction, Sequence[LabelCounts], int]]) -> Law[Any]:
        def say(i: int, query: Query) -> Law[Any]:
            return product(self._message_law(parts[i], query, place) for _, parts, place in way)

        return law_of(lambda: self._run([parts for _, parts, _ in way]), say)

    def _run(self, held: Sequence[Sequence[LabelCounts]]) -> Generator[Query, Any, Conversation]:
        """Put each query to all parties, and tell the algorithm what their counts come to."""
        dialogue, said = self.answers.dialogue(), list[tuple[int, ...]]()
        try:
            query = next(dialogue)
            while True:
                said.append((yield query))
                rows = sum(parts[len(said) - 1].n for parts in held)
                query = dialogue.send(share(sum(said[-1]), rows))
        except StopIteration as end:
            return Conversation(end.value, tuple(said))

    def _message(self, block: LabelCounts, query: Query, label: int, *, rng: Random) -> int:
        noisy = self.answers.noise(self.answers.count(block, query, label, rng=rng), rng=rng)
        return min(max(noisy, -self.reach), max(block.n, 1) + self.reach)

    def _message_law(self, block: LabelCounts, query: Query, label: int) -> Law[int]:
        ends = {"low": -self.reach, "high": max(block.n, 1) + self.reach}
        found = self.answers.count_law(block, query, label)
        return found.then(lambda count: self.answers.noise.law(count, **ends))

    def _tables(self, sample: PartyTables) -> tuple[LabelCounts, ...]:
        if len(sample.tables) != self.parties:
            raise InvalidArgument(
                f"parties={self.parties} was declared, got {len(sample.tables)} tables"
            )
        return sample.tables
