"""Random cost trees, of every leaf and node that a checker prices."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from tacit.core.cost import (
    Approximate,
    BoundedRange,
    Cost,
    Gaussian,
    NearGaussian,
    Parallel,
    Pure,
    Repeat,
    Sequential,
    Subsample,
    ZeroConcentrated,
)

DELTAS = [Fraction(0), *(Fraction(1, 10**power) for power in (3, 5, 6, 9))]


def random_cost(dice: Random, depth: int) -> Cost:
    """Draw a tree."""
    kind = dice.random()
    if depth == 0 or kind < 0.3:
        return _leaf(dice)
    if kind < 0.55:
        return Sequential(*(random_cost(dice, depth - 1) for _ in range(dice.randint(0, 3))))
    if kind < 0.6:
        rows = dice.choice([1, 7, 100, 5000])
        drawn, again = dice.randint(0, rows), dice.random() < 0.5
        return Subsample(random_cost(dice, depth - 1), drawn, rows, replacement=again)
    if kind < 0.75:
        return Parallel(*(random_cost(dice, depth - 1) for _ in range(dice.randint(1, 3))))
    times = dice.choice([0, 1, 2, 3, 5, 10, dice.randint(1, 60)])
    return Repeat(random_cost(dice, depth - 1), times, adaptive=dice.random() < 0.4)


def _leaf(dice: Random) -> Cost:
    match dice.choice("ppbbbazgnn"):
        case "p":
            return Pure(_number(dice))
        case "b":
            return BoundedRange(_number(dice))
        case "a":
            return Approximate(_number(dice), Fraction(1, 10 ** dice.randint(7, 12)))
        case "z":
            return ZeroConcentrated(_number(dice, -4, -0.5))
        case "n":
            rho = _number(dice, -4, -0.5)
            return NearGaussian(rho, rho * Fraction(dice.choice(["2", "15/7", "3"])))
    return Gaussian(10 * _number(dice, 0, 3), dice.randint(1, 3))


def _number(dice: Random, low: float = -3, high: float = 0.5) -> Fraction:
    exact = Fraction(str(round(10 ** dice.uniform(low, high), dice.choice([3, 4, 6]))))
    return exact or Fraction(1, 1000)
