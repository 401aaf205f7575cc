"""Representations: hypotheses, fixed or drawn by public coins, that stand for a whole class.

A learner need not choose from the class itself; it is enough to choose from hypotheses of which
one comes near the target, whatever the target and the distribution. Proofs in
docs/proofs/representation_learner.md.

Of the papers: BNS19 Def 10, BNS19 Claim 17, BNS19 Ex 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import lcm, prod
from typing import Any, ClassVar, Protocol, TypeVar

from tacit.concepts.algebra.reed_solomon import ReedSolomon
from tacit.concepts.contract.concept_class import HypothesisClass, listable
from tacit.concepts.contract.hypothesis_set import HypothesisSet, Together, answers
from tacit.concepts.outputs.point_sets import Tables, listed_functions
from tacit.core import Exact, InvalidArgument, Random, check, hold
from tacit.core.numbers.enclosures import log_lower, log_upper
from tacit.core.numbers.least import least_near
from tacit.theory.representations.representation import (
    ProbabilisticRepresentation,
    Rows,
    representation_value,
)
from tacit.theory.solving.incidence import Table, class_of, rows_of

D = TypeVar("D")
Lottery = Iterator[tuple[Fraction, HypothesisSet]]


class Representation(Protocol):
    """Sets of hypotheses drawn without the data.

    For each concept and each distribution, the set drawn holds a hypothesis within `approximation`
    of the concept, except with probability `failure`.
    """

    @property
    def outputs(self) -> HypothesisClass[Any]:
        """What the hypotheses belong to."""

    @property
    def size(self) -> int:
        """The most hypotheses that a set has."""

    @property
    def approximation(self) -> Fraction:
        """How near the best hypothesis comes to the concept."""

    @property
    def failure(self) -> Fraction:
        """The probability of a set without such a hypothesis."""

    @property
    def together(self) -> int:
        """How many hypotheses err so rarely, on average, at every single point; 0 if unknown."""

    def draw(self, *, rng: Random) -> HypothesisSet:
        """Draw a set with public coins."""

    def lottery(self) -> Lottery:
        """Yield all sets with their probabilities, where they are few."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """One set, and no coins: a deterministic representation.

    >>> reed_solomon(64, "1/4").size
    2068
    """

    among: HypothesisSet
    outputs: HypothesisClass[Any]
    approximation: Fraction
    together: int

    def __init__(
        self,
        among: HypothesisSet,
        outputs: HypothesisClass[Any],
        approximation: Exact,
        *,
        together: int = 0,
    ) -> None:
        hold(self, among=among, outputs=outputs)
        near = check.small_probability(approximation=approximation)
        hold(self, approximation=near).count(together=together)

    @property
    def size(self) -> int:
        """The number of hypotheses."""
        return self.among.size

    @property
    def failure(self) -> Fraction:
        """None."""
        return Fraction(0)

    def draw(self, *, rng: Random) -> HypothesisSet:  # noqa: ARG002
        """Return the set."""
        return self.among

    def lottery(self) -> Lottery:
        """Yield the set."""
        yield Fraction(1), self.among


@lru_cache(maxsize=256)
def reed_solomon(bits: int, approximation: Exact) -> Fixed:
    """Return the least representation of all points of a domain by a Reed-Solomon code [RS60].

    >>> [reed_solomon(bits, "1/4").size for bits in (8, 16, 32)]
    [68, 204, 696]
    """
    code = ReedSolomon.least(bits, approximation)
    return Fixed(code, code, code.approximation, together=code.places)


@dataclass(frozen=True, slots=True)
class Drawn:
    """One of several sets, with these chances or all equally likely: a lottery over sets."""

    sets: tuple[HypothesisSet, ...]
    outputs: HypothesisClass[Any]
    approximation: Fraction
    failure: Fraction
    chances: tuple[Fraction, ...]

    together: ClassVar[int] = 0
    """Unknown."""

    def __init__(
        self,
        sets: tuple[HypothesisSet, ...],
        outputs: HypothesisClass[Any],
        *,
        approximation: Exact,
        failure: Exact,
        chances: Sequence[Fraction] | None = None,
    ) -> None:
        if not sets:
            raise InvalidArgument("sets must be at least one")
        even = chances or (Fraction(1, len(sets)),) * len(sets)
        if len(even) != len(sets) or sum(even) != 1 or min(even) < 0:
            raise InvalidArgument("chances must be at least 0 and add up to 1, one for each set")
        near = check.small_probability(approximation=approximation)
        hold(self, sets=tuple(sets), outputs=outputs, approximation=near, chances=tuple(even))
        hold(self).small_probability(failure=failure)

    @property
    def size(self) -> int:
        """The most hypotheses that a set has."""
        return max(among.size for among in self.sets)

    def draw(self, *, rng: Random) -> HypothesisSet:
        """Draw a set."""
        return self.sets[drawn(self.chances, rng=rng)]

    def lottery(self) -> Lottery:
        """Yield all sets."""
        return zip(self.chances, self.sets, strict=True)


@dataclass(frozen=True, slots=True)
class Repeated:
    """Several independent draws together: all of them must fail [BNS19 Claim 17].

    >>> from tacit.concepts.line.points import Points
    >>> once = Drawn((Points(2),), Points(2), approximation=0, failure="1/4")
    >>> Repeated.until(once, "0.01").draws
    4
    """

    of: Representation
    draws: int

    together: ClassVar[int] = 0
    """Unknown."""

    def __post_init__(self) -> None:
        check.count(draws=self.draws, least=1)

    @classmethod
    def until(cls, of: Representation, failure: Exact) -> Repeated:
        """Return the fewest draws that fail with at most this probability."""
        return cls(of, draws_until(of.failure, failure))

    @property
    def outputs(self) -> HypothesisClass[Any]:
        """What the hypotheses belong to."""
        return self.of.outputs

    @property
    def size(self) -> int:
        """The most hypotheses that a set has."""
        return self.draws * self.of.size

    @property
    def approximation(self) -> Fraction:
        """As near as one draw comes."""
        return self.of.approximation

    @property
    def failure(self) -> Fraction:
        """The probability that all draws fail."""
        return self.of.failure**self.draws

    def draw(self, *, rng: Random) -> HypothesisSet:
        """Draw the sets and put them together; what two of them hold counts twice."""
        return Together(tuple(self.of.draw(rng=rng) for _ in range(self.draws)))

    def lottery(self) -> Lottery:
        """Yield all sets."""
        several = independent(self.of.lottery(), self.draws)
        return ((chance, Together(sets)) for chance, sets in several)


def draws_until(missed: Fraction, failure: Exact) -> int:
    """Return the fewest independent draws that all miss with at most this probability.

    >>> draws_until(Fraction(1, 4), "0.01")
    4
    """
    failure = check.probability(failure=failure)
    about = int(log_lower(failure) / log_upper(missed)) if missed else 1
    return least_near(lambda draws: missed**draws <= failure, about, low=1)


def drawn(chances: Sequence[Fraction], *, rng: Random) -> int:
    """Draw a number with exactly these probabilities.

    >>> from tacit.core.chance.randomness import Seeded
    >>> drawn((Fraction(0), Fraction(1)), rng=Seeded(1))
    1
    """
    unit = lcm(*(p.denominator for p in chances))
    left = rng.below(unit)
    for i, chance in enumerate(chances):
        left -= int(chance * unit)
        if left < 0:
            return i
    raise AssertionError("probabilities add up to 1")


def evenly(outcomes: Iterable[D]) -> Iterator[tuple[Fraction, D]]:
    """Yield equally likely outcomes with their probability."""
    listed = list(outcomes)
    return ((Fraction(1, len(listed)), each) for each in listed)


def independent(
    once: Iterable[tuple[Fraction, D]], times: int
) -> Iterator[tuple[Fraction, tuple[D, ...]]]:
    """Yield the outcomes of so many independent draws with their probabilities, where they are few.

    >>> [(str(chance), said) for chance, said in independent([(Fraction(1), "a")], 2)]
    [('1', ('a', 'a'))]
    """
    listed = list(once)
    listable(len(listed) ** times, what="draws")
    return (
        (prod((p for p, _ in chosen), start=Fraction(1)), tuple(outcome for _, outcome in chosen))
        for chosen in product(listed, repeat=times)
    )


def written_out(
    lottery: Iterable[tuple[Fraction, HypothesisSet]], concepts: Table
) -> ProbabilisticRepresentation:
    """Return the sets that a lottery draws as tables on the domain of a class, equal ones once.

    >>> from tacit.theory.representations.of_points import BucketedPoints
    >>> table = written_out(BucketedPoints.least(1, "2/5", "1/2").lottery(), "points(bits=1)")
    >>> len(table.sets), sum(table.probabilities)
    (2, Fraction(1, 1))
    """
    points = class_of(concepts).domain()
    chances: dict[bytes, Fraction] = {}
    tables: dict[bytes, Rows] = {}
    for chance, among in lottery:
        table = answers(among, points)
        key = table.tobytes()
        tables[key] = table
        chances[key] = chances.get(key, Fraction(0)) + chance
    return ProbabilisticRepresentation(tuple(tables.values()), tuple(chances.values()))


def fixed_by(hypotheses: Rows, concepts: Table) -> Fixed:
    """Return hypotheses as a representation, with the least distance that is true of them.

    >>> import numpy as np
    >>> fixed_by(np.array([[0, 0], [1, 1]], dtype=bool), np.eye(2)).approximation
    Fraction(1, 2)
    """
    of = class_of(concepts)
    values = [representation_value(hypotheses, concept).upper for concept in rows_of(of)]
    return Fixed(listed_functions(hypotheses, of.domain()), Tables(of), max(values))


def drawn_by(table: ProbabilisticRepresentation, concepts: Table, approximation: Exact) -> Drawn:
    """Return a lottery over tables as a representation, with the failure that is true of it.

    >>> import numpy as np
    >>> halves = ProbabilisticRepresentation(
    ...     tuple(np.eye(2, dtype=bool)[:, None]), (Fraction(1, 2),) * 2
    ... )
    >>> drawn_by(halves, np.eye(2), "1/4").failure
    Fraction(1, 2)
    """
    of, near = class_of(concepts), check.small_probability(approximation=approximation)
    return Drawn(
        tuple(listed_functions(rows, of.domain()) for rows in table.sets),
        Tables(of),
        approximation=near,
        failure=max(table.failure(concept, near) for concept in rows_of(of)),
        chances=table.probabilities,
    )
