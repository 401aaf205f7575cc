"""Carter-Wegman hashing of numbers of any size, with its exact collision probability."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import HypothesisClass, Points, clip, listable
from tacit.concepts.contract.feature import dialect_of, identifier, spoken
from tacit.concepts.outputs.bucket import Bucket
from tacit.core import InvalidArgument, Random, TooLarge, check, hold

MERSENNE = (2, 3, 5, 7, 13, 17, 19, 31, 61, 89, 107, 127, 521, 607, 1279)
"""The first exponents e for which 2^e - 1 is a prime."""

LONG = 521  # the exponent for numbers of many blocks
WORD = 31  # up to this exponent products fit into 64 bits
HUGE = 89  # and up to this into 128 bits, if one factor comes in pieces of LIMB bits
DOUBLE = 61  # and up to this into 64 bits, if it comes bit by bit
LIMB = 32
MOST = 1 << 64  # buckets
BLOCKS = 1 << 64  # no computer holds a number of more blocks


@dataclass(frozen=True, slots=True)
class Hash:
    """x -> ((multiplier x + shift) mod P) mod buckets, P = 2^exponent - 1 a prime.

    Numbers too long for P are cut into blocks of exponent - 1 bits, which are first added up with
    the powers of `base` as weights; `base` is 0 where one block is enough.

    >>> Hash(7, 3, 2, 0, buckets=100)(np.array([0, 1, 9])).tolist()
    [2, 5, 29]
    """

    exponent: int
    multiplier: int
    shift: int
    base: int
    buckets: int

    @property
    def prime(self) -> int:
        """The modulus."""
        return (1 << self.exponent) - 1

    def __call__(self, points: Points, /) -> NDArray[Any]:
        x = points.astype(np.int64 if self.exponent <= WORD and not self.base else object)
        if self.base:
            x = np.array([self._folded(int(point)) for point in points], dtype=object)
        values: NDArray[Any] = (self.multiplier * x + self.shift) % self.prime % self.buckets
        return values

    def words(self, names: Sequence[str], /) -> str:
        """Say in English what the function computes."""
        name = spoken(names[0])
        if self.base:
            name = (
                f"(the {self.exponent - 1}-bit blocks of {name} weighted by powers of {self.base})"
            )
        inner = f"(({self.multiplier} times {name} plus {self.shift}) modulo {self.prime})"
        return f"{inner} modulo {self.buckets}"

    def sql(self, columns: Sequence[str], /) -> str:
        """Write the function as a SQL expression: in 64 bits for domains of up to 30, else in 128.

        Longer domains are multiplied piece by piece, so that 128 bits hold every product; where a
        server has 64 only, so are numbers of up to 60 bits.
        """
        x, a, p, dialect = identifier(columns[0]), self.multiplier, self.prime, dialect_of(columns)
        longest = HUGE if dialect.wide else DOUBLE
        if self.exponent > longest:
            raise TooLarge(
                f"the hash of numbers of {longest} bits and more has no SQL form for "
                f"{dialect.title}; predict in Python, or declare a smaller domain"
            )
        if self.exponent <= WORD:
            product = f"{a} * CAST({x} AS BIGINT)"
        elif self.exponent < HUGE and dialect.wide:
            product = f"{a} * CAST({x} AS {dialect.wide})"
        else:
            limb, kind = (LIMB, dialect.wide) if dialect.wide else (1, "BIGINT")
            product = "0"
            for place in reversed(range(0, longest - 1, limb)):
                piece = f"(CAST({x} AS {kind}) {dialect.quotient} {1 << place}) % {1 << limb}"
                product = f"(({product}) % {p}) * {1 << limb} + {a} * ({piece})"
        return f"((({product} + {self.shift}) % {p}) % {self.buckets})"

    def _folded(self, x: int) -> int:
        width, total = self.exponent - 1, 0
        for block in reversed(range(-(-x.bit_length() // width))):
            total = (total * self.base + (x >> block * width & (1 << width) - 1)) % self.prime
        return total


@dataclass(frozen=True, slots=True)
class Hashes(HypothesisClass[Bucket]):
    """The hypotheses "x has this hash", over {0, ..., 2^bits - 1} or over all natural numbers.

    >>> str(Hashes(bits=64, buckets=1024)), str(Hashes(buckets=8))
    ('hashes(bits=64, buckets=1024)', 'hashes(buckets=8)')
    >>> float(Hashes(bits=64, buckets=1024).collision)
    0.0009765625
    """

    buckets: int
    bits: int | None = None

    family: ClassVar[str] = "hashes"
    features: ClassVar[int] = 1

    def __init__(self, buckets: int, bits: int | None = None) -> None:
        hold(self, bits=bits if bits is None else check.count(bits=bits, least=1))
        hold(self).count(buckets=buckets, least=2)
        if buckets > MOST:
            raise InvalidArgument(f"buckets must be at most 2^64, got {buckets}")

    def __str__(self) -> str:
        return f"hashes({f'bits={self.bits}, ' if self.bits else ''}buckets={self.buckets})"

    @property
    def exponent(self) -> int:
        """The exponent of the prime: the least that keeps points and buckets apart."""
        width = max(MERSENNE[-1] if self.bits is None else self.bits, self.buckets.bit_length() - 1)
        return next((e for e in MERSENNE if e > width), LONG)

    @property
    def blocks(self) -> int:
        """How many blocks the longest number has."""
        return min(BLOCKS, -(-self.bits // (self.exponent - 1))) if self.bits else BLOCKS

    @property
    def long(self) -> bool:
        """Whether some numbers are too long for one block."""
        return self.blocks > 1

    @property
    def collision(self) -> Fraction:
        """The probability that two points share a bucket: at most, and exactly if one block.

        Two distinct residues are sent to a uniform pair of distinct residues, and there are
        r buckets of q + 1 residues and buckets - r of q, where P = q buckets + r. The blocks of two
        numbers are polynomials, which agree in at most blocks - 1 places.
        """
        prime = (1 << self.exponent) - 1
        q, r = divmod(prime, self.buckets)
        pairs = r * (q + 1) * q + (self.buckets - r) * q * (q - 1)
        return Fraction(pairs, prime * (prime - 1)) + Fraction(self.blocks - 1, prime)

    def clip(self, points: Points, /) -> Points:
        return np.maximum(points, 0) if self.bits is None else clip(points, 1 << self.bits)

    def draw(self, *, rng: Random) -> Hash:
        """Draw a hash: the public coins."""
        prime = (1 << self.exponent) - 1
        base = rng.below(prime) or prime if self.long else 0
        multiplier, shift = 1 + rng.below(prime - 1), rng.below(prime)
        return Hash(self.exponent, multiplier, shift, base, self.buckets)

    def seeds(self) -> Iterator[Hash]:
        """Yield all hashes, equally likely ones, where they are few."""
        prime = (1 << self.exponent) - 1
        listable(prime**2 * self.blocks, what="hashes")
        for multiplier, shift in product(range(1, prime), range(prime)):
            yield Hash(self.exponent, multiplier, shift, 0, self.buckets)

    def encode(self, concept: Bucket, /) -> dict[str, Any]:
        assert isinstance(concept.of, Hash)
        base = {"base": concept.of.base} if self.long else {}
        seed = {"multiplier": concept.of.multiplier, "shift": concept.of.shift, **base}
        return {**seed, "bucket": concept.value}

    def decode(self, encoded: dict[str, Any], /) -> Bucket:
        prime = (1 << self.exponent) - 1
        match encoded:
            case {"multiplier": a, "shift": b, "bucket": v, **rest} if set(rest) <= {"base"}:
                base = check.count(base=rest.get("base", 0))
                read = Hash(
                    self.exponent,
                    check.count(multiplier=a, least=1),
                    check.count(shift=b),
                    base,
                    self.buckets,
                )
                fits = max(read.multiplier, read.shift) < prime and base <= prime
                if fits and check.count(bucket=v) < self.buckets and (base > 0) == self.long:
                    return Bucket(read, v)
        raise InvalidArgument(f"{encoded} is no hypothesis of {self}")
