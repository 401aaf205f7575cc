"""Lines over a prime field, hashed: yes where a line through the point has a given hash."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.algebra.hashes import Hash, Hashes
from tacit.concepts.algebra.lines import Lines
from tacit.concepts.contract.concept_class import (
    Cells,
    Concept,
    Gains,
    HypothesisClass,
    Points,
    clip,
)
from tacit.concepts.contract.feature import Feature, dialect_of, identifier, spoken
from tacit.concepts.outputs.bucket import Bucket, cut
from tacit.core import InvalidArgument, TooLarge, check

LARGEST = 1 << 16
"""Of primes: each point is evaluated on all p lines through it."""

CHUNK = 1 << 20
"""Lines that are hashed at once: some megabytes."""


@dataclass(frozen=True, slots=True)
class LineHash:
    """The hash of the line y = a x + c modulo p is the hash of the number a p + c."""

    p: int
    hash: Hash

    def through(self, points: Points, /) -> NDArray[Any]:
        """Return the hashes of the p lines through each point, one row a point."""
        slopes = np.arange(self.p, dtype=np.int64)
        x, y = (points[:, i].astype(np.int64)[:, None] for i in (0, 1))
        return self.hash((slopes * self.p + (y - slopes * x) % self.p).ravel()).reshape(-1, self.p)


@dataclass(frozen=True, slots=True)
class LineBucket(Concept):
    """Yes where some line through the point has this hash."""

    of: LineHash
    value: int

    def __call__(self, points: Points, /) -> NDArray[np.bool_]:
        """Evaluate on many points at once, in time p a point."""
        step = max(1, CHUNK // self.of.p)
        parts = [
            (self.of.through(points[i : i + step]) == self.value).any(axis=1)
            for i in range(0, len(points), step)
        ]
        return np.concatenate([np.zeros(0, dtype=np.bool_), *parts])

    def rule(self, names: Sequence[str], /) -> str:
        x, y = map(spoken, names[:2])
        p, number = self.of.p, f"{self.of.p} a + ({y} - a {x} modulo {self.of.p})"
        return (
            f"for some a below {p} and u = {number}, {Bucket(self.of.hash, self.value).rule('u')}"
        )

    def sql(self, columns: Sequence[str], /) -> str:
        """Write the function as a SQL expression over all slopes."""
        x, y = (f"CAST({identifier(name)} AS BIGINT)" for name in columns[:2])
        p, dialect = self.of.p, dialect_of(columns)
        number = Feature("u", show=str, coded="u", term=lambda: "u", dialect=dialect)
        test = Bucket(self.of.hash, self.value).sql([number])
        line = f"a * {p} + (({y} - a * {x}) % {p} + {p}) % {p}"
        return f"({dialect.fill(dialect.some, line=line, last=str(p - 1), test=test)})"


@dataclass(frozen=True, slots=True)
class LineBuckets:
    """The buckets of one hash of lines, as a set of hypotheses."""

    of: LineHash

    @property
    def size(self) -> int:
        """The number of buckets."""
        return self.of.hash.buckets

    def cells(self, points: Points, gains: Gains, /) -> Cells[Any]:
        """Give every bucket of a line through a point a cell, all others one of gain 0.

        O(p m) for m points, up to a logarithm; a point counts once in each bucket.
        """
        hit = [np.unique(row) for row in self.of.through(points)] if len(points) else []
        values = np.concatenate([np.zeros(0, dtype=np.int64), *hit])
        each = np.repeat(gains, [len(row) for row in hit]).astype(np.int64)
        named: Any = lambda value: LineBucket(self.of, value)  # noqa: E731
        return cut(values, each, self.size, named)


@dataclass(frozen=True, slots=True)
class LineHashes(HypothesisClass[LineBucket]):
    """The hypotheses "some line through the point has this hash".

    >>> str(LineHashes(101, 5000)), LineHashes(101, 5000).hashes.bits
    ('line_hashes(p=101, buckets=5000)', 14)
    """

    p: int
    buckets: int

    family: ClassVar[str] = "line_hashes"
    features: ClassVar[int] = 2

    def __post_init__(self) -> None:
        if Lines(self.p).p > LARGEST:
            raise TooLarge(f"p must be at most {LARGEST}: a point is evaluated in time p")
        check.count(buckets=self.buckets, least=2)

    @property
    def hashes(self) -> Hashes:
        """The family of hashes of the numbers of lines."""
        return Hashes(self.buckets, (self.p**2 - 1).bit_length())

    def clip(self, points: Points, /) -> Points:
        return clip(points, self.p)

    def encode(self, concept: LineBucket, /) -> dict[str, Any]:
        return self.hashes.encode(Bucket(concept.of.hash, concept.value))

    def decode(self, encoded: dict[str, Any], /) -> LineBucket:
        read = self.hashes.decode(encoded)
        if not isinstance(read.of, Hash):
            raise InvalidArgument(f"{encoded} is no hypothesis of {self}")
        return LineBucket(LineHash(self.p, read.of), read.value)
