"""Populations that make a class hard to learn, for every finite class."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.concept_class import Cells, ConceptClass, Gains, Points, integers
from tacit.concepts.finite import Row
from tacit.core.errors import InvalidArgument
from tacit.core.randomness import Random, Seeded
from tacit.evaluation.simulation import Population, failures
from tacit.learners.generic import GenericLearner

WIDTH = 60
LANDMARKS = 50
FEW = 12
STEPS = 16
UNIT = 10**6
ABOVE = Fraction(1001, 1000)
PARTS = 5

Masses = list[Fraction]


@dataclass(frozen=True, slots=True)
class Restriction:
    """A class on few points: its labellings, with the number of concepts that make each.

    Point i is called i, so that a learner can be run on it as on any class, and fast. Nothing
    changes: given a sample of these points, concepts with one labelling have one score, so a
    labelling is chosen with probability proportional to its number of concepts times q^(-score),
    whether the concepts are listed one by one or counted; and the error of a concept on a
    population of these points depends on its labelling alone.

    >>> from tacit.concepts.thresholds import Thresholds
    >>> restriction = restrict(Thresholds(40), np.array([5, 9]))
    >>> restriction.labels.astype(int).tolist(), restriction.multiplicities.tolist()
    ([[0, 0], [0, 1], [1, 1]], [1099511627766, 4, 6])
    """

    points: Points
    labels: NDArray[np.bool_]
    multiplicities: NDArray[Any]
    member: Callable[[int], Any]

    @property
    def size(self) -> int:
        """The number of concepts of the whole class."""
        return sum(map(int, self.multiplicities))

    def clip(self, points: Points, /) -> Points:
        """Return the points: all are inside."""
        return points

    def cells(self, points: Points, gains: Gains, /) -> Cells[Row]:
        """Score every labelling."""
        scores = self.labels[:, points].astype(np.int64) @ gains
        return Cells(
            scores, self.multiplicities, lambda cell, _: Row(cell, tuple(self.labels[cell]))
        )


def restrict(concepts: ConceptClass[Any], points: Points) -> Restriction:
    """Restrict a class of any size to at most 60 points, by gains that spell the labelling.

    Gains 1, 2, 4, ... tell labellings apart, whatever the class does to group its concepts.
    """
    if len(points) > WIDTH:
        raise InvalidArgument(f"points must be at most {WIDTH}, got {len(points)}")
    cells = concepts.cells(points, np.left_shift(1, np.arange(len(points), dtype=np.int64)))
    counts: dict[int, int] = {}
    where: dict[int, int] = {}
    for cell, gain in enumerate(cells.gains.tolist()):
        if more := int(cells.multiplicities[cell]):
            counts[gain] = counts.get(gain, 0) + more
            where.setdefault(gain, cell)
    found = sorted(counts)
    labels = np.array([[gain >> i & 1 for i in range(len(points))] for gain in found], np.bool_)
    many = integers([counts[gain] for gain in found])
    return Restriction(points, labels, many, lambda row: cells.member(where[found[row]], 0))


@dataclass(frozen=True, slots=True)
class Trial:
    """A learner on a population, as a choice among few labellings; bad ones are marked."""

    learner: GenericLearner[Any]
    population: Population
    limit: Fraction
    bad: NDArray[np.bool_]

    def failures(self, n: int, *, runs: int, rng: Random) -> int:
        """Count the failures of the exact sampler."""
        return failures(self.learner, self.population, n=n, limit=self.limit, runs=runs, rng=rng)

    def chance(self, n: int, *, runs: int, seed: int) -> float:
        """Estimate the failure probability: its mean given the sample, over `runs` samples.

        In floating point: it finds populations and sample sizes, `failures` judges them.
        """
        table: Restriction = self.learner.concepts  # type: ignore[assignment]
        gains = _gains(self.population, _uniforms(runs, 1 << n.bit_length(), seed)[:, :n])
        logs = gains @ table.labels.T * float(self.learner.epsilon / 2)
        logs += [math.log(many) for many in table.multiplicities.tolist()]
        weights = np.exp(logs - logs.max(axis=1, keepdims=True))
        return float((weights[:, self.bad].sum(axis=1) / weights.sum(axis=1)).mean())

    def needed(self, beta: Fraction, *, most: int, runs: int, seed: int) -> int:
        """Estimate the least n, up to `most`, from which on the failure probability is <= beta."""
        low, high = 0, most
        while high - low > max(1, most // 100):
            middle = (low + high) // 2
            enough = self.chance(middle, runs=runs, seed=seed) <= beta
            low, high = (low, middle) if enough else (middle, high)
        return high


def trial(learner: GenericLearner[Any], population: Population, alpha: Fraction) -> Trial:
    """Prepare runs that fail if the error is more than alpha above the best concept's."""
    return _trial(learner, restrict(learner.concepts, population.points), population, alpha)


