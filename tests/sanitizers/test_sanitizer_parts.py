"""The parts of sanitizers: domains, rounding, sums of noise, queries; and that all are total."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gammaln

from tacit.core.chance.randomness import Seeded
from tacit.core.cost import Approximate, BoundedRange, Pure, Repeat
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.numbers.decay import Decay
from tacit.mechanisms.noise.geometric import two_sided
from tacit.sanitizers import (
    Attributes,
    BlrSanitizer,
    HistogramSanitizer,
    LineDomain,
    ListedQueries,
    MarginalQueries,
    MarginalSanitizer,
    MultiplicativeWeights,
    PointSanitizer,
    QuantileSanitizer,
    Synthetic,
    TreeSanitizer,
)
from tacit.sanitizers.cells.smoothing import clearest_tree, latent_classes, posterior, smoothed
from tacit.sanitizers.contract.rounding import balanced, simplex, sum_deviation, sum_tail, whole
from tacit.statistics import Counts
from tests.support.sanitized import chain, counted

F = Fraction
LITTLE = Attributes([2, 3])
EVERY: list[Any] = [
    HistogramSanitizer(LITTLE, epsilon=1),
    PointSanitizer(LineDomain(6), epsilon=1, delta="0.1"),
    TreeSanitizer(3, epsilon=1),
    QuantileSanitizer(LineDomain(6), epsilon=1, depth=3),
    MultiplicativeWeights(MarginalQueries(LITTLE, 2), epsilon=1, rounds=3),
    MarginalSanitizer(LITTLE, rho=1, rounds=2),
]


def test_every_choice_and_every_count_is_charged() -> None:
    assert [sanitizer.cost for sanitizer in EVERY[:5]] == [
        Pure(1),
        Approximate(1, "0.1"),
        Pure(1),
        Repeat(BoundedRange(1), 3),
        Repeat(BoundedRange(1), 3),
    ]
    assert BlrSanitizer(ListedQueries.thresholds(3), epsilon=1, rows=2).cost == BoundedRange(1)


def test_rows_that_are_null_or_no_codes_are_the_first_cell() -> None:
    counts = Counts(7, {(1, 2): 2, (9, -1): 1, ("?", 0): 1, 5: 1})
    assert LITTLE.histogram(counts).tolist() == [4, 0, 0, 1, 0, 2]


def test_marginals_are_sums() -> None:
    attributes = Attributes([2, 3, 2, 2])
    values = np.arange(24) ** 2
    cube = values.reshape(attributes.shape)
    marginals = attributes.marginals(values, 3)
    wanted = [c for w in range(4) for c in combinations(range(4), w)]
    assert list(marginals) == wanted
    for chosen, part in marginals.items():
        rest = tuple(i for i in range(4) if i not in chosen)
        assert part.tolist() == cube.sum(axis=rest).ravel().tolist()
    assert attributes.conjunctions(2) == 6 + 4 + 4 + 6 + 6 + 4
    assert attributes.largest_part(1) == 12


def test_queries_scale_the_cells_they_add() -> None:
    queries = MarginalQueries(LITTLE, 2)
    values = np.arange(1.0, 7.0)
    before = queries.answers(values)
    assert queries.count == len(before) == 2 + 3 + 6
    for index in range(queries.count):
        doubled = values.copy()
        queries.scale(doubled, index, 2.0)
        assert (doubled - values).sum() == before[index]
        assert queries.answers(doubled - values)[index] == before[index]
    with pytest.raises(InvalidArgument, match="no such query"):
        queries.scale(values, queries.count, 2.0)


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=30), st.integers(0, 100))
def test_the_simplex_is_the_nearest(values: list[int], total: int) -> None:
    array = np.array(values)
    nearest = simplex(array, total)
    assert nearest.min() >= 0
    assert nearest.sum() == pytest.approx(total, abs=1e-9)
    rivals = np.random.default_rng(0).dirichlet(np.ones(len(values)), 20) * total
    far = ((rivals - array) ** 2).sum(axis=1)
    assert ((nearest - array) ** 2).sum() <= far.min() + 1e-6


@given(
    st.lists(st.floats(0, 1e6), min_size=1, max_size=40),
    st.integers(0, 10**6),
)
def test_rounding_keeps_the_sum_and_every_range(values: list[float], total: int) -> None:
    array = np.array(values)
    rounded = whole(array, total)
    assert rounded.min() >= 0
    assert rounded.sum() == total
    if array.sum() > 1e-3:
        exact = np.cumsum(array) * (total / array.sum())
        assert abs(np.cumsum(rounded) - exact).max() <= 0.5 + 1e-6 * total


def test_sums_of_noise_against_convolution() -> None:
    """The bound is above the exact tail, and near it on the scale of its logarithm."""
    decay, terms, reach = Decay(F(1, 2)), 12, 60
    one = np.array(
        [float((1 - F(1, 2)) / (1 + F(1, 2)) * F(1, 2) ** abs(z)) for z in range(-60, 61)]
    )
    law = np.array([1.0])
    for _ in range(terms):
        law = np.convolve(law, one)
    for least in (1, 10, 20, 30):
        tail = law[reach * terms + least :].sum()
        bound = float(sum_tail(decay, terms, least))
        assert tail <= bound <= 12 * tail
    assert sum_tail(decay, 0, 3) == 0
    assert 2 * sum_tail(decay, 5, sum_deviation(decay, 5, F(1, 100))) <= F(1, 100)
    assert 2 * sum_tail(decay, 5, sum_deviation(decay, 5, F(1, 100)) - 1) > F(1, 100)


def test_a_bound_on_sums_holds_in_simulation() -> None:
    decay, runs, beta = Decay.of(F(1, 3)), 4000, F(1, 20)
    limit = sum_deviation(decay, 10, beta)
    sums = abs(two_sided(decay, 10 * runs, rng=Seeded(5)).reshape(runs, 10).sum(axis=1))
    assert (sums >= limit).mean() <= float(beta)


def test_synthetic_rows() -> None:
    made = Synthetic.of((2, 2), np.array([2, 0, 1, 0]))
    assert made.rows().tolist() == [[0, 0], [0, 0], [1, 0]]
    for table in (((1, 1), (0, 1)), ((0, 0),), ((0, 1), (0, 2))):
        with pytest.raises(InvalidArgument, match="in order"):
            Synthetic((2,), table)


@pytest.mark.parametrize("sanitizer", EVERY, ids=lambda s: type(s).__name__)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_every_database_gives_as_many_rows(sanitizer: Any, data: st.DataObject) -> None:
    """Strange keys, keys outside and null rows included."""
    wild = st.one_of(
        st.integers(-3, 9), st.text(max_size=2), st.tuples(st.integers(-3, 9), st.integers(-3, 9))
    )
    keys = data.draw(st.lists(wild, max_size=8))
    nulls = data.draw(st.integers(0, 3))
    held = Counts.of(keys)
    counts = Counts(held.n + nulls, held.table)
    made = sanitizer(counts, rng=Seeded(data.draw(st.integers(0, 2**32))))
    assert made.n == counts.n
    assert 0 <= sanitizer.promised(made, "0.05") <= 1


def test_bad_requests() -> None:
    for shape in ([], [0]):
        with pytest.raises(InvalidArgument):
            Attributes(shape)
    with pytest.raises(TooLarge):
        Attributes.binary(30)
    with pytest.raises(InvalidArgument, match="width"):
        MarginalQueries(LITTLE, 3)
    with pytest.raises(InvalidArgument, match="width"):
        HistogramSanitizer(LITTLE, epsilon=1, width=3)
    with pytest.raises(InvalidArgument, match="width"):
        MarginalSanitizer(LITTLE, rho=1, width=3)
    with pytest.raises(InvalidArgument, match="first"):
        MarginalSanitizer(LITTLE, rho=1, first="0.97")
    with pytest.raises(TooLarge, match="QuantileSanitizer"):
        TreeSanitizer(40, epsilon=1)
    with pytest.raises(TooLarge, match="tables"):
        BlrSanitizer(ListedQueries.thresholds(64), epsilon=1, rows=20)
    for sanitizer, made in product((HistogramSanitizer,), ("0", "-1")):
        with pytest.raises(InvalidArgument, match="epsilon"):
            sanitizer(LITTLE, epsilon=made)
    for sanitizer in EVERY:
        with pytest.raises(InvalidArgument, match="beta"):
            sanitizer.promised(sanitizer(Counts.of([0, 1]), rng=Seeded(0)), 2)


@given(
    st.floats(1e-6, 45),
    st.integers(-30, 90),
    st.sampled_from([0.1, 0.37, 0.61, 0.9]),
)
def test_the_posterior_of_a_count_is_that_of_its_definition(
    centre: float, noisy: int, ratio: float
) -> None:
    counts = np.arange(600)
    logs = counts * np.log(centre) - centre - gammaln(counts + 1)
    logs += abs(noisy - counts) * np.log(ratio)
    shares = np.exp(logs - logs.max())
    mean, log = posterior(np.array([noisy]), np.array([centre]), ratio)
    assert mean[0] == pytest.approx((shares * counts).sum() / shares.sum(), rel=1e-6, abs=1e-6)
    total = np.log(shares.sum()) + logs.max() + np.log((1 - ratio) / (1 + ratio))
    assert log[0] == pytest.approx(total, rel=1e-6)


@given(
    st.lists(st.integers(-(10**6), 2 * 10**6), min_size=16, max_size=16),
    st.integers(1, 10**6),
    st.sampled_from([0.001, 0.5, 0.999]),
)
@settings(max_examples=25, deadline=None)
def test_smoothing_is_total(noisy: list[int], total: int, ratio: float) -> None:
    made = smoothed(np.array(noisy), (2, 2, 4), total, ratio)
    assert made.min() >= 0
    assert made.sum() == pytest.approx(total)


def test_classes_are_found_again() -> None:
    floats = np.random.default_rng(3)
    shape = (2, 3, 2, 2, 2, 2)
    parts = [floats.dirichlet(np.ones(s), size=2) for s in shape]
    cells = np.zeros(shape)
    for one in range(2):
        product_of = np.ones(())
        for part in parts:
            product_of = np.multiply.outer(product_of, part[one])
        cells += 5000 * product_of
    noisy = np.rint(cells.ravel() + floats.laplace(0, 2, cells.size)).astype(np.int64)
    model = latent_classes(noisy, shape, 10_000, np.exp(-1 / 2), 2)
    assert abs(model - cells.ravel()).sum() < 0.7 * abs(noisy - cells.ravel()).sum()


def test_the_clearest_tree_of_a_chain_is_the_chain() -> None:
    rows = chain(1, dims=6, n=5000)
    table = Attributes.binary(6).histogram(counted(rows)).astype(np.float64)
    assert clearest_tree(table, (2,) * 6) == [(i, i + 1) for i in range(5)]


@pytest.mark.parametrize("order", [3, 4, 5])
def test_smoothing_keeps_parities(order: int) -> None:
    """What no model of few attributes or classes explains stays, about as noisy as it was."""
    floats, attributes = np.random.default_rng(order), Attributes.binary(8)
    bits = np.indices(attributes.shape).reshape(8, -1)
    even = bits[:order].sum(axis=0) % 2 == 0
    truth = floats.poisson(np.where(even, 60, 18))
    noise = floats.geometric(0.4, 256) - floats.geometric(0.4, 256)
    made = smoothed(truth + noise, attributes.shape, int(truth.sum()), 0.6)
    raw, left = (
        max(attributes.deviations(t, truth.astype(np.float64), 3)) for t in (truth + noise, made)
    )
    assert left <= 1.1 * raw
    assert made[even].sum() == pytest.approx(truth[even].sum(), abs=5 * np.sqrt(128 * 7.5))


@given(st.integers(0, 2**32 - 1), st.sampled_from([(2, 2, 2, 2), (3, 2, 4), (5,)]))
@settings(max_examples=30, deadline=None)
def test_balanced_rounding_keeps_the_sum_and_is_nearer(seed: int, shape: tuple[int, ...]) -> None:
    values = np.random.default_rng(seed).dirichlet(np.full(int(np.prod(shape)), 0.5)) * 200
    width = min(2, len(shape))
    made = balanced(values, 200, shape, width)
    assert made.min() >= 0
    assert made.sum() == 200
    assert max(Attributes(shape).deviations(made, values, width)) <= 3


def test_balanced_rounding_hardly_moves_marginals_of_many_cells() -> None:
    attributes = Attributes.binary(10)
    values = np.random.default_rng(2).dirichlet(np.full(1024, 0.5)) * 10_000
    near, plain = balanced(values, 10_000, attributes.shape, 3), whole(values, 10_000)
    off, usual = (max(attributes.deviations(t, values, 3)) for t in (near, plain))
    assert off < 5 < 0.6 * usual
