"""Populations on which a given learner does badly, and how many rows it needs on the worst."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.core.chance.randomness import Seeded
from tacit.core.numbers.least import least_between
from tacit.learners.contract.learner import MultiLearner
from tacit.learners.every_class.generic import GenericLearner
from tacit.learners.many_labels.direct_sum import DirectSum
from tacit.verify.enough.hard_populations import (
    climb,
    hard_populations,
    hardest_target,
    landmarks,
    worst_found,
)
from tacit.verify.enough.restriction import restrict
from tacit.verify.enough.simulation import Population, joint_failures
from tacit.verify.enough.trial import trial

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
        return float(self._chances(population)(n))

    def needed(self, population: Population, beta: Fraction, *, most: int) -> int:
        """Estimate the least n, up to `most`, from which on failure is at most beta.

        Between two numbers of rows of which the lower fails too often and the upper does not;
        whether `most` rows are enough at all is for `chance` to say.
        """
        chance, within = self._chances(population), max(1, most // PRECISION)
        return least_between(0, most, lambda n: chance(n) <= beta, within=within)

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
        how: dict[str, Any] = {"lean": self.lean, "tries": self.tries, "seed": self.seed}
        return climb(table, target, self.alpha, lambda each: self.chance(each, n), **how)

    def _chances(self, population: Population) -> Callable[[int], float | Fraction]:
        """Return how often numbers of rows fail, with one seed for all of them."""
        if (generic := self._generic) is not None:
            made = trial(generic, population, self.alpha, labels=self.learner.labels)
            return lambda n: made.chance(n, runs=self.runs, seed=self.seed)
        limit, runs = self.limit(population), self.runs

        def share(n: int) -> Fraction:
            rng = Seeded(self.seed)
            failed = joint_failures(self.learner, population, n=n, limit=limit, runs=runs, rng=rng)
            return Fraction(failed, runs)

        return share

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
