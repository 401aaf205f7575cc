"""A class with the hypothesis that always says no added: what improper learners fall back to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Concept, Points
from tacit.concepts.outputs.made_from import MadeFrom
from tacit.core.errors import InvalidArgument


@dataclass(frozen=True, slots=True)
class Never(Concept):
    """No everywhere.

    >>> Never().rule(["age"]), Never().sql(["age"])
    ('never', '(1 = 0)')
    """

    def __call__(self, points: Points, /) -> NDArray[np.bool_]:
        return np.zeros(len(points), dtype=np.bool_)

    def rule(self, names: Sequence[str], /) -> str:  # noqa: ARG002
        return "never"

    def sql(self, columns: Sequence[str], /) -> str:  # noqa: ARG002
        return "(1 = 0)"


NEVER = Never()


@dataclass(frozen=True, slots=True)
class OrNever(MadeFrom[Concept]):
    """The hypotheses of a class, and `NEVER`.

    >>> from tacit.concepts.line.points import Points
    >>> str(OrNever(Points(8))), OrNever(Points(8)).decode({"never": True})
    ('or_never(points(bits=8))', Never())
    """

    family: ClassVar[str] = "or_never"

    def encode(self, concept: Concept, /) -> dict[str, Any]:
        return {"never": True} if concept == NEVER else self.of.encode(concept)

    def decode(self, encoded: dict[str, Any], /) -> Concept:
        match encoded:
            case {"never": True, **rest} if not rest:
                return NEVER
            case {"never": _}:
                raise InvalidArgument(f"{encoded} is no hypothesis of {self}")
        return self.of.decode(encoded)  # type: ignore[no-any-return]
