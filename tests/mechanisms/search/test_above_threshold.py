"""Above threshold: the closed law against sums, the sampler, the worst streams, wrong noises."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from tacit.core.chance.law import Law, certain
from tacit.core.chance.randomness import Seeded
from tacit.core.cost import Pure
from tacit.core.errors import InvalidArgument, NotExact, TooLarge
from tacit.core.numbers.decay import Decay
from tacit.mechanisms.noise.geometric import tail
from tacit.mechanisms.search.above_threshold import AboveThreshold, first_above
from tacit.statistics.query_stream import QueryStream
from tacit.verify.cases.choice import UNIVERSE
from tacit.verify.enumeration import Case, verify

STREAMS = st.lists(st.integers(-4, 6), max_size=4)


def _summed(levels: list[int], noise: Decay, zero: Decay, far: int) -> list[Fraction]:
    """Add up over the threshold's noise, out to `far`."""
    chances = [Fraction(0)] * (len(levels) + 1)
    for rho in range(-far, far + 1):
        left = (1 - zero.ratio) / (1 + zero.ratio) * zero.ratio ** abs(rho)
        for i, level in enumerate(levels):
            above = tail(noise, rho - level)
            chances[i] += left * above
            left *= 1 - above
        chances[-1] += left
    return chances


@settings(max_examples=40)
@given(STREAMS, st.sampled_from([Fraction(1, 2), Fraction(2, 3)]), st.sampled_from([2, 3]))
def test_the_closed_law_equals_a_long_sum(levels: list[int], q: Fraction, r: int) -> None:
    noise, zero = Decay(q), Decay(Fraction(1, r))
    law = first_above(levels, noise=noise, zero=zero)
    summed = _summed(levels, noise, zero, far=40)
    assert sum(law) == 1
    for exact, partial in zip(law, summed, strict=True):
        assert 0 <= exact - partial <= 2 * tail(zero, 41)


@given(STREAMS, st.integers(-3, 3), st.integers(1, 3))
def test_the_law_uses_the_noises_of_the_proof(
    answers: list[int], threshold: int, sensitivity: int
) -> None:
    mechanism = AboveThreshold(3, threshold=threshold, share="1/4")
    law = mechanism.law(QueryStream(answers, sensitivity=sensitivity))
    expected = first_above(
        [answer - threshold for answer in answers],
        noise=Decay.of(Fraction(9, 8 * sensitivity)),
        zero=Decay.of(Fraction(3, 4 * sensitivity)),
    )
    assert [*(law[i] for i in range(len(answers))), law[None]] == expected


@pytest.mark.parametrize(
    ("answers", "sensitivity"), [([1, 2, 5, 3], 1), ([-2, 4], 1), ([3], 1), ([-20, 20], 5)]
)
def test_the_sampler_follows_the_law(answers: list[int], sensitivity: int) -> None:
    mechanism, stream, rng, runs = (
        AboveThreshold(1, threshold=3),
        QueryStream(answers, sensitivity=sensitivity),
        Seeded(41),
        4_000,
    )
    law = mechanism.law(stream)
    counts = Counter(mechanism(stream, rng=rng) for _ in range(runs))
    expected = {o: runs * float(p) for o, p in law.probabilities.items()}
    assert min(expected.values()) > 5
    statistic = sum((counts[o] - e) ** 2 / e for o, e in expected.items())
    assert chi2.sf(statistic, len(expected) - 1) > 1e-9  # false alarm at most 1e-9


def test_extreme_and_empty_streams_are_answered() -> None:
    mechanism, rng = AboveThreshold(1, threshold=-(10**30)), Seeded(42)
    assert mechanism(QueryStream([-(10**40), 10**40, 0]), rng=rng) == 1
    assert mechanism(QueryStream([-(10**40)] * 3), rng=rng) is None
    assert mechanism(QueryStream([]), rng=rng) is None
    assert AboveThreshold(1, threshold=0).law(QueryStream([])) == certain(None)


def _answers(database: tuple[str, ...]) -> list[int]:
    return [database.count(letter) for letter in "aaab"]


def test_query_noise_of_half_the_width_is_refuted() -> None:
    def law(database: tuple[str, ...]) -> Law[int]:
        levels = [answer + 2 for answer in _answers(database)]
        rates = {"noise": Decay.of(Fraction(16, 3)), "zero": Decay.of(Fraction(8, 3))}
        return Law(dict(enumerate(first_above(levels, **rates))))

    finding = verify(Case("twin", "half the noise", "broken", Pure(8), UNIVERSE, 4, law))
    assert finding.verdict == "refuted"
    assert 13 < finding.epsilon < 8 / 3 + 2 * 16 / 3 + 1e-9


