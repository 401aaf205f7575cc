"""Literals: what one column of a table may be asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import eq, ge, lt, ne
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Points, coordinate
from tacit.concepts.contract.feature import Feature, identifier, ranged, shown
from tacit.core import InvalidArgument, NotExact, hold
from tacit.core.dialect import DUCKDB


class Comparison(StrEnum):
    """How a column is compared."""

    AT_LEAST = ">="
    BELOW = "<"
    IS = "="
    IS_NOT = "!="


_COMPARE: dict[Comparison, Callable[[Any, int], Any]] = {
    Comparison.AT_LEAST: ge,
    Comparison.BELOW: lt,
    Comparison.IS: eq,
    Comparison.IS_NOT: ne,
}
_SPOKEN = {
    Comparison.AT_LEAST: "is at least",
    Comparison.BELOW: "is below",
    Comparison.IS: "is",
    Comparison.IS_NOT: "is not",
}
_ORDERED = (Comparison.AT_LEAST, Comparison.BELOW)
_OPPOSITE = {
    Comparison.AT_LEAST: Comparison.BELOW,
    Comparison.BELOW: Comparison.AT_LEAST,
    Comparison.IS: Comparison.IS_NOT,
    Comparison.IS_NOT: Comparison.IS,
}
FAR = 1 << 20
"""Beyond so many codes from where a literal changes, points count as that far."""
_DECIMAL = re.compile(r"-?[0-9]+(\.[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Literal:
    """A comparison of one column with one value.

    A point holds integers: `value` is what its column is compared with. `shown` is the same value
    as the table's owner writes it, in sentences and in SQL: the name of a category, or a number in
    the column's unit such as "36.6"; it is `value` itself if nothing else is said. Where the column
    is named by a `Feature`, that one writes the value.

    >>> fever = Literal(0, ">=", 384, shown="38.4")
    >>> fever.rule(["temperature"]), fever.sql(["temperature"])
    ('temperature is at least 38.4', '"temperature" >= 38.4')
    >>> Literal(1, "!=", 0, shown="no").sql(["temperature", "smoker"])
    '"smoker" != \\'no\\''
    """

    column: int
    comparison: Comparison
    value: int
    shown: int | str

    def __init__(
        self, column: int, comparison: str, value: int, *, shown: int | str | None = None
    ) -> None:
        if comparison not in set(Comparison):
            known = ", ".join(Comparison)
            raise InvalidArgument(f"comparison must be one of {known}, got {comparison!r}")
        shown = value if shown is None else shown
        if isinstance(shown, bool) or not isinstance(shown, int | str):
            raise NotExact(f"shown must be an integer or a text, got {type(shown).__name__}")
        if comparison in _ORDERED and not _DECIMAL.fullmatch(str(shown)):
            raise InvalidArgument(f"shown must be a decimal number such as 36.6, got {shown!r}")
        hold(self, comparison=Comparison(comparison), shown=shown).count(column=column)
        hold(self).count(value=value, least=-(1 << 62))

    def __call__(self, points: Points, /) -> NDArray[np.bool_]:
        held = coordinate(points, self.column)
        return np.asarray(_COMPARE[self.comparison](held, self.value), dtype=np.bool_)

    @property
    def ordered(self) -> bool:
        """Whether it asks how large a number is."""
        return self.comparison in _ORDERED

    def depth(self, points: Points, /) -> NDArray[np.int64]:
        """Say how far each point is inside, from 0 on, or outside: in codes, at most `FAR`.

        >>> Literal(0, "<", 40).depth(np.array([[30], [39], [40]])).tolist()
        [9, 0, -1]
        """
        held = coordinate(points, self.column)
        if not self.ordered:
            return self(points).astype(np.int64) - 1
        over = np.clip(held, self.value - FAR, self.value + FAR) - self.value
        return np.asarray(over if self.comparison == Comparison.AT_LEAST else -1 - over, np.int64)

    @property
    def opposite(self) -> Literal:
        """The literal that holds where this one does not."""
        return Literal(self.column, _OPPOSITE[self.comparison], self.value, shown=self.shown)

    def rule(self, names: Sequence[str], /) -> str:
        """Say in English when the answer is yes."""
        name, value = names[self.column], self.value
        if not isinstance(name, Feature):
            return f"{name} {_SPOKEN[self.comparison]} {self.shown}"
        match self.comparison:
            case Comparison.AT_LEAST:
                return ranged(name, value)
            case Comparison.BELOW:
                return ranged(name, 0, value - 1)
            case Comparison.IS:
                return ranged(name, value, value)
        told = shown(name, value)
        if told.startswith("missing or "):
            return f"{name} is neither {told.replace(' or ', ' nor ')}"
        return f"{name} is not {told}"

    def sql(self, columns: Sequence[str], /) -> str:
        """Write the comparison in SQL; texts are quoted unless they are numbers to compare with."""
        name = columns[self.column]
        bare = isinstance(self.shown, int) or self.comparison in _ORDERED
        told = str(self.shown) if bare else DUCKDB.literal(str(self.shown))
        if isinstance(name, Feature):
            told = str(self.value)
        return f"{identifier(name)} {self.comparison} {told}"

    def encode(self) -> list[int | str]:
        """Return a JSON list: column, comparison, value, and what is shown if it differs."""
        told: list[int | str] = [self.column, str(self.comparison), self.value]
        return told if self.shown == self.value else [*told, self.shown]

    @classmethod
    def decode(cls, encoded: Sequence[Any]) -> Literal:
        """Read back what `encode` wrote."""
        column, comparison, value, *rest = encoded
        return cls(column, comparison, value, shown=rest[0] if rest else None)


def cuts(
    column: int, values: Sequence[int], *, shown: Sequence[int | str] | None = None
) -> list[Literal]:
    """Return the literals of an ordered column: at least each value, and below it.

    >>> [literal.rule(["age"]) for literal in cuts(0, [40, 65])]
    ['age is at least 40', 'age is below 40', 'age is at least 65', 'age is below 65']
    """
    pairs = zip(values, values if shown is None else shown, strict=True)
    return [Literal(column, test, v, shown=text) for v, text in pairs for test in _ORDERED]


def choices(column: int, names: Sequence[str]) -> list[Literal]:
    """Return the literals of a column of categories, which points hold by their place in `names`.

    >>> [literal.rule(["smoker"]) for literal in choices(0, ["no", "yes"])]
    ['smoker is no', 'smoker is yes']
    >>> len(choices(0, ["never", "former", "current"]))
    6
    """
    tests = (Comparison.IS,) if len(names) == 2 else (Comparison.IS, Comparison.IS_NOT)
    return [Literal(column, test, v, shown=n) for v, n in enumerate(names) for test in tests]
