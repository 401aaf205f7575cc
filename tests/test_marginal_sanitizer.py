"""Synthetic rows from chosen marginals: draws, promises, and how near they come."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tacit.core.composition import price
from tacit.core.composition.concentrated import rate
from tacit.core.cost import (
    BoundedRange,
    Cost,
    Gaussian,
    Repeat,
    Sequential,
    ZeroConcentrated,
)
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy
from tacit.core.randomness import Seeded
from tacit.sanitizers import Attributes, MarginalSanitizer
from tacit.sanitizers.marginal_model import MarginalModel
from tacit.statistics import Counts
from tests.sanitized import chain, counted, follows_its_law


def test_exact_marginals_are_fitted_exactly() -> None:
    """A chain is its pairs: from them the model recovers every cell."""
    attributes = Attributes.binary(5)
    share = np.array([[0.9, 0.1], [0.2, 0.8]])
    cells = np.full(attributes.shape, 0.5)
    for i in range(4):
        for codes in np.ndindex(*attributes.shape):
            cells[codes] *= share[codes[i], codes[i + 1]]
    truth = np.rint(10**7 * cells.ravel()).astype(np.int64)
    model = MarginalModel(attributes, int(truth.sum()))
    marginals = attributes.marginals(truth, 2)
    for i in range(4):
        model.observe((i, i + 1), marginals[(i, i + 1)])
    assert abs(model.finished() - truth).max() <= 100


def test_draws_follow_the_law() -> None:
    """The law's slack, below 2^-100, is far below what the test can see."""
    sanitizer = MarginalSanitizer(Attributes.binary(2), rho=4, rounds=1, width=1, first=0)
    counts = Counts.of([(0, 1), (1, 1)])
    assert 0 < sanitizer.law(counts).slack < Fraction(1, 1 << 100)
    assert follows_its_law(sanitizer, counts, runs=1500, seed=7)


def test_the_first_marginals_are_part_of_the_law() -> None:
    sanitizer = MarginalSanitizer(Attributes([2]), rho=4, rounds=1)
    counts = Counts.of([0])
    assert follows_its_law(sanitizer, counts, runs=800, seed=8)


def test_the_parts_cost_no_more_than_rho() -> None:
    sanitizer = MarginalSanitizer(Attributes.binary(5), rho="1/50", rounds=7)
    total = _rates(sanitizer.cost)
    assert Fraction(99, 5000) < total <= Fraction(1, 50)


def _rates(cost: Cost) -> Fraction:
    match cost:
        case Sequential(parts):
            return sum(map(_rates, parts), Fraction(0))
        case Repeat(part, times):
            return times * _rates(part)
        case BoundedRange() | Gaussian() | ZeroConcentrated():
            return rate(cost)
    raise AssertionError("no other part is used")


def test_the_promise_holds_twenty_times() -> None:
    attributes = Attributes.binary(8)
    sanitizer = MarginalSanitizer.within(attributes, Privacy(1, "1e-6"))
    assert price(sanitizer.cost, "1e-6").privacy.epsilon <= 1
    errors = []
    for seed in range(20):
        counts = counted(chain(seed, dims=8, n=10_000))
        made = sanitizer(counts, rng=Seeded(seed))
        off = max(attributes.deviations(made.histogram(), attributes.histogram(counts), 3))
        assert off <= 10_000 * sanitizer.promised(made, "0.001")
        errors.append(off / 10_000)
    assert float(np.mean(errors)) <= 0.012


def test_more_rows_than_the_data_has() -> None:
    attributes = Attributes([3, 2, 2])
    sanitizer = MarginalSanitizer(attributes, rho="1/10", copies=5)
    counts = Counts(600, {(2, 1, 0): 600})
    made = sanitizer(counts, rng=Seeded(1))
    assert made.n == 3000
    assert made.histogram().argmax() == 10
    assert sanitizer.promised(made, "0.01") < 0.2


def test_bad_requests() -> None:
    attributes = Attributes.binary(3)
    with pytest.raises(InvalidArgument, match="delta"):
        MarginalSanitizer.within(attributes, Privacy(1))
    for name in ("rounds", "width", "copies"):
        with pytest.raises(InvalidArgument, match=name):
            MarginalSanitizer(attributes, rho=1, **{name: 0})  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="rho"):
        MarginalSanitizer(attributes, rho=0)
