"""Propose-test-release: the median's distance by brute force, the law, the sampler, wrong tests."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from tacit.core.chance.law import Law
from tacit.core.chance.randomness import Seeded
from tacit.core.cost import Approximate
from tacit.core.errors import InvalidArgument, NotExact
from tacit.core.numbers.decay import Decay
from tacit.mechanisms.stable.propose_test_release import ProposeTestRelease
from tacit.mechanisms.stable.stable_release import StableRelease
from tacit.statistics.slow_integer import Steady, median
from tacit.verify.enumeration import Case, databases, neighbours, verify
from tests.support.replay import Replay

Database = tuple[int, ...]
HIGH = 4


def _rank(database: Database) -> int:
    return sorted(database)[(len(database) - 1) // 2]


def _distances(n: int, bound: int) -> dict[Database, int]:
    """Search all databases, outwards from those that one replacement moves far."""
    universe = range(HIGH + 1)
    graph = {
        d: list(neighbours(d, universe, symmetric=True))
        for d in databases(universe, n, symmetric=True)
    }
    distance = {
        d: 1 for d, near in graph.items() if any(abs(_rank(d) - _rank(e)) > bound for e in near)
    }
    frontier = list(distance)
    while frontier:
        fresh = {e: distance[d] + 1 for d in frontier for e in graph[d] if e not in distance}
        distance |= fresh
        frontier = list(fresh)
    return distance


@pytest.mark.parametrize(("n", "bound"), list(product(range(1, 7), (1, 2, 3))))
def test_the_distance_of_the_median_equals_a_search(n: int, bound: int) -> None:
    for database, distance in _distances(n, bound).items():
        steady = median(database[::-1], low=0, high=HIGH, bound=bound)
        assert (steady.value, steady.distance) == (_rank(database), distance)


@given(st.lists(st.integers(-3, 14), min_size=1, max_size=9), st.integers(0, 8), st.integers(0, 11))
def test_the_median_keeps_its_promise(records: list[int], at: int, new: int) -> None:
    changed = list(records)
    changed[at % len(records)] = new
    one, two = (median(r, low=0, high=11, bound=3) for r in (records, changed))
    assert abs(one.distance - two.distance) <= 1
    assert max(one.distance, two.distance) <= 1 or abs(one.value - two.value) <= 3
    assert one == median([min(max(r, 0), 11) for r in records], low=0, high=11, bound=3)


@pytest.mark.parametrize("distance", [0, 1, 3, 50])
def test_the_law_is_a_coin_and_a_noisy_value(distance: int) -> None:
    release = ProposeTestRelease(3, "1/10", share="1/3")
    law = release.law(Steady(bound=2, value=1, distance=distance), low=-3, high=4)
    told = 1 - StableRelease(1, "1/10").failure(distance)
    q = Decay.of(Fraction(1)).ratio
    for z in range(-2, 4):
        assert law[z] == told * (1 - q) / (1 + q) * q ** abs(z - 1)
    assert law[None] == 1 - told
    assert law[-3] == told * q**4 / (1 + q)
    assert law[4] == told * q**3 / (1 + q)


def test_the_sampler_follows_the_law() -> None:
    release, rng, runs = ProposeTestRelease(2, "1/5"), Seeded(31), 4_000
    steady = Steady(bound=1, value=10, distance=2)
    law = release.law(steady, low=8, high=12)
    drawn = [release(steady, rng=rng) for _ in range(runs)]
    counts = Counter(z if z is None else min(max(z, 8), 12) for z in drawn)
    expected = {o: runs * float(p) for o, p in law.probabilities.items()}
    assert min(expected.values()) > 5
    statistic = sum((counts[o] - e) ** 2 / e for o, e in expected.items())
    assert chi2.sf(statistic, len(expected) - 1) > 1e-9  # false alarm at most 1e-9


def test_the_noise_is_drawn_whether_or_not_it_is_told() -> None:
    class Counting(Replay):
        drawn = 0

        def words(self, count: int, /) -> object:  # type: ignore[override]
            Counting.drawn += count
            return Seeded(1).words(count)

    release = ProposeTestRelease(1, "1/10")
    told = StableRelease("1/2", "1/10").table.probability(1)
    for word, answered in ((told.numerator - 1, True), (told.numerator, False)):
        before = Counting.drawn
        steady = Steady(bound=1, value=0, distance=1)
        assert (release(steady, rng=Counting([word])) is not None) is answered  # type: ignore[arg-type]
        assert Counting.drawn > before


@pytest.mark.parametrize("shift", [1, 100])
def test_a_test_that_is_too_kind_is_refuted(shift: int) -> None:
    release = ProposeTestRelease(6, "0.01")

    def law(database: Database) -> Law[int | None]:
        steady = median(database, low=0, high=HIGH, bound=1)
        kind = Steady(bound=1, value=steady.value, distance=steady.distance + shift)
        return release.law(kind, low=0, high=HIGH)

    universe = (0, 2, HIGH)
    case = Case("twin", "kind test", "broken", release.cost, universe, 3, law)
    assert verify(case).verdict == "refuted"


@given(st.integers(0, 12), st.integers(0, 12), st.integers(1, 3))
def test_failure_is_what_the_law_says(distance: int, deviation: int, bound: int) -> None:
    release = ProposeTestRelease(2, "0.01", share="1/4")
    steady = Steady(bound=bound, value=0, distance=distance)
    law = release.law(steady, low=-deviation - 1, high=deviation + 1)
    near = sum((law[z] for z in range(-deviation + 1, deviation)), Fraction(0))
    assert release.failure(distance, deviation, bound=bound) == 1 - near


def test_the_parts_are_what_they_are_called() -> None:
    release = ProposeTestRelease(2, "1e-6", share="1/4")
    assert release.cost == Approximate(2, "1e-6")
    assert release.test == StableRelease("1/2", "1e-6")
    assert release.noise(3).epsilon == Fraction(3, 2)
    assert release.noise(3).sensitivity == 3
    steady = Steady(bound=2, value=41, distance=3)
    assert repr(steady) == "Steady(bound=2, value=<private>, distance=<private>)"


def test_bad_arguments_are_refused_by_name() -> None:
    with pytest.raises(InvalidArgument, match="epsilon"):
        ProposeTestRelease(0, "0.1")
    with pytest.raises(InvalidArgument, match="delta"):
        ProposeTestRelease(1, 0)
    with pytest.raises(InvalidArgument, match="share"):
        ProposeTestRelease(1, "0.1", share=1)
    with pytest.raises(InvalidArgument, match="bound"):
        Steady(bound=0, value=1, distance=1)
    with pytest.raises(NotExact, match="bound"):
        median([1, 2], low=0, high=9, bound=1.0)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="bound must be less than high - low"):
        median([1, 2], low=0, high=9, bound=9)
    with pytest.raises(InvalidArgument, match="records"):
        median([], low=0, high=9, bound=1)
    with pytest.raises(InvalidArgument, match="distance"):
        ProposeTestRelease(1, "0.1").failure(-1, 1, bound=1)
