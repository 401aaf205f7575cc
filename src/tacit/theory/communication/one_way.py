"""One-way protocols written out: who says what with which probability, and the exact error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tacit.core.chance.randomness import Random
from tacit.core.errors import InvalidArgument
from tacit.theory.communication.protocol_game import Mixture

Rows = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class PublicCoins:
    """Deterministic protocols, one of which the public coins choose.

    Of each: its probability, Alice's message for each concept, and Bob's answers, a line a message.

    >>> coin = PublicCoins(tuple((Fraction(1, 2), (0, 0), np.full((1, 2), b)) for b in (0, 1)))
    >>> coin.messages, coin.error(np.eye(2, dtype=bool))
    (1, Fraction(1, 2))
    """

    mixture: Mixture

    def __post_init__(self) -> None:
        chances = [p for p, _, _ in self.mixture]
        if sum(chances, Fraction(0)) != 1 or min(chances) < 0:
            raise InvalidArgument("probabilities must be at least 0 and add up to 1")
        if any(min(cells) < 0 or max(cells) >= len(said) for _, cells, said in self.mixture):
            raise InvalidArgument("every message needs a line of answers")

    @classmethod
    def deterministic(cls, cells: Sequence[int], answers: Rows) -> PublicCoins:
        """Return a protocol without coins: Alice's message for each concept, and Bob's answers.

        >>> sure = PublicCoins.deterministic((0, 1), np.eye(2, dtype=bool))
        >>> sure.messages, sure.error(np.eye(2, dtype=bool))
        (2, Fraction(0, 1))
        """
        return cls(((Fraction(1), tuple(cells), np.asarray(answers, dtype=np.bool_)),))

    @property
    def messages(self) -> int:
        """The most messages that any of the protocols has."""
        return max(len(answers) for _, _, answers in self.mixture)

    def error(self, concepts: Rows) -> Fraction:
        """Return the greatest probability of a wrong answer over all concepts and points."""
        return max(max(row) for row in self.errors(concepts))

    def errors(self, concepts: Rows) -> list[list[Fraction]]:
        """Return the probability of a wrong answer for each concept and point."""
        found = np.zeros(concepts.shape, dtype=object) + Fraction(0)
        for chance, cells, answers in self.mixture:
            found = found + chance * _whole(answers[list(cells)] != concepts)
        return [list(row) for row in found]

    def answer(self, concept: int, point: int, *, rng: Random) -> bool:
        """Throw the coins and run it: Alice has a concept's number, Bob a point's."""
        _, cells, answers = self.mixture[drawn([p for p, _, _ in self.mixture], rng=rng)]
        return bool(answers[cells[concept], point])


@dataclass(frozen=True, slots=True, eq=False)
class PrivateCoins:
    """Alice draws her message by herself, and Bob his answer.

    `alice` has the probability of each message, a line a concept; `bob` that of yes at each point,
    a line a message.
    """

    alice: tuple[tuple[Fraction, ...], ...]
    bob: tuple[tuple[Fraction, ...], ...]

    def __post_init__(self) -> None:
        if any(sum(line, Fraction(0)) != 1 or min(line) < 0 for line in self.alice):
            raise InvalidArgument("Alice's probabilities must add up to 1 for each concept")
        if any(len(line) != len(self.bob) for line in self.alice):
            raise InvalidArgument("Alice and Bob must have the same messages")
        if any(not 0 <= p <= 1 for line in self.bob for p in line):
            raise InvalidArgument("Bob's probabilities must be between 0 and 1")

    @property
    def messages(self) -> int:
        """The number of messages."""
        return len(self.bob)

    @property
    def bob_throws_no_coins(self) -> bool:
        """Whether each message has one answer at each point."""
        return all(p in (0, 1) for line in self.bob for p in line)

    def error(self, concepts: Rows) -> Fraction:
        """Return the greatest probability of a wrong answer over all concepts and points."""
        if len(concepts) != len(self.alice):
            raise InvalidArgument("Alice must have a line for each concept")
        yes = np.array(self.alice, dtype=object) @ np.array(self.bob, dtype=object)
        wrong = np.where(concepts, 1 - yes, yes)
        return Fraction(max(wrong.ravel()))

    def answer(self, concept: int, point: int, *, rng: Random) -> bool:
        """Run it: Alice has a concept's number, Bob a point's."""
        yes = self.bob[drawn(self.alice[concept], rng=rng)][point]
        return rng.below(yes.denominator) < yes.numerator


def drawn(chances: tuple[Fraction, ...] | list[Fraction], *, rng: Random) -> int:
    """Draw a number with exactly these probabilities.

    >>> from tacit.core.chance.randomness import Seeded
    >>> drawn((Fraction(0), Fraction(1)), rng=Seeded(1))
    1
    """
    unit = int(np.lcm.reduce(np.array([p.denominator for p in chances], dtype=object)))
    left = rng.below(unit)
    for i, chance in enumerate(chances):
        left -= int(chance * unit)
        if left < 0:
            return i
    raise AssertionError("probabilities add up to 1")


def _whole(table: NDArray[np.bool_]) -> NDArray[np.object_]:
    return table.astype(np.int64).astype(object)
