"""Synthetic rows from chosen marginals: draws, promises, and how near they come."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.concepts.algebra.parities import walsh_hadamard
from tacit.core.chance.randomness import Seeded
from tacit.core.composition import price
from tacit.core.composition.interpreters.concentrated import rate
from tacit.core.cost import (
    BoundedRange,
    Cost,
    Gaussian,
    NearGaussian,
    Repeat,
    Sequential,
)
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy
from tacit.mechanisms import DiscreteGaussianVector
from tacit.sanitizers import Attributes, MarginalSanitizer
from tacit.sanitizers.marginals.array_axes import AxisCut
from tacit.sanitizers.marginals.marginal_model import MarginalModel, predicted
from tacit.sanitizers.marginals.matched_rows import settled
from tacit.statistics import Counts
from tacit.verify.enumeration import databases, neighbours
from tests.support.sanitized import chain, counted, follows_its_law


def test_exact_marginals_are_fitted_exactly() -> None:
    """A chain is its pairs: from them the model recovers every cell, to 1 in 10,000 of the rows."""
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
        model.observe((i, i + 1), marginals[(i, i + 1)], 1.0)
    assert abs(model.finished() - truth).max() <= 1000


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_rows_of_a_model_are_predicted_by_their_covariance(seed: int) -> None:
    """The mean of counts given noisy parities, by the matrices of all cells."""
    floats = np.random.default_rng(seed)
    n, dims = 500, 4
    model = n * floats.dirichlet(np.full(1 << dims, 0.5))
    sets = [c for width in (1, 2, 3) for c in combinations(range(dims), width)]
    signs = np.array([1 - 2 * (np.indices((2,) * dims)[list(c)].sum(axis=0) % 2) for c in sets])
    signs = signs.reshape(len(sets), -1).astype(np.float64)
    seen, noise = signs @ model + floats.normal(0, 30, len(sets)), floats.uniform(1, 900, len(sets))
    drawn = np.diag(model) - np.outer(model, model) / n
    gain = drawn @ signs.T @ np.linalg.inv(signs @ drawn @ signs.T + np.diag(noise))
    sums = {}
    for c, value, variance in zip(sets, seen, noise, strict=True):
        size = 2 ** len(c)
        alone = 1.0 - 2 * (np.indices((2,) * len(c)).sum(axis=0) % 2)
        sums[c] = size / variance, size / variance * value / size * alone
    expected = model + gain @ (seen - signs @ model)
    assert np.allclose(predicted(model, sums, sets), expected, atol=1e-6)


def test_what_varies_beyond_noise_and_drawing_is_kept() -> None:
    """Parities of three that no drawing of rows explains, none of them clear by itself."""
    floats, dims, n = np.random.default_rng(5), 8, 10_000
    sets = list(combinations(range(dims), 3))
    truth = floats.normal(0, 500, len(sets))
    seen = truth + floats.normal(0, 100, len(sets))
    alone = 1.0 - 2 * (np.indices((2, 2, 2)).sum(axis=0) % 2)
    sums = {c: (8e-4, 1e-4 * v * alone) for c, v in zip(sets, seen, strict=True)}
    cells = np.full(1 << dims, n / (1 << dims))
    found = walsh_hadamard(predicted(cells, sums, []))
    at = [sum(1 << (dims - 1 - i) for i in c) for c in sets]
    far, near = (float(abs(found[at] - wanted).mean()) for wanted in (np.zeros(len(at)), truth))
    assert near < 0.25 * far
    assert near < float(abs(found[at] * 0.5 - truth).mean()) / 2


@pytest.mark.parametrize("precision", [1e-6, 1e6, 1e12, 1e20])
@pytest.mark.parametrize("n", [0, 1, 10**9, 10**15])
def test_bits_that_are_all_equal_are_predicted_too(n: int, precision: float) -> None:
    """Their parities are one or two numbers, and without noise no matrix of them is regular."""
    sums = {}
    for chosen in (c for width in (1, 2, 3) for c in combinations(range(4), width)):
        signs = np.array([(-1.0) ** i.bit_count() for i in range(1 << len(chosen))])
        table = signs * (n if len(chosen) == 2 else 0) / signs.size
        sums[chosen] = (precision, precision * table.reshape((2,) * len(chosen)))
    cells = np.zeros(16)
    cells[[0, -1]] = n / 2
    assert np.isfinite(predicted(cells, sums, [])).all()


def test_bits_are_measured_once_up_to_width_three() -> None:
    attributes = Attributes.binary(5)
    parts = MarginalSanitizer(attributes, rho=1).cost.parts  # type: ignore[union-attr]
    assert [rate(part) for part in parts] == [Fraction(19, 20), Fraction(1, 20)]
    assert MarginalSanitizer(attributes, rho=1, width=4).rounds == 5
    assert MarginalSanitizer(Attributes([2, 3]), rho=1).rounds == 4


def test_draws_follow_the_law() -> None:
    """The law's slack, below 2^-100, is far below what the test can see."""
    sanitizer = MarginalSanitizer(Attributes.binary(2), rho=4, rounds=1, width=1, first=0)
    counts = Counts.of([(0, 1), (1, 1)])
    assert 0 < sanitizer.law(counts).slack < Fraction(1, 1 << 100)
    assert follows_its_law(sanitizer, counts, runs=1500, seed=7)


