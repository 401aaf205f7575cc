"""Decision lists, which models of 0.1.0 may hold: the first rule that holds decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Concept, Points
from tacit.concepts.outputs.made_from import MadeFrom
from tacit.core.errors import InvalidArgument

_SAID = ("no", "yes")


@dataclass(frozen=True, slots=True)
class DecisionList(Concept):
    """Say what the first rule that holds says, and `otherwise` where none does.

    >>> from tacit.concepts.rules.literals import Literal
    >>> from tacit.concepts.rules.rules import Rule
    >>> old, smoker = Rule((Literal(0, ">=", 65),)), Rule((Literal(1, "=", 1),))
    >>> listed = DecisionList(((old, 1), (smoker, 0)), 1)
    >>> listed.rule(["age", "smoker"])
    'if age is at least 65 then yes, else if smoker is 1 then no, else yes'
    >>> listed.sql(["age", "smoker"])
    '(CASE WHEN ("age" >= 65) THEN 1 WHEN ("smoker" = 1) THEN 0 ELSE 1 END = 1)'
    """

    rules: tuple[tuple[Concept, int], ...]
    otherwise: int

    def __call__(self, points: Points, /) -> NDArray[np.bool_]:
        said = np.full(len(points), bool(self.otherwise))
        left = np.ones(len(points), dtype=np.bool_)
        for concept, label in self.rules:
            here = left & concept(points)
            said[here] = bool(label)
            left &= ~here
        return said

    def rule(self, names: Sequence[str], /) -> str:
        """Say in English what the answer is, rule by rule."""
        if not self.rules:
            return "always" if self.otherwise else "never"
        parts = [f"if {concept.rule(names)} then {_SAID[label]}" for concept, label in self.rules]
        return ", else ".join([*parts, _SAID[self.otherwise]])

    def sql(self, columns: Sequence[str], /) -> str:
        if not self.rules:
            return f"(1 = {self.otherwise})"
        cases = [f"WHEN {concept.sql(columns)} THEN {label}" for concept, label in self.rules]
        return f"(CASE {' '.join(cases)} ELSE {self.otherwise} END = 1)"


@dataclass(frozen=True, slots=True)
class DecisionLists(MadeFrom[DecisionList]):
    """Decision lists of any length whose rules are hypotheses of a class.

    >>> from tacit.concepts.rules.conjunctions import Conjunctions
    >>> str(DecisionLists(Conjunctions(4, 2)))
    'decision_lists(conjunctions(dims=4, width=2))'
    """

    family: ClassVar[str] = "decision_lists"

    def encode(self, concept: DecisionList, /) -> dict[str, Any]:
        rules = [{"if": self.of.encode(rule), "then": label} for rule, label in concept.rules]
        return {"rules": rules, "otherwise": concept.otherwise}

    def decode(self, encoded: dict[str, Any], /) -> DecisionList:
        match encoded:
            case {"rules": [*rules], "otherwise": 0 | 1 as otherwise, **rest} if not rest:
                return DecisionList(tuple(self._pair(rule) for rule in rules), int(otherwise))
        raise InvalidArgument(f"{encoded} is no hypothesis of {self}")

    def _pair(self, encoded: Any) -> tuple[Concept, int]:
        match encoded:
            case {"if": rule, "then": 0 | 1 as label, **rest} if not rest:
                return self.of.decode(rule), int(label)
        raise InvalidArgument(f"{encoded} is no rule of {self}")