def hard_populations(
    concepts: ConceptClass[Any],
    target: Any,
    alpha: Fraction,
    *,
    lean: Fraction = Fraction(1),
) -> dict[str, Population]:
    """Return named populations labelled by the target; in most, bad concepts err just above alpha.

    With a `lean` below 1, labels are the target's with probability (1 + lean) / 2 only, and the bad
    regions grow by 1 / lean, so that the excess error is as before; at lean = 1.001 alpha, the bad
    region is everything, which is the worst case of the agnostic bound.

    >>> from tacit.concepts.points import Point, Points
    >>> hard = hard_populations(Points(4), Point(7), Fraction(1, 10))["one bad region"]
    >>> hard.points.tolist(), [float(m) for m in hard.masses]
    ([0, 7], [0.8999, 0.1001])
    """
    table = restrict(concepts, landmarks(concepts, target))
    shapes = _shapes(table, target(table.points), alpha, lean)
    return {
        name: _population(table.points, masses, target(table.points), lean)
        for name, masses in shapes.items()
    }


def worst_found(
    learner: GenericLearner[Any],
    target: Any,
    alpha: Fraction,
    *,
    n: int,
    lean: Fraction = Fraction(1),
    tries: int = 60,
    runs: int = 150,
    seed: int = 0,
) -> Population:
    """Search for the population on which n rows fail most often, from the hard ones on."""
    table = restrict(learner.concepts, landmarks(learner.concepts, target))
    labels, rng = target(table.points), Seeded(seed)

    def chance(masses: Masses) -> float:
        population = _population(table.points, masses, labels, lean, keep=True)
        return _trial(learner, table, population, alpha).chance(n, runs=runs, seed=seed)

    starts = list(_shapes(table, labels, alpha, lean).values())
    best = max(starts, key=chance)
    value = chance(best)
    for _ in range(tries):
        moved = _moved(best, alpha * ABOVE / lean, rng=rng)
        if (found := chance(moved)) > value:
            best, value = moved, found
    return _population(table.points, best, labels, lean)


def hardest_target(concepts: ConceptClass[Any]) -> Any:
    """Return a concept that is alone in its labelling of few points, next to many that err in one.

    Greedy: the label of one point that most others miss, then labels of more points that leave the
    target few companions.

    >>> from tacit.concepts.thresholds import Thresholds
    >>> hardest_target(Thresholds(40))
    Threshold(at=1099511627775, up=True)
    """
    table = restrict(concepts, landmarks(concepts, None))
    best, chosen = 0.0, 0
    for row in range(len(table.labels)):
        region = _region(table, table.labels[row])
        if region.ratio > best:
            best, chosen = region.ratio, row
    return table.member(chosen)


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


@dataclass(frozen=True, slots=True)
class _Region:
    """A point that many miss who are right on `rest`: how many there are to one that is right."""

    at: int
    rest: list[int]
    ratio: float


def _region(table: Restriction, labels: NDArray[np.bool_]) -> _Region:
    """Find greedily the point and the rest with the most concepts wrong to one that is right."""
    differs = (table.labels != labels).astype(np.float64)
    weights, agrees = table.multiplicities.astype(np.float64), 1 - differs
    ratios = differs.T @ (agrees * weights[:, None]) / (agrees.T @ (agrees * weights[:, None]))
    at, first = map(int, np.unravel_index(int(ratios.argmax()), ratios.shape))
    rest, best = [first], float(ratios[at, first])
    alive = weights * agrees[:, first]
    while True:
        bad, good = alive * differs[:, at], alive * agrees[:, at]
        further = (bad @ agrees) / (good @ agrees)
        pick = int(further.argmax())
        if further[pick] <= best * (1 + 1e-9):
            return _Region(at, rest, best)
        rest.append(pick)
        best = float(further[pick])
        alive = alive * agrees[:, pick]


def _shapes(
    table: Restriction, labels: NDArray[np.bool_], alpha: Fraction, lean: Fraction
) -> dict[str, Masses]:
    """Return masses over the table's points, by name."""
    over = alpha * ABOVE / lean
    if over > 1:
        raise InvalidArgument(f"lean must be at least 1.001 alpha, got {lean} for alpha={alpha}")
    count, region, rng = len(table.points), _region(table, labels), Seeded(1)
    differs = (table.labels != labels).astype(np.float64)
    weights = table.multiplicities.astype(np.float64)
    bad = weights * differs[:, region.at] * (1 - differs[:, region.rest]).prod(axis=1)
    near = [i for i in np.argsort(-(bad @ differs), kind="stable").tolist() if i not in region.rest]
    split = _splitting(differs, weights)
    heavy = split[: min(PARTS + 4, int(1 / over))]
    calm = int((weights @ differs + weights.sum() * np.isin(np.arange(count), heavy)).argmin())
    parts = near[:PARTS]
    several = _masses(count, dict.fromkeys(heavy, over))
    several[calm] += 1 - sum(several)
    raw = [rng.below(UNIT) ** 2 + 1 for _ in range(count)]
    return {
        "one bad region": _masses(
            count, {region.at: over}, {i: (1 - over) / len(region.rest) for i in region.rest}
        ),
        "one bad region in parts": _masses(
            count,
            {i: over / len(parts) for i in parts},
            {i: (1 - over) / len(region.rest) for i in region.rest},
        ),
        "several bad regions": several,
        "two halves": _masses(count, {i: Fraction(1, 2) for i in (region.at, region.rest[0])}),
        "uniform": [Fraction(1, count)] * count,
        "random masses": [Fraction(value, sum(raw)) for value in raw],
    }


