"""Selection with a known threshold: its law against the coin tree, its factor 2, its refusals."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tacit.core.chance.divergence import max_ratio
from tacit.core.chance.law import Law, certain, proportional
from tacit.core.cost import Approximate, Pure
from tacit.core.errors import InvalidArgument, NotExact
from tacit.mechanisms.choice.threshold_selection import ThresholdSelection
from tacit.mechanisms.mechanism import Kernel
from tacit.verify.enumeration import Case, verify
from tacit.verify.laws_to_wrap import opposed, poll
from tests.support.coin_tree import law_of

F = Fraction
Scored = tuple[int, str]


def _of(law: Law[Scored]) -> Kernel[tuple[str, ...], Scored]:
    return Kernel(Pure(1), lambda rows: law)


@pytest.mark.parametrize("threshold", ["0", "1/2", "1", "3/2", "5"])
def test_the_sampler_has_the_law(threshold: str) -> None:
    """Walk all coins down to branches of probability 1e-5; what is cut bounds the difference."""
    base = _of(Law({(0, "a"): F(1, 4), (1, "b"): F(1, 2), (2, "c"): F(1, 4)}))
    search = ThresholdSelection(base, threshold=threshold, gamma="1/2")
    walked = law_of(lambda rng: search((), rng=rng), cutoff=F(1, 100_000))
    law = search.law(())
    assert law.slack == 0
    assert walked.slack < F(1, 25)
    assert set(walked.probabilities) <= set(law.probabilities)
    for outcome, p in law.probabilities.items():
        assert walked[outcome] <= p <= walked[outcome] + walked.slack


weights = st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=2, max_size=5)


@given(weights, st.integers(0, 4), st.fractions(F(1, 1000), F(9, 10), max_denominator=1000))
def test_the_ratio_is_at_most_squared(
    pairs: list[tuple[int, int]], threshold: int, gamma: Fraction
) -> None:
    """The theorem itself, with rational e^epsilon, for arbitrary laws."""
    one, other = (
        proportional({(i, "x"): F(pair[side]) for i, pair in enumerate(pairs)}) for side in (0, 1)
    )
    there, back = max_ratio(one, other).upper, max_ratio(other, one).upper
    assert there is not None
    assert back is not None
    factor = max(there, back)
    assume(factor > 1)
    told = [
        ThresholdSelection(_of(law), threshold=threshold, gamma=gamma).law(())
        for law in (one, other)
    ]
    for p, q in (told, reversed(told)):
        ratio = max_ratio(p, q).upper
        assert ratio is not None
        assert ratio <= factor**2


def test_priced_once_it_is_refuted() -> None:
    search = ThresholdSelection(opposed(1), threshold=1, gamma="1/1000000")
    case = Case("", "", "broken", Pure("19/10"), ("a", "b", "c"), 3, search.law)
    assert verify(case).verdict == "refuted"


def test_failure_is_the_chance_of_none() -> None:
    base = _of(Law({(0, "a"): F(2, 3), (1, "b"): F(1, 3)}))
    search = ThresholdSelection(base, threshold=1, gamma="1/10")
    assert search.failure("1/3") == search.law(())[None] == F(1, 6)


def test_bad_arguments() -> None:
    with pytest.raises(InvalidArgument, match="gamma must lie strictly between 0 and 1"):
        ThresholdSelection(poll(1), threshold=1, gamma=0)
    with pytest.raises(InvalidArgument, match="threshold must be finite"):
        ThresholdSelection(poll(1), threshold=float("inf"), gamma="1/2")
    with pytest.raises(InvalidArgument, match="base must be purely private"):
        ThresholdSelection(Kernel(Approximate(1, "1/100"), poll(1).law), threshold=1, gamma="1/2")
    vague = _of(certain((1, "a")).widen(F(1, 2)))
    with pytest.raises(NotExact, match="without slack"):
        ThresholdSelection(vague, threshold=1, gamma="1/2").law(())
