"""The bounds of a choice among few: what the law really does, over whole populations."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import pytest

from tacit.core.numbers.decay import Decay
from tacit.mechanisms import Exponential, PermuteAndFlip
from tacit.mechanisms.choice.permute_and_flip import single_choice
from tacit.statistics import ScoreProfile
from tacit.theory.enough.selection import SelectionBound, many

EPSILONS = ("1/2", "1", "3")


def _failure(
    choice: Exponential | PermuteAndFlip, n: int, ahead: Fraction, behind: Fraction
) -> Fraction:
    """The chance to choose the worse of two: on a row it loses to the better one, or beats it."""
    total = Fraction(0)
    for lost in range(n + 1):
        for won in range(n + 1 - lost):
            chance = (
                comb(n, lost)
                * comb(n - lost, won)
                * ahead**lost
                * behind**won
                * (1 - ahead - behind) ** (n - lost - won)
            )
            profile = ScoreProfile.of([lost, won])
            total += chance * choice.law(profile)[1]
    return total


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize(("ahead", "behind"), [("1/2", "0"), ("2/5", "1/10"), ("1/2", "1/3")])
@pytest.mark.parametrize("flipped", [False, True])
def test_a_population_fails_no_more_often_than_the_bound(
    epsilon: str, ahead: str, behind: str, *, flipped: bool
) -> None:
    """Bad by more than the gap, by a hair: the better one errs `behind`, the worse one `ahead`."""
    a, b = Fraction(ahead), Fraction(behind)
    decay = Decay.of(Fraction(epsilon) / 2)
    bound = SelectionBound(2, a - b - Fraction(1, 10**9), b, decay, flipped)
    choice = single_choice(epsilon, alone=flipped)
    for n in (0, 1, 3, 6, 10):
        assert _failure(choice, n, a, b) <= bound.failure(n)


def test_a_leading_bad_hypothesis_is_why_the_odds_do_not_bound_it() -> None:
    """With one row that the worse one wins, permute-and-flip follows it more readily."""
    led = ScoreProfile.of([0, 1])
    assert PermuteAndFlip(1).law(led)[1] > Exponential(1).law(led)[1]


@pytest.mark.parametrize("size", [2, 3, 10, 256])
@pytest.mark.parametrize("beta", ["1/2", "1/4", "1/20", "1e-6"])
def test_permute_and_flip_needs_no_more_rows(size: int, beta: str) -> None:
    rows = [
        SelectionBound(size, Fraction(1, 10), Fraction(near), Decay.of(half), flipped).sample_size(
            beta
        )
        for flipped, near, half in product((False, True), ("0", "1/50"), (Fraction(1, 2),))
    ]
    usual, flipped = rows[:2], rows[2:]
    assert all(few <= most for few, most in zip(flipped, usual, strict=True))
    assert many(size, Fraction(beta), flipped=True) <= many(size, Fraction(beta))


@pytest.mark.parametrize("flipped", [False, True])
def test_the_sample_size_is_the_least(*, flipped: bool) -> None:
    bound = SelectionBound(3, Fraction(1, 10), Fraction(1, 20), Decay.of(Fraction(1, 4)), flipped)
    n = bound.sample_size("0.05")
    assert bound.failure(n) <= Fraction("0.05") < bound.failure(n - 1)
    assert bound.suffices(n, "0.05")
    assert not bound.suffices(n - 1, "0.05")
