"""Our learners beside the optimum: the numbers of the spec, and nobody below the lower bound."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tacit.theory.optimum.optimum import optimum, votes
from tacit.workflows.regret import regrets, vote_regrets
from tests.theory.optimum.test_optimum import thresholds


@pytest.mark.parametrize(
    ("m", "n", "epsilon", "flip", "exponential"),
    [
        (2, 8, "0.5", 0.1617, 0.2314),
        (2, 8, "2", 0.0404, 0.0533),
        (3, 4, "1", 0.2157, 0.2972),
        (6, 2, "2", 0.3259, 0.4481),
    ],
)
def test_thresholds(m: int, n: int, epsilon: str, flip: float, exponential: float) -> None:
    best = optimum(thresholds(m), n=n, epsilon=epsilon, proper=True, agnostic=True)
    losses = {each.name: float(each.loss) for each in regrets(best)[0]}
    assert losses["permute-and-flip"] == pytest.approx(flip, abs=6e-5)
    assert losses["generic"] == pytest.approx(exponential, abs=6e-5)


@pytest.mark.parametrize(
    ("candidates", "n", "epsilon", "exponential"),
    [(64, 12, 1, 0.1351), (10**4, 12, 2, 0.0579), (10**6, 14, 2, 0.4540), (10**8, 10, 3, 0.9683)],
)
def test_votes(candidates: int, n: int, epsilon: int, exponential: float) -> None:
    best = votes(candidates, n=n, epsilon=epsilon)
    flip, worst = vote_regrets(best, candidates, n, Fraction(1))
    assert best.lower < flip.loss < worst.loss
    assert float(worst.loss) == pytest.approx(exponential, abs=6e-5)


def test_points_of_a_million() -> None:
    best = votes(10**6, n=14, epsilon=2, mass="0.8")
    assert float(vote_regrets(best, 10**6, 14, Fraction(4, 5))[1].loss) == pytest.approx(
        0.875, abs=1e-3
    )


@pytest.mark.parametrize("spec", ["thresholds(values=3)", "points(values=3)", "parities(dims=2)"])
@pytest.mark.parametrize("asked", [{}, {"delta": "0.01"}, {"alpha": "0.3"}, {"agnostic": True}])
def test_nobody_is_better(spec: str, asked: dict[str, Any]) -> None:
    """The laws of our learners are private, so none loses less than what the prior proves."""
    best = optimum(spec, n=2, epsilon=1, **asked)
    compared, left_out = regrets(best, seconds=0.2)
    assert {"generic", "permute-and-flip"} <= {each.name for each in compared}
    for each in compared:
        assert each.loss >= best.lower, each.name
        assert each.ratio is not None
        assert each.ratio >= 1
    assert all(left_out.values())


def test_only_the_proper_are_compared_with_the_best_proper_one() -> None:
    best = optimum("thresholds(values=2)", n=2, epsilon=1, proper=True)
    assert "local" not in {each.name for each in regrets(best)[0]}
    assert "local" in {
        each.name for each in regrets(optimum("thresholds(values=2)", n=2, epsilon=1))[0]
    }
