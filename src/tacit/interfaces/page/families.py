"""The classes that the pages offer, in plain words, with sizes that answer in time."""

from __future__ import annotations

from dataclasses import asdict, dataclass

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


def _bits(high: int, start: int) -> SizeField:
    return SizeField("bits", 1, high, start, "Bits of a value")


PLANNED = (
    Family("thresholds", "at least a value: “age ≥ 65”", (_bits(64, 32),)),
    Family("points", "exactly one value: “ward = 7”", (_bits(64, 32),)),
    Family("intervals", "between two values: “40 ≤ age ≤ 65”", (_bits(32, 16),)),
    Family(
        "boxes",
        "between values in several columns at once",
        (_bits(16, 8), SizeField("dims", 2, 6, 2, "Columns")),
    ),
    Family(
        "conjunctions",
        "all of a few yes/no columns: “smoker and not active”",
        (
            SizeField("dims", 2, 40, 20, "Columns"),
            SizeField("width", 1, 4, 3, "Columns in one rule"),
        ),
    ),
    Family(
        "parities",
        "an odd number of yes among some columns",
        (SizeField("dims", 2, 24, 16, "Columns"),),
    ),
    Family(
        "halfspaces",
        "a weighted sum of columns: “2·age + bmi ≥ 160”",
        (_bits(3, 3), SizeField("dims", 2, 2, 2, "Columns")),
    ),
    Family(
        "lines",
        "the points of one line of a small plane",
        (SizeField("p", 3, 11, 7, "A prime number"),),
    ),
)
"""What can be planned for."""

SEARCHED = (
    Family("thresholds", "at least a value", (_bits(12, 3),)),
    Family("points", "exactly one value", (_bits(12, 3),)),
    Family("intervals", "between two values", (_bits(6, 2),)),
    Family(
        "parities",
        "an odd number of yes among some columns",
        (SizeField("dims", 1, 8, 3, "Columns"),),
    ),
    Family(
        "conjunctions",
        "all of a few yes/no columns",
        (SizeField("dims", 1, 6, 3, "Columns"), SizeField("width", 1, 3, 2, "Columns in one rule")),
    ),
    Family(
        "halfspaces",
        "a weighted sum of two columns",
        (_bits(3, 1), SizeField("dims", 2, 2, 2, "Columns")),
    ),
    Family(
        "lines",
        "the points of one line of a small plane",
        (SizeField("p", 3, 7, 3, "A prime number"),),
    ),
)
"""What can be searched for dimensions."""


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
