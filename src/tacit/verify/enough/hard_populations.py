"""Populations that make a class hard to learn, for every finite class."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import ConceptClass, Points, integers
from tacit.core.chance.randomness import Seeded
from tacit.core.numbers.least import least_between
from tacit.learners.every_class.generic import GenericLearner
from tacit.verify.enough.mass_on_points import ABOVE, Masses, moved, region_of, shapes
from tacit.verify.enough.restriction import Restriction, restrict
from tacit.verify.enough.simulation import Population
from tacit.verify.enough.trial import trial_on


def hard_populations(
    concepts: ConceptClass[Any], target: Any, alpha: Fraction, *, lean: Fraction = Fraction(1)
) -> dict[str, Population]:
    """Return named populations labelled by the target; in most, bad concepts err just above alpha.

    With a `lean` below 1, labels are the target's with probability (1 + lean) / 2 only, and the bad
    regions grow by 1 / lean, so that the excess error is as before; at lean = 1.001 alpha, the bad
    region is everything, which is the worst case of the agnostic bound.

    >>> from tacit.concepts.line.points import Point, Points
    >>> hard = hard_populations(Points(4), Point(7), Fraction(1, 10))["one bad region"]
    >>> hard.points.tolist(), [float(m) for m in hard.masses]
    ([0, 7], [0.8999, 0.1001])
    """
    table = restrict(concepts, landmarks(concepts, target))
    labels = target(table.points)
    return {
        name: _population(table.points, masses, labels, lean)
        for name, masses in shapes(table, labels, alpha, lean).items()
    }


def worst_found(
    learner: GenericLearner[Any],
    target: Any,
    alpha: Fraction,
    *,
    n: int,
    lean: Fraction = Fraction(1),
    labels: int = 1,
    tries: int = 60,
    runs: int = 150,
    seed: int = 0,
) -> Population:
    """Search for the population on which n rows fail most often, from the hard ones on."""
    table = restrict(learner.concepts, landmarks(learner.concepts, target))

    def chance(population: Population) -> float:
        tried = trial_on(learner, table, population, alpha, labels=labels)
        return tried.chance(n, runs=runs, seed=seed)

    return climb(table, target, alpha, chance, lean=lean, tries=tries, seed=seed)


def climb(
    table: Restriction,
    target: Any,
    alpha: Fraction,
    chance: Callable[[Population], float],
    *,
    lean: Fraction = Fraction(1),
    tries: int,
    seed: int = 0,
) -> Population:
    """Start from the hard population with the greatest chance of failure; move mass to raise it.

    The populations that are tried name all points of the table, some without mass.
    """
    labels, rng = target(table.points), Seeded(seed)

    def value_of(masses: Masses) -> float:
        return chance(_population(table.points, masses, labels, lean, keep=True))

    starts = list(shapes(table, labels, alpha, lean).values())
    values = [value_of(masses) for masses in starts]
    value = max(values)
    best = starts[values.index(value)]
    for _ in range(tries):
        other = moved(best, alpha * ABOVE / lean, rng=rng)
        if (found := value_of(other)) > value:
            best, value = other, found
    return _population(table.points, best, labels, lean)


def hardest_target(concepts: ConceptClass[Any]) -> Any:
    """Return a concept that is alone in its labelling of few points, next to many that err in one.

    Greedy: the label of one point that most others miss, then labels of more points that leave the
    target few companions.

    >>> from tacit.concepts.line.thresholds import Thresholds
    >>> hardest_target(Thresholds(40))
    Threshold(at=1099511627775, up=True)
    """
    table = restrict(concepts, landmarks(concepts, None))
    best, chosen = 0.0, 0
    for row in range(len(table.labels)):
        region = region_of(table, table.labels[row])
        if region.ratio > best:
            best, chosen = region.ratio, row
    return table.member(chosen)


def _population(
    points: Points, masses: Masses, labels: NDArray[Any], lean: Fraction, *, keep: bool = False
) -> Population:
    """Drop the points without mass, unless they are to be kept; label the others."""
    held = [i for i, mass in enumerate(masses) if mass or keep]
    positive = tuple((1 + lean) / 2 if labels[i] else (1 - lean) / 2 for i in held)
    return Population(points[held], tuple(masses[i] for i in held), positive)


LANDMARKS = 50
"""A domain of up to so many points is taken whole: labellings of them fit into one word."""
FEW = 12
"""So many points of several columns: each doubles the labellings."""
STEPS = 16
"""So many equal steps of a line."""


def landmarks(concepts: ConceptClass[Any], target: Any) -> Points:
    """Return the domain, or of a large one its corners, steps, and where the target changes."""
    if concepts.domain_size <= LANDMARKS:
        return concepts.domain()
    far = np.full((1, concepts.features), 1 << 4096, dtype=object)
    if concepts.features > 1:
        tops = concepts.clip(far)[0].tolist()
        rng = Seeded(concepts.features)
        corners = [[0] * len(tops), tops, *np.diag(np.array(tops, dtype=object)).tolist()]
        others = [[rng.below(int(top) + 1) for top in tops] for _ in range(STEPS)]
        picked = dict.fromkeys(tuple(map(int, point)) for point in corners[: FEW // 2] + others)
        return _vectors(list(picked)[:FEW])
    top = int(concepts.clip(far[:, 0])[0])
    steps = sorted({0, 1, top - 1, top, *(top * i // STEPS for i in range(STEPS))})
    if target is not None:
        said = target(integers(steps)).tolist()
        for i in range(len(steps) - 1):
            if said[i] != said[i + 1]:
                steps += _change(target, steps[i], steps[i + 1])
    return integers(sorted(set(steps)))


def _change(target: Any, low: int, high: int) -> list[int]:
    """Return two neighbours between which the target changes, as it does from low to high."""
    first = bool(target(integers([low]))[0])
    after = least_between(low, high, lambda x: bool(target(integers([x]))[0]) != first)
    return [after - 1, after]


def _vectors(points: list[tuple[int, ...]]) -> Points:
    small = all(x < 1 << 62 for point in points for x in point)
    return np.array(points, dtype=np.int64 if small else object)
