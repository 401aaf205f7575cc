"""Prefixes of long integers: against counting them one by one."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tacit.statistics.long_integers import shared_bits, sorting
from tacit.statistics.prefix_tree import PrefixTree, range_sums

LONG = 200


def _clustered(bits: int) -> st.SearchStrategy[int]:
    """Draw integers that often share long prefixes, or all but a few bits."""
    top = (1 << bits) - 1
    near = st.integers(0, 7).flatmap(
        lambda low: st.integers(0, bits).map(lambda shift: (low << shift) & top)
    )
    return st.one_of(st.integers(0, top), near, near.map(lambda x: top - x))


@given(
    st.sampled_from([1, 2, 3, 6, 62, 63, 64, 65, 128, LONG]).flatmap(
        lambda bits: st.tuples(
            st.just(bits),
            st.lists(st.tuples(_clustered(bits), st.integers(0, 5)), max_size=12),
        )
    )
)
def test_the_tree_counts_every_prefix(drawn: tuple[int, list[tuple[int, int]]]) -> None:
    bits, rows = drawn
    values = [x for x, _ in rows]
    points = np.array(values, dtype=object if bits > 62 else np.int64)
    counts = np.array([c for _, c in rows], dtype=np.int64)
    tree = PrefixTree.of(points, bits=bits)
    assert tree.points.tolist() == sorted(values)
    assert len(tree.lengths) <= max(0, 2 * len(values) - 1)
    heaviest = tree.heaviest(tree.sums(tree.sort(counts)))
    for length in range(bits + 1):
        table = Counter({x >> (bits - length): 0 for x in values})
        for x, count in rows:
            table[x >> (bits - length)] += count
        assert heaviest[length] == max(table.values(), default=0)
        starts, ends = tree.blocks(length)
        names = [tree.prefix(int(start), length) for start in starts]
        sums = range_sums(tree.sort(counts), starts, ends).tolist()
        assert dict(zip(names, sums, strict=True)) == dict(table)
    for cut in {0, *values, *(x + 1 for x in values)}:
        assert tree.below(cut) == sum(x < cut for x in values)


@given(st.lists(_clustered(LONG), max_size=40))
def test_long_integers_are_sorted(values: list[int]) -> None:
    points = np.array(values, dtype=object)
    ordered = points[sorting(points, bits=LONG)]
    assert ordered.tolist() == sorted(values)
    for shared, x, y in zip(shared_bits(ordered, bits=LONG), ordered, ordered[1:], strict=False):
        same = [x >> shift == y >> shift for shift in range(LONG, -1, -1)]
        assert shared == sum(same) - 1
