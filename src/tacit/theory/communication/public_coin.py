"""The error of public-coin one-way protocols with N messages: exact, with a certificate a side."""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.core import InvalidArgument, TooLarge, check
from tacit.core.chance.randomness import Seeded
from tacit.kernels.deadline import NO_LIMIT, Deadline
from tacit.theory.communication.clustering import best_partition
from tacit.theory.communication.one_way import PublicCoins
from tacit.theory.communication.protocol_game import Mixture, ProtocolGame, orbit_mistakes
from tacit.theory.solving.incidence import Incidence, Table, class_of
from tacit.theory.solving.symmetry import Symmetry, orbits

MOST_CONCEPTS = 22  # 3^22 / 4 steps are some minutes
MOST_ORBITS = 600
"""Interior points of larger games take too long; their corners are all that is tried."""

AIM = 0.1
"""The known game is solved to this share of what is still open."""

CLOSE = 1e-9
"""Ends this close are tried in rationals."""

TRIES = 2
"""So often rationals are tried."""


@dataclass(frozen=True, slots=True, eq=False)
class PublicCoinValue:
    """`lower <= least error with so many messages <= upper`, and what shows it.

    `mixture` is a public-coin protocol of error `upper`: which deterministic one is run with which
    probability, after a random symmetry, with Bob's answers. `prior` are integer weights of
    (concept, point) under which every deterministic protocol errs at least `lower`. Both are
    strategies of the game; that of the protocols is one, to be run and learned from.
    """

    messages: int
    lower: Fraction
    upper: Fraction
    mixture: Mixture
    prior: NDArray[Any]
    concepts: ConceptClass[Any]
    symmetric: bool
    """Whether a symmetry is drawn first."""

    @property
    def protocol(self) -> PublicCoins:
        """The best protocol that was found, of error `upper`.

        >>> public_coin_value(np.eye(3, dtype=int), 2).protocol.error
        Fraction(2, 9)
        """
        if self.symmetric:
            raise InvalidArgument("symmetries are drawn first; leave them out to get a protocol")
        return PublicCoins(self.mixture, self.concepts)


def public_coin_value(
    table: Table, messages: int, *, symmetries: tuple[Symmetry, ...] = (), time_limit: float = 60.0
) -> PublicCoinValue:
    """Return the least error of a public-coin protocol for c(x) with so many messages.

    Exactness:
        Floats only propose: `lower` is an integer dynamic program over all partitions of the
        concepts under rational weights, `upper` the exact error of a rational mixture. Both are
        solved for in rationals at a corner of the game, where they meet, unless time is up before
        or more protocols are nearly as good as the best than can be compared in full.

    Cost:
        Column generation with prices from an interior point method; an exact step takes less than
        3^N / 4 integer operations for N concepts. Stops when the ends meet or time is up.

    >>> found = public_coin_value(np.eye(3, dtype=int), 2)
    >>> found.lower, found.upper
    (Fraction(2, 9), Fraction(2, 9))
    """
    check.count(messages=messages, least=1)
    given, table = table, Incidence.read(table)
    if table.n > MOST_CONCEPTS:
        raise TooLarge(
            f"{table.n} concepts have too many partitions; at most {MOST_CONCEPTS} are tried"
        )
    truth = table.truth
    _loaded()
    game = ProtocolGame(truth, orbits(truth, symmetries), min(messages, table.n), Seeded(0))
    _play(game, Deadline(time_limit))
    return PublicCoinValue(
        messages,
        game.lower,
        game.upper,
        game.mixture,
        game.prior,
        class_of(given),
        bool(symmetries),
    )


@lru_cache(maxsize=1)
def _loaded() -> None:
    """Play a small game first: to compile the loops anew takes longer than most searches may."""
    few = np.eye(3, dtype=np.bool_)
    _play(ProtocolGame(few, orbits(few, ()), 2, Seeded(0)), NO_LIMIT)


def _play(game: ProtocolGame, deadline: Deadline) -> None:
    begun = time.monotonic()
    game.price(game.even, deadline)
    if len(game.sizes) <= MOST_ORBITS:
        _from_inside(game, deadline, last=time.monotonic() - begun)
    _from_corners(game, deadline)


def _from_inside(game: ProtocolGame, deadline: Deadline, *, last: float) -> None:
    """Add protocols that are good at prices from the middle, until the ends are close.

    Moves from random starts find most protocols; all partitions are gone through where these find
    none, or none that is much better than those which are known, so that `lower` may rise; and
    `last` seconds before the end.
    """
    prices, left, late = game.even, 1.0, False
    while left > CLOSE and not late:
        begun, goal = time.monotonic(), max(AIM * left, AIM * CLOSE)
        weights, prices, upper, known = game.balance(prices, goal)
        new, least = game.search(weights, prices, known)
        proved = float(game.lower)
        if new and least < max(known - AIM * (upper - proved), proved + (upper - proved) / 3):
            left = upper - max(proved, min(least, known))
        else:
            _, cells = game.price(prices, deadline)
            new += cells is not None and game.add(cells, prices)
            left = upper - float(game.lower)
        now = time.monotonic()
        late = now - begun + last > deadline.left
        if not new:
            left, late = min(left, upper - known), late or upper - known > goal
    game.round(weights)
    if late:
        game.price(prices, deadline)
    game.search(weights, prices, upper + CLOSE)


def _from_corners(game: ProtocolGame, deadline: Deadline) -> None:
    """Add protocols that are good at prices from a corner, until rational ends meet."""
    tries = 0
    while game.lower < game.upper and tries < TRIES and not deadline.over:
        corner = game.corner(deadline)
        if corner is None:
            return
        weights, prices, value = corner
        game.round(weights)
        least, cells = game.price(prices, deadline)
        if cells is None:
            return
        if value - least < CLOSE:
            game.make_exact(weights, prices, deadline)
            tries += 1
        new = game.add(cells, prices)
        if not game.search(weights, prices, value)[0] and not new:
            return


def check_lower(table: Table, prior: NDArray[Any], messages: int) -> Fraction:
    """Return the least error that any deterministic protocol has under a prior: a lower bound."""
    table, prior = Incidence.read(table), prior.astype(object)
    if (prior < 0).any() or not prior.sum() or prior.shape != (table.n, table.m):
        raise InvalidArgument("a prior has a weight of at least 0 for each concept and point")
    found = best_partition(table.truth, prior, check.count(messages=messages, least=1))
    assert found is not None, "there is no time limit"
    return Fraction(found.least, int(prior.sum()))


def check_upper(
    table: Table, mixture: Mixture, symmetries: tuple[Symmetry, ...] = ()
) -> tuple[int, Fraction]:
    """Return a mixture's number of messages and its worst error, symmetries drawn at random."""
    truth = Incidence.read(table).truth
    groups = orbits(truth, symmetries)
    if sum((p for p, _, _ in mixture), Fraction(0)) != 1 or any(p < 0 for p, _, _ in mixture):
        raise InvalidArgument("a mixture's probabilities are at least 0 and add up to 1")
    sizes = np.bincount(groups.ravel()).tolist()
    mistakes = [
        (p, orbit_mistakes(truth, groups, cells, answers).tolist()) for p, cells, answers in mixture
    ]
    errors = [
        sum((p * wrong[orbit] for p, wrong in mistakes), Fraction(0)) / size
        for orbit, size in enumerate(sizes)
    ]
    return max(len(set(cells)) for _, cells, _ in mixture), max(errors)
