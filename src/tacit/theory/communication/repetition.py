"""Fewer errors by repetition, for protocols and representations that are written out."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import listable
from tacit.core import check
from tacit.core.errors import InvalidArgument
from tacit.theory.communication.one_way import PublicCoins, Rows


def repeated(protocol: PublicCoins, runs: int) -> PublicCoins:
    """Return the majority of an odd number of independent runs: N^runs messages.

    >>> sides = ((Fraction(1, 4), False), (Fraction(3, 4), True))
    >>> one = np.array([[True]])
    >>> coin = PublicCoins(tuple((p, (0,), one == side) for p, side in sides), one)
    >>> repeated(coin, 3).error
    Fraction(5, 32)
    """
    odd(runs)
    listable(len(protocol.mixture) ** runs * protocol.messages**runs, what="messages")
    mixed = []
    for drawn in product(protocol.mixture, repeat=runs):
        shape = [len(answers) for _, _, answers in drawn]
        named = list(zip(*(cells for _, cells, _ in drawn), strict=True))
        cells = tuple(int(np.ravel_multi_index(names, shape)) for names in named)
        votes = [
            _votes([a[i] for (_, _, a), i in zip(drawn, names, strict=True)])
            for names in product(*map(range, shape))
        ]
        chance = prod((p for p, _, _ in drawn), start=Fraction(1))
        mixed.append((chance, cells, np.array(votes)))
    return PublicCoins(tuple(mixed), protocol.concepts)


def majorities_of(hypotheses: Rows, runs: int) -> Rows:
    """Return the majorities of an odd number of hypotheses, each set of them once.

    What alpha-represents a class then represents it within P[Bin(runs, alpha) > runs / 2], and the
    order of the hypotheses does not matter: there are C(N + runs - 1, runs) at most.

    >>> majorities_of(np.array([[0, 1], [1, 0]], dtype=bool), 3).astype(int).tolist()
    [[0, 1], [1, 0]]
    """
    listable(comb(len(hypotheses) + odd(runs) - 1, runs), what="majorities")
    chosen = combinations_with_replacement(hypotheses, runs)
    return np.unique(np.array([_votes(list(each)) for each in chosen]), axis=0)


def odd(runs: int) -> int:
    """Return a number of runs if it is odd.

    >>> odd(3)
    3
    """
    if check.count(runs=runs, least=1) % 2 == 0:
        raise InvalidArgument(f"runs must be odd, got {runs}")
    return runs


def _votes(lines: list[NDArray[np.bool_]]) -> NDArray[np.bool_]:
    total: NDArray[np.int64] = np.sum(lines, axis=0, dtype=np.int64)
    return np.asarray(2 * total > len(lines))
