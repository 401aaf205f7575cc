"""The learner of the proof that few sets stand for all: its exact failures and their use."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product
from math import ceil, comb, log
from typing import Any

import numpy as np
import pytest

from tacit.concepts.line.points import Points
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.theory.representations import sparsification
from tacit.theory.representations.drawn import Drawn
from tacit.theory.representations.representation import ProbabilisticRepresentation, represents
from tacit.theory.representations.sparsification import SampleLearner, union_of
from tacit.theory.representations.union_derandomisation import RowsByFixedSize, union_lists

POINTS = np.eye(3, dtype=bool)
FUNCTIONS = np.array(list(product((0, 1), repeat=3)), dtype=bool)


def _lottery(seed: int, sets: int = 4, size: int = 2) -> ProbabilisticRepresentation:
    rng = np.random.default_rng(seed)
    chosen = tuple(FUNCTIONS[rng.choice(8, size, replace=False)] for _ in range(sets))
    weights = [int(w) for w in rng.integers(1, 5, sets)]
    return ProbabilisticRepresentation(chosen, tuple(F(w, sum(weights)) for w in weights))


def _iid(learner: SampleLearner, concept: np.ndarray, masses: list[F]) -> F:
    """The failure under a distribution, by all ordered samples."""
    total = F(0)
    for sample in product(range(3), repeat=learner.m):
        chance = F(1)
        for x in sample:
            chance *= masses[x]
        total += chance * learner.failure(sample, concept)
    return total


@pytest.mark.parametrize("seed", range(3))
def test_failures_are_between_the_two_numbers(seed: int) -> None:
    """Against all distributions on a grid, by all ordered samples; and the two come together."""
    learner = SampleLearner(_lottery(seed), m=3, gamma="1/3")
    found = learner.failures(POINTS, population=8)
    worst = max(
        _iid(learner, concept, [F(i, 6), F(j, 6), F(6 - i - j, 6)])
        for concept in POINTS for i in range(7) for j in range(7 - i)
    )  # fmt: skip
    assert worst <= found.upper
    shares = [F(found.population.count(x), 8) for x in range(3)]
    assert _iid(learner, POINTS[found.concept], shares) == found.lower <= found.upper
    assert found.upper - found.lower <= F(3 * 2, 2 * 8)
    rough = learner.failures(POINTS, population=3)
    assert found.upper <= rough.upper


def test_what_is_learned() -> None:
    learner = SampleLearner(_lottery(0), m=4, gamma="1/4")
    sample, labels = (0, 0, 1, 2), [True, True, False, False]
    law = learner.law(sample, labels)
    for hypothesis, chance in law.probabilities.items():
        if hypothesis is not None:
            assert sum(hypothesis[x] != y for x, y in zip(sample, labels, strict=True)) <= 1
        assert chance > 0
    seen = {learner(sample, labels, rng=Seeded(seed)) for seed in range(60)}
    assert seen == set(law.probabilities)
    with pytest.raises(InvalidArgument, match="at least m=4"):
        learner.failures(POINTS, population=3)


@pytest.mark.parametrize("seed", range(4))
def test_it_fails_as_rarely_as_claimed(seed: int) -> None:
    """Claim 38, from the exact beta of the lottery; and the printed sizes imply 2 beta."""
    lottery, alpha = _lottery(seed, size=3), F(1, 3)
    beta = max(lottery.failure(concept, alpha) for concept in POINTS)
    learner = SampleLearner(lottery, m=4, gamma=F(1, 2))
    assert beta < 1
    assert learner.failures(POINTS, population=12).lower <= learner.promised(alpha, beta)
    for a, b in ((F(1, 10), F(1, 20)), (F(1, 20), F(1, 4))):
        m = ceil(3 / a * F(log(1 / b)))
        assert SampleLearner(lottery, m=m, gamma=2 * a).promised(a, b) <= 2 * b


def test_few_sets_do_as_well() -> None:
    """Claim 39 and Theorem 40: some draw of few sets fails hardly more, and represents."""
    lottery = _lottery(2, sets=8, size=3)
    learner = SampleLearner(lottery, m=4, gamma=F(1, 4))
    thin = learner.thinned("1/4", POINTS, rng=Seeded(1))
    worst, sample, concept = thin.excess(learner, POINTS)
    assert worst <= F(1, 4)
    assert worst == thin.failure(sample, POINTS[concept]) - learner.failure(sample, POINTS[concept])
    assert len(thin.representation.sets) <= 8
    before = learner.failures(POINTS, population=8).upper
    wide, a = F(2, 3), learner.mistakes
    lucky = 3 * sum(comb(4, k) * wide**k * (1 - wide) ** (4 - k) for k in range(a + 1))
    goal = before + F(1, 4) + lucky
    assert goal < 1
    assert thin.representation.represents(POINTS, wide, goal)


def test_as_many_sets_are_drawn_as_are_enough_and_bad_draws_are_drawn_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lottery, drawn = _lottery(5, sets=6, size=1), list[int]()
    whole = SampleLearner(lottery, m=2, gamma=0)
    one = ProbabilisticRepresentation(lottery.sets[:1], (F(1),))
    assert SampleLearner(one, m=2, gamma=0).excess(whole, POINTS)[0] > F(1, 4)

    def first_one(given: ProbabilisticRepresentation, lists: int, **_: object) -> Any:
        drawn.append(lists)
        return one if len(drawn) < 3 else given

    monkeypatch.setattr(sparsification, "sparsified", first_one)
    assert whole.thinned("1/4", POINTS, rng=Seeded(1)).representation is lottery
    samples = min(6**2, comb(7, 2), 3 * comb(4, 2))
    assert drawn == [int(log(samples) / (2 / 4**2)) + 1] * 3
    drawn.clear()
    with pytest.raises(InvalidArgument, match="draw more often"):
        whole.thinned("1/4", POINTS, rng=Seeded(1), most=2)


def test_what_is_promised_by_the_tail() -> None:
    learner = SampleLearner(_lottery(0), m=10, gamma="1/5")
    tail = sum(comb(10, k) * F(1, 10) ** k * F(9, 10) ** (10 - k) for k in range(3, 11))
    assert 0 <= learner.promised("1/10", "1/20") - (F(1, 20) + tail) < F(1, 1 << 40)


def test_a_draw_that_is_too_far_off_is_noticed() -> None:
    """One set in place of many fails on some sample: `excess` shows which."""
    lottery = _lottery(5, sets=6, size=1)
    whole = SampleLearner(lottery, m=2, gamma=0)
    one = SampleLearner(ProbabilisticRepresentation(lottery.sets[:1], (F(1),)), m=2, gamma=0)
    assert one.excess(whole, POINTS)[0] > 0


@pytest.mark.parametrize("seed", range(6))
def test_the_union_is_as_near_as_the_sets(seed: int) -> None:
    """Observation 36, at the least alpha for which the sets do not always fail."""
    lottery = _lottery(seed)
    for alpha in (F(0), F(1, 3), F(1, 2), F(2, 3)):
        if max(lottery.failure(concept, alpha) for concept in POINTS) < 1:
            assert represents(union_of(lottery), POINTS, alpha)
    assert len(union_of(lottery)) <= 8


def test_no_hypothesis_of_any_list_may_pass_by_luck() -> None:
    """The union bound is over all lists: a size is refused from where they all reach 1."""
    asked: Any = {"points": 16, "concepts": 16, "near": ("1/16", "1/12"), "sample": 100}
    asked |= {"mistakes": 11, "share": "1/2"}
    lists = union_lists(13, **asked).lists
    passed = sum(comb(100, k) * F(1, 4) ** k * F(3, 4) ** (100 - k) for k in range(12))
    close = sum(comb(100, k) * F(1, 16) ** k * F(15, 16) ** (100 - k) for k in range(12))
    size = ceil((1 - 2 * (F(1, 12) + 1 - close)) / (lists * passed))
    assert union_lists(size - 1, **asked).lists == lists
    with pytest.raises(InvalidArgument, match="take more points"):
        union_lists(size, **asked)


def test_rows_by_the_size_of_fixed_sets() -> None:
    """Corollary 43: both ends grow with the logarithm of the size; small sizes say nothing."""
    goal = Accuracy("1/20", "1/20")
    found = [
        RowsByFixedSize.of(2**bits, points=64, concepts=2**64, epsilon=1, accuracy=goal)
        for bits in (4, 32, 128)
    ]
    assert (found[0].lower, found[0].drawn) == (0, 0)
    assert 0 < found[1].lower < found[2].lower
    assert 3 < found[2].lower / found[1].lower < 6
    assert 3 < found[2].upper / found[1].upper < 6
    slow = RowsByFixedSize.of(2**32, points=64, concepts=2**64, epsilon="1/10", accuracy=goal)
    assert slow.lower > 5 * found[1].lower
    with pytest.raises(TooLarge, match="below 2"):
        RowsByFixedSize.of(2**1000, points=9, concepts=9, epsilon=1, accuracy=goal)
    with pytest.raises(TooLarge, match="population"):
        SampleLearner(_lottery(0), m=40, gamma=0).failures(POINTS, population=400)
    with pytest.raises(InvalidArgument, match="at most 1/16"):
        RowsByFixedSize.of(99, points=9, concepts=9, epsilon=1, accuracy=Accuracy("0.1", "0.1"))


def test_chances_below_0_are_refused() -> None:
    """They would add up to 1 all the same."""
    one = Points(2)
    with pytest.raises(InvalidArgument, match="at least 0"):
        Drawn((one, one), one, approximation=0, failure=0, chances=(F(3, 2), F(-1, 2)))
