"""The numbers that show the errors found in the papers, and that the page tells what we know."""

from __future__ import annotations

import re
from fractions import Fraction
from math import ceil, comb, exp, floor, log, log2, log10
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom, laplace

from tacit.concepts.contract.finite import Finite
from tacit.core.accuracy import Accuracy
from tacit.core.chance.divergence import hockey_stick
from tacit.core.chance.law import Law
from tacit.core.cost import Pure
from tacit.learners import GenericLearner
from tacit.learners.every_class.converse import hit_probability, runs_for
from tacit.mechanisms import Exponential
from tacit.statistics import ScoreProfile
from tacit.theory.communication.augmented_index import index_bits
from tacit.theory.impossible.packing import packing
from tacit.theory.impossible.two_concepts import two_concepts
from tacit.theory.impossible.unseen_points import unseen
from tacit.theory.papers.errata import ERRATA, Erratum, page
from tacit.theory.papers.references import REFERENCES
from tacit.theory.solving.representatives import sauer

ROOT = Path(__file__).parents[3]
F = Fraction


@pytest.mark.parametrize("erratum", ERRATA.values(), ids=lambda found: found.id)
def test_the_guard_exists(erratum: Erratum) -> None:
    assert erratum.paper in REFERENCES
    if not erratum.guard:
        return
    name, _, test = erratum.guard.partition("::")
    text = (ROOT / name).read_text()
    assert re.search(rf"^def {test}\(" if test else r"^def test_", text, re.MULTILINE)


def test_most_errata_are_guarded() -> None:
    assert sum(bool(found.guard) for found in ERRATA.values()) >= len(ERRATA) - 10


def test_the_page_is_what_is_known() -> None:
    """Write it again with: python -c 'from tacit.theory.papers.errata import page; ...'."""
    assert (ROOT / "docs" / "errata.md").read_text(encoding="utf-8") == page()


def _misses(candidates: int, gap: int) -> Fraction:
    """The chance that one best candidate is passed over for others that are `gap` behind."""
    profile = ScoreProfile([gap, 0], np.array([1, candidates - 1]), lambda cell, _: cell)
    return 1 - Exponential(1).cells(profile).probabilities[0]


def test_blocks_of_the_line_learner() -> None:
    few = binom.cdf(ceil(166 * F(7, 12)) - 1, 166, 2 / 3)
    assert few == pytest.approx(0.01076, abs=1e-5)
    assert few > 0.01 / 4 > binom.cdf(ceil(432 * F(7, 12)) - 1, 432, 2 / 3)


def test_the_tail_of_the_noise() -> None:
    assert laplace.cdf(-log(10)) == pytest.approx(0.1 / 2)
    assert laplace.cdf(-log(20)) == pytest.approx(0.1 / 4)


def test_errors_of_representations() -> None:
    def error(alpha: Fraction) -> Fraction:
        return 2 * alpha - alpha**2

    assert error(F(1, 3)) == F(5, 9) > F(1, 2)
    assert error(F(1, 6)) == F(11, 36) < F(1, 3)


def test_the_size_of_a_deterministic_representation() -> None:
    points = 2**20
    size = log2(points + log2(points))  # log log(|C| |X|) for all functions
    assert size == pytest.approx(20.0, abs=1e-4)
    assert log2(log2(points)) + log2(log2(points)) == pytest.approx(8.64, abs=0.01)
    assert size < log2(points) + log2(log2(points))


def test_augmented_index_beyond_one_half() -> None:
    assert index_bits(100, "0.9") == 0
    assert 100 * (1 + 0.9 * log2(0.9) + 0.1 * log2(0.1)) == pytest.approx(53.1, abs=0.01)


def test_messages_are_counted() -> None:
    assert 1 < log2(3) < 2
    assert log(8) == pytest.approx(2.079, abs=1e-3)
    assert log2(8) == 3


def test_privacy_with_high_probability_is_not_privacy() -> None:
    p, q = Law({0: F(1, 2), 1: F(1, 2)}), Law({0: F(9, 20), 1: F(11, 20)})
    assert hockey_stick(p, q, F(1)).upper == F(1, 20)
    assert sum(p.probabilities[x] for x in (0, 1) if p.probabilities[x] > q.probabilities[x]) == F(
        1, 2
    )


def test_one_n_does_not_serve_all_accuracies() -> None:
    assert pytest.approx(0.452, abs=1e-3) == 0.999**100 / 2
    assert unseen(alpha="0.001", beta="0.452") > 99


