"""Zero-sum matrix games: a mixed strategy for each side, exact, so that each certifies a bound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from math import lcm
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat
from numpy.typing import NDArray

from tacit.core.errors import InvalidArgument

TINY = 1e-8  # weights and gaps of floats below it count as zero
DENOMINATORS = (10**2, 10**4, 10**6, 10**9)  # tried where no exact corner is found: coarse to fine

Payoff = Sequence[Sequence[Fraction]] | NDArray[np.int64]
"""One line a choice of the player who pays, one entry a choice of the player who is paid."""

Lines = Sequence[Sequence[Fraction | int]]
Strategy = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class GameValue:
    """`lower <= value <= upper`: `paying` pays at most `upper`, `paid` is paid at least `lower`."""

    lower: Fraction
    upper: Fraction
    paying: Strategy
    paid: Strategy


def game_value(payoff: Payoff) -> GameValue:
    """Solve a game whose rows pay its columns.

    Exactness:
        Floats only propose which choices are used; both strategies are rationals, solved for
        exactly where they can be, and both bounds are computed from them.

    >>> value = game_value([[Fraction(0), Fraction(1)], [Fraction(1), Fraction(0)]])
    >>> value.lower, value.upper
    (Fraction(1, 2), Fraction(1, 2))
    """
    exact = [[_exact(entry) for entry in row] for row in np.asarray(payoff).tolist()]
    if not exact or not exact[0]:
        raise InvalidArgument("a game needs a choice for either player")
    turned = [[-entry for entry in column] for column in zip(*exact, strict=True)]
    found = by_floats(np.array(exact, dtype=np.float64))
    # what the paid side plays are the prices of the program's inequalities
    proposed = np.maximum(found.x[:-1], 0), np.maximum(-found.ineqlin.marginals, 0)
    sides = list(zip((exact, turned), proposed, strict=True))
    for denominators in ((), DENOMINATORS):
        (upper, paying), (lower, paid) = (_best(*side, denominators) for side in sides)
        if upper == -lower:
            break
    return GameValue(-lower, upper, paying, paid)


def worst(payoff: Sequence[Sequence[Fraction | int]], mixed: Sequence[Fraction]) -> Fraction:
    """Return the most that a mixture of rows pays."""
    used = [i for i, p in enumerate(mixed) if p]
    unit = lcm(*(mixed[i].denominator for i in used))
    whole = np.array([int(mixed[i] * unit) for i in used], dtype=object)
    return Fraction(max(whole @ np.array([payoff[i] for i in used], dtype=object))) / unit


def _exact(entry: Any) -> Fraction | int:
    return entry if isinstance(entry, int) else Fraction(entry)


def _best(
    payoff: Lines, weights: NDArray[np.float64], denominators: Sequence[int]
) -> tuple[Fraction, Strategy]:
    """Return a mixture of rows that pays little, and the most that it pays."""
    tried = [vertex(payoff, weights)]
    tried += [
        _scaled([Fraction(float(w)).limit_denominator(d) for w in weights]) for d in denominators
    ]
    even = (Fraction(1, len(payoff)),) * len(payoff)
    return min((worst(payoff, mixed or even), mixed or even) for mixed in tried)


def by_floats(payoff: NDArray[np.float64], *, method: str = "highs", **options: float) -> Any:
    """Solve the game of the mixer of rows as a linear program: weights, then the value.

    The solver is loaded with the first game: commands that play none begin sooner.
    """
    rows, columns = payoff.shape
    return import_module("scipy.optimize").linprog(
        np.append(np.zeros(rows), 1.0),
        A_ub=np.hstack((payoff.T, -np.ones((columns, 1)))),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None],
        b_eq=[1.0],
        bounds=[*[(0, None)] * rows, (None, None)],
        method=method,
        options=options,
    )


def vertex(payoff: Lines, weights: NDArray[np.float64]) -> Strategy:
    """Solve exactly for the rows in use to pay their worst columns alike."""
    used = np.flatnonzero(weights > TINY)
    paid = np.array(payoff, dtype=np.float64)[used].T @ weights[used]
    tight = np.flatnonzero(paid > paid.max() - TINY)
    lines = [[*(payoff[int(i)][int(x)] for i in used), Fraction(-1), Fraction(0)] for x in tight]
    lines.append([*(Fraction(1) for _ in used), Fraction(0), Fraction(1)])
    mixed = [Fraction(0)] * len(payoff)
    for i, value in zip(used, solved(lines)[:-1], strict=True):
        mixed[i] = max(value, Fraction(0))
    return _scaled(mixed)


def solved(lines: Lines) -> list[Fraction]:
    """Solve linear equations, each its coefficients and then its right side; what is free is 0.

    Equations that contradict the others are passed over: whoever asks checks the answer.

    >>> solved([[Fraction(1), Fraction(1), Fraction(3)], [Fraction(0), Fraction(2), Fraction(2)]])
    [Fraction(2, 1), Fraction(1, 1)]
    """
    width = len(lines[0])
    entries = [fmpq(e.numerator, e.denominator) for line in lines for e in line]
    reduced, rank = fmpq_mat(len(lines), width, entries).rref()
    values = [Fraction(0)] * (width - 1)
    for r in range(rank):
        pivot = next(c for c in range(width) if reduced[r, c] != 0)
        if pivot < width - 1:
            value = reduced[r, width - 1]
            values[pivot] = Fraction(int(value.p), int(value.q))
    return values


def _scaled(weights: Sequence[Fraction]) -> Strategy:
    total = sum(weights, Fraction(0))
    return tuple(w / total for w in weights) if total else ()
