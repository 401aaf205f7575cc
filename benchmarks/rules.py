"""All rules of at most three literals scored on a table, beside plain NumPy.

Both sides start from one boolean column a literal and a boolean label, and end with the gain of
each rule: its rows labelled 1 minus its rows labelled 0. The answers must be equal. NumPy is
measured twice, as most people write it (`sum`) and at its best (`count_nonzero`). Then 50 labels
in one walk are compared with the same labels one by one.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.side_by_side import Row, compare
from tacit.concepts.rules.bitmaps import label_gains
from tacit.concepts.rules.selections import Selections
from tacit.kernels.bits.packing import pack

ROWS = 5 * 10**5
LITERALS = 60
WIDTH = 3
LABELS = 50


def measure() -> list[Row]:
    """Measure 36,051 rules on 5 * 10^5 rows."""
    floats = np.random.default_rng(1)
    truths = floats.random((LITERALS, ROWS)) < floats.random((LITERALS, 1))
    label = floats.random(ROWS) < 0.5
    rows = [_row(truths, label, np.sum), _row(truths, label, np.count_nonzero)]
    return [*rows, _together(truths, floats.random((LABELS, ROWS)) < 0.5)]


def _row(truths: NDArray[np.bool_], label: NDArray[np.bool_], count: Callable[..., Any]) -> Row:
    selections = Selections(LITERALS, 1, WIDTH)
    answers: dict[str, NDArray[np.int64]] = {}

    def ours() -> None:
        gains = label_gains(selections, pack(truths), pack(label[None]), rows=ROWS)
        answers["ours"] = gains[0]

    def theirs() -> None:
        answers["theirs"] = _plain_gains(truths, label, count)

    row = compare(
        f"{selections.size} rules of width ≤ {WIDTH}, {ROWS:.0e} rows",
        ours,
        f"NumPy & and {count.__name__}",
        theirs,
        bar=1 / 20,
        rounds=1,
    )
    assert np.array_equal(answers["ours"], answers["theirs"]), "the gains differ"
    return row


def _together(truths: NDArray[np.bool_], labels: NDArray[np.bool_]) -> Row:
    """Compare one walk for all labels with one walk a label."""
    selections = Selections(LITERALS, 1, WIDTH)
    answers: dict[str, NDArray[np.int64]] = {}

    def gains(some: NDArray[np.bool_]) -> NDArray[np.int64]:
        return label_gains(selections, pack(truths), pack(some), rows=ROWS)

    def ours() -> None:
        answers["ours"] = gains(labels)

    def theirs() -> None:
        answers["theirs"] = np.concatenate([gains(label[None]) for label in labels])

    row = compare(
        f"{LABELS} labels at once, {selections.size} rules, {ROWS:.0e} rows",
        ours,
        "ours, label by label",
        theirs,
        bar=1 / 2,
        rounds=1,
    )
    assert np.array_equal(answers["ours"], answers["theirs"]), "the gains differ"
    return row


def _plain_gains(
    truths: NDArray[np.bool_], label: NDArray[np.bool_], count: Callable[..., Any]
) -> NDArray[np.int64]:
    """And the columns of each rule, then count its rows with and without the label."""
    sizes = range(WIDTH + 1)
    gains = []
    for chosen in chain.from_iterable(combinations(range(LITERALS), size) for size in sizes):
        holds = truths[chosen[0]] if chosen else np.ones(ROWS, dtype=np.bool_)
        for literal in chosen[1:]:
            holds = holds & truths[literal]
        gains.append(2 * int(count(holds & label)) - int(count(holds)))
    return np.array(gains, dtype=np.int64)
