"""In how many bits words differ, 64 at a time.

How it works. The traced word is compared with every user's: exclusive-or, then count. What takes
the time is reading memory, so four rows are read for each look at the traced word, which is too
long for the nearest cache; each of the four has a sum of its own, so that none waits for another.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.kernels.bits.words import ones
from tacit.kernels.compiled import compiled


@compiled
def count(rows: Any, placed: Any, ends: Any, counts: Any) -> Any:
    """Write, for each row and each stretch of words, in how many bits it differs from `placed`."""
    fours = rows.shape[0] // 4 * 4
    for i in range(0, fours, 4):
        for kind in range(ends.shape[0] - 1):
            start, stop = ends[kind], ends[kind + 1]
            word = placed[start:stop]
            a, b = rows[i, start:stop], rows[i + 1, start:stop]
            c, d = rows[i + 2, start:stop], rows[i + 3, start:stop]
            p, q, r, s = np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0)
            for j in range(word.shape[0]):
                p += ones(a[j] ^ word[j])
                q += ones(b[j] ^ word[j])
                r += ones(c[j] ^ word[j])
                s += ones(d[j] ^ word[j])
            counts[i, kind], counts[i + 1, kind] = np.int64(p), np.int64(q)
            counts[i + 2, kind], counts[i + 3, kind] = np.int64(r), np.int64(s)
    for i in range(fours, rows.shape[0]):  # up to three rows are left over
        for kind in range(ends.shape[0] - 1):
            total = np.uint64(0)
            for j in range(ends[kind], ends[kind + 1]):
                total += ones(rows[i, j] ^ placed[j])
            counts[i, kind] = np.int64(total)
