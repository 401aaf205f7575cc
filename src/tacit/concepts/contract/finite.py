"""A class given as a 0/1 matrix: the reference that all other families are tested against."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from itertools import combinations
from math import prod
from tokenize import TokenError
from typing import Any, ClassVar

import numpy as np
from numpy.lib.format import read_array_header_1_0, read_array_header_2_0, read_magic
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import (
    Bracket,
    Cells,
    Concept,
    ConceptClass,
    Gains,
    Points,
    clip,
    one_by_one,
)
from tacit.concepts.contract.feature import identifier, shown
from tacit.core import InvalidArgument, check, hold
from tacit.core.bounded_file import read_bytes
from tacit.core.numbers.exact import told

EXHAUSTIVE = 1300
"""Entries of a matrix whose dimensions are searched for here, by definition, within a second."""

ENTRIES = 1 << 24
"""Entries of a matrix: so that it is read in seconds, and held in some hundred megabytes."""


@dataclass(frozen=True, slots=True)
class Row(Concept):
    """One row of the matrix: yes on the listed points.

    >>> Row(0, (False, True, True)).rule(["ward"])
    'ward is 1 or 2'
    """

    index: int
    values: tuple[bool, ...] = field(repr=False)

    def __call__(self, points: Points, /) -> NDArray[np.bool_]:
        return np.array(self.values, dtype=np.bool_)[points.astype(np.int64)]

    def rule(self, names: Sequence[str], /) -> str:
        yes = [shown(names[0], x) for x, value in enumerate(self.values) if value]
        if len(yes) in (0, len(self.values)):
            return "always" if yes else "never"
        return f"{names[0]} is {' or '.join(yes)}"

    def sql(self, columns: Sequence[str], /) -> str:
        yes = [str(x) for x, value in enumerate(self.values) if value]
        return f"({identifier(columns[0])} IN ({', '.join(yes)}))" if yes else "(1 = 0)"


@dataclass(frozen=True, slots=True)
class Finite(ConceptClass[Row]):
    """Any finite class over {0, ..., m - 1}: rows are concepts, columns are points.

    >>> little = Finite(((0, 0, 1), (0, 1, 1), (1, 1, 1)))
    >>> little.size, little.vc.upper, little.littlestone.upper
    (3, 1, 1)
    """

    matrix: tuple[tuple[bool, ...], ...] = field(repr=False)
    source: str = "matrix"

    family: ClassVar[str] = "matrix"
    example: ClassVar[str] = "matrix(FILE)"
    features: ClassVar[int] = 1

    def __init__(self, matrix: Iterable[Sequence[int]], source: str = "matrix") -> None:
        rows = tuple(_bits(row) for row in matrix)
        if not rows or not rows[0] or len({len(row) for row in rows}) != 1:
            raise InvalidArgument("matrix must have at least one row and rows of equal length >= 1")
        if len(rows) * len(rows[0]) > ENTRIES:
            raise InvalidArgument(
                f"matrix has {len(rows)} rows of {len(rows[0])}, and at most {ENTRIES} entries are "
                "read; take fewer points or concepts"
            )
        if len(set(rows)) != len(rows):
            first = {row: i for i, row in reversed(list(enumerate(rows)))}
            twice = next(i for i, row in enumerate(rows) if first[row] < i)
            raise InvalidArgument(
                f"matrix row {twice + 1} is equal to an earlier one, and a class is a set of "
                "functions: delete one of them"
            )
        hold(self, matrix=rows, source=source)

    @classmethod
    def read(cls, path: str) -> Finite:
        """Read a file of 0s and 1s, one concept a line, or the same as an array in a .npy.

        On a line they stand between commas, between blanks, or next to each other.
        """
        try:
            read = read_bytes(path)
            if path.endswith(".npy"):
                return cls(_array(read), source=path)
            lines = read.decode("utf-8-sig").splitlines()
            return cls([_digits(line) for line in map(str.strip, lines) if line], source=path)
        except OSError as error:
            raise InvalidArgument(f"matrix file {told(path)}: {error.strerror}") from None
        except UnicodeDecodeError:
            raise InvalidArgument(
                f"matrix file {path} is neither text nor an array in a .npy; save it as one"
            ) from None
        except InvalidArgument as error:
            raise InvalidArgument(f"matrix file {told(path)}: {error}") from None

    def __str__(self) -> str:
        return f"matrix({self.source})"

    @property
    def domain_size(self) -> int:
        return len(self.matrix[0])

    @property
    def size(self) -> int:
        return len(self.matrix)

    @property
    def vc(self) -> Bracket:
        """By search over all point sets, for small classes; else between 1 and log2 of the size."""
        if self.size * self.domain_size > EXHAUSTIVE:
            return Bracket(int(self.size > 1), self.size.bit_length() - 1, "log2 of the size")
        value = max(
            size
            for size in range(self.size.bit_length())
            if size == 0
            or any(self._shatters(c) for c in combinations(range(self.domain_size), size))
        )
        return Bracket(value, value, "search over all sets of points")

    @property
    def littlestone(self) -> Bracket:
        """By the defining recursion, for small classes; else between VC and log2 of the size."""
        if self.size * self.domain_size > EXHAUSTIVE:
            return Bracket(self.vc.lower, self.size.bit_length() - 1, "log2 of the size")
        memo: dict[tuple[frozenset[int], int], bool] = {}
        depth = 0
        while self._has_tree(frozenset(range(self.size)), depth + 1, memo):
            depth += 1
        return Bracket(depth, depth, "search over all mistake trees")

    def clip(self, points: Points, /) -> Points:
        return clip(points, self.domain_size)

    def domain(self) -> Points:
        return np.arange(self.domain_size, dtype=np.int64)

    def nth(self, index: int, /) -> Row:
        """Return the row of this number."""
        return Row(index, self.matrix[index])

    def cells(self, points: Points, gains: Gains, /) -> Cells[Row]:
        """Score every row by a matrix product: one cell a concept."""
        table = np.array(self.matrix, dtype=np.int64)[:, points.astype(np.int64)]
        return one_by_one(table @ gains, self.nth)

    def carried(self) -> dict[str, Any]:
        """Return the rows: a model must not need the file that the matrix was read from."""
        return {"matrix": ["".join(map("01".__getitem__, row)) for row in self.matrix]}

    def encode(self, concept: Row, /) -> dict[str, Any]:
        """Return a JSON object for a concept; it carries its values, not the file."""
        return {"index": concept.index, "yes": [x for x, v in enumerate(concept.values) if v]}

    def decode(self, encoded: dict[str, Any], /) -> Row:
        index = check.count(index=encoded["index"])
        if index >= self.size or encoded != self.encode(self.nth(index)):
            raise InvalidArgument(f"index={index} with these values is no concept of {self}")
        return self.nth(index)

    def _shatters(self, points: tuple[int, ...]) -> bool:
        return len({tuple(row[x] for x in points) for row in self.matrix}) == 1 << len(points)

    def _has_tree(
        self, rows: frozenset[int], depth: int, memo: dict[tuple[frozenset[int], int], bool]
    ) -> bool:
        if depth == 0 or len(rows) < 1 << depth:
            return depth == 0
        if (rows, depth) not in memo:
            memo[rows, depth] = any(
                self._has_tree(yes, depth - 1, memo) and self._has_tree(rows - yes, depth - 1, memo)
                for yes in self._splits(rows)
            )
        return memo[rows, depth]

    def _splits(self, rows: frozenset[int]) -> set[frozenset[int]]:
        return {frozenset(r for r in rows if self.matrix[r][x]) for x in range(self.domain_size)}


def _bits(row: Sequence[int]) -> tuple[bool, ...]:
    if len({0, 1}.union(row)) > 2:
        wrong = next(entry for entry in row if entry not in (0, 1))
        raise InvalidArgument(f"matrix entries must be 0 or 1, got {wrong!r}")
    return tuple(map(bool, row))


def _array(read: bytes) -> list[list[int]]:
    """Read a table of NumPy's; whatever is no table of numbers is refused.

    The header says how many numbers follow, and memory is taken for so many: it is checked first.
    """
    file = BytesIO(read)
    try:
        version = read_magic(file)
        header = {(1, 0): read_array_header_1_0, (2, 0): read_array_header_2_0}[version]
        shape, _, kind = header(file)
        if len(shape) == 2 and kind.kind in "biu" and prod(shape) * kind.itemsize < len(read):
            rows: list[list[int]] = np.load(BytesIO(read), allow_pickle=False).tolist()
            return rows
    except (ValueError, EOFError, KeyError, TokenError):
        raise InvalidArgument("it holds no array of numbers") from None
    raise InvalidArgument(
        "it must hold a table of 0s and 1s, as integers or yes and no; it claims to hold "
        f"{len(shape)} dimensions of {kind}"
    )


def _digits(line: str) -> list[int]:
    entries = [entry.strip() for entry in line.split("," if "," in line else None)]
    entries = list(line) if len(entries) == 1 else entries
    if wrong := set(entries) - {"0", "1"}:
        raise InvalidArgument(f"matrix entries must be 0 or 1, got {min(wrong)!r}")
    return list(map("01".index, entries))
