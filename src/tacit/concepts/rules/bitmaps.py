"""Rows as bits, and the gains of all small conjunctions on them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tacit.concepts.contract.concept_class import Gains
from tacit.concepts.rules.selections import Selections
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.kernels.bits import literal_counts
from tacit.kernels.bits.packing import Words, pack

SCORABLE = 1 << 24
"""Conjunctions that are scored one by one, at eight bytes each a label."""

TOGETHER = 1 << 25
"""Counters that are kept at a time, which is 256 megabytes."""


def scorable(selections: Selections) -> int:
    """Return how many selections there are, if they may all be scored; else say the way out."""
    if selections.size > SCORABLE:
        raise TooLarge(
            f"there are at least 2^{selections.size.bit_length() - 1} conjunctions, and at most "
            f"{SCORABLE} can be scored: lower the width, or name fewer columns"
        )
    return selections.size


def supports(selections: Selections, literals: Words, masks: Words) -> NDArray[np.int64]:
    """Count the rows of each mask on which each selection of literals holds."""
    scorable(selections)
    if literals.shape[0] != selections.literals or literals.shape[1] != masks.shape[1]:
        raise InvalidArgument(
            f"bitmaps must have {selections.literals} lines, as long as those of the masks"
        )
    return literal_counts.supports(
        literals,
        masks,
        width=selections.width,
        choices=selections.choices,
        places=selections.places,
    )


def label_gains(selections: Selections, literals: Words, labels: Words, *, rows: int) -> Gains:
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
    """Return each selection's sum of the gains of the points on which it holds."""
    signed = np.maximum(np.stack([gains, -gains], axis=1), 0)
    counted = weighted_supports(selections, literals, signed)
    total: Gains = counted[:, 0] - counted[:, 1]
    return total


def gains_of_labels(
    selections: Selections,
    literals: NDArray[np.bool_],
    totals: NDArray[np.int64],
    positives: NDArray[np.int64],
) -> Iterator[Gains]:
    """Yield, label by label, what `point_gains` returns for 2 positives - totals.

    Labels share the walks through the selections, as many as fit into `TOGETHER` counters.
    """
    some = max(1, TOGETHER // scorable(selections) - 1)
    everything = weighted_supports(selections, literals, totals[:, None])[:, 0]
    for first in range(0, positives.shape[1], some):
        counted = weighted_supports(selections, literals, positives[:, first : first + some])
        for ones in counted.T:
            yield 2 * ones - everything


def weighted_supports(
    selections: Selections, literals: NDArray[np.bool_], weights: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Add up the weights of the points on which each selection holds, one column a column of them.

    The weights, at least 0, are read in binary: one walk for each binary digit, with one mask a
    column, over those points only that some column has the digit at.

    >>> one = np.array([[True, False, True]])
    >>> weighted_supports(Selections(1, 1, 1), one, np.array([[4, 1], [7, 0], [5, 3]])).tolist()
    [[16, 4], [9, 4]]
    """
    total = np.zeros((scorable(selections), weights.shape[1]), dtype=np.int64)
    heaviest = weights.max(axis=1, initial=0)
    for place in range(int(heaviest.max(initial=0)).bit_length()):
        held = heaviest >> place > 0
        rows = slice(None) if held.all() else np.flatnonzero(held)
        masks = [pack((column[rows] >> place & 1).astype(np.bool_)[None]) for column in weights.T]
        counted = supports(selections, pack(literals[:, rows]), np.concatenate(masks))
        total += counted << place
    return total
