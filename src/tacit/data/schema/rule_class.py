"""Rules over the columns of a schema: which cut points and categories they may speak of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction
from math import ceil

from tacit.concepts.rules.bitmaps import scorable
from tacit.concepts.rules.literals import Comparison, Literal, cuts
from tacit.concepts.rules.rules import Column as RuleColumn
from tacit.concepts.rules.rules import Rules
from tacit.core import check
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.exact import Exact, integer, told
from tacit.data.schema.cell import day
from tacit.data.schema.columns import Column, Ordered
from tacit.data.schema.date import Date
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

    >>> from tacit.data import Integer
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
    if isinstance(column, Ordered):
        missing = [] if null is None else [Literal(place, test, null) for test in both]
        return cuts(place, cut_codes(name, column, most, _parts(asked.get(name)))) + missing
    if name in asked:
        raise InvalidArgument(f"rules: column {name!r} has categories, which are not cut")
    tests = both[:1] if column.size == 2 else both
    return [Literal(place, test, code) for code in range(column.size) for test in tests]


def cut_codes(
    name: str, column: Ordered, most: int, asked: Sequence[Exact | date] | None = None
) -> list[int]:
    """Return the codes where a column is cut: at up to `most` round values, or where it is asked.

    >>> from tacit.data import Integer
    >>> cut_codes("age", Integer(18, 120), 3), cut_codes("age", Integer(18, 120), 3, [65])
    ([32, 82], [47])
    >>> born = Date("2020-01-20", "2020-06-01")
    >>> [born.describe(code) for code in cut_codes("born", born, 3)]
    ['2020-03-01', '2020-05-01']
    """
    if isinstance(column, Date):
        low, high, step = (Fraction(n) for n in (0, column.inside - 1, 1))
        rounds = _round_days(column, most)
    else:
        step = column.step if isinstance(column, Real) else Fraction(1)
        low, high = Fraction(column.low), Fraction(column.high)
        rounds = round_cuts(low, high, most) if asked is None else []
    if asked is None:
        return list(dict.fromkeys(ceil((cut - low) / step) for cut in rounds))
    found = []
    for said in asked:
        place = (_cut(name, column, said) - low) / step
        if not 0 < place <= (high - low) / step or place.denominator != 1:
            grid = f", in steps of {written(step)}" if isinstance(column, Real) else ""
            ends = column.describe(0), column.describe(column.inside - 1)
            raise InvalidArgument(
                f"{name!r} can be cut above {ends[0]} and up to {ends[1]}{grid}; got {said}"
            )
        found.append(int(place))
    return sorted(set(found))


def _cut(name: str, column: Ordered, said: Exact | date) -> Fraction:
    if not isinstance(column, Date) and not isinstance(said, date):
        return check.exact(**{f"the cut of {name!r}": said})
    if not isinstance(column, Date) or (read := day(said)) is None:
        kind = "date such as 2020-03-01" if isinstance(column, Date) else "number"
        raise InvalidArgument(f"the cut of {name!r} must be a {kind}, got {said}")
    return Fraction(read - column.low.toordinal())


def _round_days(column: Date, most: int) -> list[Fraction]:
    """Return the codes of the firsts of each 1, 2, 3, 6, 12, ... months, or of round days."""
    start, end = (each.year * 12 + each.month - 1 for each in (column.low, column.high))
    if end - start < 2:
        return round_cuts(Fraction(0), Fraction(column.inside - 1), most)
    months = (1, 2, 3, *(12 * d * 10**k // 2 for k in range(6) for d in (1, 2, 4, 10)))
    firsts = ([m for m in range(start + 1, end + 1) if m % step == 0] for step in months)
    found = next(few for few in firsts if len(few) <= most)
    return [Fraction((date(m // 12, m % 12 + 1, 1) - column.low).days) for m in found]


def _parts(text: str | None) -> list[str] | None:
    return None if text is None else [part.strip() for part in text.split(":")]


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
