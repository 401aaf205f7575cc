"""The classes that the pages offer, in plain words, with sizes that answer in time."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from tacit.concepts.contract.specification import FAMILIES
from tacit.core.errors import InvalidArgument
from tacit.interfaces.page.serving.fields import Fields


@dataclass(frozen=True, slots=True)
class SizeField:
    """One size of a family: its least and greatest value, and what the page begins with."""

    name: str
    low: int
    high: int
    start: int
    says: str


@dataclass(frozen=True, slots=True)
class Family:
    """A family of rules, for the page: what it is called, what it says, which sizes it has."""

    name: str
    says: str
    sizes: tuple[SizeField, ...]


SIZES = {
    "bits": "Bits of a value",
    "dims": "Columns",
    "width": "Columns in one rule",
    "p": "A prime number",
}
"""What the sizes of families are, in words."""


def _offered(**ranges: dict[str, tuple[int, int, int]]) -> tuple[Family, ...]:
    """Return families with the least and greatest value of each size, and the first one shown."""
    return tuple(
        Family(
            name,
            FAMILIES[name].in_words,
            tuple(SizeField(size, *given, SIZES[size]) for size, given in sizes.items()),
        )
        for name, sizes in ranges.items()
    )


PLANNED = _offered(
    thresholds={"bits": (1, 64, 32)},
    points={"bits": (1, 64, 32)},
    intervals={"bits": (1, 32, 16)},
    boxes={"bits": (1, 16, 8), "dims": (2, 6, 2)},
    conjunctions={"dims": (2, 40, 20), "width": (1, 4, 3)},
    parities={"dims": (2, 24, 16)},
    halfspaces={"bits": (1, 3, 3), "dims": (2, 2, 2)},
    lines={"p": (3, 11, 7)},
)
"""What can be planned for."""

SEARCHED = _offered(
    thresholds={"bits": (1, 12, 3)},
    points={"bits": (1, 12, 3)},
    intervals={"bits": (1, 6, 2)},
    parities={"dims": (1, 8, 3)},
    conjunctions={"dims": (1, 6, 3), "width": (1, 3, 2)},
    halfspaces={"bits": (1, 3, 1), "dims": (2, 2, 2)},
    lines={"p": (3, 7, 3)},
)
"""What can be searched for dimensions."""


SOLVED = _offered(
    thresholds={"bits": (1, 2, 2)},
    points={"bits": (1, 2, 2)},
    intervals={"bits": (1, 2, 1)},
    parities={"dims": (1, 2, 2)},
    conjunctions={"dims": (2, 2, 2), "width": (1, 2, 1)},
)
"""Whose best private learner is found."""


def specification(asked: Fields, offered: tuple[Family, ...]) -> str:
    """Return the specification of the class that a page names; no file can be named.

    >>> specification(Fields({"family": "points", "sizes": {"bits": 8}}), PLANNED)
    'points(bits=8)'
    """
    named = asked.choice("family", [family.name for family in offered])
    (family,) = [each for each in offered if each.name == named]
    given = asked.object("sizes")
    if unknown := sorted(given.given.keys() - {size.name for size in family.sizes}):
        raise InvalidArgument(f"{named} has no size {str(unknown[0])[:40]!r}")
    sizes = [
        f"{size.name}={given.whole(size.name, size.low, size.high, default=size.start)}"
        for size in family.sizes
    ]
    return f"{named}({', '.join(sizes)})"


def described(offered: tuple[Family, ...]) -> list[dict[str, object]]:
    """Return the families as the page reads them."""
    return [asdict(family) for family in offered]
