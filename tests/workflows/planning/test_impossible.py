"""What is impossible never gets easier by asking for more, and no plan contradicts it."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from tacit.concepts.contract.specification import parse
from tacit.workflows.planning.goal import Goal
from tacit.workflows.planning.impossible import impossible_below
from tacit.workflows.planning.plan import plan

SPECS = (
    "points(bits=1)",
    "points(bits=64)",
    "thresholds(bits=1)",
    "thresholds(bits=32)",
    "thresholds(bits=16, direction=both)",
    "intervals(bits=16)",
    "boxes(bits=8, dims=2)",
    "parities(dims=12)",
    "conjunctions(dims=20, width=3)",
    "lines(p=101)",
    "scorecards(values=4x4)",
)
DRAWN = 150
"""Goals, and harder ones: a second or two."""


def _drawn(coin: random.Random) -> tuple[Goal, Goal]:
    """Return a goal, and one that asks for more in one respect."""
    goal = Goal(
        parse(coin.choice(SPECS)),
        Fraction(coin.choice((1, 5, 20, 45)), coin.choice((100, 10**5))),
        Fraction(coin.choice((1, 5, 20, 60)), 100),
        Fraction(coin.choice((1, 5, 10, 100)), 10),
        Fraction(coin.choice((0, 1, 10**5)), 10**9),
        labels=coin.choice((1, 2, 1000)),
        agnostic=coin.random() < 1 / 2,
        proper=coin.random() < 1 / 2,
    )
    part = Fraction(coin.choice((3, 7, 9)), 10)
    harder: list[dict[str, Any]] = [
        {"alpha": goal.alpha * part},
        {"beta": goal.beta * part},
        {"epsilon": goal.epsilon * part},
        {"delta": goal.delta * part},
        {"delta": Fraction(0)},
        {"labels": goal.labels * 3},
        {"agnostic": True},
        {"proper": True},
    ]
    return goal, replace(goal, **coin.choice(harder))


@pytest.mark.parametrize("seed", [1, 2])
def test_whoever_asks_for_more_needs_no_fewer_rows(seed: int) -> None:
    coin = random.Random(seed)
    for _ in range(DRAWN):
        goal, harder = _drawn(coin)
        assert impossible_below(goal) <= impossible_below(harder), (goal, harder)


@pytest.mark.parametrize("seed", range(6))
def test_no_plan_contradicts_a_bound(seed: int) -> None:
    coin = random.Random(100 + seed)
    goal, _ = _drawn(coin)
    found = plan(
        goal.concepts,
        alpha=max(goal.alpha, Fraction(1, 100)),
        beta=goal.beta,
        epsilon=goal.epsilon,
        delta=goal.delta,
        labels=min(goal.labels, 20),
        agnostic=goal.agnostic,
        proper=goal.proper,
    )
    assert found.gap is None or found.gap.ratio >= 1
    assert found.best is None or found.impossible_below <= found.best.n
    private = [bound.n for bound in found.lower_bounds if not bound.private and not bound.proper]
    assert found.nonprivate_n >= max(private, default=0)
