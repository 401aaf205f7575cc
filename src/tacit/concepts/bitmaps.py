"""Rows as bits, and the gains of all small conjunctions on them."""

from __future__ import annotations

from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.concept_class import Gains
from tacit.concepts.selections import Selections
from tacit.core.errors import InvalidArgument, TooLarge

Bits = NDArray[np.uint64]
"""One bitmap a line: bit r % 64 of word r // 64 belongs to row r, and the rest is zero."""

SCORABLE = 1 << 24


def pack(table: NDArray[np.bool_]) -> Bits:
    """Pack each line of a table of truth values into words.

    >>> pack(np.array([[True, False, True]])).tolist()
    [[5]]
    """
    lines, rows = table.shape
    padded = np.zeros((lines, -(-rows // 64) * 8), dtype=np.uint8)
    packed = np.packbits(table, axis=1, bitorder="little")
    padded[:, : packed.shape[1]] = packed
    return padded.view("<u8").astype(np.uint64)


def scorable(selections: Selections) -> int:
    """Return how many selections there are, if they may all be scored; else say the way out."""
    if selections.size > SCORABLE:
        raise TooLarge(
            f"there are {selections.size.bit_length()}-bit many conjunctions, and at most "
            f"{SCORABLE} can be scored; lower width or use fewer literals"
        )
    return selections.size


def supports(selections: Selections, literals: Bits, masks: Bits) -> NDArray[np.int64]:
    """Count the rows of each mask on which each selection of literals holds."""
    scorable(selections)
    if literals.shape[0] != selections.literals or literals.shape[1] != masks.shape[1]:
        raise InvalidArgument(
            f"bitmaps must have {selections.literals} lines, as long as those of the masks"
        )
    counted: NDArray[np.int64] = import_module("tacit.concepts.popcount").supports(
        literals,
        masks,
        width=selections.width,
        choices=selections.choices,
        places=selections.places,
    )
    return counted


def label_gains(selections: Selections, literals: Bits, labels: Bits, *, rows: int) -> Gains:
    """Return each selection's gain for each label: its rows labelled 1 minus those labelled 0.

    The result has one line a label. All labels share one walk through the selections.

    >>> literals = pack(np.array([[True, True, False]]))
    >>> labels = pack(np.array([[True, False, False], [True, True, True]]))
    >>> label_gains(Selections(1, 1, 1), literals, labels, rows=3).tolist()
    [[-1, 0], [3, 2]]
    """
    everything = pack(np.ones((1, rows), dtype=np.bool_))
    counts = supports(selections, literals, np.concatenate([everything, labels])).T
    gains: Gains = 2 * counts[1:] - counts[0]
    return gains


def point_gains(selections: Selections, literals: NDArray[np.bool_], gains: Gains) -> Gains:
    """Return each selection's sum of the gains of the points on which it holds.

    The gains are read in binary: for each binary digit and each sign, one mask.
    """
    total = np.zeros(scorable(selections), dtype=np.int64)
    bits = pack(literals)
    for sign in (1, -1):
        amounts = np.maximum(sign * gains, 0)
        for place in range(int(amounts.max(initial=0)).bit_length()):
            mask = pack((amounts >> place & 1).astype(np.bool_)[None])
            total += sign * (supports(selections, bits, mask)[:, 0] << place)
    return total
