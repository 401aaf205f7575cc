"""Compiled steps on bit-packed columns: gather a side of a split, merge equal columns, transpose.

This file compiles with Numba, whose import takes most of a second: only the kernels of this folder
import it, and they are loaded when something is computed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.extending import intrinsic

from tacit.kernels.compiled import compiled

_ONE, _ZERO, _FULL = np.uint64(1), np.uint64(0), np.uint64(0xFFFFFFFFFFFFFFFF)
_P1, _P2 = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_P4, _P8 = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
_FEW = 24
_MIX, _MUL = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)


def _has_bmi2() -> bool:
    return bool(binding.get_host_cpu_features().get("bmi2", False))


def _pext(context: Any, word: Any, mask: Any) -> Any:  # noqa: ARG001
    """Gather the bits of a word that a mask selects, by the processor's own instruction."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(64)
        name = "llvm.x86.bmi.pext.64"
        known = builder.module.globals.get(name)
        function = known or ir.Function(builder.module, ir.FunctionType(wide, [wide, wide]), name)
        return builder.call(function, arguments)

    return types.uint64(types.uint64, types.uint64), generate


_gather_at_once: Any = intrinsic(_pext)

if _has_bmi2():

    @compiled
    def gather(word: Any, mask: Any) -> Any:
        """Gather the bits of a word that a mask selects."""
        return _gather_at_once(word, mask)

else:

    @compiled
    def gather(word: Any, mask: Any) -> Any:
        """Gather the bits of a word that a mask selects, one by one."""
        found, place = _ZERO, _ZERO
        while mask:
            low = mask & (~mask + _ONE)
            if word & low:
                found |= _ONE << place
            place += _ONE
            mask ^= low
        return found


@compiled
def ones(word: Any) -> Any:
    """Count the bits of a word; compilers know this formula and emit one instruction."""
    word = word - ((word >> _ONE) & _P1)
    word = (word & _P2) + ((word >> np.uint64(2)) & _P2)
    return (((word + (word >> np.uint64(4))) & _P4) * _P8) >> np.uint64(56)


@compiled
def counts(columns: Any) -> Any:
    """Count the ones of each column."""
    found = np.zeros(columns.shape[0], dtype=np.int64)
    for y in range(columns.shape[0]):
        total = _ZERO
        for i in range(columns.shape[1]):
            total += ones(columns[y, i])
        found[y] = np.int64(total)
    return found


@compiled
def mix(word: Any) -> Any:
    """Scatter a word."""
    word = (word ^ (word >> np.uint64(30))) * _MUL
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@compiled
def stirred(h: Any, word: Any) -> Any:
    """Add a word to a hash; `mix` at the end."""
    return (((h << np.uint64(29)) | (h >> np.uint64(35))) ^ word) * _MUL


@compiled
def _same(one: Any, other: Any) -> Any:
    for i in range(one.shape[0]):  # noqa: SIM110
        if one[i] != other[i]:
            return False
    return True


@compiled
def _before(one: Any, other: Any) -> Any:
    for i in range(one.shape[0]):
        if one[i] != other[i]:
            return one[i] < other[i]
    return False


@compiled
def side(columns: Any, n: Any, x: Any, label: Any) -> Any:
    """Return the bitmap of the rows where column x has this label."""
    w = columns.shape[1]
    mask = np.empty(w, dtype=np.uint64)
    for i in range(w):
        mask[i] = columns[x, i] if label else ~columns[x, i]
    if not label and n & 63:
        mask[w - 1] &= (_ONE << np.uint64(n & 63)) - _ONE
    return mask


@compiled
def compact(columns: Any, mask: Any) -> Any:
    """Restrict columns to the rows of a mask, and keep one of each that still divides them twice.

    A column is kept with its first bit cleared by taking complements, if at least two rows are on
    either side of it; of equal ones the first. Returned in one order that depends only on what they
    hold: the columns, which ones they were, their counts, the number of rows, and a hash of it all.
    """
    m, w = columns.shape
    taken = np.empty(w, dtype=np.int64)
    n, used = np.int64(0), 0
    for i in range(w):
        if mask[i]:
            n += np.int64(ones(mask[i]))
            taken[used] = i
            used += 1
    width = (n + 63) >> 6
    last = _FULL if n & 63 == 0 else (_ONE << np.uint64(n & 63)) - _ONE
    kept = np.empty((m, width), dtype=np.uint64)
    source = np.empty(m, dtype=np.int64)
    hashes = np.empty(m, dtype=np.uint64)
    number = np.empty(m, dtype=np.int64)
    size = 0
    if m > _FEW:
        size = 64
        while size < 2 * m + 2:
            size *= 2
    table = np.full(size, -1, dtype=np.int64)
    found = 0
    whole = n == used << 6
    for y in range(m):
        word, filled, k = _ZERO, _ZERO, 0
        for i in range(used):
            bits = columns[y, taken[i]]
            if whole:
                kept[found, i] = bits
                continue
            c = ones(mask[taken[i]])
            if c != np.uint64(64):
                bits = gather(bits, mask[taken[i]])
            word |= bits << filled
            if filled + c >= np.uint64(64):
                kept[found, k] = word
                k += 1
                word = bits >> (np.uint64(64) - filled) if filled else _ZERO
                filled = filled + c - np.uint64(64)
            else:
                filled += c
        if filled:
            kept[found, k] = word
        flip = _FULL if width and kept[found, 0] & _ONE else _ZERO
        total, h = _ZERO, _MIX
        for i in range(width):
            word = kept[found, i] ^ flip
            if i == width - 1:
                word &= last
            kept[found, i] = word
            total += ones(word)
            h = stirred(h, word)
        one = np.int64(total)
        if one < 2 or n - one < 2:
            continue
        h = mix(h)
        hashes[found], number[found], source[found] = h, one, y
        if size:
            place = _place(table, hashes, kept, found)
            if place >= 0:
                table[place] = found
                found += 1
        elif not _known(hashes, kept, found):
            found += 1
    order = _order(kept, hashes, found)
    key = mix(np.uint64(n) + _MIX)
    for i in range(found):
        key = mix(key ^ hashes[order[i]]) + _MIX
    _arrange(kept, source, number, order)
    return kept[:found], source[:found], number[:found], n, key