@pytest.mark.parametrize("rounds", [0, 1])
def test_the_first_marginals_are_part_of_the_law(rounds: int) -> None:
    sanitizer = MarginalSanitizer(Attributes([2]), rho=4, rounds=rounds)
    counts = Counts.of([0])
    assert follows_its_law(sanitizer, counts, runs=800, seed=8)


def test_parities_are_measured_first_if_all_attributes_are_bits() -> None:
    """Singles twice, pairs once; a law by hand for one database, and the draws."""
    sanitizer = MarginalSanitizer(Attributes.binary(2), rho=9, rounds=1, width=2)
    counts = Counts.of([(0, 1), (1, 1), (1, 1)])
    law = sanitizer.started(counts)
    likely = max(law.probabilities, key=lambda told: law.probabilities[told])
    assert [(chosen, seen) for chosen, seen, _ in likely] == [
        ((0,), (2,)),
        ((1,), (0,)),
        ((0, 1), (2,)),
    ]
    assert likely[0][2] == float(Fraction(8, 2 * 9) / Fraction(7, 10))
    assert sum(law.probabilities.values()) + law.slack == 1


@pytest.mark.parametrize(("dims", "width"), [(2, 2), (3, 2), (5, 2), (3, 3), (5, 4), (6, 3)])
def test_no_replaced_row_moves_parities_further_than_is_said(dims: int, width: int) -> None:
    sanitizer = MarginalSanitizer(Attributes.binary(dims), rho=1, width=width)
    said = sanitizer.cost.parts[0].rho * 2 * sanitizer._start.sigma_squared  # type: ignore[union-attr]
    times = {2: (2, 1), 3: (6, 3, 1), 4: (6, 3, 1)}[width]

    def parities(row: tuple[int, ...]) -> list[int]:
        return [
            scale * (sum(bits) % 2 == 0)
            for size, scale in enumerate(times, start=1)
            for bits in combinations(row, size)
        ]

    rows = list(product(range(2), repeat=dims))
    moved = max(
        sum((a - b) ** 2 for a, b in zip(parities(x), parities(y), strict=True))
        for x in rows
        for y in rows
    )
    assert moved == said


def test_no_replaced_row_moves_anything_further_than_is_said() -> None:
    """First counts, scores, chosen counts and the check: all pairs of tables of two rows."""
    attributes = Attributes([3, 2])
    sanitizer = MarginalSanitizer(attributes, rho=1, width=2)
    universe = tuple(product(range(3), range(2)))
    tables = {d: sanitizer._truth(Counts.of(d)) for d in databases(universe, 2, symmetric=True)}
    model = MarginalModel(attributes, 2)
    made = np.array([1, 0, 0, 1, 0, 0])

    def seen(table: dict[tuple[int, ...], Any]) -> tuple[Any, Any, int, Any]:
        profile = sanitizer._profile(table, model)
        first = np.concatenate([values for _, values in sanitizer._first(table)])
        return first, profile.scores, sanitizer._largest(table, made), list(table.values())

    moved = [0, 0, 0, 0]
    for database, table in tables.items():
        for other in neighbours(database, universe, symmetric=True):
            one, two = seen(table), seen(tables[other])
            counts = zip(one[3], two[3], strict=True)
            found = (
                ((one[0] - two[0]) ** 2).sum(),
                abs(one[1] - two[1]).max(),
                abs(one[2] - two[2]),
                max(((a - b) ** 2).sum() for a, b in counts),
            )
            moved = [max(most, int(each)) for most, each in zip(moved, found, strict=True)]
    start, noise = (_moved(each) for each in (sanitizer._start, sanitizer._noise))
    assert moved == [start, sanitizer._profile(table, model).sensitivity, 1, noise]
    assert sanitizer.cost.parts[-1] == Gaussian(sanitizer._check.sigma_squared, 1)  # type: ignore[union-attr]


