"""What a hostile reviewer found: inputs on which an exception would tell a private value."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacit.concepts.algebra.lines import Lines
from tacit.concepts.algebra.parities import Parities
from tacit.concepts.contract.specification import parse
from tacit.concepts.line.thresholds import Thresholds
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import TooLarge
from tacit.learners import ConfidenceBooster, GenericLearner
from tacit.learners.thresholds.prior import PriorLearner
from tacit.mechanisms.points.private_quantile import PrivateQuantile
from tacit.statistics import LabelCounts
from tacit.statistics.counts.line_counts import LineCounts


@pytest.mark.parametrize("bits", [61, 62, 63, 64, 65, 70])
def test_wide_cells_whose_sum_needs_more_bits(bits: int) -> None:
    learner, last = PriorLearner(Thresholds(bits), epsilon=1), (1 << bits) - 1
    for places in ([last // 2], [0], [last // 2 - 1], [i * (last // 16) for i in range(16)]):
        sample = LabelCounts.of([(x, (1,)) for x in places], labels=1)
        assert 0 <= learner(sample, rng=Seeded(0)).at <= last


def test_candidates_are_scored_on_points_of_the_domain() -> None:
    rows = [((i % 5, (2 * i + 1) % 5), (1,)) for i in range(11)]
    learner = ConfidenceBooster(GenericLearner(Lines(5), epsilon=1), rows=3, repeats=2, epsilon=1)
    sample = LabelCounts.of([*rows, ((1 << 70, 1), (1,))], labels=1)
    for seed in range(20):
        learner(sample, rng=Seeded(seed))


def test_too_many_rows_are_refused_by_their_public_number() -> None:
    bits = np.eye(25, dtype=np.int64)
    different = [(tuple(row), (1,)) for row in bits.tolist()]
    made = GenericLearner(Parities(25), epsilon=1)
    for rows in (different, [*different[:24], different[0]]):
        sample = LabelCounts.of(rows, labels=1)
        with pytest.raises(TooLarge, match="at most 24 rows, there are 25"):
            made(sample, rng=Seeded(0))


@pytest.mark.parametrize("records", [[0, 2, 3], [1, 2, 3], [0, 0, 7], [7, 7, 7]])
def test_a_window_merges_records_at_the_ends(records: list[int]) -> None:
    for first in (-2, 0, 1, 2):
        window = LineCounts.of(records, bits=3).window(first, 3)
        assert window.n == int(window.counts.sum()) == 3
        assert (np.diff(window.points) > 0).all()
        PrivateQuantile(3, level="1/2", epsilon=1)(window, rng=Seeded(0))


@pytest.mark.parametrize(
    "spec",
    ["boxes(bits=2, dims=2)", "parities(dims=3)", "lines(p=5)", "conjunctions(dims=3, width=2)"],
)
def test_a_sample_of_null_rows_only(spec: str) -> None:
    empty = replace(LabelCounts.of([], labels=1), n=12)
    learner = GenericLearner(parse(spec), epsilon=1)
    learner(empty, rng=Seeded(0))
    ConfidenceBooster(learner, rows=3, repeats=2, epsilon=1)(empty, rng=Seeded(0))
