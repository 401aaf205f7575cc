"""Prices of cost trees: worlds, settlement, laws, brute force over whole trees, calibration."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction as F
from itertools import product as choices

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.core.chance.divergence import hockey_stick
from tacit.core.chance.law import Law, certain, mixture, product
from tacit.core.composition import INTERPRETERS, RepeatedLeaf, calibrate, price
from tacit.core.composition import subsampling as amplification
from tacit.core.composition.pure_worlds import settlements
from tacit.core.composition.worlds import MOST_WORLDS, worlds
from tacit.core.cost import (
    Approximate,
    BoundedRange,
    Cost,
    Gaussian,
    Parallel,
    Pure,
    Repeat,
    Sequential,
    Subsample,
    ZeroConcentrated,
)
from tacit.core.errors import InvalidArgument, NotExact
from tacit.core.numbers.decay import growth
from tacit.core.numbers.enclosures import exp_lower
from tacit.core.privacy import Privacy

MICRO = F(1, 10**6)


def epsilon(cost: Cost, delta: F = MICRO) -> F:
    found = price(cost, delta)
    assert found.privacy.delta == delta
    assert found.interpreter in INTERPRETERS
    return found.privacy.epsilon


sizes = st.sampled_from([F(1, 10), F(1, 4), F(1, 2)])
pure_leaves = st.one_of(st.builds(Pure, sizes), st.builds(BoundedRange, sizes))
leaves = st.one_of(pure_leaves, st.builds(Approximate, sizes, st.sampled_from([F(0), F(1, 10**8)])))


def grow(parts: st.SearchStrategy[Cost]) -> st.SearchStrategy[Cost]:
    return st.one_of(
        st.lists(parts, max_size=3).map(lambda some: Sequential(*some)),
        st.lists(parts, min_size=1, max_size=2).map(lambda some: Parallel(*some)),
        st.builds(Repeat, parts, st.integers(0, 3), adaptive=st.booleans()),
    )


trees = st.recursive(leaves, grow, max_leaves=4)
pure_trees = st.recursive(pure_leaves, grow, max_leaves=4)


# Laws


@given(trees, st.integers(0, 4))
@settings(max_examples=25)
def test_a_repetition_is_a_sequence(cost: Cost, times: int) -> None:
    """Where a sequence has too many worlds to list, a repetition may still list its own."""
    repeated, listed = (price(c, MICRO) for c in (Repeat(cost, times), Sequential(*[cost] * times)))
    if len(worlds(cost)) ** times <= MOST_WORLDS:
        assert repeated == listed
    assert repeated.privacy.epsilon <= listed.privacy.epsilon


@given(trees, trees)
@settings(max_examples=25)
def test_parallel_is_the_worst_part(first: Cost, second: Cost) -> None:
    both = epsilon(Parallel(first, second))
    worst = max(epsilon(first), epsilon(second))
    assert both == worst or abs(both - worst) <= worst / 10**5


def test_the_worst_part_need_not_look_it() -> None:
    """By the quick interpreters the Gaussians cost 1.90 and the responses 1.86."""
    noise, responses = Repeat(Gaussian(25), 4), Repeat(Pure("0.1"), 20)
    assert epsilon(noise) < epsilon(responses) == epsilon(Parallel(noise, responses))


@given(trees)
@settings(max_examples=25)
def test_more_delta_costs_less_epsilon(cost: Cost) -> None:
    found = [epsilon(cost, delta) for delta in (MICRO, F(1, 10**4), F(1, 10))]
    assert found == sorted(found, reverse=True)


def summed(cost: Cost) -> F:
    """Basic composition, read off the tree."""
    match cost:
        case Sequential(parts):
            return sum((summed(part) for part in parts), F(0))
        case Parallel(parts):
            return max((summed(part) for part in parts), default=F(0))
        case Repeat(part, times):
            return times * summed(part)
        case Pure(size) | BoundedRange(size):
            return size
        case _:
            raise AssertionError


@given(pure_trees)
@settings(max_examples=40)
def test_basic_composition_is_exact_without_delta_and_a_ceiling_with_it(cost: Cost) -> None:
    assert price(cost) == price(cost, 0)
    assert epsilon(cost, F(0)) == summed(cost)
    assert epsilon(cost) <= summed(cost)


@given(trees, trees)
@settings(max_examples=20)
def test_a_longer_sequence_costs_more(first: Cost, second: Cost) -> None:
    assert epsilon(Sequential(first, second)) >= epsilon(first) * (1 - F(1, 10**5))


# Brute force: every world of a tree, every leaf at its worst, outcome by outcome


def worst_pairs(cost: Cost) -> Iterator[tuple[Law[str], Law[str]]]:
    """Pairs of laws that keep the promise of the leaf, and nearly break it."""
    match cost:
        case Pure(size):
            likely = growth(size) / (1 + growth(size))
            yield Law({"a": likely, "b": 1 - likely}), Law({"a": 1 - likely, "b": likely})
        case BoundedRange(width):
            for i in (2, 4, 5):
                odds, span = growth(width * i / 8), growth(width)
                p = (1 - odds / span) / (1 - 1 / span)
                yield Law({"a": p, "b": 1 - p}), Law({"a": p / odds, "b": 1 - p / odds})
        case Approximate(size, delta):
            for first, second in worst_pairs(Pure(size)):
                yield (
                    mixture([(delta, certain("P")), (1 - delta, first)]),
                    mixture([(delta, certain("Q")), (1 - delta, second)]),
                )


def transcripts(cost: Cost) -> Iterator[list[Cost]]:
    match cost:
        case Sequential(parts):
            for chosen in choices(*(list(transcripts(part)) for part in parts)):
                yield [leaf for some in chosen for leaf in some]
        case Parallel(parts):
            for part in parts:
                yield from transcripts(part)
        case Repeat(part, times):
            yield from transcripts(Sequential(*[part] * times))
        case leaf:
            yield [leaf]


@given(trees, st.sampled_from([F(1, 10**7), F(1, 1000), F(1, 20)]))
@settings(max_examples=60)
def test_no_tree_loses_more_than_its_price(cost: Cost, delta: F) -> None:
    factor = exp_lower(epsilon(cost, delta))
    for transcript in transcripts(cost):
        if len(transcript) > 4:
            continue
        for chosen in choices(*(list(worst_pairs(leaf)) for leaf in transcript)):
            first, second = product(p for p, _ in chosen), product(q for _, q in chosen)
            assert hockey_stick(first, second, factor).lower <= delta


# Worlds


def test_worlds_count_and_flatten() -> None:
    batch = Repeat(BoundedRange("0.1"), 4, adaptive=False)
    nested = Repeat(Repeat(BoundedRange("0.1"), 2, adaptive=False), 2, adaptive=False)
    assert worlds(batch) == worlds(nested) == ((RepeatedLeaf(BoundedRange("0.1"), 4, batch=True),),)
    adaptive = RepeatedLeaf(BoundedRange("0.1"), 4, batch=False)
    for tree in (
        Repeat(BoundedRange("0.1"), 4),
        Repeat(Repeat(BoundedRange("0.1"), 2), 2, adaptive=False),
        Repeat(Repeat(BoundedRange("0.1"), 2, adaptive=False), 2),
        Sequential(*[BoundedRange("0.1")] * 4),
        Repeat(Sequential(BoundedRange("0.1"), BoundedRange("0.1")), 2, adaptive=False),
    ):
        assert worlds(tree) == ((adaptive,),)
    assert worlds(Repeat(BoundedRange("0.1"), 1)) == (
        (RepeatedLeaf(BoundedRange("0.1"), 1, True),),
    )
    assert worlds(Sequential()) == worlds(Parallel()) == worlds(Repeat(Pure(1), 0)) == ((),)
    nothing = Sequential(Pure(0), ZeroConcentrated(0), Approximate(0, 0), Subsample(Pure(1), 0, 9))
    assert worlds(nothing) == ((),)


def test_a_batch_next_to_something_else_stays_a_batch() -> None:
    (world,) = worlds(Sequential(Pure(1), Repeat(BoundedRange("0.1"), 4, adaptive=False)))
    assert RepeatedLeaf(BoundedRange("0.1"), 4, batch=True) in world
    (world,) = worlds(
        Sequential(BoundedRange("0.1"), Repeat(BoundedRange("0.1"), 4, adaptive=False))
    )
    assert world == (RepeatedLeaf(BoundedRange("0.1"), 5, batch=False),)
    mixed = Sequential(Pure(1), BoundedRange("0.1"))
    (world,) = worlds(Repeat(mixed, 4, adaptive=False))
    assert RepeatedLeaf(BoundedRange("0.1"), 4, batch=False) in world


@pytest.mark.parametrize(
    ("weak", "strong"),
    [
        (Pure(1), Pure("1/2")),
        (Pure(1), BoundedRange(1)),
        (BoundedRange(1), BoundedRange("1/2")),
        (Approximate(1, "1e-9"), Pure(1)),
        (Approximate(1, "1e-9"), BoundedRange("1/2")),
        (Approximate(1, "1e-8"), Approximate(1, "1e-9")),
        (ZeroConcentrated(1), ZeroConcentrated("1/2")),
        (Gaussian(5, 2), Gaussian(5, 1)),
        (Repeat(Pure(1), 3), Repeat(Pure("1/2"), 2)),
        (Repeat(BoundedRange(1), 3), Repeat(BoundedRange(1), 3, adaptive=False)),
        (Sequential(Pure(1), Gaussian(1)), Gaussian(1)),
        (Subsample(Pure(1), 2, 9), Subsample(Pure(1), 2, 9)),
    ],
)
def test_dominated_worlds_are_left_out(weak: Cost, strong: Cost) -> None:
    assert worlds(Parallel(weak, strong)) == worlds(Parallel(strong, weak)) == worlds(weak)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Pure(1), Gaussian(1)),
        (Pure(1), Approximate("1/2", "1e-9")),
        (Gaussian(5), Gaussian(6)),
        (Gaussian(6, 2), Gaussian(5, 1)),
        (Repeat(Pure(1), 3), Repeat(Pure(2), 2)),
        (BoundedRange(2), Pure(1)),
    ],
)
def test_other_worlds_are_kept(one: Cost, other: Cost) -> None:
    assert len(worlds(Parallel(one, other))) == 2
    assert len(worlds(Repeat(Parallel(one, other), 3))) == 4
    assert len(worlds(Sequential(Parallel(one, other), Parallel(other, one)))) == 3


def test_a_small_adaptive_part_is_not_a_large_batch() -> None:
    adaptive, batch = (Repeat(BoundedRange(1), 3), Repeat(BoundedRange(2), 3, adaptive=False))
    assert len(worlds(Parallel(adaptive, batch))) == 2


def test_too_many_worlds_close_the_parallel_nodes() -> None:
    node = Parallel(Pure("0.1"), Gaussian(100))
    (world,) = worlds(Repeat(node, 64))
    assert world == (RepeatedLeaf(node, 64, batch=False),)
    (world,) = worlds(Sequential(*[Parallel(Pure(F(1, i)), Gaussian(i)) for i in range(2, 9)]))
    assert len(world) == 7
    few, many = epsilon(Repeat(node, 3)), epsilon(Repeat(node, 80))
    assert few < many < 80 * F("0.1")
    deep = Parallel(Gaussian(100), Repeat(Sequential(Pure("0.01"), Pure("0.02")), 3))
    assert few < epsilon(Repeat(deep, 80)) < many * 2
    pure = Parallel(Pure("0.2"), Sequential(Pure("0.1"), Repeat(Pure("0.05"), 2)))
    assert epsilon(Repeat(pure, 100), F(0)) == 20
    with_samples = Parallel(Subsample(Pure(1), 1, 10), Pure("0.1"), Approximate(1, "1e-12"))
    assert epsilon(Repeat(with_samples, 80)) < 80
    with pytest.raises(InvalidArgument, match="give delta"):
        price(Repeat(node, 64))


@pytest.mark.parametrize(
    ("dear", "cheap"),
    [
        (Pure("0.2"), Gaussian(10**6)),
        (Gaussian(20), Pure("0.001")),
        (Repeat(Gaussian(100), 3), Pure("0.001")),
        (Sequential(Gaussian(100), Gaussian(50)), Pure("0.001")),
        (Subsample(Gaussian(20), 9, 10), Pure("0.001")),
    ],
)
def test_a_closed_node_costs_no_less_than_its_parts(dear: Cost, cheap: Cost) -> None:
    for node in (Parallel(dear, cheap), Parallel(cheap, dear)):
        (world,) = worlds(Repeat(node, 80))
        assert world == (RepeatedLeaf(node, 80, batch=False),)
        assert epsilon(Repeat(node, 80)) >= epsilon(Repeat(dear, 80)) > epsilon(Repeat(cheap, 80))


# Settlement


@pytest.mark.parametrize("times", [3, 100])
def test_leaks_and_what_is_left_for_the_rest_are_no_more_than_delta(times: int) -> None:
    leaking = (RepeatedLeaf(Approximate(1, "1e-9"), times, batch=False),)
    (settled,) = settlements(leaking, F("1e-6"), lambda *_: None)
    assert (1 - F("1e-9")) ** times * (1 - settled.delta) >= 1 - F("1e-6")
    assert settled.delta > F("1e-6") - times * F("1.001e-9")
    assert settled.releases == (RepeatedLeaf(Pure(1), times, batch=False),)


def test_golden_trees() -> None:
    sanitizer, labels = (
        Approximate("0.3", "1e-7"),
        Repeat(BoundedRange("0.03"), 100, adaptive=False),
    )
    found = price(Sequential(sanitizer, labels), MICRO)
    assert found.interpreter == "two_stage"
    assert float(found.privacy.epsilon) == pytest.approx(0.8959, rel=1e-4)
    as_pure = price(Sequential(sanitizer, Repeat(Pure("0.03"), 100)), MICRO)
    assert as_pure.interpreter == "optimal"
    assert float(as_pure.privacy.epsilon) == pytest.approx(1.5440, rel=1e-4)
    leaky = Repeat(Approximate("0.01", "1e-10"), 1000)
    assert float(epsilon(leaky)) == pytest.approx(1.37282, rel=1e-5)
    assert price(Repeat(BoundedRange("0.01"), 1000), MICRO).interpreter == "adaptive_range"
    assert price(Gaussian(100), MICRO).interpreter == "loss_distribution"


def test_prices_are_named_by_what_proves_them() -> None:
    assert price(Sequential(), MICRO).interpreter == "basic"
    assert price(ZeroConcentrated("1e-30"), MICRO).interpreter == "renyi"
    assert price(Repeat(Pure(1), 3)).interpreter == "basic"


@pytest.mark.parametrize(
    ("tree", "delta"),
    [
        (Repeat(Pure(1000), 3), F(1, 10)),
        (Repeat(Pure(10**9), 3), F(1, 10)),
        (Repeat(BoundedRange(1000), 3, adaptive=False), F(1, 10)),
        (BoundedRange("1e-30"), F(1, 10**40)),
        (Repeat(Pure("1e-9"), 10**12), MICRO),
        (Repeat(Gaussian(1), 3), F(1, 10**400)),
        (Repeat(Pure("0.1"), 100), F(1, 10**1000)),
        (Gaussian("1e-8"), F(1, 2)),
        (ZeroConcentrated(10**6), MICRO),
        (Repeat(Pure("0.1"), 100), F(999, 1000)),
    ],
    ids=str,
)
def test_extreme_arguments_have_a_price(tree: Cost, delta: F) -> None:
    assert epsilon(tree, delta) >= epsilon(tree, (1 + delta) / 2)


def test_an_approximate_leaf_costs_itself() -> None:
    assert epsilon(Approximate("0.3", MICRO)) == F("0.3")
    assert epsilon(Approximate("0.3", 0), F(0)) == F("0.3")
    assert F("0.299") < epsilon(Approximate("0.3", "1e-7")) < F("0.3")
    assert epsilon(Repeat(Approximate("0.3", "1e-7"), 9)) < F("2.7")
    assert epsilon(Repeat(Approximate("0.3", MICRO / 100), 100)) <= 30


def test_delta_may_be_used_up() -> None:
    for tree in (
        Approximate(1, "2e-6"),
        Repeat(Approximate(1, "1e-7"), 11),
        Repeat(Approximate(1, "1e-7"), 100),
        Sequential(Approximate(1, MICRO), Gaussian(1)),
        Subsample(Approximate(1, "1e-3"), 9, 10),
        Parallel(Pure(1), Approximate("1/2", "1/2")),
    ):
        with pytest.raises(InvalidArgument, match="give more delta"):
            price(tree, MICRO)


@pytest.mark.parametrize("tree", [Gaussian(1), ZeroConcentrated(1), Approximate(1, "1e-9")])
def test_what_is_not_pure_needs_delta(tree: Cost) -> None:
    for cost in (tree, Parallel(Pure(1), tree), Repeat(tree, 2), Subsample(tree, 2, 9)):
        with pytest.raises(InvalidArgument, match="give delta"):
            price(cost)


def test_bad_arguments() -> None:
    for delta in (-1, 1, 2):
        with pytest.raises(InvalidArgument, match="delta"):
            price(Pure(1), delta)
    with pytest.raises(NotExact, match="delta"):
        price(Pure(1), None)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="made of costs, got int"):
        price(Sequential(Pure(1), 3))  # type: ignore[arg-type]


def test_pricing_loads_no_heavy_library() -> None:
    code = "import sys, tacit.core.composition; print({'scipy', 'dp_accounting'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


# Subsampling


def sampled(
    law_of_bad: dict[int, Law[bool]], drawn: int, rows: int, *, replacement: bool
) -> Law[bool]:
    """The output when one of the rows is bad and the base sees the number of bad rows drawn."""
    if replacement:
        draws = list(choices(range(rows), repeat=drawn))
    else:
        draws = [d for d in choices(range(rows), repeat=drawn) if len(set(d)) == drawn]
    return mixture((F(1, len(draws)), law_of_bad[draw.count(0)]) for draw in draws)


@pytest.mark.parametrize("replacement", [True, False])
@pytest.mark.parametrize(("drawn", "rows"), [(3, 6), (1, 4), (2, 3), (4, 5)])
@pytest.mark.parametrize("leak", [F(0), F(1, 1000)])
def test_amplification_is_attained(drawn: int, rows: int, leak: F, *, replacement: bool) -> None:
    """The base says True with p_(b+1) = e^epsilon p_b + delta for b bad rows: the worst base."""
    size, factor = F(1), growth(F(1))
    chances = [F(1, 1000)]
    for _ in range(drawn):
        chances.append(factor * chances[-1] + leak)
    laws = {b: Law({True: p, False: 1 - p}) for b, p in enumerate(chances)}
    node = Subsample(Approximate(size, leak), drawn, rows, replacement=replacement)
    kept = amplification.amplified(node, Privacy(size, leak))
    assert kept is not None
    bad = sampled(laws, drawn, rows, replacement=replacement)[True]
    promised = exp_lower(kept.epsilon) * chances[0] + kept.delta
    assert bad <= promised
    assert bad == pytest.approx(float(promised), rel=1e-12)


def test_amplification_golden_numbers() -> None:
    golden = epsilon(Subsample(Pure(1), 3, 6), F(0))
    assert float(golden) == pytest.approx(0.7554969, abs=5e-8)
    for part, drawn, rows in [
        (Pure(1), 10, 17),
        (Pure(1), 100, 171),
        (Pure("1/2"), 100, 130),
        (Pure("1/10"), 1000, 1052),
    ]:
        assert epsilon(Subsample(part, drawn, rows), F(0)) <= part.epsilon
        assert epsilon(Subsample(part, drawn, rows - 1), F(0)) > part.epsilon
    without = epsilon(Subsample(Pure(1), 3, 6, replacement=False), F(0))
    assert float(without) == pytest.approx(math.log1p((math.e - 1) / 2))
    assert epsilon(Subsample(Pure(1), 6, 6, replacement=False), F(0)) == pytest.approx(1)


def test_amplification_at_its_ends() -> None:
    node = Subsample(Pure(1), 5, 9)
    assert amplification.amplified(node, Privacy(0)) == Privacy(0)
    assert amplification.amplified(node, Privacy(0, "1/100")) == Privacy(0, F(5, 900))
    assert amplification.amplified(Subsample(Pure(1), 0, 9), Privacy(3)) == Privacy(0)
    assert amplification.amplified(node, Privacy(20, "1/2")) is None
    assert amplification.amplified(node, Privacy(5000, "1/2")) is None
    far = amplification.amplified(node, Privacy(5000))
    assert far is not None
    assert float(far.epsilon) == pytest.approx(5 * (5000 - math.log(9)))


def test_a_subsampled_tree_uses_its_share_of_delta() -> None:
    part = Repeat(BoundedRange("0.2"), 20, adaptive=False)
    found = epsilon(Subsample(part, 100, 1000))
    inner = epsilon(part, MICRO * 10)
    assert float(found) == pytest.approx(100 * math.log1p(math.expm1(float(inner)) / 1000), rel=0.1)
    assert found < epsilon(part)
    repeated = epsilon(Repeat(Subsample(part, 100, 10_000), 5))
    once = epsilon(Subsample(part, 100, 10_000))
    assert once < repeated < 7 * once
    beside = epsilon(Sequential(Subsample(Gaussian(100), 10, 100), Pure("0.1")))
    assert F("0.1") < beside < F("0.2")


def test_a_sample_that_never_fits_is_given_up() -> None:
    """If the inner epsilon grows with every smaller inner delta, none is small enough."""
    (world,) = worlds(Subsample(Pure(1), 9, 10))
    tried: list[F] = []

    def steep(_: Cost, delta: F) -> F | None:
        tried.append(delta)
        return F(5 * len(tried)) if delta else None

    assert settlements(world, MICRO, steep) == []
    assert len(tried) == 11


def test_a_hopeless_sample_has_no_price() -> None:
    with pytest.raises(InvalidArgument, match="give more delta"):
        price(Subsample(Gaussian(F(1, 10**9)), 9, 10), MICRO)
    assert epsilon(Subsample(Gaussian(1), 3, 10)) > 1


# Calibration

PER_LABEL = [(5, 0.2328, 0.2328), (10, 0.1550, 0.1533), (20, 0.1074, 0.1067), (100, 0.0475, 0.0473)]


@pytest.mark.parametrize(("k", "fixed", "adaptive"), [*PER_LABEL, (1000, 0.0150, 0.0148)])
def test_calibration_golden_numbers(k: int, fixed: float, adaptive: float) -> None:
    total = Privacy(1, MICRO)
    found = calibrate(total, lambda e: Repeat(BoundedRange(e), k, adaptive=False))
    assert float(found) == pytest.approx(fixed, abs=6e-5)
    assert price(Repeat(BoundedRange(found), k, adaptive=False), MICRO).privacy.implies(total)
    assert float(calibrate(total, lambda e: Repeat(BoundedRange(e), k))) == pytest.approx(
        adaptive, abs=6e-5
    )


@pytest.mark.parametrize(
    ("total", "k"), [(Privacy(1), 7), (Privacy("0.1", "1e-9"), 3), (Privacy(30, "0.1"), 50)]
)
def test_calibration_is_the_greatest(total: Privacy, k: int) -> None:
    found = calibrate(total, lambda e: Repeat(Pure(e), k))
    assert price(Repeat(Pure(found), k), total.delta).privacy.implies(total)
    more = price(Repeat(Pure(found * F(10_002, 10_000)), k), total.delta).privacy
    assert not more.implies(total)


def test_calibration_next_to_a_fixed_part() -> None:
    found = calibrate(Privacy(1), lambda e: Sequential(Pure("0.4"), Repeat(Pure(e), 3)))
    assert found == F("0.2")
    assert calibrate(Privacy(1), lambda e: Pure(e / 1000)) == 1000


def test_calibration_refuses() -> None:
    with pytest.raises(InvalidArgument, match="no part fits into epsilon=1"):
        calibrate(Privacy(1), lambda e: Sequential(Pure(1), Pure(e)))
    with pytest.raises(InvalidArgument, match="no part fits into epsilon=0"):
        calibrate(Privacy(0, "0.1"), lambda e: Repeat(Pure(e), 3))
    with pytest.raises(InvalidArgument, match="more for more"):
        calibrate(Privacy(1), lambda _: Pure("1/2"))
    with pytest.raises(InvalidArgument, match="give more delta"):
        calibrate(Privacy(1, MICRO), lambda e: Sequential(Approximate(e, "1e-5"), Pure(e)))
