"""Tables that may not be put together: each party tells noisy counts, all learn one rule."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, ClassVar

from tacit.concepts import Concept, ConceptClass, Conjunctions
from tacit.concepts.outputs.never import OrNever
from tacit.core import Accuracy, Decay, Exact, PureCost, Random, check, hold
from tacit.core.chance.law import Law, collect
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.learners.contract import entry_of
from tacit.learners.rules.parties import PartyCounts
from tacit.statistics import LabelCounts
from tacit.statistics.counts.label_counts import PartyTables as PartyTables

MOST_QUERIES = 12
"""Literals up to which a law is listed: it has an outcome for each set of them."""


@dataclass(frozen=True, slots=True)
class PartiesLearner(PureCost):
    """Add up what `parties` tables tell of each literal, and keep those that no yes violates.

    Each table's counts get noise of their own before they are added: nobody is trusted with more
    than that. One table is dealt out to the parties in equal parts, to try what they would learn.

    Guarantee:
        epsilon-DP for each row of each table, towards all who see all messages [BNO08]: a row is in
        one table. On n >= `sample_size` i.i.d. rows of all tables together, labelled by one
        conjunction, the error is at most alpha with probability at least 1 - beta.

    Exactness:
        As `DiscreteLaplace`.

    Cost:
        `Pure(epsilon)` a label.

    >>> from tacit.core.chance.randomness import Seeded
    >>> learner = PartiesLearner(Conjunctions(2, 2), epsilon=1, parties=2)
    >>> learner.sample_size(Accuracy(0.1, 0.05))
    884
    >>> north = LabelCounts.of([((1, j % 2), (1,)) for j in range(500)], labels=1)
    >>> south = LabelCounts.of([((j % 2, 0), (j % 2,)) for j in range(900)], labels=1)
    >>> learner(PartyTables((north, south)), rng=Seeded(1)).rule(["fever", "cough"])
    'fever is 1'

    Proof: docs/proofs/parties.md
    """

    concepts: Conjunctions
    epsilon: Fraction
    parties: int
    beta: Fraction

    proper: ClassVar[bool] = False
    """Never: conjunctions of any width, and never, may come out."""
    agnostic: ClassVar[bool] = False
    theorem: ClassVar[str] = "BNO08"
    largest_sample: ClassVar[int | None] = None

    def __init__(
        self,
        concepts: ConceptClass[Any],
        *,
        epsilon: Exact,
        parties: int,
        beta: Exact = Fraction(1, 20),
    ) -> None:
        if not isinstance(concepts, Conjunctions):
            raise InvalidArgument(f"parties learn conjunctions together, not {concepts}")
        hold(self, concepts=concepts).positive(epsilon=epsilon).count(parties=parties, least=2)
        hold(self).probability(beta=beta)

    @property
    def counts(self) -> PartyCounts:
        """What each party tells."""
        return PartyCounts(self.concepts.dims, epsilon=self.epsilon, monotone=False)

    @property
    def hypotheses(self) -> OrNever:
        """Conjunctions of any width, and never."""
        return self.counts.algorithm.hypotheses

    def sample_size(self, accuracy: Accuracy, /) -> int:
        """Return how many rows are enough, those of all parties together.

        The learner is made for its own beta: it cannot promise a smaller one.
        """
        if accuracy.beta < self.beta:
            raise InvalidArgument(
                f"beta must be at least {self.beta}, which the learner is made for, "
                f"got {accuracy.beta}"
            )
        made_for = Accuracy(accuracy.alpha, self.beta)
        return self.counts.sample_size(made_for, parties=self.parties)

    def accuracy(self, n: int, beta: Exact) -> Accuracy | None:
        beta = check.probability(beta=beta)
        if beta < self.beta:
            return None
        found = self.counts.accuracy(n, self.beta, parties=self.parties)
        return None if found is None else Accuracy(found.alpha, beta)

    def __call__(
        self, sample: LabelCounts | PartyTables, /, *, label: int = 0, rng: Random
    ) -> Concept:
        """Learn one label from one table for each party."""
        tables, place = self._tables(sample, label, rng)
        told = [self.counts(table, label=place, rng=rng) for table in tables]
        totals = [sum(column) for column in zip(*told, strict=True)]
        return self.counts.learn(totals, self.beta, parties=self.parties)

    def law(self, sample: LabelCounts | PartyTables, /, *, label: int = 0) -> Law[Any]:
        """Return the exact law of the hypothesis, for two parties and few literals.

        How the rows are dealt out does not matter: the counts are added up.
        """
        algorithm = self.counts.algorithm
        if self.parties > 2 or algorithm.queries > MOST_QUERIES:
            raise TooLarge(f"the exact law is for two parties and {MOST_QUERIES // 2} columns")
        tables = sample.tables if isinstance(sample, PartyTables) else (sample,)
        exact = [self.counts.exact(table, label) for table in tables]
        totals = [sum(column) for column in zip(*exact, strict=True)]
        decay = Decay.of(self.epsilon / algorithm.queries)
        cut = self.counts.cut(self.beta, parties=2)
        violated = [at_least(decay, cut + 1 - total) for total in totals]
        return collect(
            (
                algorithm.kept(list(stays)),
                prod(
                    (1 - v if stay else v for stay, v in zip(stays, violated, strict=True)),
                    start=Fraction(1),
                ),
            )
            for stays in product((False, True), repeat=len(totals))
        )

    def _tables(
        self, sample: LabelCounts | PartyTables, label: int, rng: Random
    ) -> tuple[tuple[LabelCounts, ...], int]:
        """Return the parties' tables, and the place of the label in them."""
        if isinstance(sample, LabelCounts):
            part, more = divmod(sample.n, self.parties)
            sizes = [part + (place < more) for place in range(self.parties)]
            return sample.split(sizes, label=label, rng=rng), 0
        if len(sample.tables) != self.parties:
            raise InvalidArgument(
                f"parties={self.parties} was declared, got {len(sample.tables)} tables"
            )
        return sample.tables, label


def at_least(decay: Decay, bound: int) -> Fraction:
    """Return the probability that the sum of two draws of two-sided geometric noise is >= bound.

    The sum is k with probability ((1 - q) / (1 + q))^2 q^|k| (|k| + (1 + q^2) / (1 - q^2)).

    >>> at_least(Decay(Fraction(1, 2)), 0)
    Fraction(16, 27)
    """
    if bound <= 0:
        return 1 - at_least(decay, 1 - bound)
    q = decay.ratio
    heads = bound + q / (1 - q) + (1 + q**2) / (1 - q**2)
    return (1 - q) / (1 + q) ** 2 * q**bound * heads


ENTRY = entry_of(
    PartiesLearner,
    "parties",
    "several tables, one for each party: noisy counts of each are added up",
    families=("conjunctions",),
    beaten_by="statistical-query",
    by_party=True,
)