def _splitting(differs: NDArray[np.float64], weights: NDArray[np.float64]) -> list[int]:
    """Order points greedily so that few concepts are right on the first ones."""
    order: list[int] = []
    alive = weights
    while len(order) < differs.shape[1]:
        left = alive @ (1 - differs)
        left[order] = np.inf
        order.append(int(left.argmin()))
        alive = alive * (1 - differs[:, order[-1]])
    return order


@lru_cache(maxsize=4)
def _uniforms(runs: int, n: int, seed: int) -> NDArray[np.float64]:
    """Return the same numbers for all populations, so that these are compared on equal terms."""
    return (Seeded(seed).words(runs * n).astype(np.float64) * 2.0**-64).reshape(runs, n)


def _gains(population: Population, uniforms: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn each uniform number into a row; return for each run the gain of each point."""
    rows = enumerate(zip(population.masses, population.positive, strict=True))
    parts = [(i, way, m * q) for i, (m, p) in rows for way, q in ((1, p), (-1, 1 - p)) if m * q]
    bars = [float(bar) for bar in accumulate(part for _, _, part in parts)][:-1]
    runs, n = uniforms.shape
    below = [(uniforms < bar).sum(axis=1) for bar in bars]
    counts = np.diff([np.zeros(runs), *below, np.full(runs, n)], axis=0)
    gains = np.zeros((runs, len(population.masses)))
    for (i, way, _), count in zip(parts, counts, strict=True):
        gains[:, i] += way * count
    return gains


def _moved(masses: Masses, over: Fraction, *, rng: Random) -> Masses:
    """Move the mass of one point to another: all, a half, a tenth, or just enough to be bad."""
    held = [i for i, mass in enumerate(masses) if mass]
    start, end = held[rng.below(len(held))], rng.below(len(masses))
    mass = masses[start]
    ways = (mass, mass / 2, mass / 10, abs(over - masses[end]), max(mass - over, Fraction(0)))
    amount = min(mass, Fraction(math.ceil(ways[rng.below(len(ways))] * UNIT), UNIT))
    moved = list(masses)
    moved[start] -= amount
    moved[end] += amount
    return moved


def _trial(
    learner: GenericLearner[Any], table: Restriction, population: Population, alpha: Fraction
) -> Trial:
    named = Population(np.arange(len(table.points)), population.masses, population.positive)
    scale = math.lcm(*(f.denominator for f in (*named.masses, *named.positive))) ** 2
    rows = zip(named.masses, named.positive, strict=True)
    tilt = np.array([int(m * (1 - 2 * p) * scale) for m, p in rows], dtype=object)
    errors = table.labels.astype(object) @ tilt  # up to one constant, the error of "always no"
    bad = np.array(errors - min(errors) > alpha * scale, dtype=np.bool_)
    best = table.labels[int(np.argmin(errors))]
    limit = alpha + named.error(Row(0, tuple(best)))
    small: Any = table
    restricted = GenericLearner(small, epsilon=learner.epsilon, agnostic=learner.agnostic)
    return Trial(restricted, named, limit, bad)


def _population(
    points: Points,
    masses: Masses,
    labels: NDArray[np.bool_],
    lean: Fraction,
    *,
    keep: bool = False,
) -> Population:
    """Drop the points without mass, unless they are to be kept; label the others."""
    held = [i for i, mass in enumerate(masses) if mass or keep]
    positive = tuple((1 + lean) / 2 if labels[i] else (1 - lean) / 2 for i in held)
    return Population(points[held], tuple(masses[i] for i in held), positive)


def _masses(count: int, *parts: dict[int, Fraction]) -> Masses:
    masses = [Fraction(0)] * count
    for part in parts:
        for place, mass in part.items():
            masses[place] += mass
    return masses


def _change(target: Any, low: int, high: int) -> list[int]:
    """Return two neighbours between which the target changes, as it does from low to high."""
    first = bool(target(integers([low]))[0])
    while high - low > 1:
        middle = (low + high) // 2
        same = bool(target(integers([middle]))[0]) == first
        low, high = (middle, high) if same else (low, middle)
    return [low, high]


def _vectors(points: list[tuple[int, ...]]) -> Points:
    small = all(x < 1 << 62 for point in points for x in point)
    return np.array(points, dtype=np.int64 if small else object)
