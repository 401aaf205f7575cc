"""What is impossible, as a value: so many rows, why, whom it binds, and what proves it.

A bound is a theorem about a class that has something: two concepts that differ and agree, a set
that is shattered, a mistake tree, a packing. That is its witness, and the witness can be verified.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol

from scipy.special import betainc

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.core import Exact, check, least
from tacit.theory.impossible.differing_rows import GUARD, number


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


FLAT = 1e-5
"""A bias: coins of a smaller one are too many to sum over."""


def coins(labels: int, *, alpha: Exact, beta: Exact) -> int:
    """Bound the rows of any learner of k arbitrary labels, private or not [AB99, Lemma 5.1].

    All mass on one point where two concepts differ, and each label a coin of bias just above
    alpha / 2, to one side or the other: who is wrong about the side errs by more than alpha
    [docs/proofs/lower_bounds.md].

    >>> coins(1, alpha=0.1, beta=0.05), coins(100, alpha=0.1, beta=0.05)
    (269, 1073)
    """
    k = check.count(labels=labels, least=1)
    error, failure = number(alpha=alpha), number(beta=beta)
    wrong_each = -math.expm1(math.log1p(-failure) / k) if failure < 1 else 1.0

    def possible(half: int) -> bool:  # of 2 half + 1 coins, at most half fall to the right side
        wrong = float(betainc(half + 1.0, half + 1.0, (1 - error) / 2))
        return wrong * (1 - 1e-6) <= wrong_each

    if wrong_each >= 0.5:
        return 0
    if error < FLAT:  # the same, in closed form
        spread = (1 - error**2) / error**2 * (1 - GUARD)
        rows = -spread * math.log(8 * wrong_each * (1 - 2 * wrong_each))
        return max(math.floor(rows) - 1, coins(k, alpha=FLAT, beta=beta))
    return 2 * least(possible) + 1
