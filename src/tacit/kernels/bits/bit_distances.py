"""Count differing bits, 64 at a time; compiled with Numba, loaded when a large code is traced."""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.kernels.compiled import compiled

_ONE, _TWO, _FOUR, _TOP = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)
_PAIRS, _QUADS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_NIBBLES, _BYTES = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)


@compiled
def _ones(word: Any) -> Any:
    """Count the bits of a word; compilers know this formula and emit one instruction."""
    word = word - ((word >> _ONE) & _PAIRS)
    word = (word & _QUADS) + ((word >> _TWO) & _QUADS)
    return (((word + (word >> _FOUR)) & _NIBBLES) * _BYTES) >> _TOP


@compiled
def count(rows: Any, placed: Any, ends: Any, counts: Any) -> Any:
    """Write, for each row and each stretch of words, in how many bits it differs from `placed`.

    Four rows for each look at `placed`, which does not fit the nearest cache.
    """
    fours = rows.shape[0] // 4 * 4
    for i in range(0, fours, 4):
        for kind in range(ends.shape[0] - 1):
            start, stop = ends[kind], ends[kind + 1]
            word = placed[start:stop]
            a, b = rows[i, start:stop], rows[i + 1, start:stop]
            c, d = rows[i + 2, start:stop], rows[i + 3, start:stop]
            p, q, r, s = np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0)
            for j in range(word.shape[0]):
                p += _ones(a[j] ^ word[j])
                q += _ones(b[j] ^ word[j])
                r += _ones(c[j] ^ word[j])
                s += _ones(d[j] ^ word[j])
            counts[i, kind], counts[i + 1, kind] = np.int64(p), np.int64(q)
            counts[i + 2, kind], counts[i + 3, kind] = np.int64(r), np.int64(s)
    for i in range(fours, rows.shape[0]):
        for kind in range(ends.shape[0] - 1):
            total = np.uint64(0)
            for j in range(ends[kind], ends[kind + 1]):
                total += _ones(rows[i, j] ^ placed[j])
            counts[i, kind] = np.int64(total)
