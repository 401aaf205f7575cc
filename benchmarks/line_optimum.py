"""Interior points and choices among few: the best that any mechanism can do, beside what we have.

Floats throughout: these tables say what there is to gain, and no mechanism rests on them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix

from tacit.core.chance.law import Law
from tacit.core.numbers.least import least_near
from tacit.mechanisms import Exponential, NearChoice, PermuteAndFlip
from tacit.mechanisms.choice.near_choice import Penalties
from tacit.statistics import ScoreProfile

State = tuple[int, ...]
Loss = Callable[[State], Sequence[float]]


def least_loss(states: list[State], losses: Loss, epsilon: float) -> float:
    """Return the least worst expected loss of any law that is epsilon-DP on these histograms.

    If they are not all there are, it is a lower bound.
    """
    numbers = {state: i for i, state in enumerate(states)}
    wide = len(losses(states[0]))
    grown, rows, entries = math.exp(epsilon), 0, list[tuple[int, int, float]]()
    for state, i in numbers.items():
        for j in (numbers[near] for near in _neighbours(state) if near in numbers):
            for c in range(wide):
                entries += [(rows, i * wide + c, 1.0), (rows, j * wide + c, -grown)]
                rows += 1
    worst = len(states) * wide
    for state, i in numbers.items():
        told = losses(state)
        entries += [(rows, i * wide + c, loss) for c, loss in enumerate(told) if loss]
        entries.append((rows, worst, -1.0))
        rows += 1
    places = np.array([entry[:2] for entry in entries]).T
    limits = coo_matrix(([entry[2] for entry in entries], places), (rows, worst + 1)).tocsr()
    sums = coo_matrix(
        (np.ones(worst), (np.arange(worst) // wide, np.arange(worst))), (len(states), worst + 1)
    ).tocsr()
    goal = np.zeros(worst + 1)
    goal[-1] = 1
    found = linprog(
        goal,
        limits,
        np.zeros(rows),
        sums,
        np.ones(len(states)),
        method="highs-ipm",
        options={"time_limit": 110},
    )
    return float(found.fun) if found.status == 0 else math.nan


def _neighbours(state: State) -> Iterator[State]:
    for a, b in product(range(len(state)), repeat=2):
        if a != b and state[a]:
            near = list(state)
            near[a], near[b] = near[a] - 1, near[b] + 1
            yield tuple(near)


def histograms(n: int, cells: int) -> list[State]:
    """Return all histograms of n rows over so many cells."""
    bars = combinations(range(n + cells - 1), cells - 1)
    edges = ((-1, *places, n + cells - 1) for places in bars)
    return [tuple(b - a - 1 for a, b in pairwise(e)) for e in edges]


def two_heaps(n: int, cells: int) -> list[State]:
    """Return the histograms of rows that stand in at most two places."""
    found = {
        tuple(k if c == a else n - k if c == b else 0 for c in range(cells))
        for a, b in combinations(range(cells), 2)
        for k in range(n + 1)
    }
    return sorted(found)


def outside(state: State) -> list[float]:
    """Say of each value whether it is no interior point."""
    held = [x for x, many in enumerate(state) if many]
    return [float(not held[0] <= x <= held[-1]) for x in range(len(state))]


def depths(state: State) -> list[int]:
    """Return the lesser of the rows up to each value and from it on."""
    total = sum(state)
    below = np.cumsum(state)
    return [int(min(below[x], total - below[x] + state[x])) for x in range(len(state))]


def by_exponential(epsilon: str) -> Callable[[State], Law[Any]]:
    """Choose by depth."""
    return lambda state: Exponential(epsilon).law(ScoreProfile.of(depths(state)))


def by_permute_and_flip(epsilon: str) -> Callable[[State], Law[Any]]:
    """Choose by depth."""
    return lambda state: PermuteAndFlip(epsilon).law(ScoreProfile.of(depths(state)))


def by_capped_depth(epsilon: str, cap: int) -> Callable[[State], Law[Any]]:
    """Choose by depth, of which no more than the cap counts."""
    chosen = PermuteAndFlip(epsilon)
    return lambda state: chosen.law(ScoreProfile.of([min(cap, d) for d in depths(state)]))


def by_tree(epsilon: str, n: int, cells: int, deep: int, none: str) -> Callable[[State], Law[Any]]:
    """Choose the simplest of deep values by the binary tree; None is no interior point."""
    held, levels = n + 2 - 2 * deep, cells.bit_length()
    crowd = [sum(min(1 << j, n // (held - d)) for j in range(levels)) for d in range(held)]
    choice = NearChoice(epsilon, crowd=crowd, none=none)

    def law(state: State) -> Law[Any]:
        deeps, table = depths(state), {}
        for x, depth in enumerate(deeps):
            half = (x + 1) & -(x + 1)
            inside = sum(state[max(0, x + 1 - half) : x + half])
            table[x] = max(0, deep - depth, held - inside)
        return choice.law(Penalties(table, cells))

    return law


def worst(law: Callable[[State], Law[Any]], states: list[State], losses: Loss) -> float:
    """Return the worst expected loss of a law; what is not told as a number is lost."""

    def expected(state: State) -> float:
        told, lost = law(state), losses(state)
        chances = told.probabilities.items()
        return sum(float(p) * (1.0 if c is None else lost[c]) for c, p in chances)

    return max(expected(state) for state in states)


def fewest(bits: int, epsilon: str, beta: float) -> tuple[int, int, int]:
    """Return rows for an interior point: by our tree, by the exponential mechanism, and a bound.

    The tree's far values fail with `size * told(held)`; those that are not between the rows though
    their cells hold some, of which each level has one on either side, with `told(deep)`.
    """
    rate, size = eval_fraction(epsilon), 1 << bits

    def enough(deep: int, held: int) -> bool:
        many = [min((held + 2 * deep - 2) // (held - d), 1 << 20) for d in range(held)]
        crowd = [sum(min(1 << min(j, 20), most) for j in range(bits + 1)) for most in many]
        choice = NearChoice(epsilon, crowd=crowd, none=str(beta / 4))
        levels = 2 * (bits + 1) * choice.told(min(deep, held))
        return float(choice.untold + size * choice.told(held) + levels) <= beta

    start = math.ceil((math.log(size) + math.log(8 / beta)) / rate)
    first = math.ceil(2 / rate * math.log(2 * (bits + 1) / beta))
    found = []
    for deep in (first, first + math.ceil(1 / rate), first + math.ceil(2 / rate)):
        held = least_near(partial(enough, deep), start + int(6 / rate))
        found.append(held + 2 * deep - 2)
    usual = math.ceil(4 / rate * math.log((size - 2) * (1 - beta) / (2 * beta)))
    return min(found), usual, math.ceil(math.log(size * (1 - beta)) / rate)


def eval_fraction(text: str) -> float:
    """Read 1/2 or 0.5."""
    above, _, below = text.partition("/")
    return float(above) / float(below or 1)
