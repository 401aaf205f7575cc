"""Populations on which a given learner does badly, and how many rows it needs on the worst."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.core.chance.randomness import Seeded
from tacit.learners.contract.learner import MultiLearner
from tacit.learners.every_class.generic import GenericLearner
from tacit.learners.many_labels.direct_sum import DirectSum
from tacit.verify.enough.hard_populations import (
    climb,
    hard_populations,
    hardest_target,
    worst_found,
)
from tacit.verify.enough.joint_simulation import joint_failures
from tacit.verify.enough.landmarks import landmarks
from tacit.verify.enough.restriction import restrict
from tacit.verify.enough.simulation import Population
from tacit.verify.enough.trial import Trial, trial

PRECISION = 250
"""The needed rows are found to within a 250th of those that are tried."""


@dataclass(frozen=True)
class Adversary:
    """Tries a learner of a class on every population that it knows to be hard.

    With `tries` it moves mass around to find a worse one. The failures of the generic learner are
    averaged given the sample, in floating point; others are run.
    """

    concepts: ConceptClass[Any]
    learner: MultiLearner[Any]
    alpha: Fraction
    runs: int = 300
    tries: int = 30
    lean: Fraction = Fraction(1)
    seed: int = 0

    def populations(self, n: int) -> dict[str, Population]:
        """Return the populations by name; the worst found is the one on which n rows fail most."""
        target = hardest_target(self.concepts)
        drawn = self.concepts.draw(rng=Seeded(self.seed))
        found = hard_populations(self.concepts, target, self.alpha, lean=self.lean)
        others = hard_populations(self.concepts, drawn, self.alpha, lean=self.lean)
        found |= {f"{name}, target drawn": other for name, other in others.items()}
        if self.tries:
            found["worst found"] = self._worst(target, n)
        return found

    def limit(self, population: Population) -> Fraction:
        """Return the error above which a hypothesis is bad: alpha above the best concept's."""
        if self.lean == 1:
            return self.alpha
        table = restrict(self.concepts, population.points)
        best = min(population.error(table.member(row)) for row in range(len(table.labels)))
        return best + self.alpha

    def chance(self, population: Population, n: int) -> float:
        """Estimate how often n rows fail."""
        if (found := self._trial(population)) is not None:
            return found.chance(n, runs=self.runs, seed=self.seed)
        return self._failures(population, n, self.limit(population)) / self.runs

    def needed(self, population: Population, beta: Fraction, *, most: int) -> int:
        """Estimate the least n, up to `most`, from which on failure is at most beta.

        Between two numbers of rows of which the lower fails too often and the upper does not;
        whether `most` rows are enough at all is for `chance` to say.
        """
        made, limit = self._trial(population), self.limit(population)

        def enough(n: int) -> bool:
            if made is not None:
                return made.chance(n, runs=self.runs, seed=self.seed) <= beta
            return self._failures(population, n, limit) <= self.runs * beta

        low, high = 0, most
        while high - low > max(1, most // PRECISION):
            middle = (low + high) // 2
            low, high = (low, middle) if enough(middle) else (middle, high)
        return high

    def _worst(self, target: Any, n: int) -> Population:
        if (generic := self._generic) is not None:
            return worst_found(
                generic,
                target,
                self.alpha,
                n=n,
                lean=self.lean,
                labels=self.learner.labels,
                tries=self.tries,
                seed=self.seed,
            )
        table = restrict(self.concepts, landmarks(self.concepts, target))

        def chance(population: Population) -> float:
            return self._failures(population, n, self.limit(population)) / self.runs

        return climb(
            table, target, self.alpha, chance, lean=self.lean, tries=self.tries, seed=self.seed
        )

    def _failures(self, population: Population, n: int, limit: Fraction) -> int:
        """Count failures with one seed for all numbers of rows and all populations."""
        rng = Seeded(self.seed)
        return joint_failures(self.learner, population, n=n, limit=limit, runs=self.runs, rng=rng)

    def _trial(self, population: Population) -> Trial | None:
        if self._generic is None:
            return None
        return trial(self._generic, population, self.alpha, labels=self.learner.labels)

    @property
    def quick(self) -> bool:
        """Whether failures are averaged, not run."""
        return self._generic is not None

    @cached_property
    def _generic(self) -> GenericLearner[Any] | None:
        learner = self.learner
        if isinstance(learner, DirectSum) and isinstance(learner.learner, GenericLearner):
            return learner.learner
        return None