def test_sauers_sum_is_more_than_the_points() -> None:
    concepts = Finite([[0, 0], [0, 1], [1, 0]])
    assert concepts.vc.upper == 1
    assert concepts.size == sauer(1, 2) == 3 > concepts.domain_size


def test_the_upper_chernoff_bound_needs_small_deviations() -> None:
    p = F(1, 100)
    tail = 1 - sum(comb(100, i) * p**i * (1 - p) ** (100 - i) for i in range(11))
    assert tail > exp(-27)
    assert float(tail) == pytest.approx(6.26e-9, rel=1e-3)


def test_the_rows_of_lemma_14() -> None:
    """Event E3 with 100 hypotheses, alpha = 0.01, beta = 1/80; E2 at its number of rows."""
    printed, correct = ceil(2 * log(8000)), ceil(200 * log(8000))
    assert (printed, correct) == (18, 1798)
    assert _misses(100, printed // 100 + 1) > F(98, 100)
    assert _misses(100, correct // 100 + 1) < F(1, 80)
    rows = ceil(400 / 3 * log(8000))
    assert 100 * exp(-rows * 0.01 / 4) > 4
    assert 100 * exp(-rows * 0.03 / 4) < 0.0125
    learner = GenericLearner(
        Finite([[int(i == j) for j in range(100)] for i in range(100)]), epsilon=1
    )
    assert printed < learner.sample_size(Accuracy("0.01", "1/80"))


def test_lemma_14_with_much_privacy_budget() -> None:
    rows = ceil(3 / (0.1 * 50) * (log(2) + log(100)))
    failure = sum(
        comb(rows, i)
        * comb(rows - i, j)
        * 0.1**i
        * 0.61**j
        * 0.29 ** (rows - i - j)
        / (1 + exp(25 * (j - i)))
        for i in range(rows + 1)
        for j in range(rows + 1 - i)
    )
    assert rows == 4
    assert failure == pytest.approx(0.0852, abs=1e-4)
    ours = GenericLearner(Finite([[0], [1]]), epsilon=50).sample_size(Accuracy("0.1", "0.01"))
    assert 0.9**ours <= 0.01


def test_the_rows_of_lemma_28() -> None:
    """10^6 solutions, alpha = 0.1, beta = 0.01: the logarithm of their number is not enough."""
    solutions = 10**6
    printed, correct = (ceil(20 * log(each * 100)) for each in (log(solutions), solutions))
    assert (printed, correct) == (145, 369)
    assert _misses(solutions, printed // 10 + 1) > F(99, 100)
    assert _misses(solutions, correct // 10 + 1) < F(1, 100)


def test_the_runs_of_lemma_29() -> None:
    hit = hit_probability(Pure(1), 1, "1/2")
    assert runs_for(hit, "1/100") == 23
    assert (1 - float(hit)) ** 4 > 0.4


def test_a_coin_learns_two_constants() -> None:
    """No bound of ours forbids what a coin does: no rows, and failure one half."""
    assert two_concepts(epsilon=1, delta=0, mass="0.1", beta="0.5") == 0
    assert packing(2, epsilon=1, beta="0.5") == 0


def test_rows_without_privacy_are_needed_too() -> None:
    assert unseen(alpha="0.02", beta="0.05") == 114
    assert log(2) / (0.01 * 10**4) < 0.007


def test_repetitions_are_rounded_up() -> None:
    assert 0.25 ** floor(log(1 / 0.2)) > 0.2 >= 0.25 ** ceil(log(1 / 0.2) / log(4))


def test_hypotheses_are_rounded_up() -> None:
    hypotheses = 4 * log(1 / 0.2237)
    assert 0.75 ** floor(hypotheses) > 0.2237 >= 0.75 ** ceil(hypotheses)


def test_delta_may_be_larger() -> None:
    steps, value = 40, 0.25
    delta = exp(-steps) * (exp(1) - 1) / 8
    for _ in range(steps):
        value = exp(-1) * (value - delta)
    assert value >= exp(-steps) / 8 * (1 - 1e-9)


def test_the_union_bound_of_claim_39() -> None:
    def bound(m: int) -> float:
        return 2 * m * log(2) + log(2) - 2 * m

    assert bound(1) > 0 > bound(2)


def test_the_base_of_a_logarithm_matters() -> None:
    """With log10 in place of ln the threshold is 2.3 times too low for its delta."""
    delta = 1e-6
    assert laplace.sf(log(1 / delta)) < delta < laplace.sf(log10(1 / delta))