@compiled
def _place(table: Any, hashes: Any, kept: Any, new: Any) -> Any:
    """Return where a new line belongs in a table of hashes, or -1 if it is there."""
    size = table.shape[0]
    place = np.int64(hashes[new] & np.uint64(size - 1))
    while table[place] >= 0:
        other = table[place]
        if hashes[other] == hashes[new] and _same(kept[other], kept[new]):
            return -1
        place = (place + 1) & (size - 1)
    return place


@compiled
def _known(hashes: Any, kept: Any, new: Any) -> Any:
    """Whether a line is among those before it."""
    for other in range(new):
        if hashes[other] == hashes[new] and _same(kept[other], kept[new]):
            return True
    return False


@compiled
def _arrange(kept: Any, source: Any, number: Any, order: Any) -> None:
    """Bring line order[i] to place i for all i, cycle by cycle; the order is used up."""
    width = kept.shape[1]
    first = np.empty(width, dtype=np.uint64)
    for start in range(order.shape[0]):
        if order[start] == start:
            continue
        for j in range(width):
            first[j] = kept[start, j]
        name, ones_first, place = source[start], number[start], start
        while order[place] != start:
            after = order[place]
            for j in range(width):
                kept[place, j] = kept[after, j]
            source[place], number[place] = source[after], number[after]
            order[place] = place
            place = after
        for j in range(width):
            kept[place, j] = first[j]
        source[place], number[place] = name, ones_first
        order[place] = place


@compiled
def distinct(columns: Any, n: Any) -> Any:
    """Count the ones of each column; a column that equals an earlier one, or its complement, has 0.

    Nothing is moved: what `compact` would leave out keeps its place, with a count that says so.
    """
    m, w = columns.shape
    last = _FULL if n & 63 == 0 else (_ONE << np.uint64(n & 63)) - _ONE
    hashes, number = np.empty(m, dtype=np.uint64), np.zeros(m, dtype=np.int64)
    size = 16
    while size < 2 * m + 2:
        size *= 2
    table = np.full(size, -1, dtype=np.int64)
    for y in range(m):
        flip = _FULL if columns[y, 0] & _ONE else _ZERO
        total, h = _ZERO, _MIX
        for i in range(w):
            word = columns[y, i] ^ flip
            if i == w - 1:
                word &= last
            total += ones(word)
            h = stirred(h, word)
        one = np.int64(total)
        if one < 2 or n - one < 2:
            continue
        hashes[y] = h = mix(h)
        place = np.int64(h & np.uint64(size - 1))
        new = True
        while table[place] >= 0:
            if hashes[table[place]] == h and _alike(columns[table[place]], columns[y], last):
                new = False
                break
            place = (place + 1) & (size - 1)
        if new:
            table[place] = y
            number[y] = n - one if flip else one
    return number


@compiled
def _alike(one: Any, other: Any, last: Any) -> Any:
    """Whether two columns are equal or complements of each other."""
    flip = _FULL if (one[0] ^ other[0]) & _ONE else _ZERO
    for i in range(one.shape[0]):
        word = one[i] ^ other[i] ^ flip
        if i == one.shape[0] - 1:
            word &= last
        if word:
            return False
    return True


@compiled
def _order(kept: Any, hashes: Any, found: Any) -> Any:
    """Order columns by hash, and those of equal hash by what they hold."""
    if found > _FEW:
        order = np.argsort(hashes[:found])
    else:
        order = np.empty(found, dtype=np.int64)
        for i in range(found):
            j = i
            while j > 0 and hashes[order[j - 1]] > hashes[i]:
                order[j] = order[j - 1]
                j -= 1
            order[j] = i
    for i in range(1, found):
        j = i
        while (
            j > 0
            and hashes[order[j]] == hashes[order[j - 1]]
            and _before(kept[order[j]], kept[order[j - 1]])
        ):
            order[j], order[j - 1] = order[j - 1], order[j]
            j -= 1
    return order


@compiled
def transpose(columns: Any, n: Any) -> Any:
    """Turn m columns of n bits into n rows of m bits."""
    m, w = columns.shape
    rows = np.zeros((n, (m + 63) >> 6), dtype=np.uint64)
    block = np.empty(64, dtype=np.uint64)
    for bi in range((m + 63) >> 6):
        for i in range(w):
            for k in range(64):
                y = bi * 64 + k
                block[k] = columns[y, i] if y < m else _ZERO
            _transpose_block(block)
            for k in range(min(64, n - i * 64)):
                rows[i * 64 + k, bi] = block[k]
    return rows


@compiled
def _transpose_block(block: Any) -> None:
    """Transpose 64 x 64 bits in place, lowest bit first."""
    width = 32
    mask = np.uint64(0x00000000FFFFFFFF)
    while width:
        k = 0
        while k < 64:
            shift = np.uint64(width)
            moved = ((block[k] >> shift) ^ block[k + width]) & mask
            block[k] ^= moved << shift
            block[k + width] ^= moved
            k = (k + width + 1) & ~width
        width >>= 1
        if width:
            mask ^= mask << np.uint64(width)
