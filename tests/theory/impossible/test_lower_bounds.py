"""Lower bounds: golden numbers, monotone, and never above what a learner achieves."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from functools import partial

import pytest

from tacit.concepts.algebra.lines import Lines
from tacit.concepts.contract.specification import parse
from tacit.core.accuracy import Accuracy
from tacit.core.errors import InvalidArgument
from tacit.learners import GenericLearner, ProtocolLearner
from tacit.theory.communication.lines import line_bound
from tacit.theory.communication.protocols import LineHashing
from tacit.theory.impossible import lower_bounds
from tacit.theory.impossible.lower_bounds import (
    coins,
    littlestone_bound,
    many_labels,
    packing,
    protocol_bound,
    two_concepts,
    vc_bound,
)
from tacit.workflows.planning.goal import Goal
from tacit.workflows.planning.impossible import impossible


@pytest.mark.parametrize(
    ("families", "epsilon", "beta", "mass", "rows"),
    [
        (2**10, 1, "0.5", "0.1", 71),
        (2**100, 1, "0.5", "0.1", 695),
        (2**100, "0.1", "0.5", "0.1", 6933),
        (2**100, 1, "0.05", "0.1", 837),
        (2**160, 1, "0.5", 1, 111),
    ],
)
def test_packing_golden_numbers(
    families: int, epsilon: str, beta: str, mass: str, rows: int
) -> None:
    assert packing(families, epsilon=epsilon, beta=beta, mass=mass) == rows


@pytest.mark.parametrize(("bits", "known"), [(10, 88), (32, 267), (64, 515), (1024, 7468)])
def test_proper_thresholds_are_at_least_as_hard_as_known(bits: int, known: int) -> None:
    assert packing(2**bits - 2, epsilon=1, beta="0.05", mass="0.1") >= known


def test_littlestone_golden_numbers() -> None:
    assert littlestone_bound(100, epsilon=1, alpha="0.1", beta="0.05") == math.ceil(30.19)
    assert littlestone_bound(100, epsilon=1, alpha="0.01", beta="0.05") == math.ceil(301.9)
    assert littlestone_bound(100, epsilon="1/4", alpha="1/4", beta="1/4") == math.ceil(3.13)
    assert littlestone_bound(100, epsilon=1, alpha="0.4", beta="0.4") == 0


@pytest.mark.parametrize("alpha", ["0.2", "0.05", "0.01"])
@pytest.mark.parametrize("epsilon", ["0.1", "1", "3"])
@pytest.mark.parametrize("spec", ["points(bits=8)", "thresholds(bits=16)", "parities(dims=12)"])
def test_no_bound_exceeds_a_learner(spec: str, epsilon: str, alpha: str) -> None:
    concepts, beta = parse(spec), "0.05"
    enough = GenericLearner(concepts, epsilon=epsilon).sample_size(Accuracy(alpha, beta))
    bounds = [
        packing(concepts.size - 2, epsilon=epsilon, beta=beta, mass=alpha),
        littlestone_bound(concepts.littlestone.lower, epsilon=epsilon, alpha=alpha, beta=beta),
        two_concepts(epsilon=epsilon, delta=0, alpha=alpha, beta=beta),
        vc_bound(concepts.vc.lower, alpha=alpha, beta=beta),
    ]
    if spec.startswith("parities"):
        bounds = bounds[1:]  # parities are no points: only those bounds that are for every class
    assert max(bounds) <= enough


def test_lines_are_hard_though_their_trees_are_shallow() -> None:
    """With one sample alone the specification's numbers; two constant samples give more."""
    golden = {101: 42, 10007: 88, 2**31 - 1: 211, 2**61 - 1: 418}
    a = Fraction(1, 10)
    for p, rows in golden.items():
        alone = []
        for miss in (Fraction(i, 1000) for i in range(1, 400)):
            needed = line_bound(p, a + miss - a * miss)
            runs = math.ceil(needed) - 1
            if runs > 0:
                hit = -math.expm1(math.log(miss) / runs)
                alone.append(math.log((1 - a) / hit) / float(a))
        assert math.ceil(max(alone)) == rows
        assert protocol_bound(partial(line_bound, p), epsilon=a, alpha=a, beta=a) > rows
    assert protocol_bound(lambda _: 1, epsilon=1, alpha="0.1", beta="0.1") == 0
    assert protocol_bound(lambda _: 10**9, epsilon=1, alpha="0.5", beta="0.1") == 0
    huge = protocol_bound(partial(line_bound, 101), epsilon="1e-12", alpha="1e-12", beta="0.1")
    assert huge > 10**20


@pytest.mark.parametrize("epsilon", ["0.1", "1", "20"])
@pytest.mark.parametrize("p", [2, 3, 101, 10007])
def test_no_bound_for_lines_exceeds_a_learner(p: int, epsilon: str) -> None:
    for alpha in ("0.3", "0.1", "0.01"):
        for learner in (GenericLearner(Lines(p), epsilon=epsilon), _hashed(p, epsilon, alpha)):
            enough = learner.sample_size(Accuracy(alpha, "0.05"))
            bound = protocol_bound(
                partial(line_bound, p), epsilon=epsilon, alpha=alpha, beta="0.05"
            )
            assert bound <= enough


def _hashed(p: int, epsilon: str, alpha: str) -> ProtocolLearner:
    hashing = LineHashing(p, math.ceil(p / (Fraction(alpha) / 50)))
    return ProtocolLearner.planned(hashing, epsilon=epsilon, accuracy=Accuracy(alpha, "0.05"))


