"""Lower bounds: golden numbers, monotone, and never above what a learner achieves."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest

from tacit.concepts.algebra.lines import Lines
from tacit.concepts.contract.finite import Finite
from tacit.concepts.contract.specification import parse
from tacit.core.accuracy import Accuracy
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.enclosures import precision, real
from tacit.learners import GenericLearner, ProtocolLearner
from tacit.theory.communication.bits import line_bound
from tacit.theory.communication.protocols import LineHashing
from tacit.theory.impossible import differing_rows as rows_module
from tacit.theory.impossible import lower_bound as coins_module
from tacit.theory.impossible import packing as packing_module
from tacit.theory.impossible.fingerprints import (
    labels_of_uniform_points,
    many_labels,
    many_thresholds,
)
from tacit.theory.impossible.lower_bound import coins
from tacit.theory.impossible.mistake_trees import littlestone_bound, path_bound
from tacit.theory.impossible.packing import failing, packing
from tacit.theory.impossible.protocols import protocol_bound
from tacit.theory.impossible.unseen_points import _rows, unseen, vc_bound
from tacit.theory.optimum.optimum import optimum, votes
from tacit.workflows.planning.goal import Goal
from tacit.workflows.planning.impossible import impossible


@pytest.mark.parametrize(
    ("families", "epsilon", "beta", "mass", "rows"),
    [
        (2**10, 1, "0.5", "0.1", 72),
        (2**100, 1, "0.5", "0.1", 697),
        (2**100, "0.1", "0.5", "0.1", 6950),
        (2**100, 1, "0.05", "0.1", 843),
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
        path_bound(concepts.littlestone.lower, epsilon=epsilon, alpha=alpha, beta=beta),
        packing(2, epsilon=epsilon, delta=0, mass=alpha, beta=beta),
        unseen(alpha=alpha, beta=beta),
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
    assert packing(2, epsilon=1, delta="0.1", mass="0.1", beta="0.05") <= packing(
        2, epsilon=1, delta=0, mass="0.1", beta="0.05"
    )
    labels = [_labels(k, alpha="0.01", beta="0.05") for k in (1, 100, 10000)]
    assert labels == sorted(labels)
    assert labels[2] == pytest.approx(100 * labels[0], rel=0.2)
    assert _labels(100, alpha="0.2", beta="0.5") == 0


def _labels(k: int, **accuracy: str) -> int:
    return many_labels(k, epsilon=1, delta="1e-9", **accuracy)


@pytest.mark.parametrize(
    ("mass", "beta", "epsilon", "delta", "rows"),
    [
        ("0.1", "0.05", "1", 0, 56),
        ("0.05", "0.05", "1/2", "1e-6", 206),
        ("0.1", "0.001", "1", "1e-6", 154),
        (1, "0.05", "1", 0, 5),
    ],
)
def test_two_concepts_golden_numbers(
    mass: str, beta: str, epsilon: str, delta: str, rows: int
) -> None:
    assert packing(2, epsilon=epsilon, delta=delta, beta=beta, mass=mass) == rows


@pytest.mark.parametrize("delta", [0.0, 0.001, 0.1])
@pytest.mark.parametrize("rate", [0.3, 1.0, 4.0])
def test_the_best_learner_of_two_concepts_is_private_and_fails_as_often(
    rate: float, delta: float
) -> None:
    """The chances that attain the bound, step by step from the middle, are private both ways."""
    for rows in range(9):
        fails = [failing(np.array([float(rows)]), rate, delta)[0]]
        step = math.exp(rate)
        while len(fails) < rows // 2 + 1:
            fails.append(min(step * fails[-1] + delta, 0.5))
        said = [1 - p for p in fails] + fails[: (rows + 1) // 2][::-1]
        assert len(said) == rows + 1
        for p, q in pairwise(said):
            assert max(p - step * q, q - step * p, (1 - p) - step * (1 - q)) <= delta + 1e-12
            assert (1 - q) - step * (1 - p) <= delta + 1e-12
        assert said[0] + said[-1] == pytest.approx(1)


@pytest.mark.parametrize(
    ("candidates", "n", "epsilon", "mass"),
    [(64, 12, 1, "1"), (1 << 32, 16, 2, "1"), (10**6, 10, 2, "0.8"), (3, 5, 1, "1/2")],
)
def test_a_packing_is_as_hard_as_votes(candidates: int, n: int, epsilon: int, mass: str) -> None:
    """The bound is what the best private law attains, which a linear program finds."""
    counts = np.arange(n + 1.0)
    fails = failing(counts, float(epsilon), 0.0, math.log(candidates - 1))
    share = float(Fraction(mass))
    weights = [math.comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(n + 1)]
    best = votes(candidates, n=n, epsilon=epsilon, mass=mass)
    assert float(fails @ weights) == pytest.approx(float(best.lower), rel=1e-5)
    assert float(fails @ weights) <= float(best.upper) * (1 + 1e-9)


@pytest.mark.parametrize(("candidates", "n", "delta"), [(3, 4, "0.02"), (9, 5, "0.001")])
def test_votes_with_a_delta_are_no_easier_than_a_packing(
    candidates: int, n: int, delta: str
) -> None:
    fails = failing(np.array([float(n)]), 1.0, float(delta), math.log(candidates - 1))[0]
    best = votes(candidates, n=n, epsilon=1, delta=delta)
    assert 0.5 * best.upper < fails <= best.upper + Fraction(1, 10**9)


@pytest.mark.parametrize("rate", [0.2, 1.0, 3.0])
@pytest.mark.parametrize("spare", [-math.inf, -6.0, -1.0])
@pytest.mark.parametrize("slack", [0.0, 1e-4])
def test_no_other_way_to_mix_rows_says_more(rate: float, spare: float, slack: float) -> None:
    """Against all numbers of rows that are mixed in; without a delta the best one is found."""
    rows, others, shift = np.arange(40.0), math.log(1000), slack / math.expm1(rate)
    found = failing(rows, rate, slack, others, spare)
    for k, value in zip(range(40), found.tolist(), strict=True):
        said = [
            (1 + 2 * shift - shift * (a + b) - b * math.exp(spare)) / (a + b / 1000)
            for i in range(k + 1)
            for a, b in [(math.exp(rate * i), math.exp(rate * (k - i)))]
        ]
        assert value <= max(0.0, *said) + 1e-12
        assert slack or value == pytest.approx(max(0.0, *said), abs=1e-9)
    assert (np.diff(found) <= 1e-15).all()


def test_labels_of_a_shattered_set_are_a_packing_of_the_optimum() -> None:
    """Two labels on three shattered points, one of which takes the rest of the mass."""
    asked: dict[str, Any] = {"epsilon": 4, "alpha": "0.3"}
    everything = Finite(tuple(product((False, True), repeat=3)))
    for beta in ("0.2", "0.4", "0.6", "0.8"):
        rows = path_bound(3, **asked, beta=beta, labels=2)
        for n in range(1, min(rows, 3)):
            assert optimum(everything, n=n, labels=2, **asked).lower > Fraction(beta)


def test_many_thresholds_are_hard_as_the_third_root_of_labels() -> None:
    asked = {"epsilon": 1, "delta": "1e-12", "alpha": "0.02", "beta": "0.05"}
    rows = [many_thresholds(1000**i, line=2**40, **asked) for i in (1, 2, 3)]
    assert all(8 < more / fewer < 11 for fewer, more in pairwise(rows))
    padded = many_thresholds(10**6, line=2**40, **{**asked, "alpha": "0.002"})
    assert 9.5 < padded / rows[1] < 10.5  # mass 1 - 2 alpha tells nothing
    by_line = [many_thresholds(10**6, line=n, **asked) for n in (1, 2, 9, 99, 10**6)]
    assert by_line == sorted(by_line)
    assert by_line[0] == 0
    assert many_thresholds(1, line=2**40, **asked) == 0
    assert many_thresholds(10**6, line=2**40, **{**asked, "beta": "0.5"}) == 0
    assert many_thresholds(10**6, line=2**40, **{**asked, "delta": "0.1"}) < rows[1] / 10


@pytest.mark.parametrize("epsilon", [0.3, 1.0])
def test_two_thresholds_are_told_apart_by_as_many_rows_as_the_bound_asks_for(
    epsilon: float,
) -> None:
    """Two labels and one point: the best private answer fails with chance 1 / (1 + e^(epsilon K)).

    The bound is never more than the rows that it needs.
    """
    share, beta = 0.2, 0.05
    for n in range(1, 400):
        counts, chances = rows_module.differing_rows(n, share)
        if float(chances @ (1 / (1 + np.exp(epsilon * counts)))) <= beta:
            break
    assert many_thresholds(2, line=2, epsilon=epsilon, delta=0, alpha=0.1, beta=beta) <= n


def test_uniform_points_tell_labels_apart_by_how_often_they_are_yes() -> None:
    asked = {"epsilon": 1, "delta": "1e-12", "beta": "0.01"}
    rows = [labels_of_uniform_points(100**i, **asked, alpha="0.01") for i in (2, 3, 4)]
    assert all(9.5 < more / fewer < 10.5 for fewer, more in pairwise(rows))
    assert labels_of_uniform_points(10**6, **asked, alpha="0.2") == 0


def test_no_labels_are_hard_for_much_delta() -> None:
    for k in (10**6, 10**12):
        hard = {"epsilon": "0.01", "delta": "0.01", "alpha": "0.01", "beta": "1e-9"}
        assert 0 < many_labels(k, **hard) <= 681  # 2 (1/2 - 1/6) / (sqrt(6) 4 a d)


def test_what_stands_for_a_long_sum_is_no_greater(monkeypatch: pytest.MonkeyPatch) -> None:
    hard = {"epsilon": "0.1", "beta": "0.05", "mass": "0.1"}
    exact, rare = packing(2**40, **hard), coins(1, alpha="0.001", beta="1e-9")
    monkeypatch.setattr(rows_module, "MOST", 8)
    monkeypatch.setattr(rows_module, "BINS", 8)
    assert 0.8 * exact < packing(2**40, **hard) < exact
    monkeypatch.setattr(packing_module, "LARGE", 0)
    assert 0.6 * exact < packing(2**40, **hard) < exact
    monkeypatch.setattr(coins_module, "FLAT", 0.01)
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
    assert found == packing(511, epsilon=1, beta="0.05", mass="0.2")
    for alpha, told in ((Fraction(24, 100), True), (Fraction(1, 4), False)):
        names = {bound.name for bound in impossible(Goal(masks, alpha, **asked))}
        assert ("packing of parities" in names) is told
        assert ("packing of parities, uniform points" in names) is told


def test_k_parities_are_hard_where_few_rows_tell_them_apart() -> None:
    goal = Goal(
        parse("parities(dims=16)"), Fraction(1, 100), Fraction(1, 20), Fraction(1), labels=10
    )
    found = {bound.name: bound for bound in impossible(goal)}
    assert found["packing of parities"].n > 3000
    assert found["packing of parities, uniform points"].n == 116


@pytest.mark.parametrize(("light", "wrong", "mass"), [(1, 1, 0.1), (5, 2, 0.4), (7, 3, 1.0)])
def test_unseen_points_are_counted_exactly(light: int, wrong: int, mass: float) -> None:
    def fails(n: int) -> float:
        seen = {0: 1.0}
        for _ in range(n):
            after: dict[int, float] = defaultdict(float)
            for s, p in seen.items():
                after[s + 1] += p * mass * (1 - s / light)
                after[s] += p * (1 - mass * (1 - s / light))
            seen = after
        return sum(p * _many_heads(light - s, wrong) for s, p in seen.items())

    for beta in (0.3, 0.05, 0.001):
        n = _rows(light, wrong, mass, beta)
        assert fails(n) <= beta + 1e-8
        assert n == 0 or fails(n - 1) > beta


@pytest.mark.parametrize(("n", "share"), [(40, 0.3), (10**9, 1e-6), (10**12, 1e-9)])
def test_the_chances_of_many_rows_are_right_to_the_margin(n: int, share: float) -> None:
    counts, chances = rows_module.differing_rows(n, share)
    with precision(256):
        p, log = real(Fraction(share)), real(0)
        for k in range(int(counts[0])):
            log += (real(n - k) / real(k + 1)).log()
        exact = (log + int(counts[0]) * p.log() + (n - int(counts[0])) * (1 - p).log()).exp()
        for k, chance in zip(counts.astype(int).tolist(), chances.tolist(), strict=True):
            assert abs(chance - float(exact)) <= 1e-11
            exact = exact * real(n - k) / real(k + 1) * p / (1 - p)


def test_what_doubles_lose_in_many_squarings_is_given_away() -> None:
    """For one point the answer is a logarithm: never above it, however many rows it takes."""
    for alpha in ("1e-3", "1e-6", "1e-9", "3e-9"):
        exact = math.log(2 * 0.05) / math.log1p(-float(alpha))
        found = unseen(alpha=alpha, beta="0.05")
        assert exact * (1 - 1e-4) < found <= math.ceil(exact)


def _many_heads(coins: int, least: int) -> float:
    return sum(math.comb(coins, heads) for heads in range(least, coins + 1)) / 2.0**coins


def test_the_vc_dimension_is_needed_without_privacy_too() -> None:
    assert vc_bound(0, alpha="0.1", beta="0.05") == vc_bound(1, alpha="0.1", beta="0.05") == 0
    assert unseen(alpha="0.1", beta="0.6") == 0
    assert vc_bound(3201, alpha="0.1", beta="0.01") == 1000
    assert vc_bound(3201, alpha="0.2", beta="0.01") < 500  # outside what is proved in closed form
    sizes = [vc_bound(d, alpha="0.05", beta="0.05") for d in (2, 3, 5, 10, 30, 64)]
    assert sizes == sorted(sizes)


def test_bad_arguments() -> None:
    with pytest.raises(InvalidArgument, match="families"):
        packing(0, epsilon=1, beta="0.05")
    with pytest.raises(InvalidArgument, match="labels"):
        many_labels(0, epsilon=1, delta=0, alpha="0.1", beta="0.1")
    with pytest.raises(InvalidArgument, match="epsilon"):
        packing(2, epsilon=0, delta=0, mass="0.1", beta="0.05")


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
