"""Rules over the columns of a schema: which cut points and categories they may speak of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil

from tacit.concepts.rules.bitmaps import scorable
from tacit.concepts.rules.literals import Comparison, Literal, cuts
from tacit.concepts.rules.rules import Column as RuleColumn
from tacit.concepts.rules.rules import Rules
from tacit.core import check
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.exact import integer, told
from tacit.data.schema.columns import Column
from tacit.data.schema.integer import Integer
from tacit.data.schema.real import Real, written
from tacit.data.schema.schema import Schema

WIDTH = 2
CUTS = 16
MOST = 10**5
"""Cuts of a column that are listed, and literals of a rule that are asked for."""


def rules_over(schema: Schema, features: Sequence[str], text: str = "") -> Rules:
    """Return the class for `width=2, cuts=16, negated=yes, age=40:65`: all may be left out.

    Everything is public: a column of numbers is cut at up to `cuts` round numbers of its declared
    range, or where its name says; each category, and yes and no, is a literal of its own.

    >>> schema = Schema({"age": Integer(0, 120), "bmi": Real(10, 60, "0.1")})
    >>> ages = rules_over(schema, ["age", "bmi"], "width=1, cuts=3, age=40:65")
    >>> [literal.value for literal in ages.literals if literal.comparison == ">="]
    [40, 65, 100, 300, 500]
    """
    asked = _read(text, features)
    width = _natural("width", asked.pop("width", str(WIDTH)))
    most = _natural("cuts", asked.pop("cuts", str(CUTS)))
    negated = asked.pop("negated", "no")
    if negated not in ("yes", "no"):
        raise InvalidArgument(f"rules: negated is yes or no, got {told(negated)!r}")
    columns = [RuleColumn(name, 0, max(1, schema[name].size - 1)) for name in features]
    literals = [
        literal
        for place, name in enumerate(features)
        for literal in _literals(place, name, schema[name], most, asked)
    ]
    most = min(width, max(1, len(literals)))
    made = Rules(columns, literals, most, negated=negated == "yes")
    scorable(made.selections)
    return made


def round_cuts(low: Fraction, high: Fraction, most: int) -> list[Fraction]:
    """Return the multiples of 1, 2 or 5 times a power of ten above low: the most up to `most`.

    >>> [int(cut) for cut in round_cuts(Fraction(0), Fraction(120), 16)][:4]
    [10, 20, 30, 40]
    """
    unit = Fraction(1, 10**18)
    while True:
        for digit in (1, 2, 5):
            step = digit * unit
            if (high // step) - (low // step) <= most:
                first = low // step + 1
                return [cut * step for cut in range(first, high // step + 1)]
        unit *= 10


def _literals(
    place: int, name: str, column: Column, most: int, asked: Mapping[str, str]
) -> list[Literal]:
    null = column.size - 1 if column.outside == "null" else None
    both = (Comparison.IS, Comparison.IS_NOT)
    if isinstance(column, Integer | Real):
        missing = [] if null is None else [Literal(place, test, null) for test in both]
        return cuts(place, _codes(name, column, most, asked.get(name))) + missing
    if name in asked:
        raise InvalidArgument(f"rules: column {name!r} has categories, which are not cut")
    tests = both[:1] if column.size == 2 else both
    return [Literal(place, test, code) for code in range(column.size) for test in tests]


def _codes(name: str, column: Integer | Real, most: int, asked: str | None) -> list[int]:
    step = column.step if isinstance(column, Real) else Fraction(1)
    low, high = Fraction(column.low), Fraction(column.high)
    if asked is None:
        places = [(cut - low) / step for cut in round_cuts(low, high, most)]
        return list(dict.fromkeys(ceil(place) for place in places))
    found = []
    for text in asked.split(":"):
        cut = check.exact(**{f"rules: the cut of {name!r}": text})
        place = (cut - low) / step
        if not low < cut <= high or place.denominator != 1:
            grid = "" if isinstance(column, Integer) else f", in steps of {written(step)}"
            raise InvalidArgument(
                f"rules: {name!r} can be cut above {written(low)} and up to {written(high)}{grid}; "
                f"got {text.strip()}"
            )
        found.append(int(place))
    return sorted(set(found))


def _read(text: str, features: Sequence[str]) -> dict[str, str]:
    read: dict[str, str] = {}
    known = {"width", "cuts", "negated", *features}
    for part in filter(str.strip, text.split(",")):
        name, _, value = (each.strip() for each in part.rpartition("="))
        if not value or name not in known or name in read:
            raise InvalidArgument(
                "rules takes width, cuts, negated and features with their cut points, as in "
                f"rules(width=2, age=40:65); got {told(part.strip())!r}"
            )
        read[name] = value
    return read


def _natural(name: str, text: str) -> int:
    return check.count(**{name: integer(text, name=f"rules: {name}")}, least=1, up_to=MOST)
