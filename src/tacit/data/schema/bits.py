"""Columns of yes or no: labels, and features of one bit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.core.dialect import DUCKDB, Dialect
from tacit.core.errors import InvalidArgument
from tacit.core.frozen import hold
from tacit.data.schema.category import read_values, spelled
from tacit.data.schema.cell import BLANKS, text
from tacit.data.schema.coded_column import CodedColumn, Outside, read_outside
from tacit.data.schema.sql import as_name, coded_as, literal

YES = ("1", "1.0", "true", "t", "yes", "y")
NO = ("0", "0.0", "-0.0", "false", "f", "no", "n")


@dataclass(frozen=True, slots=True, init=False)
class Bits(CodedColumn):
    """0 or 1, false or true, no or yes; or other words, which replace the usual ones.

    Words are compared trimmed, in small letters; one that is a whole number is that number too.

    >>> sick = Bits()
    >>> [sick.code(v) for v in (1, 0.0, True, "Yes", "n", 7, None)]
    [1, 0, 1, 1, 0, 0, 0]
    >>> Bits(outside="null").size, Bits(outside="null").code(7)
    (3, 2)
    >>> late = Bits(yes=["late", 2], no=["early", "on time"])
    >>> [late.code(v) for v in (" Late", 2.0, "early", "yes")]
    [1, 1, 0, 0]
    """

    outside: Outside = "clip"
    yes: tuple[str | int, ...] | None = None
    no: tuple[str | int, ...] | None = None
    _words: dict[str, int] = field(init=False, repr=False, compare=False, hash=False)

    domain: ClassVar[str] = "0 and 1"
    inside: ClassVar[int] = 2

    def __init__(
        self,
        outside: Outside = "clip",
        yes: Sequence[str | int] | None = None,
        no: Sequence[str | int] | None = None,
    ) -> None:
        hold(self, outside=read_outside(outside))
        hold(self, yes=None if yes is None else read_values(yes, name="yes"))
        hold(self, no=None if no is None else read_values(no, name="no"))
        told, denied = (
            {_small(word) for word in (usual if words is None else spelled(words))}
            for words, usual in ((self.yes, YES), (self.no, NO))
        )
        if both := sorted(told & denied):
            usual = "" if yes and no else f": list the words of {'no' if yes else 'yes'} too"
            raise InvalidArgument(f"{both[0]!r} is a word of yes and of no; name it once{usual}")
        hold(self, _words=dict.fromkeys(denied, 0) | dict.fromkeys(told, 1))

    @property
    def usual(self) -> bool:
        """Whether the words are the usual ones, so that the number 1 says yes, and 0 no."""
        return self.yes is None and self.no is None

    def code(self, value: object) -> int:
        """Map any value whatever to its code."""
        return self._words.get(_small((text(value) or "").strip(BLANKS)), self.ends[0])

    def codes(self, numbers: NDArray[Any]) -> NDArray[np.int64]:
        """Map each number of an array to its code; `code`, for many, if the words are `usual`."""
        yes = (numbers == 1).astype(np.int64)
        return yes if self.outside == "clip" else np.where((numbers == 0) | (yes == 1), yes, 2)

    def decode(self, code: int) -> str | int | None:
        """Return the bit of a code, or the first of its words; None for the null code."""
        words = (self.no, self.yes)[code] if self.has_value(code) else (None,)
        return words[0] if words else code

    def describe(self, code: int) -> str:
        """Write the bit of a code."""
        return ("no", "yes")[code] if self.has_value(code) else "missing"

    def read_sql(self, column: str, dialect: Dialect = DUCKDB) -> str:
        """Write the text of a column as 0 and 1; NULL, or under clip also 0, where it is neither.

        No IN (...): DuckDB makes a join of it, and a join does not keep the order of the rows.
        """
        least = 0 if self.outside == "null" else 1
        words = {**dict.fromkeys(YES, 1), **dict.fromkeys(NO, 0)} if self.usual else self._words
        read = as_name(column, dialect)
        for capital in () if self.usual else _capitals("".join(words)):
            small = literal(_small(capital), dialect)
            read = f"replace({read}, {literal(capital, dialect)}, {small})"
        coded = {word: code for word, code in sorted(words.items()) if code >= least}
        return coded_as(f"lower({read})", coded, dialect)

    def table(self) -> dict[str, object]:
        """Return the column's table in a schema."""
        words = {"yes": self.yes, "no": self.no}
        return {"type": "bits"} | {key: list(held) for key, held in words.items() if held}


def _small(word: str) -> str:
    """Write letter by letter in small letters, as engines do, which know no final sigma."""
    return word.lower() if word.isascii() else "".join(letter.lower()[0] for letter in word)


def _capitals(letters: str) -> list[str]:
    """Return what becomes one of the letters, but for A to Z: not every server knows them."""
    return [c for c in map(chr, range(0x80, 0x1F000)) if (s := _small(c)) != c and s in letters]
