"""Repeated selection: its law against brute force, its factor 2 + eta, its refusals."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tacit.core.chance.divergence import max_ratio
from tacit.core.chance.law import Law, certain, collect, proportional
from tacit.core.chance.randomness import Random
from tacit.core.cost import Approximate, BoundedRange, Cost, Pure, Sequential
from tacit.core.errors import InvalidArgument, NotExact
from tacit.mechanisms.choice.repeated_selection import RepeatedSelection
from tacit.mechanisms.mechanism import Kernel
from tacit.verify.enumeration import Case, verify
from tacit.verify.laws_to_wrap import opposed, poll
from tests.support.coin_tree import law_of

F = Fraction
Scored = tuple[int, str]
ONE = Pure(1)
BASE: Law[Scored] = Law(
    {(1, "a"): F(1, 2), (1, "b"): F(1, 6), (2, "c"): F(1, 4), (0, "d"): F(1, 12)}
)


def _of(law: Law[Scored], cost: Cost = ONE) -> Kernel[tuple[str, ...], Scored]:
    return Kernel(cost, lambda rows: law)


def _best_of(law: Law[Scored], k: int) -> Law[Scored]:
    """The best of k runs, the earliest among equals, by listing all sequences of outcomes."""
    outcomes = law.probabilities.items()
    sequences = product(outcomes, repeat=k)

    def weight(sequence: tuple[tuple[Scored, Fraction], ...]) -> Fraction:
        total = F(1)
        for _, p in sequence:
            total *= p
        return total

    return collect(
        (max((o for o, _ in sequence), key=lambda outcome: outcome[0]), weight(sequence))
        for sequence in sequences
    )


@pytest.mark.parametrize("eta", ["-9/10", "-1/2", "0", "1/2", "1", "2"])
def test_the_law_is_the_mixture_of_the_best_of_k(eta: str) -> None:
    search = RepeatedSelection(_of(BASE), eta=eta, gamma="9/10")
    law = search.law(())
    exact = eta in {"1", "2"}
    assert (law.slack == 0) is exact
    assert law.slack < F(1, 2**290)
    mixed = dict.fromkeys(BASE.probabilities, F(0))
    before, bits = F(0), 200
    for k, (low, _) in enumerate(islice(search.runs.cumulative(bits), 6), start=1):
        reached = F(low, 2**bits)
        for outcome, p in _best_of(BASE, k).probabilities.items():
            mixed[outcome] += (reached - before) * p
        before = reached
    assert 1 - before < F(1, 10_000)
    for outcome, p in mixed.items():
        assert p - F(1, 2**150) <= law[outcome] <= p + 1 - before + F(1, 2**150)


@dataclass
class _FixedRuns:
    """Coins that leave no choice of K: every uniform real starts with the same word."""

    coins: Random
    word: int

    def bits(self, count: int, /) -> int:
        assert count == 64
        return self.word

    def below(self, bound: int, /) -> int:
        return self.coins.below(bound)

    words = None


@pytest.mark.parametrize("k", [1, 2, 3])
def test_given_k_the_sampler_returns_the_earliest_best_of_k(k: int) -> None:
    search = RepeatedSelection(_of(BASE), eta=1, gamma="1/2")
    word = 2**64 - 3 * 2 ** (63 - k)  # the middle of the k-th interval
    drawn = law_of(lambda rng: search((), rng=_FixedRuns(rng, word)))  # type: ignore[arg-type]
    assert drawn.probabilities == _best_of(BASE, k).probabilities


weights = st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=2, max_size=5)


@given(weights, st.lists(st.integers(0, 2), min_size=5, max_size=5), st.integers(1, 3), st.data())
def test_the_ratio_grows_by_the_power_two_plus_eta(
    pairs: list[tuple[int, int]], scores: list[int], eta: int, data: st.DataObject
) -> None:
    """The theorem itself, with rational e^epsilon, for arbitrary laws and ties."""
    gamma = data.draw(st.fractions(F(1, 1000), F(9, 10), max_denominator=1000))
    one, other = (
        proportional({(score, str(i)): F(pair[side]) for i, (pair, score) in cells})
        for side in (0, 1)
        for cells in [list(enumerate(zip(pairs, scores, strict=False)))]
    )
    there, back = max_ratio(one, other).upper, max_ratio(other, one).upper
    assert there is not None
    assert back is not None
    factor = max(there, back)
    assume(factor > 1)
    told = [RepeatedSelection(_of(law), eta=eta, gamma=gamma).law(()) for law in (one, other)]
    for p, q in (told, reversed(told)):
        ratio = max_ratio(p, q).upper
        assert ratio is not None
        assert ratio <= factor ** (2 + eta)


def test_priced_once_it_is_refuted() -> None:
    """The verifier sees through the mistake of charging a search as one run."""
    search = RepeatedSelection(opposed(1), eta=0, gamma="1/1000000")
    case = Case("", "", "broken", Pure(1), ("a", "b", "c"), 3, search.law)
    assert verify(case).verdict == "refuted"


def test_every_purely_private_base_will_do() -> None:
    base = _of(BASE, BoundedRange("1/2"))
    assert RepeatedSelection(base, eta="1/2", gamma="1/2").cost == Pure("5/4")
    base = _of(BASE, Sequential(Pure("1/3"), BoundedRange("1/6")))
    assert RepeatedSelection(base, eta=1, gamma="1/2").cost == Pure("3/2")


def test_failure_is_the_chance_that_no_run_succeeds() -> None:
    search = RepeatedSelection(_of(BASE), eta=1, gamma="1/10")
    assert search.failure("1/4") == 1 - search.law(())[2, "c"]


def test_bad_arguments() -> None:
    with pytest.raises(InvalidArgument, match="base must be purely private"):
        RepeatedSelection(_of(BASE, Approximate(1, "1/100")), eta=1, gamma="1/2")
    with pytest.raises(InvalidArgument, match="eta must be greater than -1"):
        RepeatedSelection(poll(1), eta=-1, gamma="1/2")
    with pytest.raises(InvalidArgument, match="p must lie strictly between 0 and 1"):
        RepeatedSelection(poll(1), eta=1, gamma="1/2").failure(0)
    vague = _of(certain((1, "a")).widen(F(1, 2)))
    with pytest.raises(NotExact, match="without slack"):
        RepeatedSelection(vague, eta=1, gamma="1/2").law(())
