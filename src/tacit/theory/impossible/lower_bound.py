"""What is impossible, as a value: so many rows, why, whom it binds, and what proves it.

A bound is a theorem about a class that has something: two concepts that differ and agree, a set
that is shattered, a mistake tree, a packing. That is its witness, and the witness can be verified.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from tacit.concepts.contract.concept_class import ConceptClass


class Hardness(Protocol):
    """What a class has that makes it hard: the witness of a bound."""

    def __str__(self) -> str:
        """Say what it is."""

    def verify(self, concepts: ConceptClass[Any], /) -> bool:
        """Whether the class has it, by evaluating its concepts; TooLarge if they are too many."""


@dataclass(frozen=True, slots=True)
class LowerBound:
    """No learner that it binds reaches the accuracy with fewer than n rows.

    `private` says that it binds private learners only, `pure` only those with delta 0, `proper`
    proper ones only, `agnostic` only learners of arbitrary labels; `uniform` that uniform points
    are as hard already; `labels_only` that private learners are bound that
    protect labels alone, too. Each is about learners that fail with probability beta at most.
    """

    name: str
    n: int
    theorem: str
    witness: Hardness
    private: bool = True
    pure: bool = False
    proper: bool = False
    agnostic: bool = False
    uniform: bool = False
    labels_only: bool = False

    @property
    def applies_to(self) -> str:
        """Whom it binds, in words."""
        asked = ["pure"] * self.pure + ["proper"] * self.proper
        kind = " and ".join(asked) or ("private" if self.private else "")
        whom = f"{kind} learners" if asked else f"every {kind} learner".replace("  ", " ")
        return whom + " of arbitrary labels" * self.agnostic

    @property
    def facts(self) -> dict[str, str | int]:
        """What is told of it, by name."""
        return {
            "name": self.name,
            "n": self.n,
            "theorem": self.theorem,
            "applies_to": self.applies_to,
            "witness": str(self.witness),
        }
