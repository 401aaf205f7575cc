"""What synthetic rows shall answer: a family of yes/no questions about a row."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, combinations

from tacit.core import InvalidArgument, check
from tacit.sanitizers.contract.attributes import Attributes, counted
from tacit.sanitizers.contract.synthetic import Synthetic, SyntheticRows

WIDTH = 3
FAMILIES = ("conjunctions", "points", "thresholds")


@dataclass(frozen=True, slots=True)
class Questions:
    """Thresholds or points of one attribute, or conjunctions of at most `width` attributes.

    >>> Questions.read("conjunctions(width=2)", (2, 2, 2))
    Questions(family='conjunctions', width=2)
    >>> str(Questions.read("thresholds", (121,)))
    'thresholds'
    """

    family: str
    width: int = 1

    def __post_init__(self) -> None:
        if self.family not in FAMILIES:
            raise InvalidArgument(
                f"there are no questions {self.family[:40]!r}; there are {', '.join(FAMILIES)}, "
                "and conjunctions(width=2)"
            )
        check.count(width=self.width, least=1)

    @classmethod
    def read(cls, text: str, shape: Sequence[int]) -> Questions:
        """Read a family over attributes with so many values; conjunctions are of up to 3 of them.

        >>> Questions.read("thresholds", (2, 3))
        Traceback (most recent call last):
        tacit.core.errors.InvalidArgument: thresholds are asked of one column, there are 2: name
        one, or ask for conjunctions
        """
        found = re.fullmatch(r"\s*(\w+)\s*(?:\(\s*width\s*=\s*([0-9]{1,9})\s*\))?\s*", text)
        family, width = found.groups() if found else (text.strip(), None)
        if family in ("points", "thresholds") and width is None and len(shape) > 1:
            raise InvalidArgument(
                f"{family} are asked of one column, there are {len(shape)}: "
                "name one, or ask for conjunctions"
            )
        if family != "conjunctions":
            return cls(family if width is None else text)
        asked = cls(family, min(WIDTH, len(shape)) if width is None else int(width))
        if asked.width > len(shape):
            raise InvalidArgument(f"width must be at most {len(shape)}, got {asked.width}")
        return asked

    def __str__(self) -> str:
        return (
            f"{self.family}(width={self.width})" if self.family == "conjunctions" else self.family
        )

    def distance(
        self, one: Synthetic | SyntheticRows, other: Synthetic | SyntheticRows
    ) -> Fraction:
        """Return by how much the answers of two tables with rows differ at most, as shares.

        >>> a, b = Synthetic((4,), ((0, 1), (3, 1))), Synthetic((4,), ((1, 2), (2, 1)))
        >>> [str(Questions(family).distance(a, b)) for family in ("thresholds", "points")]
        ['1/2', '2/3']
        """
        if one.shape != other.shape:
            raise InvalidArgument("tables of the same shape can be compared")
        if isinstance(one, SyntheticRows) or isinstance(other, SyntheticRows):
            most = max(
                int(
                    abs(
                        other.n * counted(mine, one.shape, c) - one.n * counted(its, one.shape, c)
                    ).max()
                )
                for mine, its in [(one.rows(), other.rows())]
                for width in range(1, self.width + 1)
                for c in combinations(range(len(one.shape)), width)
            )
        elif self.family == "conjunctions":
            gaps = other.n * one.histogram(), one.n * other.histogram()
            most = int(max(Attributes(one.shape).deviations(*gaps, self.width)))
        else:
            held = dict.fromkeys(sorted({*dict(one.table), *dict(other.table)}), 0)
            for table, scale in ((one.table, other.n), (other.table, -one.n)):
                for point, count in table:
                    held[point] += scale * count
            gap = held.values() if self.family == "points" else accumulate(held.values())
            most = max(map(abs, gap))
        return Fraction(most, one.n * other.n)
