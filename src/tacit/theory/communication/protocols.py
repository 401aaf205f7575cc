"""One-way protocols with public coins, and the representations that they are.

Alice has a concept and Bob a point; she sends one message, he says the label. Once the coins have
fallen, each message is a hypothesis: what Bob would answer at each point. Proofs in
docs/proofs/protocol.md.

Of the papers: FX14 Thm 7.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Protocol

from tacit.concepts.algebra.hashes import Hash, Hashes
from tacit.concepts.algebra.line_hashes import LineBuckets, LineHash, LineHashes
from tacit.concepts.contract.concept_class import HypothesisClass
from tacit.concepts.contract.hypothesis_set import HypothesisSet
from tacit.concepts.outputs.bucket import Buckets
from tacit.concepts.outputs.majority import Majorities
from tacit.concepts.outputs.majority_set import MajoritySet
from tacit.core import check
from tacit.core.chance.randomness import Random
from tacit.core.errors import InvalidArgument
from tacit.core.frozen import hold
from tacit.core.numbers.exact import Exact
from tacit.theory.representations.drawn import Lottery, evenly, independent
from tacit.theory.representations.majorities import outvoted

Seed = Any
"""The public coins: a hashable value."""


class PublicCoinProtocol(Protocol):
    """A protocol that says c(x) wrongly with probability at most `error`, for every c and x."""

    @property
    def outputs(self) -> HypothesisClass[Any]:
        """What Bob's answers, as functions of his point, belong to."""

    @property
    def messages(self) -> int:
        """The number of messages that Alice may send."""

    @property
    def error(self) -> Fraction:
        """The probability of a wrong answer, over the coins, at worst."""

    def seed(self, *, rng: Random) -> Seed:
        """Throw the public coins."""

    def seeds(self) -> Iterator[tuple[Fraction, Seed]]:
        """Yield all outcomes of the coins with their probabilities, where they are few."""

    def hypotheses(self, seed: Seed, /) -> HypothesisSet:
        """Return Bob's answers given the coins: one hypothesis a message."""


@dataclass(frozen=True, slots=True)
class EqualityHashing:
    """For points: Alice sends the hash of hers, Bob says yes if his has the same.

    >>> EqualityHashing(64, 1024).error < Fraction(1, 1023)
    True
    """

    bits: int | None
    messages: int

    @property
    def outputs(self) -> Hashes:
        """Buckets of hashes."""
        return Hashes(self.messages, self.bits)

    @property
    def error(self) -> Fraction:
        """The probability of a collision; equal points are never told apart."""
        return self.outputs.collision

    def seed(self, *, rng: Random) -> Hash:
        """Draw a hash."""
        return self.outputs.draw(rng=rng)

    def seeds(self) -> Iterator[tuple[Fraction, Hash]]:
        """Yield all hashes."""
        return evenly(self.outputs.seeds())

    def hypotheses(self, seed: Hash, /) -> Buckets:
        """Return one bucket a message."""
        return Buckets(seed)


@dataclass(frozen=True, slots=True)
class LineHashing:
    """For lines: Alice sends the hash of hers, Bob says yes if a line through his point has it.

    Of the p lines through a point off Alice's line each collides with probability at most
    1 / messages: so p / eta messages are enough for an error of eta, instead of p^2 in all.

    >>> float(LineHashing(101, 10_100).error)
    0.0092...
    """

    p: int
    messages: int

    @property
    def outputs(self) -> LineHashes:
        """Buckets of lines."""
        return LineHashes(self.p, self.messages)

    @property
    def error(self) -> Fraction:
        """The probability that some line through the point collides; on the line it is 0."""
        return self.p * self.outputs.hashes.collision

    def seed(self, *, rng: Random) -> LineHash:
        """Draw a hash of lines."""
        return LineHash(self.p, self.outputs.hashes.draw(rng=rng))

    def seeds(self) -> Iterator[tuple[Fraction, LineHash]]:
        """Yield all hashes."""
        return evenly(LineHash(self.p, each) for each in self.outputs.hashes.seeds())

    def hypotheses(self, seed: LineHash, /) -> LineBuckets:
        """Return one bucket a message."""
        return LineBuckets(seed)


@dataclass(frozen=True, slots=True)
class Amplified:
    """An odd number of independent runs, and the majority of Bob's answers.

    >>> twice = Amplified(EqualityHashing(8, 4), 3)
    >>> twice.messages, float(twice.error)
    (64, 0.15...)
    """

    of: PublicCoinProtocol
    runs: int

    def __post_init__(self) -> None:
        if check.count(runs=self.runs, least=1) % 2 == 0:
            raise InvalidArgument(f"runs must be odd, got {self.runs}")

    @property
    def outputs(self) -> Majorities:
        """Majorities of Bob's answers."""
        return Majorities(self.of.outputs)

    @property
    def messages(self) -> int:
        """One message for each run."""
        return int(self.of.messages**self.runs)

    @property
    def error(self) -> Fraction:
        """The probability that half of the answers are wrong."""
        return outvoted(self.runs, self.of.error)

    def seed(self, *, rng: Random) -> tuple[Hashable, ...]:
        """Throw the coins of all runs."""
        return tuple(self.of.seed(rng=rng) for _ in range(self.runs))

    def seeds(self) -> Iterator[tuple[Fraction, Seed]]:
        """Yield all outcomes of the coins."""
        return independent(self.of.seeds(), self.runs)

    def hypotheses(self, seed: Seed, /) -> MajoritySet:
        """Return the majorities of one answer from each run."""
        return MajoritySet(tuple(self.of.hypotheses(each) for each in seed))


@dataclass(frozen=True, slots=True)
class OfProtocol:
    """A protocol as a representation, within any chosen distance [FX14 Thm 7].

    The error of the best message has mean at most the protocol's error, under any distribution: by
    Markov's inequality it exceeds `approximation` with probability at most their ratio.
    """

    protocol: PublicCoinProtocol
    approximation: Fraction

    together: ClassVar[int] = 0
    """Unknown."""

    def __init__(self, protocol: PublicCoinProtocol, approximation: Exact) -> None:
        hold(self, protocol=protocol)
        near = check.probability(approximation=approximation)
        hold(self, approximation=near)
        if protocol.error >= near:
            raise InvalidArgument(f"approximation must be above the error {protocol.error}")

    @property
    def outputs(self) -> HypothesisClass[Any]:
        """What the hypotheses belong to."""
        return self.protocol.outputs

    @property
    def size(self) -> int:
        """One hypothesis a message."""
        return self.protocol.messages

    @property
    def failure(self) -> Fraction:
        """The bound by Markov's inequality."""
        return self.protocol.error / self.approximation

    def draw(self, *, rng: Random) -> HypothesisSet:
        """Throw the coins."""
        return self.protocol.hypotheses(self.protocol.seed(rng=rng))

    def lottery(self) -> Lottery:
        """Yield all sets."""
        return ((p, self.protocol.hypotheses(seed)) for p, seed in self.protocol.seeds())
