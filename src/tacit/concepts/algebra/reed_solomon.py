"""Points by their Reed-Solomon code: few hypotheses that stand for all points, without coins."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import itemgetter
from typing import Any, ClassVar

import numpy as np
from flint import fmpz
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Cells, Gains, HypothesisClass, Points, clip
from tacit.concepts.contract.domains import LONGEST, within
from tacit.concepts.contract.feature import dialect_of, identifier, spoken
from tacit.concepts.outputs.bucket import Bucket, cut
from tacit.core import Exact, InvalidArgument, TooLarge, check, least

SQL = 62
"""Bits of a number that SQL calculates with in 64."""

WIDEST, SLACK = 60, 0.999
"""Bits of the largest prime that is tried."""

LARGEST = 1 << 20
"""Primes below it have products with a place and a sum that fit into 64 bits."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The value at a place of the polynomial whose coefficients are the digits of x in base p.

    >>> Evaluation(prime=7, digits=2, place=3)(np.array([0, 8, 48])).tolist()
    [0, 4, 3]
    """

    prime: int
    digits: int
    place: int

    @property
    def buckets(self) -> int:
        """The values are residues modulo p."""
        return self.prime

    def __call__(self, points: Points, /) -> NDArray[Any]:
        """Return the value of each point."""
        return _values(_digits(points, self.prime, self.digits), self.place, self.prime)

    def words(self, names: Sequence[str], /) -> str:
        """Say in English what the function computes."""
        name = spoken(names[0])
        return f"the base-{self.prime} digits of {name}, as a polynomial at {self.place},"

    def sql(self, columns: Sequence[str], /) -> str:
        """Write the function as a SQL expression, in 64 bits."""
        if self.prime ** (self.digits - 1) >= 1 << SQL:
            raise TooLarge(
                f"digits of numbers of more than {SQL} bits have no SQL form; predict in Python, "
                "or declare a smaller domain"
            )
        x = f"CAST({identifier(columns[0])} AS BIGINT)"
        powers = [pow(self.place, i, self.prime) for i in range(self.digits)]
        over = dialect_of(columns).quotient
        terms = [
            f"{c} * (({x} {over} {self.prime**i}) % {self.prime})" for i, c in enumerate(powers)
        ]
        return f"(({' + '.join(terms)}) % {self.prime})"


@dataclass(frozen=True, slots=True)
class ReedSolomon(HypothesisClass[Bucket]):
    """The hypotheses "the polynomial of x takes this value at this place", for so many places.

    Polynomials of degree below k agree in at most k - 1 places. So the hypotheses that a point z
    meets, one for each place, all say yes at z, and of them at most k - 1 do so at any other point:
    whatever the distribution, one of them has error at most (k - 1) / places.

    >>> code = ReedSolomon.least(64, "1/4")
    >>> str(code), code.size, code.approximation
    ('reed_solomon(bits=64, prime=47, places=44)', 2068, Fraction(1, 4))
    """

    bits: int
    prime: int
    places: int

    family: ClassVar[str] = "reed_solomon"
    features: ClassVar[int] = 1

    def __post_init__(self) -> None:
        within(check.count(bits=self.bits, least=1), said="bits", up_to=LONGEST)
        check.count(places=self.places, least=1)
        prime = check.count(prime=self.prime, least=2)
        if prime >= 1 << SQL or not fmpz(prime).is_prime() or self.places > prime:
            raise InvalidArgument("prime must be a prime below 2^62, and at least places")

    @classmethod
    def least(cls, bits: int, alpha: Exact) -> ReedSolomon:
        """Return the fewest hypotheses of this kind whose approximation is at most alpha."""
        alpha, bits = check.probability(alpha=alpha), check.count(bits=bits, least=1)
        first = -(-bits // WIDEST)

        def places(digits: int) -> int:
            return max(1, math.ceil((digits - 1) / alpha))

        middle = least(lambda d: places(d) >= 2 ** (bits / d), first, bits)
        found: list[tuple[int, int, ReedSolomon]] = []
        for digits in (*range(middle, first - 1, -1), *range(middle + 1, bits + 1)):
            many = places(digits)
            if found and digits > middle and many**2 > found[0][0]:
                break
            if not found or many * SLACK * 2 ** (bits / digits) <= found[0][0]:
                code = cls(bits, _prime(max(_root(1 << bits, digits), many)), many)
                found = [min([(code.size, digits, code), *found], key=itemgetter(0, 1))]
        return found[0][2]

    @property
    def digits(self) -> int:
        """How many digits a point has."""
        digits = max(1, self.bits // self.prime.bit_length())
        while self.prime**digits < 1 << self.bits:
            digits += 1
        return digits

    @property
    def size(self) -> int:
        """The number of hypotheses."""
        return self.places * self.prime

    @property
    def approximation(self) -> Fraction:
        """The error that some hypothesis does not exceed, whatever the point and distribution."""
        return Fraction(self.digits - 1, self.places)

    def clip(self, points: Points, /) -> Points:
        return clip(points, 1 << self.bits)

    def cells(self, points: Points, gains: Gains, /) -> Cells[Bucket]:
        """Give every value that occurs at a place a cell, and all others one cell of gain 0.

        O(m places) for m points, up to a logarithm, whatever the prime.
        """
        count = self.digits
        digits = _digits(points, self.prime, count)
        values = [
            place * self.prime + _values(digits, place, self.prime) for place in range(self.places)
        ]

        def named(value: int) -> Bucket:
            place, inside = divmod(value, self.prime)
            return Bucket(Evaluation(self.prime, count, place), inside)

        return cut(np.concatenate(values), np.tile(gains, self.places), self.size, named)

    def encode(self, concept: Bucket, /) -> dict[str, Any]:
        assert isinstance(concept.of, Evaluation)
        return {"place": concept.of.place, "value": concept.value}

    def decode(self, encoded: dict[str, Any], /) -> Bucket:
        match encoded:
            case {"place": place, "value": value, **rest} if not rest:
                fits = check.count(place=place) < self.places
                if fits and check.count(value=value) < self.prime:
                    return Bucket(Evaluation(self.prime, self.digits, place), value)
        raise InvalidArgument(f"{encoded} is no hypothesis of {self}")


def _digits(points: Points, prime: int, count: int) -> NDArray[Any]:
    """Return the digits of the points, lowest first: one row a digit."""
    rest, rows = points, []
    for _ in range(count):
        rows.append((rest % prime).astype(np.int64 if prime < LARGEST else object))
        rest = rest // prime
    return np.array(rows)


def _values(digits: NDArray[Any], place: int, prime: int) -> NDArray[Any]:
    """Evaluate the polynomials with these coefficients at a place, by Horner's rule."""
    value: NDArray[Any] = np.zeros_like(digits[0])
    for row in digits[::-1]:
        value = (value * place + row) % prime
    return value


def _prime(least: int) -> int:
    """Return the least prime that is at least so large."""
    number = max(2, least)
    while not fmpz(number).is_prime():
        number += 1
    return number


def _root(number: int, degree: int) -> int:
    """Return the least integer whose power of this degree is at least `number`."""
    root = int(fmpz(number).root(degree))
    return root if root**degree >= number else root + 1
