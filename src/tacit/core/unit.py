"""Who is protected: whose records differ between neighbours, and whether their number is secret."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tacit.core import check
from tacit.core.errors import InvalidArgument
from tacit.core.frozen import hold


class Neighbours(StrEnum):
    """How two neighbouring tables differ."""

    REPLACED = "replaced"
    """One is replaced by another: how many there are is public."""
    ADDED = "added"
    """One is added or removed: how many there are is secret."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One row, or all rows of one person, who is told from others by some columns.

    A statement about one unit says nothing of another: costs of two units cannot be added.

    >>> Unit().said, Unit(["patient"]).said
    ('one row, replaced by any other', 'all rows of one person (patient), replaced by any others')
    >>> Unit(["clinic", "patient"], Neighbours.ADDED).said
    'all rows of one person (clinic, patient), added or removed'
    """

    person: tuple[str, ...]
    neighbours: Neighbours

    def __init__(self, person: Sequence[str] = (), neighbours: str = Neighbours.REPLACED) -> None:
        if isinstance(person, str) or len(set(person)) < len(person):
            raise InvalidArgument("person (--person) must name columns, each of them once")
        try:
            kind = Neighbours(neighbours)
        except ValueError:
            raise InvalidArgument(
                f"neighbours (--neighbours) must be replaced or added, got {neighbours!r}"
            ) from None
        hold(self, person=tuple(person), neighbours=kind)

    @classmethod
    def decode(cls, encoded: Any) -> Unit:
        """Read back what `encode` wrote; None is a row, replaced, as where nothing is said."""
        match encoded:
            case None:
                return cls()
            case {"person": [*names]} if all(isinstance(name, str) for name in names):
                return cls(names, encoded.get("neighbours", Neighbours.REPLACED))
        raise InvalidArgument("who is protected must be told by a list of columns")

    def encode(self) -> dict[str, Any]:
        """Return a JSON object."""
        return {"person": list(self.person), "neighbours": str(self.neighbours)}

    @property
    def added(self) -> bool:
        """Whether how many there are is secret."""
        return self.neighbours is Neighbours.ADDED

    @property
    def whose(self) -> str:
        """Whose records one unit is."""
        if not self.person:
            return "one row"
        return f"all rows of one person ({', '.join(self.person)})"

    @property
    def tests(self) -> str:
        """What a model is measured on: rows, or of each person one row.

        >>> Unit().tests, Unit(["patient"]).tests
        ('rows', 'persons (one row of each)')
        """
        return "persons (one row of each)" if self.person else "rows"

    @property
    def said(self) -> str:
        """Who is protected, in words."""
        if self.added:
            return f"{self.whose}, added or removed"
        return f"{self.whose}, replaced by any other{'s' if self.person else ''}"

    @property
    def many(self) -> str:
        """What n counts."""
        return "persons" if self.person else "rows"


def check_declared(unit: Unit, rows: int | None) -> None:
    """Refuse a declared number of records where it is public anyway, and what is no number."""
    if rows is None:
        return
    if not unit.added:
        raise InvalidArgument(
            "rows (--rows) are declared where their number is secret: say --neighbours added "
            "(neighbours), or leave it out"
        )
    check.count(rows=rows, up_to=1 << 40)


ROWS = Unit()
"""One row, replaced: what is meant where nothing else is said."""
