"""A column's name that also knows how its codes read: as values for people, as SQL for engines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tacit.core.dialect import DUCKDB, Dialect

_CHAIN = 256


class Feature(str):
    """A name with its coding; wherever a plain name is enough, it is one.

    Concepts speak of codes 0, 1, 2, ...; a table speaks of values. `show` writes a code as its
    value, `span` says that the code lies between two, `coded` names the code in words, `term`
    writes what computes it in the SQL of `dialect`.

    >>> coding = {"show": lambda code: str(18 + code), "coded": "(age - 18)"}
    >>> from_low = lambda low, high: f"age is at least {18 + low}"
    >>> age = Feature("age", **coding, span=from_low, term=lambda: '("age" - 18)')
    >>> age, shown(age, 47), spoken(age), identifier(age), ranged(age, 47)
    ('age', '65', '(age - 18)', '("age" - 18)', 'age is at least 65')
    """

    __slots__ = ("coded", "dialect", "show", "span", "term")
    coded: str
    dialect: Dialect
    show: Callable[[int], str]
    span: Callable[[int, int | None], str] | None
    term: Callable[[], str]

    def __new__(
        cls,
        name: str,
        *,
        show: Callable[[int], str],
        coded: str,
        term: Callable[[], str],
        span: Callable[[int, int | None], str] | None = None,
        dialect: Dialect = DUCKDB,
    ) -> Feature:
        """Make the name and keep its coding."""
        feature = super().__new__(cls, name)
        feature.show, feature.span, feature.coded, feature.term = show, span, coded, term
        feature.dialect = dialect
        return feature


def shown(name: str, code: int) -> str:
    """Write a code of a feature as its value; of a plain name, as it is.

    >>> shown("ward", 7)
    '7'
    """
    return name.show(code) if isinstance(name, Feature) else str(code)


def ranged(name: str, low: int, high: int | None = None) -> str:
    """Say that a code lies between two, both included; up to the last one if there is no `high`.

    >>> [ranged("age", 18, 65), ranged("age", 65), ranged("age", 0, 17), ranged("ward", 7, 7)]
    ['age is between 18 and 65', 'age is at least 65', 'age is below 18', 'ward is 7']
    >>> ranged("age", 0), ranged("age", 1, 0)
    ('always', 'never')
    """
    if high is not None and high < low:
        return "never"
    if isinstance(name, Feature) and name.span:
        return name.span(low, high)
    if high is None:
        return f"{name} is at least {shown(name, low)}" if low else "always"
    if low == high:
        return f"{name} is {shown(name, low)}"
    ends = f"between {shown(name, low)} and {shown(name, high)}"
    return f"{name} is {ends}" if low else f"{name} is below {shown(name, high + 1)}"


def both(rules: Iterable[str]) -> str:
    """Say that all of some rules hold.

    >>> both(["age is 7", "always", "ward is a or b"]), both(["age is 7", "never"]), both([])
    ('age is 7 and (ward is a or b)', 'never', 'always')
    """
    parts = [rule for rule in rules if rule != "always"]
    if len(parts) > 1:
        parts = [f"({rule})" if " or " in rule else rule for rule in parts]
    return "never" if "never" in parts else " and ".join(parts) or "always"


def spoken(name: str) -> str:
    """Name the code of a feature in words, for rules that calculate with codes.

    >>> spoken("ward")
    'ward'
    """
    return name.coded if isinstance(name, Feature) else str(name)


def identifier(name: str) -> str:
    """Write a feature in SQL: the term that computes its code, or a quoted column.

    >>> identifier('the "age" now')
    '"the ""age"" now"'
    """
    return name.term() if isinstance(name, Feature) else DUCKDB.identifier(name)


def dialect_of(names: Sequence[str]) -> Dialect:
    """Return the SQL that features are written in; plain names are written for DuckDB.

    >>> dialect_of(["age"]).title
    'DuckDB'
    """
    return next((name.dialect for name in names if isinstance(name, Feature)), DUCKDB)


def joined(parts: Sequence[str], word: str) -> str:
    """Join any number of SQL expressions; servers refuse chains of thousands, trees they take.

    >>> joined(["a", "b", "c"], "OR")
    'a OR b OR c'
    """
    if len(parts) <= _CHAIN:
        return f" {word} ".join(parts)
    half = len(parts) // 2
    return f"({joined(parts[:half], word)}) {word} ({joined(parts[half:], word)})"
