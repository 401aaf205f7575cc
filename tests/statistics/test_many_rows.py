"""Counts as of 10^12 rows and more: exact beyond 2^32 and 2^53, refused by their number at 2^60."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tacit.concepts.algebra.lines import Line, Lines
from tacit.concepts.contract.concept_class import ConceptClass
from tacit.concepts.contract.specification import parse
from tacit.concepts.rules.literals import Literal
from tacit.concepts.rules.rules import Column, Rules
from tacit.core.chance.randomness import Seeded
from tacit.core.chance.uniform import Uniform
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.numbers.decay import Decay
from tacit.data import Bits, Integer, Schema
from tacit.data.reading.coding import Coding
from tacit.data.reading.opened import Opened
from tacit.data.reading.reduction import joint_counts, label_counts
from tacit.mechanisms import DiscreteLaplace, Exponential
from tacit.mechanisms.choice.categorical import WORD, Weights, certain, quick
from tacit.mechanisms.points.private_quantile import PrivateQuantile
from tacit.statistics import JointCounts, LabelCounts, LineCounts, ScoreProfile
from tacit.statistics.algebra.line_lead import line_lead, point_lead
from tacit.statistics.many_rows import MOST_ROWS
from tacit.workflows import learn

TIMES = (1 << 31) + 1, (1 << 53) + 1
"""Odd, so that a float of 32 or 53 bits would round."""

RULES = Rules(
    [Column("a", 0, 3), Column("b", 0, 1)],
    [Literal(0, ">=", 2), Literal(1, "=", 1), Literal(0, "<", 1)],
    width=2,
    negated=True,
)
CLASSES: list[ConceptClass[Any]] = [
    *map(
        parse,
        (
            "points(bits=4)",
            "thresholds(bits=4)",
            "thresholds(bits=40)",
            "intervals(bits=3)",
            "boxes(bits=2, dims=2)",
            "conjunctions(dims=5, width=2)",
            "parities(dims=4)",
            "halfspaces(bits=2, dims=2)",
            "balls(bits=1, dims=2)",
        ),
    ),
    RULES,
]


def sampled(concepts: ConceptClass[Any], times: int) -> LabelCounts:
    """Return a few points of a class, each so many times, with two labels."""
    draw = np.random.default_rng(3)
    values = [2 if concepts.features > 2 else 4] * concepts.features
    points = np.unique(draw.integers(0, values, (30, concepts.features)), axis=0)
    totals = draw.integers(1, 9, len(points))
    positives = draw.integers(0, totals[:, None] + 1, (len(points), 2))
    flat = points[:, 0] if concepts.features == 1 else points
    return LabelCounts(int(totals.sum()) * times, 2, flat, totals * times, positives * times)


@pytest.mark.parametrize("concepts", CLASSES, ids=lambda c: str(c)[:30])
@pytest.mark.parametrize("times", TIMES)
def test_scores_of_many_rows_are_those_of_few_times_their_number(
    concepts: ConceptClass[Any], times: int
) -> None:
    few, many = sampled(concepts, 1), sampled(concepts, times)
    for label in (0, 1):
        profiles = [ScoreProfile.agreements(concepts, held, label=label) for held in (few, many)]
        one, other = (
            sorted(zip(p.scores.tolist(), map(int, p.multiplicities), strict=True))
            for p in profiles
        )
        assert [(score * times, held) for score, held in one] == other
    for label, profile in enumerate(ScoreProfile.agreements_of_labels(concepts, many, labels=2)):
        alone = ScoreProfile.agreements(concepts, many, label=label)
        assert profile.scores.tolist() == alone.scores.tolist()


def test_a_gap_of_one_beyond_2_to_the_53_still_decides() -> None:
    """The quick way in floats and the certain one agree, where neighbouring gaps are one apart."""
    gaps = np.array([0, (1 << 53) - 1, (1 << 53) + 1, 1 << 57, (1 << 59) + 1], dtype=np.int64)
    ones = np.array([1, 5, 1 << 40, 3, 1 << 20], dtype=np.int64)
    answered = 0
    for rate in ("1", f"1/{1 << 20}", f"1/{1 << 52}", f"1/{1 << 58}"):
        weights = Weights(ones, gaps, Decay.of(Fraction(rate)))
        for seed in range(40):
            uniform = Uniform(Seeded(seed))
            uniform.refine(WORD)
            cell = quick(weights, uniform.value)
            answered += cell is not None
            assert cell in (None, certain(weights, uniform))
    assert answered > 100
    far = np.array([0, 1 << 59, (1 << 59) + 1], dtype=np.int64)
    assert Exponential(100)(ScoreProfile.of(far), rng=Seeded(1)) == 2


def test_lines_and_quantiles_and_noise_of_many_rows() -> None:
    lines, times = parse("lines(p=5)"), TIMES[1]
    few, many = sampled(lines, 1), sampled(lines, times)
    assert isinstance(lines, Lines)
    point = point_lead(lines, many)
    assert point.value == point_lead(lines, few).value
    assert point.distance > 1 << 52
    on = [(x, (2 * x + 1) % 5) for x in range(5)]
    totals = np.array([3, 1, 2, 1, 2]) * times
    held = LabelCounts(9 * times, 1, np.array(on), totals, totals[:, None])
    lead = line_lead(lines, held, most=100)
    assert (lead.value, lead.distance) == (Line(2, 1, 5), 100)
    median = PrivateQuantile(4, level="1/2", epsilon=1)
    points, counts = np.array([1, 7, 9]), np.array([times, 2 * times + 1, times])
    assert median(LineCounts(int(counts.sum()), 4, points, counts), rng=Seeded(1)) == 7
    told = DiscreteLaplace(1)([MOST_ROWS, 1 << 63, 1 << 70], rng=Seeded(1))
    assert all(
        abs(int(a) - b) < 99 for a, b in zip(told, (MOST_ROWS, 1 << 63, 1 << 70), strict=True)
    )


SCHEMA = Schema({"x": Integer(0, 9), "y": Bits(), "z": Bits()})


def partial_counts(rows: list[int], jointly: bool) -> Opened:
    """Return a source whose engine has counted so many rows of each of some points."""
    of = np.arange(len(rows))
    sums = {"n0": rows} if jointly else {"n0": rows, "n1": rows, "n2": [0] * len(rows)}
    keys = {"x0": of, "m0": of % 4} if jointly else {"x0": of}
    table = pa.table({name: pa.array(held, pa.int64()) for name, held in (keys | sums).items()})
    return Opened("a large table", ["x", "y", "z"], lambda _: iter(()), counted=lambda _: table)


@pytest.mark.parametrize(
    ("count", "jointly"), [(label_counts, False), (joint_counts, True)], ids=["each", "jointly"]
)
def test_partial_counts_are_added_up_exactly_or_refused_by_their_number(
    count: Any, jointly: bool
) -> None:
    coding = Coding.of(SCHEMA, ["x"], ["y", "z"])
    rows = [(1 << 53) + 1, (1 << 32) + 3, 5]
    found = count(partial_counts(rows, jointly), coding)
    assert (found.n, found.totals.tolist()) == (sum(rows), rows)
    for many in ([MOST_ROWS], [(1 << 62) + 1] * 4, [(1 << 63) - 1] * 2):  # int64 sums wrap to 4, -2
        with pytest.raises(TooLarge, match=r"fewer than 2\^60 rows"):
            count(partial_counts(many, jointly), coding)


def test_counts_of_two_thousand_million_rows_are_learned_from() -> None:
    """One row more for x >= 3 than for x >= 2, of 2 * 10^9, is all that this epsilon needs."""
    rows = [4 * 10**8 + each for each in (7, 0, 1, 5, 2)]
    opened = partial_counts(rows, jointly=False)
    table: Any = opened.counted(None)
    ones = pa.array([0, 0, rows[2] // 2, rows[3], rows[4]], pa.int64())
    held = table.set_column(2, "n1", ones)
    many = replace(opened, counted=lambda _: held)
    asked: Any = {"features": ["x"], "labels": ["y", "z"], "rng": Seeded(1)}
    model = learn(many, SCHEMA, concepts="thresholds", epsilon=100, **asked)
    assert model.n == 2 * 10**9 + 15
    points = np.arange(10)
    assert model.hypotheses[0](points).tolist() == (points >= 3).tolist()
    assert not model.hypotheses[1](points[:5]).any()


def test_totals_that_wrap_are_refused() -> None:
    held = np.full(4, (1 << 62) + 1, dtype=np.int64)
    places, marks = np.arange(4), np.zeros((4, 1), dtype=np.bool_)
    for made in (
        lambda: LabelCounts(8, 1, places, held, 0 * held[:, None]),
        lambda: JointCounts(8, 1, places, marks, held),
        lambda: LineCounts(4, 4, places, held),
    ):
        with pytest.raises(InvalidArgument):
            made()
    few = JointCounts(MOST_ROWS - 1, 1, places[:1], marks[:1], held[:1] >> 3)
    assert replace(few, n=MOST_ROWS - 1).marginal().n == MOST_ROWS - 1
