"""The game between protocols and inputs, grown protocol by protocol, with ends that are exact."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.core.chance.randomness import Random
from tacit.kernels.clustering import improve
from tacit.kernels.deadline import Deadline
from tacit.kernels.interior_point_game import balanced
from tacit.theory.communication.clustering import best_partition
from tacit.theory.solving.matrix_game import Strategy, by_floats, vertex

GRID = 1 << 50
"""Floats are rounded down to multiples of its reciprocal."""

STARTS = 100  # random protocols, and known ones, from which moves begin
BEST = 30
"""So many protocols are added at once, at most."""

ROOM = 6
"""So many protocols an orbit are kept; two thirds are when there are more."""

SOON = 0.01  # seconds: the least that a linear program is given
ROUNDING = 1e-13  # what sums of floats may lose: a gain below it is none
NEAR = 1e-6  # protocols this close to the best may be used at the corner

Cells = tuple[int, ...]
"""A deterministic protocol: the message that Alice sends for each concept."""

Mixture = tuple[tuple[Fraction, Cells, NDArray[np.bool_]], ...]
"""Protocols, each with its probability and with Bob's answers, one line a message."""

Floats = NDArray[np.float64]


class ProtocolGame:
    """Protocols that are known, what each errs on each orbit, and the best ends found so far.

    `lower` is proved by the integer weights `prior` of (concept, point), `upper` by `mixture`.
    """

    def __init__(
        self, truth: NDArray[np.bool_], groups: NDArray[np.int64], messages: int, rng: Random
    ) -> None:
        self.truth = truth
        self.groups = groups
        self.sizes = np.bincount(groups.ravel())
        self.messages = messages
        self.rng = rng
        self.even = self.sizes / self.sizes.sum()
        self.lower, self.prior = Fraction(0), np.ones(truth.shape, dtype=object)
        self.upper = Fraction(1)
        self.mixture: Mixture = ((Fraction(1), *self._plain(value=False)),)
        self.protocols: dict[bytes, tuple[Cells, NDArray[np.bool_], NDArray[np.int64]]] = {}
        for value in (False, True):
            self._keep(*self._plain(value=value))

    def _plain(self, *, value: bool) -> tuple[Cells, NDArray[np.bool_]]:
        return (0,) * len(self.truth), np.full((1, self.truth.shape[1]), value)

    def _keep(self, cells: Cells, answers: NDArray[np.bool_]) -> bool:
        wrong = orbit_mistakes(self.truth, self.groups, cells, answers)
        key = wrong.tobytes()
        new = key not in self.protocols
        if new:
            self.protocols[key] = cells, answers, wrong
        return new

    def add(self, cells: NDArray[np.int64], prices: Floats) -> bool:
        """Keep a protocol, with the answers that are best at these prices; False if it is known."""
        sums = np.zeros((cells.max() + 1, self.truth.shape[1]))
        np.add.at(sums, cells, self._signed(prices))
        return self._keep(tuple(cells.tolist()), sums > 0)

    def _signed(self, prices: Floats) -> Floats:
        spread = (prices / self.sizes)[self.groups]
        return np.where(self.truth, spread, -spread)

    @property
    def payoff(self) -> Floats:
        """What each protocol errs on each orbit."""
        wrong = [wrong for _, _, wrong in self.protocols.values()]
        return np.array(wrong, dtype=np.float64) / self.sizes

    def balance(self, prices: Floats, goal: float) -> tuple[Floats, Floats, float, float]:
        """Return mixture and prices from the middle of the known game, and their two values."""
        payoff = self.payoff
        weights, prices, upper, lower = balanced(payoff, prices, goal)
        if len(payoff) > ROOM * len(self.sizes):
            by_excess = np.argsort(payoff @ prices, kind="stable")
            kept = set(by_excess[: 2 * len(by_excess) // 3].tolist())
            self.protocols = {
                key: protocol
                for i, (key, protocol) in enumerate(self.protocols.items())
                if i in kept
            }
            weights = weights[sorted(kept)]
        return weights, prices, float(upper), float(lower)

    def corner(self, deadline: Deadline) -> tuple[Floats, Floats, float] | None:
        """Return mixture and prices at a corner of the known game, and its value, if in time."""
        seconds = max(deadline.left, SOON)
        solved = by_floats(self.payoff, method="highs-ds", time_limit=seconds)
        if solved.status != 0:
            return None
        prices = np.maximum(-solved.ineqlin.marginals, 0)
        return np.maximum(solved.x[:-1], 0), prices / prices.sum(), float(solved.fun)

    def search(self, weights: Floats, prices: Floats, below: float) -> tuple[int, float]:
        """Add protocols that err less than so much at these prices; return how many, and the least.

        From random starts, and from the protocols in use, single concepts are moved and swapped.
        """
        n = len(self.truth)
        drawn = self.rng.words(STARTS * n).reshape(STARTS, n) % np.uint64(self.messages)
        known = [cells for cells, _, _ in self.protocols.values()]
        used = [known[i] for i in np.argsort(-weights, kind="stable")[:STARTS]]
        starts = np.concatenate((drawn.astype(np.int64), np.array(used, dtype=np.int64)))
        errors = improve(self._signed(prices), starts, self.messages)
        new, tried = 0, set[bytes]()
        for i in np.argsort(errors, kind="stable"):
            if errors[i] >= below - ROUNDING or new == BEST:
                break
            cells = starts[i].tobytes()
            new += cells not in tried and self.add(starts[i], prices)
            tried.add(cells)
        return new, float(errors.min())

    def price(self, prices: Floats, deadline: Deadline) -> tuple[float, NDArray[np.int64] | None]:
        """Return what any protocol errs at least at these prices, and one that errs least."""
        weights = np.floor(prices / prices.sum() / self.sizes * GRID).astype(np.int64)
        return self._priced(weights[self.groups], deadline)

    def _priced(
        self, prior: NDArray[Any], deadline: Deadline
    ) -> tuple[float, NDArray[np.int64] | None]:
        found = best_partition(self.truth, prior, self.messages, deadline)
        if found is None:
            return 0.0, None
        lower = Fraction(found.least, int(prior.sum()))
        if lower > self.lower:
            self.lower, self.prior = lower, prior
        return float(lower), found.cells

    def mix(self, weights: Strategy | list[Fraction]) -> None:
        """Remember the known protocols in these proportions, if that is the best mixture so far."""
        common = lcm(*(w.denominator for w in weights))
        used = [
            (int(w * common), protocol)
            for w, protocol in zip(weights, self.protocols.values(), strict=False)
            if w > 0
        ]
        total = sum(w for w, _ in used)
        wrong = np.zeros(len(self.sizes), dtype=object)
        for w, (_, _, mistakes) in used:
            wrong += w * mistakes.astype(object)
        upper = max(Fraction(e, n * total) for e, n in zip(wrong, self.sizes.tolist(), strict=True))
        if upper < self.upper:
            self.upper = upper
            self.mixture = tuple(
                (Fraction(w, total), cells, answers) for w, (cells, answers, _) in used
            )

    def round(self, weights: Floats) -> None:
        """Remember a mixture given in floats, if it is the best so far."""
        self.mix([Fraction(int(w * GRID), GRID) for w in weights])

    def make_exact(self, weights: Floats, prices: Floats, deadline: Deadline) -> None:
        """Solve in rationals for the corner that floats are near; remember what that proves."""
        sizes, payoff = self.sizes.tolist(), self.payoff
        near = np.flatnonzero(payoff @ prices < (payoff @ prices).min() + NEAR)
        wrong = [wrong for _, _, wrong in self.protocols.values()]
        errors = [
            [Fraction(e, size) for e, size in zip(wrong[i].tolist(), sizes, strict=True)]
            for i in near
        ]
        mixed = dict(zip(near.tolist(), vertex(errors, weights[near]), strict=False))
        if mixed:
            self.mix([mixed.get(i, Fraction(0)) for i in range(len(wrong))])
        paid = vertex([[-e for e in orbit] for orbit in zip(*errors, strict=True)], prices)
        if paid:
            spread = [price / size for price, size in zip(paid, sizes, strict=True)]
            common = lcm(*(price.denominator for price in spread))
            whole = np.array([int(price * common) for price in spread], dtype=object)
            self._priced(whole[self.groups], deadline)


def orbit_mistakes(
    truth: NDArray[np.bool_], groups: NDArray[np.int64], cells: Cells, answers: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Count the pairs of each orbit of (concept, point) on which a protocol errs."""
    wrong = answers[np.array(cells)] != truth
    return np.bincount(groups[wrong], minlength=int(groups.max()) + 1)
