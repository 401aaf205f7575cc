"""A column's name that also knows how its codes read: as values for people, as SQL for engines."""

from __future__ import annotations

from collections.abc import Callable


class Feature(str):
    """A name with its coding; wherever a plain name is enough, it is one.

    Concepts speak of codes 0, 1, 2, ...; a table speaks of values. `show` writes a code as its
    value, `coded` names the code in words, `term` computes it in SQL.

    >>> coding = {"show": lambda code: str(18 + code), "coded": "(age - 18)"}
    >>> age = Feature("age", **coding, term='("age" - 18)')
    >>> age, shown(age, 47), spoken(age), identifier(age)
    ('age', '65', '(age - 18)', '("age" - 18)')
    """

    __slots__ = ("coded", "show", "term")
    coded: str
    show: Callable[[int], str]
    term: str

    def __new__(cls, name: str, *, show: Callable[[int], str], coded: str, term: str) -> Feature:
        """Make the name and keep its coding."""
        feature = super().__new__(cls, name)
        feature.show, feature.coded, feature.term = show, coded, term
        return feature


def shown(name: str, code: int) -> str:
    """Write a code of a feature as its value; of a plain name, as it is.

    >>> shown("ward", 7)
    '7'
    """
    return name.show(code) if isinstance(name, Feature) else str(code)


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
    return name.term if isinstance(name, Feature) else '"' + name.replace('"', '""') + '"'