def test_more_privacy_and_more_accuracy_need_more_rows() -> None:
    sizes = [packing(2**20, epsilon=e, beta="0.05", mass="0.1") for e in ("2", "1", "0.5")]
    assert sizes == sorted(sizes)
    assert two_concepts(epsilon=1, delta="0.1", alpha="0.1", beta="0.05") <= two_concepts(
        epsilon=1, delta=0, alpha="0.1", beta="0.05"
    )
    labels = [many_labels(k, epsilon=1, delta="1e-9", alpha="0.01") for k in (1, 100, 10000)]
    assert labels == sorted(labels)
    assert labels[2] == pytest.approx(100 * labels[0], rel=0.2)
    assert many_labels(100, epsilon=1, delta=0, alpha="0.2") == 0


@pytest.mark.parametrize("delta", ["0.05", "0.001"])
def test_two_concepts_by_putting_the_promise_into_itself(delta: str) -> None:
    """With fewer rows that differ, a failure of beta on one side lets the other hardly succeed."""
    n, chance = two_concepts(epsilon="0.05", delta=delta, alpha="0.05", beta="0.05"), 0.05
    for _ in range(int(2 * 0.05 * (n - 1))):
        chance = math.exp(0.05) * chance + float(delta)
    assert 0.8 < chance < 0.95


def test_no_labels_are_hard_for_much_delta() -> None:
    for k in (10**6, 10**12):
        assert 0 < many_labels(k, epsilon="0.01", delta="0.01", alpha="0.01") <= 157  # 1 / 64 a d


def test_what_stands_for_a_long_sum_is_no_greater(monkeypatch: pytest.MonkeyPatch) -> None:
    hard = {"epsilon": "0.1", "beta": "0.05", "mass": "0.1"}
    exact, rare = packing(2**40, **hard), coins(1, alpha="0.001", beta="1e-9")
    monkeypatch.setattr(lower_bounds, "BINS", 8)
    assert 0.8 * exact < packing(2**40, **hard) < exact
    monkeypatch.setattr(lower_bounds, "LARGE", 0)
    assert 0.6 * exact < packing(2**40, **hard) < exact
    monkeypatch.setattr(lower_bounds, "FLAT", 0.01)
    assert 0.3 * rare < coins(1, alpha="0.001", beta="1e-9") < rare


@pytest.mark.parametrize(
    "spec", ["points(bits=9)", "thresholds(bits=9)", "lines(p=7)", "parities(dims=9)"]
)
def test_bounds_for_pure_learners_bind_no_others(spec: str) -> None:
    pure = Goal(parse(spec), Fraction(1, 10), Fraction(1, 20), Fraction(1), labels=3, agnostic=True)
    bound = {bound.name: bound.applies_to for bound in impossible(pure)}
    others = {bound.name for bound in impossible(replace(pure, delta=Fraction(1, 10**6)))}
    assert others == {name for name, whom in bound.items() if "pure" not in whom}
    assert others < bound.keys()


def test_packings_are_of_what_must_be_told_apart() -> None:
    """Thresholds a mass of 2 alpha apart; parities err 1/2 of each other, too much for 1/4."""
    asked = {"beta": Fraction(1, 20), "epsilon": Fraction(1)}
    line, masks = parse("thresholds(bits=9)"), parse("parities(dims=9)")
    (found,) = (b.n for b in impossible(Goal(line, Fraction(1, 10), **asked)) if "thr" in b.name)
    assert found == packing(510, epsilon=1, beta="0.05", mass="0.2")
    for alpha, told in ((Fraction(24, 100), True), (Fraction(1, 4), False)):
        names = {bound.name for bound in impossible(Goal(masks, alpha, **asked))}
        assert ("packing of parities" in names) is told


def test_the_vc_dimension_is_needed_without_privacy_too() -> None:
    assert vc_bound(0, alpha="0.1", beta="0.05") == 0
    assert vc_bound(1, alpha="0.1", beta="0.6") == 0
    assert vc_bound(321, alpha="0.1", beta="0.6") == 100


def test_bad_arguments() -> None:
    with pytest.raises(InvalidArgument, match="families"):
        packing(0, epsilon=1, beta="0.05")
    with pytest.raises(InvalidArgument, match="labels"):
        many_labels(0, epsilon=1, delta=0, alpha="0.1")
    with pytest.raises(InvalidArgument, match="epsilon"):
        two_concepts(epsilon=0, delta=0, alpha="0.1", beta="0.05")


@pytest.mark.parametrize("alpha", [Fraction(2, 5), Fraction(1, 10)])
@pytest.mark.parametrize(("labels", "beta"), [(1, Fraction(1, 20)), (3, Fraction(1, 5))])
def test_coins_are_guessed_by_majority_and_no_better(
    alpha: Fraction, labels: int, beta: Fraction
) -> None:
    """The exact success of the majority at n and below it, by summing the binomial law."""

    def success(n: int) -> Fraction:
        p = (1 + alpha) / 2
        law = [math.comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(n + 1)]
        ties = law[n // 2] / 2 if n % 2 == 0 else Fraction(0)
        return (sum(law[n // 2 + 1 :]) + ties) ** labels

    n = coins(labels, alpha=alpha, beta=beta)
    assert success(n) >= 1 - beta
    assert success(n - 1) < 1 - beta
    assert success(n + 1) == success(n)


def test_coins_of_tiny_bias_take_no_time() -> None:
    assert 1e18 < coins(1, alpha="1e-9", beta="0.05") < 2.7055e18
    biases = (0.1, 1.01e-5, 1e-5, 0.99e-5, 0.7e-5, 0.5e-5, 1e-6, 1e-12)
    rows = [coins(3, alpha=alpha, beta="0.01") for alpha in biases]
    assert rows == sorted(rows)
    assert rows[3] < rows[4] < rows[5]
    assert coins(1, alpha="0.1", beta="0.6") == 0
