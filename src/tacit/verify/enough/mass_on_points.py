"""How mass can lie on the points of a restricted class so that it is hard to learn."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tacit.core.chance.randomness import Random, Seeded
from tacit.core.errors import InvalidArgument
from tacit.verify.enough.restriction import Restriction

UNIT = 10**6
ABOVE = Fraction(1001, 1000)
PARTS = 5

Masses = list[Fraction]


@dataclass(frozen=True, slots=True)
class Region:
    """A point that many miss who are right on `rest`: how many there are to one that is right."""

    at: int
    rest: list[int]
    ratio: float


def region_of(table: Restriction, labels: NDArray[np.bool_]) -> Region:
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
            return Region(at, rest, best)
        rest.append(pick)
        best = float(further[pick])
        alive = alive * agrees[:, pick]


def shapes(
    table: Restriction, labels: NDArray[np.bool_], alpha: Fraction, lean: Fraction
) -> dict[str, Masses]:
    """Return masses over the table's points, by name."""
    over = alpha * ABOVE / lean
    if over > 1:
        raise InvalidArgument(f"lean must be at least 1.001 alpha, got {lean} for alpha={alpha}")
    count, region, rng = len(table.points), region_of(table, labels), Seeded(1)
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


def _masses(count: int, *parts: dict[int, Fraction]) -> Masses:
    masses = [Fraction(0)] * count
    for part in parts:
        for place, mass in part.items():
            masses[place] += mass
    return masses


def moved(masses: Masses, over: Fraction, *, rng: Random) -> Masses:
    """Move the mass of one point to another: all, a half, a tenth, or just enough to be bad."""
    held = [i for i, mass in enumerate(masses) if mass]
    start, end = held[rng.below(len(held))], rng.below(len(masses))
    mass = masses[start]
    ways = (mass, mass / 2, mass / 10, abs(over - masses[end]), max(mass - over, Fraction(0)))
    amount = min(mass, Fraction(math.ceil(ways[rng.below(len(ways))] * UNIT), UNIT))
    after = list(masses)
    after[start] -= amount
    after[end] += amount
    return after
