"""One-way protocols written out: who says what with which probability, and the exact error.

Of the papers: Vad17 Thm 8.8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.concepts.contract.hypothesis_set import Listed
from tacit.concepts.outputs.point_sets import Tables, listed_functions
from tacit.core import Exact, InvalidArgument, Random, check, hold
from tacit.core.numbers.enclosures import real, upper
from tacit.theory.communication.protocol_game import Mixture
from tacit.theory.representations.drawn import Lottery, drawn
from tacit.theory.solving.class_table import sauer
from tacit.theory.solving.incidence import Table, class_of, rows_of
from tacit.theory.solving.logarithms import information

Rows = NDArray[np.bool_]
WORD = 1 << 62  # sums of multiples of a unit above its reciprocal do not overflow


@dataclass(frozen=True, slots=True, eq=False, init=False)
class PublicCoins:
    """Deterministic protocols for a class, one of which the public coins choose.

    Of each: its probability, Alice's message for each concept, and Bob's answers, a line a message.
    It is a strategy in the game against whoever chooses concept and point.

    >>> coin = PublicCoins(
    ...     tuple((Fraction(1, 2), (0, 0), np.full((1, 2), b)) for b in (0, 1)), np.eye(2)
    ... )
    >>> coin.messages, coin.error
    (1, Fraction(1, 2))
    """

    mixture: Mixture
    concepts: ConceptClass[Any]

    def __init__(self, mixture: Mixture, concepts: Table) -> None:
        hold(self, mixture=tuple(mixture), concepts=class_of(concepts))
        chances = [p for p, _, _ in self.mixture]
        if sum(chances, Fraction(0)) != 1 or min(chances) < 0:
            raise InvalidArgument("probabilities must be at least 0 and add up to 1")
        if any(min(cells) < 0 or max(cells) >= len(said) for _, cells, said in self.mixture):
            raise InvalidArgument("every message needs a line of answers")
        shape = rows_of(self.concepts).shape
        if any((len(cells), said.shape[1]) != shape for _, cells, said in self.mixture):
            raise InvalidArgument(f"it must have {shape[0]} concepts and {shape[1]} points")

    @classmethod
    def deterministic(cls, cells: Sequence[int], answers: Rows, concepts: Table) -> PublicCoins:
        """Return a protocol without coins: Alice's message for each concept, and Bob's answers.

        >>> sure = PublicCoins.deterministic((0, 1), np.eye(2, dtype=bool), np.eye(2))
        >>> sure.messages, sure.error
        (2, Fraction(0, 1))
        """
        said = np.asarray(answers, dtype=np.bool_)
        return cls(((Fraction(1), tuple(cells), said),), concepts)

    @property
    def messages(self) -> int:
        """The most messages that any of the protocols has."""
        return max(len(answers) for _, _, answers in self.mixture)

    @property
    def outputs(self) -> Tables:
        """Functions on the domain of the class."""
        return Tables(self.concepts)

    @property
    def error(self) -> Fraction:
        """The greatest probability of a wrong answer over all concepts and points."""
        return max(max(row) for row in self.errors)

    @property
    def errors(self) -> list[list[Fraction]]:
        """The probability of a wrong answer for each concept and point."""
        unit, truth = lcm(*(p.denominator for p, _, _ in self.mixture)), rows_of(self.concepts)
        found = np.zeros(truth.shape, dtype=np.int64 if unit < WORD else object)
        for chance, cells, answers in self.mixture:
            found += int(chance * unit) * (answers[list(cells)] != truth).astype(found.dtype)
        return [[Fraction(wrong, unit) for wrong in row] for row in found.tolist()]

    def draw(self, *, rng: Random) -> Listed:
        """Throw the coins."""
        return self._listed(self.mixture[drawn([p for p, _, _ in self.mixture], rng=rng)][2])

    def lottery(self) -> Lottery:
        """Yield Bob's answers for all outcomes of the coins."""
        return ((chance, self._listed(answers)) for chance, _, answers in self.mixture)

    def _listed(self, answers: Rows) -> Listed:
        return listed_functions(answers, self.concepts.domain())

    def answer(self, concept: int, point: int, *, rng: Random) -> bool:
        """Throw the coins and run it: Alice has a concept's number, Bob a point's."""
        _, cells, answers = self.mixture[drawn([p for p, _, _ in self.mixture], rng=rng)]
        return bool(answers[cells[concept], point])


