"""A public-coin protocol for thresholds: runs of thresholds, cut at random, and a coin inside."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.line.thresholds import Thresholds
from tacit.core import InvalidArgument, TooLarge, check
from tacit.theory.communication.one_way import PublicCoins

LARGEST = 1 << 12  # thresholds: their answers, all against all, are 16 megabytes


def block_error(block: int) -> Fraction:
    """Return the error of runs of this many thresholds: (g - 1) / (2 g).

    >>> block_error(2), block_error(4)
    (Fraction(1, 4), Fraction(3, 8))
    """
    g = check.count(block=block, least=1)
    return Fraction(g - 1, 2 * g)


def block_protocol(values: int, block: int) -> PublicCoins:
    """Return the protocol for 1[y >= z]: Alice sends the run of z, Bob guesses if y is inside it.

    The first cut and the guess are public coins: 2 g outcomes (docs/proofs/communication.md).

    >>> protocol = block_protocol(8, 2)
    >>> protocol.messages, protocol.error
    (5, Fraction(1, 4))
    """
    if check.count(values=values, least=1) > LARGEST:
        raise TooLarge(f"at most {LARGEST} thresholds are written out")
    if not 1 <= block <= values:
        raise InvalidArgument(f"block must be from 1 to {values}, got {block}")
    chance = Fraction(1, 2 * block)
    return PublicCoins(
        tuple(
            (chance, *_after_the_coins(values, block, shift, guess=guess))
            for shift in range(block)
            for guess in (False, True)
        ),
        Thresholds(values=values),
    )


def _after_the_coins(
    values: int, block: int, shift: int, *, guess: bool
) -> tuple[tuple[int, ...], NDArray[np.bool_]]:
    """Return Alice's message for each threshold, and Bob's answers to each message.

    In a run from z to z' the points below z say no for sure, and those from z' on say yes.
    """
    cells = tuple((z + shift) // block for z in range(values))
    lines = []
    for run in range(cells[-1] + 1):
        first = max(0, run * block - shift)
        last = min(values - 1, run * block - shift + block - 1)
        points = np.arange(values)
        lines.append((points >= last) | ((points >= first) & guess))
    return cells, np.array(lines, dtype=np.bool_)