def test_no_query_noise_is_refuted() -> None:
    def law(database: tuple[str, ...]) -> Law[int]:
        zero, chances, highest = Decay.of(Fraction(1)), {}, -1
        left = tail(zero, highest + 1)
        for i, answer in enumerate([database.count("a"), database.count("b")]):
            highest = max(highest, answer)
            chances[i], left = left - tail(zero, highest + 1), tail(zero, highest + 1)
        chances[-1] = 1 - sum(chances.values(), Fraction(0))
        return Law(chances)

    finding = verify(Case("twin", "no query noise", "broken", Pure(1), UNIVERSE, 3, law))
    assert finding.verdict == "refuted"
    assert finding.delta > 0.1


@pytest.mark.parametrize("queries", [1, 2, 5])
@pytest.mark.parametrize("alpha", [0, 1, 6])
@pytest.mark.parametrize("share", ["1/3", "1/2"])
def test_failure_is_attained_by_the_worst_streams(queries: int, alpha: int, share: str) -> None:
    mechanism = AboveThreshold(1, threshold=7, share=share)
    low, high = 7 - alpha - 1, 7 + alpha + 1
    all_low = mechanism.law(QueryStream([low] * queries))
    one_high = mechanism.law(QueryStream([low] * (queries - 1) + [high]))
    truth = max(1 - all_low[None], 1 - one_high[queries - 1])
    bound = mechanism.failure(alpha, queries=queries)
    assert truth <= bound <= truth + Fraction(1, 2**78)


@given(st.lists(st.integers(-6, 6), min_size=1, max_size=4), st.integers(0, 3))
def test_failure_bounds_every_stream(answers: list[int], alpha: int) -> None:
    mechanism = AboveThreshold(2, threshold=0)
    law = mechanism.law(QueryStream(answers))
    wrong = Fraction(0)
    for told, probability in law.probabilities.items():
        before = answers if told is None else answers[:told]
        if any(f > alpha for f in before) or (told is not None and answers[told] < -alpha):
            wrong += probability
    assert wrong <= mechanism.failure(alpha, queries=len(answers))


def test_failure_in_blocks_is_a_little_more_than_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    mechanism = AboveThreshold("0.02", threshold=0)
    coarse = mechanism.failure(1000, queries=50)
    wide = AboveThreshold(1, threshold=0).failure(1000, queries=50, sensitivity=50)
    assert wide == coarse
    monkeypatch.setattr("tacit.mechanisms.search.above_threshold.BLOCKS", 1 << 30)
    fine = mechanism.failure(1000, queries=50)
    assert fine < coarse < fine * Fraction(11, 10)


def test_alpha_is_the_least_that_suffices() -> None:
    for queries, beta in [(1, "0.5"), (1, "0.999"), (100, "0.05"), (10**9, "1e-6")]:
        mechanism = AboveThreshold(2, threshold=0)
        alpha = mechanism.alpha(beta, queries=queries)
        assert mechanism.failure(alpha, queries=queries) <= Fraction(beta)
        assert alpha == 0 or mechanism.failure(alpha - 1, queries=queries) > Fraction(beta)


def test_private_answers_are_not_shown() -> None:
    stream = QueryStream([3, 1], sensitivity=2)
    assert repr(stream) == "QueryStream(sensitivity=2, queries=2, answers=<private>)"
    assert AboveThreshold(1, threshold=0).cost == Pure(1)


def test_bad_arguments_are_refused_by_name() -> None:
    with pytest.raises(InvalidArgument, match="epsilon"):
        AboveThreshold(0, threshold=1)
    with pytest.raises(NotExact, match="threshold"):
        AboveThreshold(1, threshold=0.5)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="share"):
        AboveThreshold(1, threshold=1, share=0)
    with pytest.raises(NotExact, match="answers"):
        QueryStream([1.5])  # type: ignore[list-item]
    with pytest.raises(InvalidArgument, match="sensitivity"):
        QueryStream([1], sensitivity=0)
    with pytest.raises(InvalidArgument, match="alpha"):
        AboveThreshold(1, threshold=1).failure(-1, queries=3)
    with pytest.raises(InvalidArgument, match="queries"):
        AboveThreshold(1, threshold=1).failure(1, queries=0)
    with pytest.raises(InvalidArgument, match="beta"):
        AboveThreshold(1, threshold=1).alpha(0, queries=3)
    with pytest.raises(TooLarge, match="64 queries"):
        AboveThreshold(1, threshold=0).law(QueryStream([0] * 65))
