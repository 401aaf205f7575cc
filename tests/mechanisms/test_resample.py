"""Secrecy of the sample: all index sequences, the formula attained, golden numbers."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.chance.law import Law, certain, mixture
from tacit.core.cost import Pure, Subsample
from tacit.core.errors import InvalidArgument, NotExact
from tacit.core.numbers.decay import growth
from tacit.mechanisms.mechanism import Kernel
from tacit.mechanisms.resample import Resample, rows_needed
from tacit.verify.cases.wrapping import Rows, amplified_claim, resample, tilted
from tacit.verify.enumeration import Case, verify
from tests.support.coin_tree import law_of

F = Fraction
SHOWN: Kernel[Rows, Rows] = Kernel(Pure(0), certain)  # shows its rows: private of nothing


@pytest.mark.parametrize("replacement", [True, False])
@pytest.mark.parametrize("rows", ["abc", "aab", "abcd", "aaaa"])
@pytest.mark.parametrize("drawn", [0, 1, 2, 3])
def test_sampler_and_law_are_uniform_over_index_sequences(
    rows: str, drawn: int, *, replacement: bool
) -> None:
    records = tuple(rows)
    draws = list(product(records, repeat=drawn) if replacement else permutations(records, drawn))
    expected = {draw: F(times, len(draws)) for draw, times in Counter(draws).items()}
    sampling = Resample(SHOWN, drawn=drawn, rows=len(records), replacement=replacement)
    assert sampling.law(records).probabilities == expected
    assert law_of(lambda rng: sampling(records, rng=rng)).probabilities == expected


@given(st.integers(1, 4), st.integers(1, 5), st.integers(2, 9))
def test_the_loss_of_the_extreme_base_is_the_formula(drawn: int, rows: int, factor: int) -> None:
    """With a rational E = e^epsilon0: (1 + (E - 1)/m)^n, or 1 + (n/m)(E - 1) without."""
    scale = F(1, 2) / factor**drawn

    def law(sample: Rows) -> Law[bool]:
        yes = scale * factor ** sample.count("a")
        return Law({True: yes, False: 1 - yes})

    near, far = ("a", *"b" * (rows - 1)), ("b",) * rows
    base = Kernel(Pure(1), law)
    sampling = Resample(base, drawn=drawn, rows=rows)
    assert sampling.law(near)[True] / sampling.law(far)[True] == (1 + F(factor - 1, rows)) ** drawn
    if drawn <= rows:
        sampling = Resample(base, drawn=drawn, rows=rows, replacement=False)
        ratio = sampling.law(near)[True] / sampling.law(far)[True]
        assert ratio == 1 + F(drawn, rows) * (factor - 1)


def test_golden_loss_of_three_draws_from_six_rows() -> None:
    assert resample()[0][0].claim == amplified_claim(Pure(1), Resample(tilted(1), drawn=3, rows=6))
    assert round(verify(resample()[0][0]).epsilon, 7) == 0.7554969


def test_drawn_and_rows_exchanged_is_refuted() -> None:
    """The printed lemma has the ratio of sample to database upside down."""
    sampling = Resample(tilted(1), drawn=6, rows=3)
    wrong = amplified_claim(Pure(1), Resample(tilted(1), drawn=3, rows=6))
    case = Case("", "", "broken", wrong, ("a", "b", "c"), 3, sampling.law)
    assert verify(case).verdict == "refuted"


def test_rows_in_their_old_order_would_not_be_private() -> None:
    """Two of three rows, kept in order: a base that works by position pays for more."""
    factor = growth(F(1))

    def law(pair: Rows) -> Law[bool]:
        yes = factor ** ((pair[0] == "a") + (pair[1] == "b")) / 100
        return Law({True: yes, False: 1 - yes})

    base = Kernel(Pure(1), law)
    honest = Case("", "", "mechanism", Pure(1), ("a", "b", "c"), 2, law, symmetric=False)
    assert verify(honest).verdict == "verified"

    def ordered(records: Rows) -> Law[bool]:
        return mixture((F(1, 3), law(pair)) for pair in combinations(records, 2))

    sampling = Resample(base, drawn=2, rows=3, replacement=False)
    promise = amplified_claim(Pure(1), sampling)
    right, wrong = (
        verify(Case("", "", "mechanism", promise, ("a", "b", "c"), 3, told, symmetric=False))
        for told in (sampling.law, ordered)
    )
    assert (right.verdict, wrong.verdict) == ("verified", "refuted")


@pytest.mark.parametrize(
    ("epsilon", "golden"),
    [("1", [17, 171, 1718]), ("0.5", [13, 130, 1298]), ("0.1", [11, 106, 1052])],
)
def test_golden_rows_needed(epsilon: str, golden: list[int]) -> None:
    assert [rows_needed(epsilon, drawn) for drawn in (1, 10, 100, 1000)] == [1, *golden]


def test_rows_needed_is_exact_where_the_ratio_is_all_but_whole() -> None:
    """At epsilon = 1e-60 the ratio is 10 + 4.5e-59: above 10, so 11 rows."""
    assert rows_needed("1e-60", 10) == 11


@given(st.fractions(F(1, 100), 3, max_denominator=100), st.integers(2, 200))
def test_rows_needed_is_the_least(epsilon: Fraction, drawn: int) -> None:
    rows = rows_needed(epsilon, drawn)
    loss = {m: drawn * math.log1p(math.expm1(float(epsilon)) / m) for m in (max(rows - 1, 1), rows)}
    assert loss[rows] <= float(epsilon) * (1 + 1e-12)
    assert rows == 1 or loss[rows - 1] > float(epsilon) * (1 - 1e-12)


def test_cost_and_utility() -> None:
    sampling = Resample(tilted(1), drawn=3, rows=6)
    assert sampling.cost == Subsample(Pure(1), 3, 6)
    assert sampling.failure("1/20") == F(1, 20)
    with pytest.raises(InvalidArgument, match="no random sample"):
        Resample(tilted(1), drawn=3, rows=6, replacement=False).failure("1/20")


def test_bad_arguments() -> None:
    with pytest.raises(InvalidArgument, match="drawn must be at most rows=3"):
        Resample(SHOWN, drawn=4, rows=3, replacement=False)
    with pytest.raises(NotExact, match="drawn must be an integer"):
        Resample(SHOWN, drawn=1.0, rows=3)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="rows=3 was declared, got 2"):
        Resample(SHOWN, drawn=1, rows=3).law(("a", "b"))
    with pytest.raises(InvalidArgument, match="epsilon must be greater than 0"):
        rows_needed(0, 3)
    with pytest.raises(InvalidArgument, match="drawn must be at least 1"):
        rows_needed(1, 0)
