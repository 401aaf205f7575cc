"""The verifier: against brute force over events, and on claims that are off by a hair."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations, permutations, product
from typing import Any

import pytest

from tacit.core.chance.divergence import hockey_stick
from tacit.core.chance.law import Law
from tacit.core.cost import Added, Approximate, BoundedRange, Pure, ZeroConcentrated
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.enclosures import exp_upper, log_lower, log_upper
from tacit.mechanisms import DiscreteLaplace
from tacit.verify.enumeration import Case, databases, neighbours, verify
from tacit.verify.finding import Claim

F = Fraction
TRUTH = F(3, 4)  # keep a bit with probability 3/4: the ratio is exactly 3


def flip(database: tuple[int, ...]) -> Law[tuple[int, ...]]:
    """Randomised response, record by record."""
    return Law(
        {
            reply: _product(
                TRUTH if said == held else 1 - TRUTH
                for said, held in zip(reply, database, strict=True)
            )
            for reply in product((0, 1), repeat=len(database))
        }
    )


def _product(factors: object) -> Fraction:
    result = F(1)
    for factor in factors:  # type: ignore[attr-defined]
        result *= factor
    return result


def case(claim: Claim, *, n: int = 2) -> Case:
    return Case("response", "bits", "mechanism", claim, (0, 1), n, flip, symmetric=False)


def test_neighbours_are_all_replacements() -> None:
    universe = ("a", "b", "c")
    for symmetric in (True, False):
        everything = set(databases(universe, 3, symmetric=symmetric))
        for database in everything:
            near = set(neighbours(database, universe, symmetric=symmetric))
            assert near <= everything - {database}
            for other in everything - {database}:
                moved = min(
                    sum(a != b for a, b in zip(database, order, strict=True))
                    for order in ({other} if not symmetric else set(_orders(other)))
                )
                assert (moved == 1) == (other in near)


def _orders(database: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [
        order
        for order in product(database, repeat=len(database))
        if sorted(order) == sorted(database)
    ]


def test_a_claim_is_verified_up_to_a_hair_and_refuted_beyond() -> None:
    above, below = log_upper(F(3)) + F(1, 10**20), log_lower(F(3)) - F(1, 10**20)
    assert verify(case(Pure(above))).verdict == "verified"
    assert verify(case(Pure(below))).verdict == "refuted"
    assert verify(case(Pure(above))).epsilon == pytest.approx(1.0986122886681098)
    assert verify(case(Pure(above))).share == pytest.approx(1)
    assert verify(case(Pure(above))).pairs == 2 * 2 * 2
    assert verify(case(BoundedRange(2 * above))).verdict == "verified"
    assert verify(case(BoundedRange(2 * below))).verdict == "refuted"


def test_delta_is_the_worst_event_over_all_pairs() -> None:
    epsilon = F(1, 2)
    found = verify(case(Approximate(epsilon, F(1, 2)))).delta
    outcomes = list(product((0, 1), repeat=2))
    events = list(chain.from_iterable(combinations(outcomes, size) for size in range(5)))
    worst = max(
        sum((flip(d)[o] - exp_upper(epsilon) * flip(e)[o] for o in event), F(0))
        for d in outcomes
        for e in neighbours(d, (0, 1), symmetric=False)
        for event in events
    )
    assert found == pytest.approx(float(worst))
    assert verify(case(Approximate(epsilon, worst + F(1, 10**20)))).verdict == "verified"
    assert verify(case(Approximate(epsilon, worst - F(1, 10**20)))).verdict == "refuted"


def test_a_delta_between_two_bounds_of_e_is_not_verified() -> None:
    """At the delta of a factor just above e^epsilon the truth is a little more."""
    epsilon, pair = F(1, 2), (flip((0, 0)), flip((0, 1)))
    almost = hockey_stick(*pair, exp_upper(epsilon)).upper
    assert almost is not None
    assert verify(case(Approximate(epsilon, almost))).verdict == "not refuted"


@pytest.mark.parametrize("order", list(permutations("abc")))
def test_the_worst_pair_counts_wherever_it_comes(order: tuple[str, ...]) -> None:
    chances = {"a": F(1, 10), "b": F(9, 10), "c": F(8, 10)}

    def law(database: tuple[str, ...]) -> Law[bool]:
        return Law({True: chances[database[0]], False: 1 - chances[database[0]]})

    for claim in (Pure(2), Approximate(2, "1/10"), BoundedRange(4)):
        assert verify(Case("one", "", "broken", claim, order, 1, law)).verdict == "refuted"
    assert verify(Case("one", "", "mechanism", Pure("2.2"), order, 1, law)).verdict == "verified"


def test_an_infinite_loss_is_reported_as_the_delta_it_needs() -> None:
    def tells(database: tuple[int, ...]) -> Law[object]:
        return Law({"secret": F(1, 5), "nothing": F(4, 5)} if 1 in database else {"nothing": F(1)})

    finding = verify(Case("tell-tale", "", "broken", Pure(1), (0, 1), 3, tells))
    assert finding.verdict == "refuted"
    assert (finding.epsilon, finding.delta) == (1.0, 0.2)


def test_concentration_is_tested_through_its_deltas() -> None:
    rho = log_upper(F(3)) ** 2 / 2
    assert verify(case(ZeroConcentrated(rho))).verdict == "not refuted"
    assert verify(case(ZeroConcentrated(rho / 20))).verdict == "refuted"


def test_slack_can_leave_the_question_open() -> None:
    def vague(database: tuple[int, ...]) -> Law[tuple[int, ...]]:
        return flip(database).widen(F(1, 1000))

    open_case = Case(
        "vague", "", "mechanism", Pure(log_upper(F(3))), (0, 1), 2, vague, symmetric=False
    )
    assert verify(open_case).verdict == "not refuted"


def test_outcomes_are_compared_by_their_looks() -> None:
    def tells(database: tuple[str, ...]) -> Law[object]:
        return Law({1 if "a" in database else True: F(1)})

    assert verify(Case("types", "", "broken", Pure(1), ("a", "b"), 2, tells)).verdict == "refuted"


def test_a_case_that_cannot_speak_is_refused() -> None:
    def order(database: tuple[str, ...]) -> Law[bool]:
        return Law({list(database) == sorted(database): F(1)})

    with pytest.raises(InvalidArgument, match="order of the records"):
        verify(Case("order", "", "broken", Pure(1), ("a", "b"), 2, order))
    with pytest.raises(InvalidArgument, match="no two neighbouring"):
        verify(Case("alone", "", "broken", Approximate(1, "0.1"), ("a",), 2, order))
    with pytest.raises(InvalidArgument, match="equal records"):
        verify(Case("equal", "", "broken", Pure(1), (1, True), 2, order))


def test_what_a_law_leaves_out_may_be_anything() -> None:
    def partial(database: tuple[int, ...]) -> Law[str]:
        return Law({"rest": 1 - F(1, 2**20)}, F(1, 2**20))

    open_case = Case("partial", "", "mechanism", Pure(1), (0, 1), 2, partial)
    assert verify(open_case).verdict == "not refuted"
    full = Law({"rest": F(1)}, F(1, 2**20), complete=True)
    listed = Case("full", "", "mechanism", Pure(1), (0, 1), 2, lambda _: full)
    assert verify(listed).verdict == "verified"


def test_an_epsilon_of_zero_can_be_claimed() -> None:
    same = Law({"rest": F(1)})
    finding = verify(Case("constant", "", "mechanism", Pure(0), (0, 1), 2, lambda _: same))
    assert (finding.verdict, finding.share) == ("verified", 1.0)


def test_added_records_are_compared_over_databases_of_every_size() -> None:
    noise = DiscreteLaplace(1)

    def noisy(database: tuple[int, ...]) -> Law[Any]:
        return noise.law(len(database), low=0, high=3)

    case = Case("", "", "mechanism", Added(Pure(1)), (0, 1), 3, noisy)
    found = verify(case)
    assert (found.verdict, found.pairs) == ("verified", 2 * (2 + 4 + 6))
    assert found.share == pytest.approx(1)
    assert verify(replace(case, symmetric=False)).pairs == 2 * (2 + 4 * 2 + 8 * 3)
    assert verify(replace(case, claim=Added(Pure("1/2")))).verdict == "refuted"
    assert verify(replace(case, claim=Pure(0))).verdict == "verified"