@dataclass(frozen=True, slots=True, eq=False, init=False)
class PrivateCoins:
    """Alice draws her message by herself, and Bob his answer.

    `alice` has the probability of each message, a line a concept; `bob` that of yes at each point,
    a line a message.
    """

    alice: tuple[tuple[Fraction, ...], ...]
    bob: tuple[tuple[Fraction, ...], ...]
    concepts: ConceptClass[Any]

    def __init__(
        self,
        alice: Sequence[tuple[Fraction, ...]],
        bob: Sequence[tuple[Fraction, ...]],
        concepts: Table,
    ) -> None:
        hold(self, alice=tuple(alice), bob=tuple(bob), concepts=class_of(concepts))
        if any(sum(line, Fraction(0)) != 1 or min(line) < 0 for line in self.alice):
            raise InvalidArgument("Alice's probabilities must add up to 1 for each concept")
        if any(len(line) != len(self.bob) for line in self.alice):
            raise InvalidArgument("Alice and Bob must have the same messages")
        if any(not 0 <= p <= 1 for line in self.bob for p in line):
            raise InvalidArgument("Bob's probabilities must be between 0 and 1")
        if len(self.alice) != len(rows_of(self.concepts)):
            raise InvalidArgument("Alice must have a line for each concept")

    @property
    def messages(self) -> int:
        """The number of messages."""
        return len(self.bob)

    @property
    def bob_throws_no_coins(self) -> bool:
        """Whether each message has one answer at each point."""
        return all(p in (0, 1) for line in self.bob for p in line)

    @property
    def error(self) -> Fraction:
        """The greatest probability of a wrong answer over all concepts and points."""
        yes = np.array(self.alice, dtype=object) @ np.array(self.bob, dtype=object)
        wrong = np.where(rows_of(self.concepts), 1 - yes, yes)
        return Fraction(max(wrong.ravel()))

    def answer(self, concept: int, point: int, *, rng: Random) -> bool:
        """Run it: Alice has a concept's number, Bob a point's."""
        yes = self.bob[drawn(self.alice[concept], rng=rng)][point]
        return rng.below(yes.denominator) < yes.numerator


def product_bits(vc: int, error: Exact) -> tuple[Fraction, int]:
    """Bound the bits for the worst product distribution, from below and above [Vad17 Thm 8.8].

    Below: on a shattered set, Alice's bits are independent of Bob's place. Above: Alice sends her
    labels of public points and Bob predicts his own by the one-inclusion graph, or she sends the
    nearest concept of a packing [Hau95] (docs/proofs/communication.md).

    >>> low, high = product_bits(5, "1/8")
    >>> round(float(low), 2), high
    (2.28, 20)
    """
    d, error = check.count(vc=vc), check.probability(error=error)
    if 2 * error >= 1 or d == 0:
        return Fraction(0), 0
    lower = d * information(error)
    by_labels = (sauer(d, public_points(d, error)) - 1).bit_length()
    by_packing = ceil(
        upper(
            lambda: (
                (1 + real(d + 1).log() + d * (1 + (real(2) / real(error)).log())) / real(2).log()
            )
        )
    )
    return lower, min(by_labels, by_packing)


def public_points(vc: int, error: Exact) -> int:
    """Return how many labels make the one-inclusion predictor err so rarely: ceil(d / e) - 1.

    >>> public_points(1, "1/4")
    3
    """
    return ceil(check.count(vc=vc) / check.probability(error=error)) - 1
