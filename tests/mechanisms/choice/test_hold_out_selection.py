"""Hold-out selection: who sees which row, the joint law, the price of the dearest part."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction

import pytest
from scipy.stats import chi2

from tacit.core.chance.law import Law, certain
from tacit.core.chance.randomness import Seeded
from tacit.core.cost import BoundedRange, Parallel, Pure
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.decay import Decay
from tacit.mechanisms.choice.hold_out_selection import HeldOutChoice, HoldOutSelection
from tacit.mechanisms.mechanism import Kernel
from tacit.verify.enumeration import Case, verify

F = Fraction
Bits = tuple[int, ...]


def _noisy_majority(cost: Pure) -> Kernel[Bits, int]:
    def law(rows: Bits) -> Law[int]:
        truth = int(2 * sum(rows) > len(rows))
        return Law({truth: F(3, 4), 1 - truth: F(1, 4)})

    return Kernel(cost, law)


def _select(epsilon: int = 1) -> HoldOutSelection[int, int]:
    trainers = [_noisy_majority(Pure(2)), _noisy_majority(Pure("11/10"))]
    return HoldOutSelection(trainers, sizes=(1, 3), agrees=lambda h, row: h == row, epsilon=epsilon)


def test_each_trainer_sees_its_own_block_and_the_choice_sees_the_rest() -> None:
    seen: list[tuple[str, ...]] = []

    def watch(rows: tuple[str, ...]) -> Law[int]:
        seen.append(rows)
        return certain(len(seen))

    scored: list[str] = []

    def agrees(_: int, row: str) -> bool:
        scored.append(row)
        return True

    trainers = [Kernel(Pure(1), watch) for _ in range(3)]
    select = HoldOutSelection(trainers, sizes=(2, 0, 1), agrees=agrees, epsilon=1)
    select(tuple("abcdef"), rng=Seeded(0))
    assert seen == [("a", "b"), (), ("c",)]
    assert Counter(scored) == {"d": 3, "e": 3, "f": 3}


def test_the_law_is_training_times_choice() -> None:
    """Written out by hand: the hypotheses of two noisy majorities, then weights q^(mistakes)."""
    q = Decay.of(F(1, 2)).ratio
    rows = (1, 0, 0, 1, 1, 1, 0)  # block (1), block (0, 0, 1), held out (1, 1, 0)
    law = _select().law(rows)
    agreements = {1: 2, 0: 1}
    expected: dict[HeldOutChoice[int], Fraction] = defaultdict(Fraction)
    for first, p in ((1, F(3, 4)), (0, F(1, 4))):
        for second, r in ((0, F(3, 4)), (1, F(1, 4))):
            weights = [q ** -agreements[first], q ** -agreements[second]]
            for place, h in enumerate((first, second)):
                expected[HeldOutChoice(place, h)] += p * r * weights[place] / sum(weights)
    assert law.probabilities == expected
    assert law.slack == 0


def test_draws_fit_the_law() -> None:
    """Chi-square over 3000 draws; a false alarm has probability 1e-9."""
    select, rows = _select(), (1, 0, 0, 1, 1, 1, 0)
    rng, trials = Seeded(11), 3000
    drawn = Counter(select(rows, rng=rng) for _ in range(trials))
    law = select.law(rows).probabilities
    assert set(drawn) <= set(law)
    found = sum((drawn[o] - trials * float(p)) ** 2 / (trials * float(p)) for o, p in law.items())
    assert found < chi2.isf(1e-9, len(law) - 1)


def test_a_row_used_twice_is_refuted() -> None:
    """Scoring on the rows that trained the hypotheses is sequential, not parallel composition."""
    select = HoldOutSelection(
        [_noisy_majority(Pure("11/10")), Kernel(Pure(0), lambda rows: certain(1))],
        sizes=(1, 0),
        agrees=lambda h, row: h == row,
        epsilon="11/10",
    )
    twice = Case(
        "", "", "broken", Pure("11/10"), (0, 1, 2), 1, lambda rows: select.transcript(rows + rows)
    )
    assert verify(twice).verdict == "refuted"


def test_cost_is_parallel() -> None:
    assert _select().cost == Parallel(Pure(2), Pure("11/10"), BoundedRange(1))


def test_failure_is_that_of_a_choice_between_the_trained() -> None:
    odds = Decay.of(F(1, 2)).power(4)
    assert _select().failure(4) == odds / (1 + odds)


def test_bad_arguments() -> None:
    trainer = _noisy_majority(Pure(1))
    with pytest.raises(InvalidArgument, match="one block size a trainer, got 1 for 2"):
        HoldOutSelection([trainer] * 2, sizes=(1,), agrees=lambda h, row: True, epsilon=1)
    with pytest.raises(InvalidArgument, match="at least one"):
        HoldOutSelection([], sizes=(), agrees=lambda h, row: True, epsilon=1)
    with pytest.raises(InvalidArgument, match="sizes must be at least 0"):
        HoldOutSelection([trainer], sizes=(-1,), agrees=lambda h, row: True, epsilon=1)
    with pytest.raises(InvalidArgument, match="the blocks need 4 rows, got 3"):
        _select().law((0, 1, 0))
