"""From public coins to private ones, and to a fixed representation: few seeds suit everyone."""

from __future__ import annotations

from fractions import Fraction
from itertools import count

import numpy as np
from numpy.typing import NDArray

from tacit.core import Exact, InvalidArgument, Random, check
from tacit.probability.binomial_masses import between
from tacit.theory.communication.one_way import PrivateCoins, PublicCoins, Rows
from tacit.theory.representations.drawn import drawn
from tacit.theory.representations.representation import represents
from tacit.theory.solving.incidence import rows_of


def newman_seeds(error: Exact, goal: Exact, pairs: int, *, miss: Exact = "1/2") -> int:
    """Return the least number of random seeds of which few suit every concept and point badly.

    With probability at least 1 - miss, no pair of a concept and a point has more than goal t of t
    seeds that err on it: t is least with pairs P[Bin(t, error) > goal t] <= miss, found by counting
    up, since the tail is not monotone [New91].

    >>> [newman_seeds("1/9", "1/3", 2**k) for k in (4, 16, 32, 64)]
    [6, 51, 111, 237]
    """
    error, goal = check.small_probability(error=error), check.probability(goal=goal)
    allowed = check.positive(miss=miss) / check.count(pairs=pairs, least=1)
    if error >= goal:
        raise InvalidArgument(f"goal must be above the error {error}, got {goal}")
    return next(t for t in count(1) if between(int(goal * t) + 1, t, t, error) <= allowed)


def newman(protocol: PublicCoins, goal: Exact, *, rng: Random) -> PrivateCoins:
    """Return a protocol without public coins, of error at most `goal`, in which Bob throws none.

    Alice draws one of the t seeds and sends it along with her message. The seeds are drawn until
    they are good, which is checked for every concept and point.

    >>> from tacit.core.chance.randomness import Seeded
    >>> from tacit.theory.communication.greater_than import block_protocol
    >>> private = newman(block_protocol(8, 2), "2/5", rng=Seeded(0))
    >>> private.bob_throws_no_coins, private.error <= Fraction(2, 5)
    (True, True)
    """
    goal, concepts = check.probability(goal=goal), rows_of(protocol.concepts)
    t = newman_seeds(protocol.error, goal, concepts.size)
    chances = [p for p, _, _ in protocol.mixture]
    while True:
        seeds = [drawn(chances, rng=rng) for _ in range(t)]
        wrong = np.zeros(concepts.shape, dtype=np.int64)
        for seed in seeds:
            _, cells, answers = protocol.mixture[seed]
            wrong += answers[list(cells)] != concepts
        if wrong.max() <= int(goal * t):
            return _written_out(protocol, seeds)


def pruned(hypotheses: Rows, concepts: Rows, alpha: Exact) -> Rows:
    """Leave out hypotheses, one by one, as long as the rest alpha-represents the class.

    >>> everything = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=bool)
    >>> len(pruned(everything, everything[:2], "1/4"))
    2
    """
    kept = np.unique(hypotheses, axis=0)
    for i in reversed(range(len(kept))):
        fewer = np.delete(kept, i, axis=0)
        if len(fewer) and represents(fewer, concepts, alpha):
            kept = fewer
    return kept


def _written_out(protocol: PublicCoins, seeds: list[int]) -> PrivateCoins:
    """Let Alice send a seed's number and its message: one message of the new protocol for each."""
    bob: list[tuple[Fraction, ...]] = []
    width = sum(len(protocol.mixture[s][2]) for s in seeds)
    alice = [[Fraction(0)] * width for _ in protocol.mixture[0][1]]
    for seed in seeds:
        _, cells, answers = protocol.mixture[seed]
        for c, cell in enumerate(cells):
            alice[c][len(bob) + cell] += Fraction(1, len(seeds))
        bob += [_certain(line) for line in answers]
    return PrivateCoins(list(map(tuple, alice)), bob, protocol.concepts)


def _certain(line: NDArray[np.bool_]) -> tuple[Fraction, ...]:
    return tuple(Fraction(int(value)) for value in line)
