"""Single words of 64 bits: how many bits are set, which is the lowest, which does a mask select.

How it works. A bitmap is a row of words; bit r % 64 of word r // 64 belongs to row r, and what is
beyond the last row is zero. `ones` is the formula that compilers recognise and replace by one
instruction. `gather` is the loop that says what is meant; `tacit.kernels.dispatch` replaces it by
the processor's instruction where there is one. To go through the rows of a bitmap, kernels write

    while left:
        low = lowest(left)
        left ^= low
        row = (word << 6) + place(low)

with as many turns as rows. Constants are `np.uint64`: a word mixed with a plain integer would
become a float.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacit.kernels.compiled import CompiledLoop, inlined

NO_BITS, FIRST_BIT, ALL_BITS = np.uint64(0), np.uint64(1), np.uint64(0xFFFFFFFFFFFFFFFF)

_PAIRS, _QUADS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_NIBBLES, _BYTES = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
_TWO, _FOUR, _TOP_BYTE = np.uint64(2), np.uint64(4), np.uint64(56)


@inlined
def ones(word: Any) -> Any:
    """Count the bits of a word: in pairs, in fours, in bytes, and all bytes by one product."""
    word = word - ((word >> FIRST_BIT) & _PAIRS)
    word = (word & _QUADS) + ((word >> _TWO) & _QUADS)
    return (((word + (word >> _FOUR)) & _NIBBLES) * _BYTES) >> _TOP_BYTE


@inlined
def lowest(word: Any) -> Any:
    """Return the lowest bit of a word, alone."""
    return word & (~word + FIRST_BIT)


@inlined
def place(bit: Any) -> Any:
    """Return where a single bit stands, from 0 to 63: so many bits are below it."""
    return np.int64(ones(bit - FIRST_BIT))


@inlined
def first_bits(number: Any) -> Any:
    """Return the word of the first `number % 64` bits, or all of them if that is 0.

    So it is what the last word of a bitmap of `number` rows may use.
    """
    rest = number & 63
    return (FIRST_BIT << np.uint64(rest)) - FIRST_BIT if rest else ALL_BITS


def _gather(word: Any, mask: Any) -> Any:
    """Return the bits of a word that a mask selects, side by side from the lowest place on."""
    side_by_side, to = NO_BITS, NO_BITS
    while mask:
        low = mask & (~mask + FIRST_BIT)
        if word & low:
            side_by_side |= FIRST_BIT << to
        to += FIRST_BIT
        mask ^= low
    return side_by_side


gather: Any = CompiledLoop(_gather, made_by="gathered")
