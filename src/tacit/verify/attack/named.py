"""Learners that can be attacked, by name; those without privacy, or without data, among them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tacit.concepts.contract.concept_class import Concept, ConceptClass
from tacit.core import InvalidArgument, Privacy, Random
from tacit.learners.catalogue import named
from tacit.learners.contract.entry import Request
from tacit.statistics import JointCounts
from tacit.verify.attack.setting import Setting


@dataclass(frozen=True, slots=True)
class EmpiricalRisk:
    """For each label the concept with the fewest mistakes: accurate, and NOT private.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> from tacit.core.chance.randomness import Seeded
    >>> sample = JointCounts.of([(2, (0,)), (5, (1,)), (7, (1,))], labels=1)
    >>> EmpiricalRisk(Thresholds(3))(sample, rng=Seeded(0))
    (Threshold(at=3, up=True),)
    """

    concepts: ConceptClass[Any]

    def __call__(self, sample: JointCounts, /, *, rng: Random) -> tuple[Concept, ...]:  # noqa: ARG002
        """Fit each label by itself; equal columns are fitted once."""
        counts = sample.marginal()
        gains = 2 * counts.positives - counts.totals[:, None]
        found: dict[bytes, Concept] = {}
        for column in gains.T:
            if (name := column.tobytes()) not in found:
                cells = self.concepts.cells(counts.points, np.ascontiguousarray(column))
                occupied = np.flatnonzero(cells.multiplicities > 0)
                best = occupied[np.argmax(cells.gains[occupied])]
                found[name] = cells.member(int(best), 0)
        return tuple(found[column.tobytes()] for column in gains.T)


@dataclass(frozen=True, slots=True)
class Constant:
    """The first concept for every label, whatever the rows say: private, and of no use."""

    concepts: ConceptClass[Any]

    def __call__(self, sample: JointCounts, /, *, rng: Random) -> tuple[Concept, ...]:  # noqa: ARG002
        """Look at nothing but the number of labels."""
        return (next(iter(self.concepts.concepts())),) * sample.labels


OPEN: dict[str, Callable[[Any], Callable[..., tuple[Any, ...]]]] = {
    "erm": EmpiricalRisk,
    "constant": Constant,
}
"""Learners that spend no budget: one that tells everything and one that tells nothing."""


def learner(
    name: str, setting: Setting, *, labels: int, privacy: Privacy, rows: int
) -> Callable[..., tuple[Any, ...]]:
    """Return the learner of this name for so many labels, all within the budget.

    >>> from tacit.verify.attack.setting import thresholds
    >>> learner("erm", thresholds(3), labels=8, privacy=Privacy(1, 0), rows=3)
    EmpiricalRisk(concepts=Thresholds(values=4, direction='down'))
    """
    if name in OPEN:
        return OPEN[name](setting.concepts)
    listing = named(name)
    if setting.agnostic and not listing.agnostic:
        raise InvalidArgument(
            f"learner {name!r} promises nothing for labels that no rule explains, as Tardos's "
            "fingerprints are: attack it with --code boneh-shaw, or attack another learner"
        )
    asked: Any = {"agnostic": setting.agnostic, "labels": labels}
    return listing(Request(setting.concepts, privacy, rows, None, Fraction(1, 10), **asked))
