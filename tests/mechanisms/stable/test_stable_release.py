"""Stable release: the table is the largest allowed, the noise form its lesser twin."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.chance.law import Law, certain, collect
from tacit.core.chance.randomness import Seeded
from tacit.core.cost import Approximate
from tacit.core.errors import InvalidArgument, NotExact, TooLarge
from tacit.core.numbers.decay import Decay, growth
from tacit.core.numbers.enclosures import exp_lower
from tacit.mechanisms.noise.geometric import tail
from tacit.mechanisms.noise.geometric_tail import least_reach, reaches
from tacit.mechanisms.stable.noisy_stable_release import NoisyStableRelease
from tacit.mechanisms.stable.release_table import release_table
from tacit.mechanisms.stable.stable_release import StableRelease
from tacit.statistics import Stable, Votes
from tacit.verify.cases.stable import VOTES
from tacit.verify.enumeration import Case, verify
from tests.support.replay import Replay

GOLDEN = {
    ("0.1", "1e-6"): (109, 132, 148, 171, 218),
    ("0.5", "1e-6"): (26, 30, 34, 38, 51),
    ("1", "1e-6"): (14, 16, 18, 20, 28),
    ("1", "1e-9"): (21, 23, 25, 27, 41),
    ("2", "1e-6"): (8, 9, 10, 11, 15),
}
FACTORS = st.fractions(1, 20, max_denominator=1000)
DELTAS = st.fractions(Fraction(1, 500), Fraction(99, 100), max_denominator=1000)


@pytest.mark.parametrize(("parameters", "distances"), GOLDEN.items())
def test_distances_of_the_specification(
    parameters: tuple[str, str], distances: tuple[int, ...]
) -> None:
    release = StableRelease(*parameters)
    assert tuple(release.distance(b) for b in ("1/2", "0.05", "0.01", "0.001", 0)) == distances


@given(FACTORS, DELTAS)
def test_each_entry_is_the_largest_on_the_grid(factor: Fraction, delta: Fraction) -> None:
    table = release_table(factor, delta)
    unit = Fraction(1, 1 << table.bits)
    entries = [unit * entry for entry in table.entries]
    assert entries[0] == 0
    assert entries[-1] == 1
    for low, high in pairwise(entries):
        assert low <= high <= factor * low + delta
        assert 1 - low <= factor * (1 - high) + delta
        more = high + unit
        assert more > 1 or more > factor * low + delta or 1 - low > factor * (1 - more) + delta
    assert unit * 2**127 < delta


@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 1e-6), (1, 0.01), (2, 1e-6), (0.01, 1e-3)])
def test_the_table_follows_its_closed_form(epsilon: float, delta: float) -> None:
    release = StableRelease(epsilon, delta)
    factor = math.exp(epsilon)
    turn = 1 + math.floor(math.log((factor + 2 * delta - 1) / ((factor + 1) * delta)) / epsilon)
    at_turn = delta * math.expm1(turn * epsilon) / (factor - 1)
    end = turn + math.floor(math.log(1 + (factor - 1) / delta * (1 - at_turn)) / epsilon)
    for c in range(end + 3):
        m = c - turn
        rising = delta * math.expm1(c * epsilon) / (factor - 1)
        falling = -math.expm1(-m * epsilon) * (1 + delta / (factor - 1))
        falling += math.exp(-m * epsilon) * at_turn
        expected = rising if c <= turn else falling if c <= end else 1
        assert math.isclose(release.table.probability(c), expected, rel_tol=1e-9)
    assert release.distance(0) == end + 1


def test_small_parameters_are_fast_and_smaller_ones_refused() -> None:
    assert StableRelease("1e-3", "1e-12").distance(0) == 40_062
    assert StableRelease(100, "1e-60").distance(0) == 5
    assert StableRelease("1e-30", "1e-3").distance("0.4995") == 501
    with pytest.raises(TooLarge, match="larger epsilon or delta"):
        StableRelease("1e-9", "1e-9")


@pytest.mark.parametrize("distance", [0, 1, 2, 4, 100, 10**40])
def test_the_sampler_is_the_coin_of_the_law(distance: int) -> None:
    release, statistic = StableRelease(1, "1/20"), Stable("v", distance)
    told = release.law(statistic)["v"]
    assert told == release.table.probability(distance) == 1 - release.failure(distance)
    if told:
        assert release(statistic, rng=Replay([told.numerator - 1])) == "v"
    if told < 1:
        assert release(statistic, rng=Replay([told.numerator])) is None


@pytest.mark.parametrize("distance", [0, 1, 2, 5, 6, 7, 40])
def test_the_noisy_sampler_is_the_coin_of_the_law(distance: int) -> None:
    release, statistic = NoisyStableRelease(1, "0.01"), Stable("v", distance)
    told = release.law(statistic)["v"]
    word = (told.numerator << 64) // told.denominator
    assert release(statistic, rng=Replay([max(word - 1, 0)])) == ("v" if distance else None)
    assert word == (1 << 64) - 1 or release(statistic, rng=Replay([word + 1])) is None


@pytest.mark.parametrize("ratio", [Fraction(1, 10), Fraction(9, 10)])
def test_the_tail_is_the_sum_of_the_law(ratio: Fraction) -> None:
    decay = Decay(ratio)
    for number in range(-6, 7):
        mass = (1 - ratio) / (1 + ratio) * ratio ** abs(number)
        assert tail(decay, number) - tail(decay, number + 1) == mass
        assert tail(decay, number) + tail(decay, 1 - number) == 1


@given(st.integers(-30, 30), st.fractions(Fraction(1, 100), Fraction(99, 100)))
def test_least_reach_is_least(least: int, probability: Fraction) -> None:
    decay = Decay(Fraction(4, 5))
    found = least_reach(decay, probability, least=least)
    assert tail(decay, found) <= probability
    assert found == least or tail(decay, found - 1) > probability


def test_least_reach_decides_equality_exactly() -> None:
    decay = Decay.of(Fraction(1, 2))
    for number in (-4, 0, 1, 12):
        exactly = tail(decay, number)
        assert least_reach(decay, exactly, least=-9) == number
        assert least_reach(decay, exactly - Fraction(1, 2**5000), least=-9) == number + 1


def test_reaches_decides_beyond_the_first_word() -> None:
    decay = Decay(Fraction(1, 2))  # P[Z >= 0] = 2/3 = 0.101010... in binary
    word = int("10" * 32, 2)
    assert reaches(decay, 0, rng=Replay([word, 0]))
    assert not reaches(decay, 0, rng=Replay([word, (1 << 64) - 1]))


def test_thresholds_and_distances_of_the_noise_form() -> None:
    golden = {("1", "1e-6"): 14, ("0.1", "1e-6"): 132, ("0.5", "1e-9"): 41}
    assert {k: NoisyStableRelease(*k).threshold for k in golden} == golden
    needed = [NoisyStableRelease(*parameters).distance("0.05") for parameters in GOLDEN]
    assert needed == [156, 33, 17, 24, 9]
    assert NoisyStableRelease("1e-7", "1e-9").threshold == 200_301_188
    assert NoisyStableRelease(1, "0.9").threshold == 1
    release = NoisyStableRelease(1, "0.01")
    actual = tail(Decay.of(Fraction(1)), release.threshold)
    assert math.isclose(actual, 0.004926, rel_tol=1e-4)


@pytest.mark.parametrize("beta", ["0.9", "0.5", "0.05", "1e-9"])
def test_noisy_distance_is_the_least_that_suffices(beta: str) -> None:
    for parameters in (("1", "0.01"), ("1/2", "1e-6"), ("4", "0.4")):
        release = NoisyStableRelease(*parameters)
        d = release.distance(beta)
        assert d >= 1
        assert release.law(Stable("v", d))[None] <= Fraction(beta)
        assert d == 1 or release.law(Stable("v", d - 1))[None] > Fraction(beta)


def test_noisy_failure_is_an_upper_bound_near_the_law() -> None:
    release = NoisyStableRelease("1/2", "0.001")
    for d in range(40):
        truth = release.law(Stable("v", d))[None]
        assert 0 <= release.failure(d) - truth < Fraction(1, 2**120)


@pytest.mark.parametrize("parameters", GOLDEN)
def test_the_table_dominates_the_noise(parameters: tuple[str, str]) -> None:
    best, noisy = StableRelease(*parameters), NoisyStableRelease(*parameters)
    ranges = range(best.distance(0) + 1)
    assert all(best.failure(d) <= noisy.failure(d) * (1 + Fraction(1, 2**50)) for d in ranges)
    assert any(best.failure(d) < noisy.failure(d) / 2 for d in ranges)


@pytest.mark.parametrize("mechanism", [StableRelease(1, "0.01"), NoisyStableRelease(1, "0.01")])
def test_a_value_none_and_a_tie_say_nothing(
    mechanism: StableRelease | NoisyStableRelease,
) -> None:
    assert mechanism.cost == Approximate(1, "0.01")
    assert mechanism.law(Stable(None, 30)) == certain(None)
    assert mechanism.law(Stable("tied", 0))[None] == 1
    rng = Seeded(21)
    assert {mechanism(Stable("tied", 0), rng=rng) for _ in range(50)} == {None}
    assert mechanism(Stable("v", 10**30), rng=rng) == "v"


def test_a_runner_up_among_observed_candidates_is_refuted() -> None:
    release = StableRelease(1, "0.01")

    def law(votes: tuple[str | None, ...]) -> Law[object]:
        table = Votes.of(votes).table
        if len(table) == 1:
            return certain(next(iter(table)))
        lead: Stable[object] = Votes[object].of(votes).lead()
        return release.law(lead)

    case = Case("twin", "unseen", "broken", release.cost, VOTES, 3, law)
    assert verify(case).verdict == "refuted"


def test_the_printed_rule_is_refuted_by_as_much_as_is_known() -> None:
    delta, factor = Fraction(1, 100), exp_lower(Fraction(1))

    def law(votes: tuple[str | None, ...]) -> Law[object]:
        first, second = sorted([*Votes.of(votes).table.values(), 0, 0])[:-3:-1]
        told = delta * factor ** (first - second)  # P[gap + Lap(1) >= ln(1/delta)] = told / 2
        told = told / 2 if told <= 1 else 1 - 1 / (2 * told)
        winner = max(VOTES[:3], key=votes.count)
        return collect([(winner, told), (None, 1 - told)])

    finding = verify(Case("twin", "printed", "broken", Approximate(1, delta), VOTES, 6, law))
    assert finding.verdict == "refuted"
    assert math.isclose(finding.delta, 0.390112, abs_tol=1e-6)
    double = verify(Case("twin", "printed", "broken", Approximate(2, delta), VOTES, 6, law))
    assert math.isclose(double.delta, math.exp(2) / 2 * 0.01, rel_tol=1e-6)


def test_bad_arguments_are_refused_by_name() -> None:
    for mechanism in (StableRelease, NoisyStableRelease):
        with pytest.raises(InvalidArgument, match="epsilon"):
            mechanism(0, "0.1")
        with pytest.raises(InvalidArgument, match="delta"):
            mechanism(1, 0)
        with pytest.raises(InvalidArgument, match="delta"):
            mechanism(1, 1)
        with pytest.raises(NotExact, match="delta"):
            mechanism(1, None)  # type: ignore[arg-type]
        with pytest.raises(InvalidArgument, match="distance"):
            mechanism(1, "0.1").failure(-1)
        with pytest.raises(InvalidArgument, match="beta"):
            mechanism(1, "0.1").distance(1)
    with pytest.raises(InvalidArgument, match="beta"):
        NoisyStableRelease(1, "0.1").distance(0)
    assert growth(Fraction(1)) <= exp_lower(Fraction(1))
