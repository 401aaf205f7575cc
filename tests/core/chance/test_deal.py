"""Rows dealt by words of a key: as the law says, and the same however they are asked."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from tacit.core.chance import deal as module
from tacit.core.chance.deal import Deal, Records
from tacit.core.chance.law import Law
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.learners.contract.dealt import deals, joint_deals
from tacit.statistics import JointCounts, LabelCounts
from tacit.statistics.counts import dealt_rows, joint_counts
from tacit.verify.canonical_bytes import canonical_bytes
from tacit.verify.sampling import apart

LINES = np.array([[3, 0, -5], [3, 1, 1 << 62], [9, 0, 0], [9, 1, 7]])
TOTALS = np.array([5000, 1, 700_000, 33])
ROWS = [(7, (1, 0)), (7, (1, 0)), (7, (0, 1)), (9, (0, 1)), (9, (1, 1))]


def test_words_do_not_depend_on_the_order_of_records_or_how_they_are_cut() -> None:
    """As a task that is repeated elsewhere, or a table that is read again, will have it."""
    whole, key = Records(LINES, TOTALS), bytes(range(32))
    held: dict[int, Any] = {}
    for which, words in whole.words(key):
        for record in np.unique(which).tolist():
            part = words[which == record]
            held[record] = np.concatenate([held.get(record, part[:0]), part])
    for order in ([2, 0, 3, 1], [1], [3, 0]):
        others = Records(LINES[order], TOTALS[order]).words(key)
        found = np.concatenate([words for _, words in others])
        assert np.array_equal(found, np.concatenate([held[record] for record in order]))
    everything = np.concatenate(list(held.values()))
    assert len(np.unique(everything)) == TOTALS.sum()
    assert [len(words) for words in held.values()] == TOTALS.tolist()


def test_words_depend_on_all_of_a_record_and_of_the_key() -> None:
    lines = np.array([[1, 2, 5, 6], [1, 3, 5, 6], [4, 2, 5, 6], [1, 2, 7, 6], [1, 2, 5, 8]])
    records = Records(lines, np.ones(5, dtype=np.int64))
    ((_, words),) = records.words(bytes(32))
    assert len(np.unique(words)) == 5
    key = Deal.of(records, 5, [3, 2], rng=Seeded(1)).key
    assert all(any(key[start : start + 8]) for start in range(0, 32, 8))
    for sizes in ([3, 3], [6, -1]):
        with pytest.raises(InvalidArgument, match="cannot be dealt"):
            Deal.of(records, 5, sizes, rng=Seeded(1))


def test_blocks_have_their_sizes_and_a_row_is_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    records, n = Records(LINES, TOTALS), int(TOTALS.sum())
    for sizes in ([n - 100, 100], [1, 0, 5, 0, n - 6], [200] * 40):
        deal = Deal.of(records, n, sizes, rng=Seeded(5))
        shares = deal.shares(records)
        filled = [size for size in sizes if size]
        assert shares.sum(axis=0).tolist() == filled
        assert (shares.sum(axis=1) <= TOTALS).all()
        for place, block in enumerate(np.flatnonzero(sizes).tolist()):
            assert np.array_equal(deal.only(records, block), shares[:, place])
        with monkeypatch.context() as patch:
            patch.setattr(module, "_FEW", 0)  # as many blocks are found: by search and by sorting
            assert np.array_equal(deal.shares(records), shares)


def test_a_table_that_changes_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="write it down first"):
        Deal.of(Records(LINES, TOTALS), 5, [2, 3], rng=Seeded(1))


def test_words_that_tie_at_the_end_of_a_block_are_drawn_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With words of 3 bits they often do: all that is left to check is that the law is the same."""
    blocks = module._blocks

    def short(raw: bytes) -> Any:
        return blocks(raw) & np.array([7 << 61, (1 << 64) - 1], dtype=np.uint64)

    monkeypatch.setattr(module, "_blocks", short)
    monkeypatch.setattr(dealt_rows, "NEAR", 0)
    sample = JointCounts.of(ROWS, labels=2)
    law, drawn = both_ways(sample, joint_deals, [3, 1], Seeded(3))
    assert not apart(law, drawn, failure=1e-9)


def both_ways(
    sample: Any, law_of: Any, sizes: list[int], rng: Seeded
) -> tuple[Law[bytes], Counter[bytes]]:
    """Return the law of blocks, and how often each was drawn."""
    law, drawn = Counter[bytes](), Counter[bytes]()
    for weight, blocks in law_of(sample, sizes):
        law[seen(blocks)] += weight
    for _ in range(600):
        drawn[seen(sample.split(sizes, rng=rng))] += 1
    return Law(dict(law)), drawn


@pytest.mark.parametrize("jointly", [False, True], ids=["each label", "jointly"])
def test_many_rows_are_dealt_by_the_law_of_few(
    jointly: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The way of many rows on few: every deal as often as the law says."""
    monkeypatch.setattr(dealt_rows, "NEAR", 0)
    sample: Any = (JointCounts if jointly else LabelCounts).of(ROWS, labels=2)
    law_of: Any = joint_deals if jointly else deals
    law, drawn = both_ways(sample, law_of, [2, 2], Seeded(7))
    assert len(law.probabilities) > 5
    assert not apart(law, drawn, failure=1e-9)


def seen(blocks: Any) -> bytes:
    """Show blocks up to the order of what they hold."""
    shown = []
    for block in blocks:
        marks = block.marks if isinstance(block, JointCounts) else block.positives
        lines = zip(block.points.tolist(), marks.tolist(), block.totals.tolist(), strict=True)
        shown.append((block.n, tuple(sorted((p, tuple(m), t) for p, m, t in lines))))
    return canonical_bytes(tuple(shown))


def test_many_rows_are_dealt_as_counts() -> None:
    """Nothing as long as the table is held; null rows are dealt too."""
    totals = np.array([60 * 10**5, 4 * 10**5, 1])
    sample = JointCounts(65 * 10**5, 1, np.arange(3), np.array([[False], [True], [True]]), totals)
    learned, held = sample.split([52 * 10**5, 13 * 10**5], rng=Seeded(1))
    both = learned.merge(held)
    assert (both.totals.tolist(), learned.n, held.n) == (totals.tolist(), 5_200_000, 1_300_000)
    assert 0 < held.n - int(held.totals.sum()) < 100_000
    assert abs(int(held.totals[0]) - 1_200_000) < 10_000
    assert sample.n > joint_counts.NEAR


@pytest.mark.parametrize("sizes", [[3, 0], [0, 3], [2, 0, 1], [0, 0]])
def test_a_block_without_rows_has_no_rows_of_the_next_one(sizes: list[int]) -> None:
    records = Records(np.array([[7], [9]]), np.array([2, 3]))
    deal = Deal.of(records, 5, sizes, rng=Seeded(1))
    assert [int(deal.only(records, block).sum()) for block in range(len(sizes))] == sizes
