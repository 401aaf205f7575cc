"""The families of light sets of all weights with a given denominator.

How it works. Weights w_1 >= ... >= w_k of a fixed sum are partitions of an integer, and are listed
like an odometer: `depth` is the digit that turns, each digit counts down from the one before it,
and is given up when the rest cannot make up the sum any more. `sums` holds the weights of all sets
of the first digits, so one more digit doubles it by additions. A family of light sets is a bitmap
over the sets, two words for k <= 7; the different ones are kept in an open hash table. The empty
set is always light, so the first word of a family is never 0, which marks a free place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.kernels.bits.bit_columns import mix
from tacit.kernels.bits.words import FIRST_BIT, NO_BITS
from tacit.kernels.compiled import compiled


@compiled
def light_families(k: Any, unit: Any, limit: Any, seen: Any) -> Any:
    """Fill `seen`, an open table of pairs of words, with the families of all falling weights.

    Weights are integers w_1 >= ... >= w_k >= 0 that add up to `unit`; a set is light if its weight
    is at most `limit`; a family has bit S for the light set S. Returns how many are in the table,
    or -1 if it is full.
    """
    sums = np.zeros(1 << k, dtype=np.int64)
    weights = np.zeros(k + 1, dtype=np.int64)
    left = np.zeros(k + 1, dtype=np.int64)
    left[0] = unit
    count = 0
    for i in range(seen.shape[0]):
        if seen[i, 0] != NO_BITS:
            count += 1
    depth = 0
    weights[0] = unit + 1
    while depth >= 0:
        weights[depth] -= 1
        w = weights[depth]
        # Digits fall, so the rest can make up k - depth times this one at most.
        if w < 0 or w * (k - depth) < left[depth]:
            depth -= 1
            continue
        size = 1 << depth
        for s in range(size):
            sums[size + s] = sums[s] + w
        left[depth + 1] = left[depth] - w
        if depth < k - 1:
            depth += 1
            weights[depth] = min(w, left[depth]) + 1
            continue
        if left[k] != 0:
            continue
        low, high = NO_BITS, NO_BITS
        for s in range(min(1 << k, 64)):
            if sums[s] <= limit:
                low |= FIRST_BIT << np.uint64(s)
        for s in range(64, 1 << k):
            if sums[s] <= limit:
                high |= FIRST_BIT << np.uint64(s - 64)
        place = np.int64(mix(low ^ mix(high)) & np.uint64(seen.shape[0] - 1))
        while seen[place, 0] != NO_BITS and (seen[place, 0] != low or seen[place, 1] != high):
            place = (place + 1) & (seen.shape[0] - 1)
        if seen[place, 0] == NO_BITS:
            seen[place, 0], seen[place, 1] = low, high
            count += 1
            if 2 * count > seen.shape[0]:  # fuller tables are slow, and a full one never ends
                return -1
    return count
