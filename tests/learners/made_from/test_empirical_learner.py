"""Learning about the rows at hand by drawing from them."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.concepts.line.points import Points
from tacit.concepts.line.thresholds import Thresholds
from tacit.core.accuracy import Accuracy
from tacit.core.chance.law import Law, mixture
from tacit.core.chance.randomness import Seeded
from tacit.core.composition.pricing import price
from tacit.core.composition.subsampling import amplified
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.privacy import Privacy
from tacit.data import Bits, Integer, Schema
from tacit.learners import EmpiricalLearner, GenericLearner, HistogramLearner, StablePointLearner
from tacit.learners.made_from.empirical import indices
from tacit.statistics import JointCounts, LabelCounts
from tacit.verify.enough.simulation import alarm
from tacit.workflows import learn

F = Fraction
GOAL = Accuracy("0.1", "0.05")
Rows = list[tuple[int, int]]


def _sample(rows: Rows, nulls: int = 0) -> LabelCounts:
    counted = LabelCounts.of([(x, (y,)) for x, y in rows], labels=1)
    return LabelCounts(counted.n + nulls, 1, counted.points, counted.totals, counted.positives)


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1)), max_size=4),
    st.integers(0, 2),
    st.integers(0, 3),
)
def test_the_law_is_that_of_all_draws(rows: Rows, nulls: int, drawn: int) -> None:
    n = len(rows) + nulls
    if n == 0:
        return
    base = GenericLearner(Thresholds(2), epsilon=1)
    learner = EmpiricalLearner(base, drawn=drawn, rows=n)
    held = [*rows, *[None] * nulls]

    def one(draw: tuple[tuple[int, int] | None, ...]) -> Law[object]:
        kept = [row for row in draw if row is not None]
        return base.law(_sample(kept, len(draw) - len(kept)))

    draws = list(product(held, repeat=drawn))
    expected = mixture((F(1, len(draws)), one(draw)) for draw in draws)
    assert learner.law(_sample(rows, nulls)) == expected
    assert learner(_sample(rows, nulls), rng=Seeded(0)).at < 4


def test_the_sampler_has_the_law() -> None:
    """Each share is within 6.5 deviations of the law: false alarm below 1e-9."""
    base = StablePointLearner(Points(1), epsilon=3, delta="1/3")
    learner = EmpiricalLearner(base, drawn=3, rows=4, privacy=Privacy(3, "1/3"))
    sample = _sample([(0, 1), (0, 1), (1, 1)], nulls=1)
    rng, runs = Seeded(1), 3000
    drawn, law = Counter(learner(sample, rng=rng) for _ in range(runs)), learner.law(sample)
    assert drawn.keys() <= law.probabilities.keys()
    for hypothesis, p in law.probabilities.items():
        assert abs(drawn[hypothesis] / runs - p) <= 6.5 * (float(p * (1 - p)) / runs) ** 0.5


@pytest.mark.parametrize(("bound", "count"), [(1, 5), (3, 3000), (1000, 4000), (2**62 + 1, 100)])
def test_indices_are_uniform(bound: int, count: int) -> None:
    """Chi-square by its normal approximation, at 7 deviations: false alarm below 1e-9."""
    drawn = indices(bound, count, rng=Seeded(2)).tolist()
    assert len(drawn) == count
    assert all(0 <= x < bound for x in drawn)
    few = min(bound, 10)
    shares = Counter(x * few // bound for x in drawn)
    square = sum((shares[i] - count / few) ** 2 for i in range(few)) / (count / few)
    assert square <= few + 7 * (2 * few) ** 0.5


def test_golden_rows() -> None:
    """Secrecy of the sample by the exact formula: about 1.72 n rows at epsilon = 1."""
    base = GenericLearner(Points(10), epsilon=1)
    learner = EmpiricalLearner(base, drawn=247, rows=424)
    assert learner.sample_size(GOAL) == 424
    assert 1.71 < 424 / 247 < 1.72
    assert price(learner.cost).privacy.epsilon <= 1
    assert price(EmpiricalLearner(base, drawn=247, rows=423).cost).privacy.epsilon > 1
    point = StablePointLearner(Points(64), epsilon=1, delta="1e-6")
    approximate = EmpiricalLearner(point, drawn=370, rows=635, privacy=Privacy(1, "1e-6"))
    assert approximate.sample_size(GOAL) == 635
    kept = amplified(approximate.cost, Privacy(1, "1e-6"))
    assert kept is not None
    assert kept.implies(Privacy(1, "1e-6"))
    for epsilon, ratio in (("1/10", 1.06), ("1/2", 1.3), ("1", 1.72)):
        other = GenericLearner(Thresholds(10), epsilon=epsilon)
        n = other.sample_size(GOAL)
        rows = EmpiricalLearner(other, drawn=n, rows=n).sample_size(GOAL)
        assert rows / n == pytest.approx(ratio, abs=0.01)


def test_the_promise_is_about_the_rows() -> None:
    """On samples that are nothing like a random one: a single row decides, or a thin slice."""
    base, runs = GenericLearner(Thresholds(10), epsilon=1), 200
    rows = 1000
    learner = EmpiricalLearner(base, drawn=247, rows=rows)
    samples = {
        "spread": [(x, int(x >= 300)) for x in range(rows)],
        "two points": [(511 + i % 2, i % 2) for i in range(rows)],
        "one slice just too thick": [(int(i < 101), int(i < 101)) for i in range(rows)],
        "one row apart": [(700 * (i == 0), int(i == 0)) for i in range(rows)],
        "all positive": [(3, 1)] * rows,
    }
    for name, listed in samples.items():
        sample, rng, failed = _sample(listed), Seeded(3), 0
        for _ in range(runs):
            failed += sample.mistakes(learner(sample, rng=rng)) > GOAL.alpha * rows
        assert failed < alarm(runs, GOAL.beta), name
    assert learner.accuracy(rows, "0.05") == base.accuracy(247, "0.05")
    assert learner.accuracy(rows + 1, "0.05") is None


def test_drawing_too_few_rows_sets_off_the_alarm() -> None:
    base, rows, runs = GenericLearner(Thresholds(10), epsilon=1), 1000, 200
    learner = EmpiricalLearner(base, drawn=120, rows=rows)
    sample = _sample([(int(i < 110), int(i < 110)) for i in range(rows)])
    rng = Seeded(4)
    failed = sum(sample.mistakes(learner(sample, rng=rng)) > 100 for _ in range(runs))
    assert failed >= alarm(runs, GOAL.beta)


def test_bad_arguments() -> None:
    base = GenericLearner(Thresholds(2), epsilon=1)
    with pytest.raises(InvalidArgument, match="rows"):
        EmpiricalLearner(base, drawn=2, rows=0)
    with pytest.raises(InvalidArgument, match="does not fit"):
        EmpiricalLearner(base, drawn=2, rows=3, privacy=Privacy("1/2"))
    with pytest.raises(InvalidArgument, match="delta"):
        EmpiricalLearner(StablePointLearner(Points(2), epsilon=1, delta="0.1"), drawn=1, rows=2)
    with pytest.raises(InvalidArgument, match="declared"):
        EmpiricalLearner(base, drawn=2, rows=3)(_sample([(1, 1)]), rng=Seeded(0))
    with pytest.raises(TooLarge):
        EmpiricalLearner(base, drawn=99, rows=2).law(_sample([(1, 1), (2, 0)]))


def test_all_labels_together_are_drawn_together() -> None:
    """The law over all draws, each of records with all their labels; null rows are drawn, too."""
    base = HistogramLearner(Points(1), labels=2, epsilon=4, delta="1/5")
    rows = [(0, (1, 0)), (1, (0, 1)), (0, (1, 0))]
    counted = JointCounts.of(rows, labels=2)
    sample = JointCounts(4, 2, counted.points, counted.marks, counted.totals)
    learner = EmpiricalLearner(base, drawn=2, rows=4, privacy=Privacy(4, "1/5"))
    parts = []
    for draw in product([*rows, None], repeat=2):
        some = JointCounts.of([row for row in draw if row], labels=2)
        held = JointCounts(2, 2, some.points, some.marks, some.totals)
        parts.append((F(1, 16), base.law(held)))
    expected = mixture(parts)
    assert learner.labels == 2
    assert learner.law(sample).probabilities == expected.probabilities
    drawn = Counter(learner(sample, rng=rng) for rng in [Seeded(2)] for _ in range(400))
    assert set(drawn) <= set(expected.probabilities)
    assert all(abs(drawn[h] / 400 - p) < 0.13 for h, p in expected.probabilities.items())


def test_joint_learners_by_name() -> None:
    schema = Schema({"code": Integer(0, 255), "first": Bits(), "second": Bits()})
    codes = [7] * 500 + [9] * 500
    table = {"code": codes, "first": [c == 7 for c in codes], "second": [c == 9 for c in codes]}
    model = learn(
        table,
        schema,
        concepts="points",
        features=["code"],
        labels=["first", "second"],
        epsilon=1,
        delta="1e-6",
        learner="empirical(histogram)",
        agnostic=False,
        rng=Seeded(1),
    )
    assert [h.at for h in model.hypotheses] == [7, 9]  # type: ignore[attr-defined]
    assert model.privacy.implies(Privacy(1, "1e-6"))


@pytest.mark.parametrize("agnostic", [False, True])
def test_from_the_rows_to_the_population_and_back(agnostic: bool) -> None:
    """Theorems 2.24 and 2.11 one after the other: a promise again, and not a better one."""
    base = GenericLearner(Thresholds(10), epsilon=1, agnostic=agnostic)
    learner = EmpiricalLearner(base, drawn=2000, rows=4000)
    near, far = learner.accuracy(4000, "0.025"), learner.on_population("0.05")
    assert near is not None
    assert far is not None
    assert near.alpha < far.alpha < near.alpha + F(1, 10)


def test_nothing_follows_for_the_population_if_it_is_not_proper() -> None:
    """What is true of all concepts of a class is not true of other functions."""

    class Improper(GenericLearner[Any]):
        __slots__ = ()
        proper = False

    for make, said in ((GenericLearner, True), (Improper, False)):
        learner = EmpiricalLearner(make(Thresholds(10), epsilon=1), drawn=2000, rows=4000)
        assert (learner.on_population("0.05") is not None) is said
