"""Any function on a small domain, as the list of points where it says yes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Concept, Points
from tacit.concepts.contract.feature import identifier, joined, shown
from tacit.concepts.contract.hypothesis_set import Listed
from tacit.concepts.outputs.made_from import MadeFrom
from tacit.core.errors import InvalidArgument


@dataclass(frozen=True, slots=True)
class PointSet(Concept):
    """Yes on the listed points: codes, one for each column.

    >>> PointSet(((0, 1), (1, 1))).rule(["old", "smoker"])
    'old is 0 and smoker is 1, or old is 1 and smoker is 1'
    >>> PointSet(((3,),)).sql(["ward"])
    '(("ward" = 3))'
    """

    yes: tuple[tuple[int, ...], ...]

    def __call__(self, points: Points, /) -> NDArray[np.bool_]:
        listed = set(self.yes)
        rows = points.tolist()
        codes = (tuple(row) if isinstance(row, list) else (row,) for row in rows)
        return np.array([code in listed for code in codes], dtype=np.bool_)

    def rule(self, names: Sequence[str], /) -> str:
        parts = [
            " and ".join(f"{n} is {shown(n, c)}" for n, c in zip(names, point, strict=True))
            for point in self.yes
        ]
        return ", or ".join(parts) or "never"

    def sql(self, columns: Sequence[str], /) -> str:
        parts = [
            " AND ".join(f"{identifier(n)} = {c}" for n, c in zip(columns, point, strict=True))
            for point in self.yes
        ]
        return f"({joined([f'({part})' for part in parts], 'OR') or '1 = 0'})"


@dataclass(frozen=True, slots=True)
class Tables(MadeFrom[PointSet]):
    """All functions on the domain of a small class.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> str(Tables(Thresholds(3)))
    'tables(thresholds(bits=3))'
    """

    family: ClassVar[str] = "tables"

    def encode(self, concept: PointSet, /) -> dict[str, Any]:
        return {"yes": [list(point) for point in concept.yes]}

    def decode(self, encoded: dict[str, Any], /) -> PointSet:
        match encoded:
            case {"yes": [*points], **rest} if not rest and all(map(self._is_point, points)):
                read = tuple(tuple(point) for point in points)
                if list(read) == sorted(set(read)):
                    return PointSet(read)
        raise InvalidArgument(f"{encoded} is no hypothesis of {self}")

    def _is_point(self, codes: Any) -> bool:
        whole = isinstance(codes, list) and all(type(code) is int for code in codes)
        return whole and len(codes) == self.features


def listed_functions(rows: NDArray[np.bool_], points: Points) -> Listed:
    """Return functions given by their values on all points of a domain, one line a function.

    >>> listed_functions(np.eye(2, dtype=bool), np.arange(2)).hypotheses[1]
    PointSet(yes=((1,),))
    """
    codes = [tuple(each) if isinstance(each, list) else (each,) for each in points.tolist()]
    return Listed(
        [PointSet(tuple(sorted(codes[x] for x in np.flatnonzero(row).tolist()))) for row in rows]
    )