def _moved(noise: DiscreteGaussianVector) -> Fraction:
    return noise.cost.rho * 2 * noise.sigma_squared


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([(2, 2, 2, 2), (3, 2, 4), (5,)]))
def test_settled_rows_are_nearer_to_what_is_wanted(seed: int, shape: tuple[int, ...]) -> None:
    floats = np.random.default_rng(seed)
    rows = np.stack([floats.integers(0, s, 50) for s in shape], axis=1)
    attributes, width = Attributes(shape), min(2, len(shape))
    cells = floats.dirichlet(np.full(attributes.size, 0.3)) * 50
    wanted = {c: v for c, v in attributes.marginals(cells, width).items() if len(c) == width}

    def off(held: Any) -> float:
        made = np.bincount(np.ravel_multi_index(tuple(held.T), shape), minlength=attributes.size)
        found = attributes.marginals(made, width)
        return float(sum(((found[c] - v) ** 2).sum() for c, v in wanted.items()))

    better = settled(rows, shape, wanted)
    assert better.shape == rows.shape
    assert ((better >= 0) & (better < np.array(shape))).all()
    assert off(better) <= off(rows)
    assert off(better) < off(rows) / 2 or off(rows) < 60


@pytest.mark.parametrize("shape", [(2,) * 12, (3, 5, 7, 2, 4, 6), (1, 4, 1)])
def test_a_cut_has_the_marginals_of_the_array(shape: tuple[int, ...]) -> None:
    cells = np.random.default_rng(1).random(Attributes(shape).size)
    for width in (1, 2, 3):
        for chosen in combinations(range(len(shape)), width):
            rest = tuple(i for i in range(len(shape)) if i not in chosen)
            cut = AxisCut.of(cells, shape, chosen)
            assert np.allclose(cut.marginal, cells.reshape(shape).sum(axis=rest))
    factors = np.arange(1.0, shape[1] + 1)
    expected = cells.reshape(shape) * factors.reshape(
        [-1 if i == 1 else 1 for i in range(len(shape))]
    )
    AxisCut.of(cells, shape, (1,)).scale(factors)
    assert np.allclose(cells, expected.ravel())


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
        case BoundedRange() | Gaussian() | NearGaussian():
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
    assert float(np.mean(errors)) <= 0.0045


def test_more_rows_than_the_data_has() -> None:
    attributes = Attributes([3, 2, 2])
    sanitizer = MarginalSanitizer(attributes, rho="1/10", copies=5)
    counts = Counts(600, {(2, 1, 0): 600})
    made = sanitizer(counts, rng=Seeded(1))
    assert made.n == 3000
    assert made.histogram().argmax() == 10
    assert sanitizer.promised(made, "0.01") < 0.2


def test_an_attribute_of_one_value_says_nothing() -> None:
    sanitizer = MarginalSanitizer(Attributes([1, 2, 3]), rho=1)
    made = sanitizer(Counts(500, {(0, 1, 2): 300, (0, 0, 0): 200}), rng=Seeded(2))
    assert made.n == 500
    assert sanitizer.promised(made, "0.01") < 0.1


def test_bad_requests() -> None:
    attributes = Attributes.binary(3)
    with pytest.raises(InvalidArgument, match="delta"):
        MarginalSanitizer.within(attributes, Privacy(1))
    for name, bad in (("rounds", -1), ("width", 0), ("copies", 0), ("first", "0.97")):
        with pytest.raises(InvalidArgument, match=name):
            MarginalSanitizer(attributes, rho=1, **{name: bad})  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="first"):
        MarginalSanitizer(attributes, rho=1, rounds=1, first="0.95")
    with pytest.raises(InvalidArgument, match="rho"):
        MarginalSanitizer(attributes, rho=0)
