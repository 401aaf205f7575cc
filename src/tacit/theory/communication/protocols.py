"""One-way protocols with public coins, and the representations that they are.

Alice has a concept and Bob a point; she sends one message, he says the label. Once the coins have
fallen, each message is a hypothesis: what Bob would answer at each point. So a protocol and a
representation draw the same sets; they differ in what is promised of them, and either promise
gives the other. Proofs in docs/proofs/protocol.md.

Of the papers: FX14 Thm 7.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Protocol

from tacit.concepts.algebra.hashes import Hashes
from tacit.concepts.algebra.line_hashes import LineBuckets, LineHash, LineHashes
from tacit.concepts.contract.concept_class import HypothesisClass
from tacit.concepts.contract.hypothesis_set import HypothesisSet
from tacit.concepts.outputs.bucket import Buckets
from tacit.concepts.outputs.majority_set import Majorities, MajoritySet
from tacit.core import Exact, InvalidArgument, Random, check, hold
from tacit.theory.representations.drawn import Lottery, Representation, evenly, independent
from tacit.theory.representations.majorities import outvoted


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

    def draw(self, *, rng: Random) -> HypothesisSet:
        """Throw the public coins; return Bob's answers given them, one hypothesis a message."""

    def lottery(self) -> Lottery:
        """Yield Bob's answers for all outcomes of the coins, where they are few."""


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

    def draw(self, *, rng: Random) -> Buckets:
        """Draw a hash: one bucket a message."""
        return Buckets(self.outputs.draw(rng=rng))

    def lottery(self) -> Lottery:
        """Yield the buckets of all hashes."""
        return evenly(map(Buckets, self.outputs.seeds()))


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

    def draw(self, *, rng: Random) -> LineBuckets:
        """Draw a hash of lines: one bucket a message."""
        return LineBuckets(LineHash(self.p, self.outputs.hashes.draw(rng=rng)))

    def lottery(self) -> Lottery:
        """Yield the buckets of all hashes."""
        hashes = self.outputs.hashes.seeds()
        return evenly(LineBuckets(LineHash(self.p, each)) for each in hashes)


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

    def draw(self, *, rng: Random) -> MajoritySet:
        """Throw the coins of all runs: the majorities of one answer from each."""
        return MajoritySet(tuple(self.of.draw(rng=rng) for _ in range(self.runs)))

    def lottery(self) -> Lottery:
        """Yield the majorities for all outcomes of the coins."""
        several = independent(self.of.lottery(), self.runs)
        return ((chance, MajoritySet(sets)) for chance, sets in several)


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
        near = check.small_probability(approximation=approximation)
        hold(self, approximation=near)
        if protocol.error and protocol.error >= near:
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
        error = self.protocol.error
        return error / self.approximation if error else error

    def draw(self, *, rng: Random) -> HypothesisSet:
        """Throw the coins."""
        return self.protocol.draw(rng=rng)

    def lottery(self) -> Lottery:
        """Yield all sets."""
        return self.protocol.lottery()


@dataclass(frozen=True, slots=True)
class OfRepresentation:
    """A representation as a protocol: the coins draw the set, Alice names a hypothesis.

    Within alpha but for probability beta, there is for each concept a way to name one with which
    Bob errs at most alpha + beta - alpha beta at every point [FX14 Thm 7, with the product instead
    of the sum; docs/proofs/communication.md]. `public_protocol` finds it for classes that can be
    written out; what Bob does, and a learner, is the same for all of them.

    >>> from tacit.theory.representations.of_points import BucketedPoints
    >>> hashed = OfRepresentation(BucketedPoints.least(64, "1/4", "1/4"))
    >>> hashed.messages, float(hashed.error)
    (13, 0.4375)
    """

    representation: Representation

    @property
    def outputs(self) -> HypothesisClass[Any]:
        """What the hypotheses belong to."""
        return self.representation.outputs

    @property
    def messages(self) -> int:
        """One message a hypothesis."""
        return self.representation.size

    @property
    def error(self) -> Fraction:
        """Wrong if no hypothesis is near, and else as often as the near one is."""
        near, fails = self.representation.approximation, self.representation.failure
        return near + fails - near * fails

    def draw(self, *, rng: Random) -> HypothesisSet:
        """Draw a set."""
        return self.representation.draw(rng=rng)

    def lottery(self) -> Lottery:
        """Yield all sets."""
        return self.representation.lottery()
