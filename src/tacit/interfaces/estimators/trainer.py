"""One candidate of a search: what it costs to train, and how its rules agree with other rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Never

import numpy as np

from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Random, Seeded
from tacit.core.cost import Cost
from tacit.core.errors import TooLarge
from tacit.interfaces.estimators.classifiers.classifier import BasePrivateClassifier, codes_said
from tacit.interfaces.estimators.given.labelled import LabelledTable
from tacit.learners.contract.model import Model
from tacit.workflows import describe, learn
from tacit.workflows.learning import prepare
from tacit.workflows.releasing.policy import Kept


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """A model with the classifier it is for, and the labelled table to judge it by."""

    model: Model
    shell: BasePrivateClassifier
    given: LabelledTable


@dataclass(frozen=True, slots=True, eq=False)
class Trainer:
    """A mechanism from the places of rows to a model that is trained on them."""

    shell: BasePrivateClassifier
    given: LabelledTable
    cost: Cost

    @classmethod
    def of(
        cls,
        shell: BasePrivateClassifier,
        given: LabelledTable,
        size: int,
        rule: Kept | None = None,
    ) -> Trainer:
        """Return a trainer on blocks of this size; refuse now what would be refused later."""
        prepared = prepare(**_question(shell, given, range(size)))
        tried = prepared.made_up()(rng=Seeded(1))  # what can fail fails before the charge
        describe(tried)
        if rule is not None:
            rule.policy.check_tried(tried)
        cost: Any = prepared.blank.cost  # classifiers protect whole rows, that are replaced
        return cls(shell, given, cost)

    def __call__(self, places: Sequence[int], *, rng: Random) -> Trained:
        """Train on the rows at some places."""
        model = learn(**_question(self.shell, self.given, places), rng=rng)
        return Trained(model, self.shell, self.given)

    def law(self, places: Sequence[int]) -> Never:  # noqa: ARG002
        """Refuse: laws are for mechanisms on tiny universes."""
        raise TooLarge("the law of a classifier on a table is not listed; see tacit audit")


def agrees(trained: Trained, place: int) -> bool:
    """Whether a model is right about the row at a place."""
    return bool(_agreements(trained)[place])


def forget() -> None:
    """Let go of the last table."""
    _agreements.cache_clear()


def of_any(promised: Accuracy | None, tried: int) -> Accuracy | None:
    """Return what holds for all of several candidates at once, and so for whichever is chosen.

    >>> of_any(Accuracy("0.1", "0.05"), 10), of_any(Accuracy("0.1", "0.05"), 20)
    (Accuracy(alpha=Fraction(1, 10), beta=Fraction(1, 2)), None)
    """
    if promised is None or tried * promised.beta >= 1:
        return None
    return Accuracy(promised.alpha, tried * promised.beta)


@lru_cache(maxsize=1)
def _agreements(trained: Trained) -> Any:
    (marks,) = trained.given.marks.values()
    return codes_said(trained.model, trained.given.table.points()) == marks


def _question(
    shell: BasePrivateClassifier, given: LabelledTable, places: Sequence[int]
) -> dict[str, Any]:
    taken = np.array(places, dtype=np.intp)
    labels = {name: marks[taken] for name, marks in given.marks.items()}
    return shell.question(replace(given, table=given.table.take(places), marks=labels))
