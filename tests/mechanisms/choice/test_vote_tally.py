"""The tally: private for all counts of votes, its sampler at any size, its failures."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from scipy.stats import chi2

from tacit.core.chance.divergence import max_ratio, ratio_range
from tacit.core.chance.randomness import Seeded
from tacit.core.cost import Pure
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.numbers.enclosures import exp_lower
from tacit.mechanisms import VoteTally
from tacit.mechanisms.choice.vote_tally import _Weights
from tacit.statistics import Votes
from tacit.theory.optimum.votes import partitions

FALSE_ALARM = 1e-9


def _votes(counts: list[int], voters: int) -> Votes[int]:
    return Votes(voters, switch=True, table=dict(enumerate(counts)))


def _changed(counts: list[int], voters: int) -> list[list[int]]:
    """Return the counts after one vote was cast, withdrawn or moved."""
    spots = range(len(counts))
    moves = [(i, j) for i in spots for j in spots if i != j and counts[i]]
    changed = [[c - (k == i) + (k == j) for k, c in enumerate(counts)] for i, j in moves]
    changed += [[c - (k == i) for k, c in enumerate(counts)] for i in spots if counts[i]]
    if sum(counts) < voters:
        changed += [[c + (k == j) for k, c in enumerate(counts)] for j in spots]
    return changed


@pytest.mark.parametrize(
    ("candidates", "voters", "epsilon", "bar", "lead"),
    [
        (6, 6, "1/2", None, None),
        (10**6, 7, 2, None, None),
        (40, 8, 1, None, None),
        (40, 8, 1, 7, 2),
        (8, 7, 6, 2, 1),
        (8, 7, 6, 5, 2),
        (3, 6, "5/4", 4, 1),
    ],
)
def test_it_is_private_for_all_counts_of_votes(
    candidates: int, voters: int, epsilon: Fraction | str, bar: int | None, lead: int | None
) -> None:
    """Votes of everybody for anybody, abstentions too; those without votes are told as one."""
    tally = VoteTally.planned(candidates, voters, epsilon)
    if bar is not None and lead is not None:
        tally = VoteTally(candidates, voters, epsilon, bar=bar, lead=lead)
    few = min(voters + 1, candidates)
    worst = Fraction(1)
    for votes in range(voters + 1):
        for partition in partitions(votes):
            if len(partition) > candidates:
                continue
            counts = [*partition, *[0] * (few - len(partition))]
            law = tally.first(few, _votes(counts, tally.voters))
            assert sum(law.probabilities.values()) == 1
            for other in _changed(counts, voters):
                changed = tally.first(few, _votes(other, tally.voters))
                worst = max(worst, max_ratio(law, changed).lower)
    assert worst == 1 / tally.decay.ratio <= exp_lower(tally.epsilon)


def test_the_law_is_that_of_the_proof() -> None:
    tally = VoteTally(9, 12, 1, bar=6, lead=2)
    q, share = tally.decay.ratio, tally.share
    taken = q**6 * (8 + 7 * (q**-3 - 1) / 3)  # tau: L = 6, s = 2, n = 12, T = 9
    assert 0 <= share / (q / (1 + q) / (1 - taken)) - 1 < Fraction(1, 1 << 62)
    for counts in product(range(5), range(4), range(3)):
        top = max(counts)
        law = tally.law(_votes([*counts], 12))
        for candidate, votes in enumerate([*counts, *[0] * 6]):
            others = [c for k, c in enumerate(counts) if k != candidate]
            strength = min(votes - 6, (votes - max(others)) // 2 - 2)
            assert strength < 0
            assert top >= votes
            assert law[candidate] == share * q**-strength
    led = tally.law(_votes([9, 2], 12))
    assert led[None] == (1 - share) * q  # of strength min(9 - 6, 7 // 2 - 2)
    assert led[1] == share * q**6  # min(2 - 6, -7 // 2 - 2)
    assert led[8] == share * q**7  # min(0 - 6, -9 // 2 - 2)


def test_without_abstentions_a_majority_leads_by_the_bar_alone() -> None:
    tally = VoteTally(64, 12, 1, bar=8, lead=2)
    q = tally.decay.ratio
    assert tally.law(_votes([9, 3], 12))[1] == tally.share * q**5
    assert tally.law(_votes([9, 3], 12))[None] == (1 - tally.share) * q
    assert round(float(tally.failure(12)), 4) == 0.0191


def test_its_range_is_twice_its_epsilon() -> None:
    tally = VoteTally.planned(64, 12, 1)
    law, other = (tally.first(3, _votes(counts, 12)) for counts in ([2, 1], [1, 2]))
    assert ratio_range(law, other).lower == tally.decay.ratio**-2
    assert tally.cost == Pure(1)


def test_failures_are_those_of_the_law_and_fall() -> None:
    tally = VoteTally.planned(50, 60, "3/4")
    failures = [tally.failure(votes) for votes in range(61)]
    for votes, failure in enumerate(failures):
        exact = 1 - tally.law(_votes([votes], 60))[0]
        assert exact <= failure <= exact * (1 + Fraction(1, 2**100)) + Fraction(1, 2**100)
    assert failures == sorted(failures, reverse=True)


def test_the_first_few_are_told_as_among_all() -> None:
    tally, votes = VoteTally.planned(6, 12, 1), _votes([1, 0, 8, 0, 2], 12)
    law, few = tally.law(votes), tally.first(3, votes)
    assert [few[c] for c in (0, 1, 2, None)] == [law[c] for c in (0, 1, 2, None)]
    assert few[3] == law[3] + law[4] + law[5]


@pytest.mark.parametrize("counts", [[6, 1, 2], [4, 4], [1], [9]])
def test_the_sampler_follows_the_law(counts: list[int]) -> None:
    tally, rng, runs = VoteTally.planned(5, 12, 1), Seeded(3), 6000
    votes = Votes(12, switch=True, table={4 - k: c for k, c in enumerate(counts)})
    law = tally.law(votes)
    drawn = Counter(tally(votes, rng=rng) for _ in range(runs))
    expected = {outcome: runs * float(p) for outcome, p in law.probabilities.items()}
    distance = sum((drawn[o] - mean) ** 2 / mean for o, mean in expected.items() if mean > 5)
    assert chi2.sf(distance, len(expected) - 1) > FALSE_ALARM


def test_candidates_without_votes_are_drawn_from_any_number() -> None:
    tally, rng = VoteTally.planned(1 << 1024, 2000, 1), Seeded(0)
    assert tally(Votes.of([7**300] * 900), rng=rng) == 7**300
    strange = VoteTally(1 << 16, 60, 1, bar=12, lead=5)
    seen = [strange(Votes.of([0, 1, 2, 3]), rng=rng) for _ in range(400)]
    others = [told for told in seen if told is not None]
    assert len(others) > 20
    assert len(set(others)) > 0.9 * len(others)
    assert all(4 <= told < 1 << 16 for told in others)


def test_nobody_with_votes_is_told_in_place_of_another() -> None:
    weights = _Weights(0, ((0, 1), (2, 1), (3, 1)), 0)
    assert [weights.other(rank) for rank in range(4)] == [1, 4, 5, 6]


def test_more_voters_than_votes_may_be_planned_for() -> None:
    tally = VoteTally.planned(1 << 32, 3, 1)
    assert tally.voters == tally.bar == 23
    assert tally.failure(3) > Fraction(9, 10)


def test_a_vote_for_no_candidate_abstains() -> None:
    tally = VoteTally.planned(4, 20, 1)
    assert tally.law(Votes.of([1] * 8 + [4, -1])) == tally.law(Votes.of([1] * 8 + [None] * 2))


def test_what_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="too low"):
        VoteTally(1 << 32, 340, 1, bar=22, lead=11)
    for voters, bar in ((10, 4), (14, 5)):  # two that tie leave None not enough
        with pytest.raises(InvalidArgument, match="too low"):
            VoteTally(2, voters, "7/10", bar=bar, lead=2)
    with pytest.raises(InvalidArgument, match="must lie between"):
        VoteTally(4, 10, 1, bar=5, lead=3)
    with pytest.raises(InvalidArgument, match="must lie between"):
        VoteTally(4, 10, 1, bar=11, lead=3)
    with pytest.raises(InvalidArgument, match="of 10"):
        VoteTally.planned(4, 10, 1).law(Votes.of([0] * 11))
    with pytest.raises(InvalidArgument, match="switch"):
        VoteTally.planned(4, 10, 1, switch=False).law(Votes.of([0] * 9))
    with pytest.raises(TooLarge, match="too many to list"):
        VoteTally.planned(1 << 32, 10, 1).law(Votes.of([0] * 9))
