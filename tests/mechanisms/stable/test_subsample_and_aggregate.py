"""Subsample and aggregate: the blocks, the law over assignments, and what a hash would leak."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import pytest
from scipy.stats import chi2

from tacit.core.chance.law import Law
from tacit.core.chance.randomness import Random, Seeded
from tacit.core.cost import Approximate
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.mechanisms.stable.stable_release import StableRelease
from tacit.mechanisms.stable.subsample_and_aggregate import SubsampleAndAggregate
from tacit.statistics import Votes
from tacit.verify.cases.wrapping import Rows, plurality, unanimity
from tacit.verify.enumeration import Case, verify
from tests.support.coin_tree import law_of

F = Fraction
ABC = ("a", "b", "c")


@dataclass
class _Telling:
    """Coins for the blocks as they come; every wider draw is 0: what may be told is."""

    coins: Random
    blocks: int

    def below(self, bound: int, /) -> int:
        return self.coins.below(bound) if bound == self.blocks else 0

    bits = words = None


def test_each_row_is_sent_to_a_block_by_its_own_coin() -> None:
    """The law of the winner over all 3^4 assignments, against the tree of coins of the sampler."""
    vote = SubsampleAndAggregate(plurality, blocks=3, epsilon=1, delta="1/10")
    rows = tuple("aaba")
    expected: dict[str | None, Fraction] = defaultdict(Fraction)
    for places in product(range(3), repeat=4):
        blocks = (tuple(r for p, r in zip(places, rows, strict=True) if p == j) for j in range(3))
        expected[Votes.of(map(plurality, blocks)).lead().value] += F(1, 81)
    told = law_of(lambda rng: vote(rows, rng=_Telling(rng, 3)))  # type: ignore[arg-type]
    assert told.probabilities == expected


def test_blocks_by_position_are_consecutive_and_use_every_row() -> None:
    seen: list[Rows] = []

    def watch(rows: Rows) -> None:
        seen.append(rows)

    vote: SubsampleAndAggregate[str, str] = SubsampleAndAggregate(
        watch, blocks=3, epsilon=1, delta="1/10", coins=False
    )
    assert vote(tuple("abcdefgh"), rng=Seeded(0)) is None
    assert seen == [("a", "b"), ("c", "d", "e"), ("f", "g", "h")]
    seen.clear()
    vote(("a",), rng=Seeded(0))
    assert seen == [(), (), ("a",)]


@pytest.mark.parametrize(("switch", "distance"), [(True, 2), (False, 3)])
def test_the_law_at_a_known_lead(distance: int, *, switch: bool) -> None:
    """Three unanimous blocks of three: the gap 3 is 2 changed votes with switching, else 3."""
    vote = SubsampleAndAggregate(
        unanimity, blocks=3, epsilon=1, delta="1/10", coins=False, switch=switch
    )
    told = StableRelease(1, "1/10").table.probability(distance)
    assert vote.law(("a",) * 9).probabilities == {"a": told, None: 1 - told}
    assert vote.failure(3) == 1 - told


def test_draws_fit_the_law() -> None:
    """Chi-square over 6000 draws; a false alarm has probability 1e-9."""
    vote = SubsampleAndAggregate(plurality, blocks=3, epsilon=2, delta="1/5")
    rows, trials, rng = tuple("aabca"), 6000, Seeded(5)
    drawn = Counter(vote(rows, rng=rng) for _ in range(trials))
    law = {o: trials * float(p) for o, p in vote.law(rows).probabilities.items() if p}
    assert set(drawn) <= set(law)
    assert min(law.values()) > 5
    found = sum((drawn[o] - e) ** 2 / e for o, e in law.items())
    assert found < chi2.isf(1e-9, len(law) - 1)


def _parity(size: int) -> str:
    return "odd" if size % 2 else "even"


def test_blocks_chosen_by_the_values_are_refuted() -> None:
    """A replaced row then leaves one block and enters another: two votes change, not one."""
    release = StableRelease(1, "1/10")

    def hashed(rows: Rows) -> Law[str | None]:
        lead = Votes.of([_parity(rows.count(letter)) for letter in ABC]).lead()
        return release.law(lead)

    case = Case("", "", "broken", release.cost, ABC, 3, hashed)
    finding = verify(case)
    assert finding.verdict == "refuted"
    assert finding.delta >= 3.7 * 0.1


def test_the_same_base_is_private_with_coins() -> None:
    vote: SubsampleAndAggregate[str, str] = SubsampleAndAggregate(
        lambda rows: _parity(len(rows)), blocks=3, epsilon=1, delta="1/10"
    )
    assert verify(Case("", "", "mechanism", vote.cost, ABC, 3, vote.law)).verdict == "verified"


def test_a_broken_promise_of_not_switching_is_refuted() -> None:
    """Single rows do switch their votes; with switch=False the lead counts double."""
    vote: SubsampleAndAggregate[str, str] = SubsampleAndAggregate(
        lambda rows: rows[0], blocks=5, epsilon=1, delta="1/10", coins=False, switch=False
    )
    assert verify(Case("", "", "broken", vote.cost, ABC, 5, vote.law)).verdict == "refuted"


def test_only_the_multiset_counts_when_the_base_is_symmetric() -> None:
    vote = SubsampleAndAggregate(plurality, blocks=2, epsilon=1, delta="1/10")
    assert vote.law(tuple("aabc")) == vote.law(tuple("caba"))


def test_cost_and_bad_arguments() -> None:
    assert SubsampleAndAggregate(plurality, blocks=2, epsilon=1, delta="1/10").cost == Approximate(
        1, "1/10"
    )
    with pytest.raises(InvalidArgument, match="blocks must be at least 1"):
        SubsampleAndAggregate(plurality, blocks=0, epsilon=1, delta="1/10")
    with pytest.raises(InvalidArgument, match="delta must lie strictly between 0 and 1"):
        SubsampleAndAggregate(plurality, blocks=2, epsilon=1, delta=0)
    with pytest.raises(TooLarge, match="10\\^20 assignments"):
        SubsampleAndAggregate(plurality, blocks=10, epsilon=1, delta="1/10").law(("a",) * 20)
