"""The published learner of lines: its release is Laplace noise, its distance by brute force."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product
from math import exp, log
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from tacit.concepts.algebra.lines import Line, Lines
from tacit.concepts.algebra.lines_or_points import PlanePoint
from tacit.concepts.outputs.never import NEVER
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.cost import Approximate, BoundedRange, Parallel
from tacit.core.errors import InvalidArgument
from tacit.learners import ConfidenceBooster, PublishedLineLearner
from tacit.learners.algebra.published_line import _rank, frequent, published_booster
from tacit.statistics import LabelCounts
from tacit.verify.enough.simulation import alarm

PLANE = Lines(2)
EVERY: list[Any] = [NEVER, *(PlanePoint(x, y) for x in range(2) for y in range(2))]
EVERY += list(PLANE.concepts())


def _learner(**given: Any) -> PublishedLineLearner:
    asked = {"epsilon": 1, "delta": "1/20", "voters": 3, "smallest": 0, "scales": 2, **given}
    return PublishedLineLearner(asked.pop("concepts", Lines(3)), **asked)


def _winner(votes: tuple[Any, ...]) -> Any:
    return min(set(votes), key=lambda h: (-votes.count(h), _rank(h, 2)))


def test_every_hypothesis_has_a_number_of_its_own() -> None:
    assert sorted(_rank(h, 2) for h in EVERY) == list(range(len(EVERY)))


@pytest.mark.parametrize("voters", [1, 2, 3])
def test_the_distance_is_how_many_votes_must_change(voters: int) -> None:
    """Over all votes, by trying all other votes, those for what nobody chose included."""
    some = [NEVER, EVERY[2], EVERY[5], EVERY[8]]
    polls = list(product(EVERY, repeat=voters))
    for votes in product(some, repeat=voters):
        found = frequent(votes, 2)
        assert found.value == _winner(votes)
        changed = [
            sum(a != b for a, b in zip(votes, other, strict=True))
            for other in polls if _winner(other) != found.value
        ]  # fmt: skip
        assert found.distance == min(changed)


@pytest.mark.parametrize("delta", ["1/20", "0.3", "1e-6"])
def test_the_release_is_that_of_laplace_noise(delta: str) -> None:
    """P[c + Lap(1 / epsilon) > ln(1 / (2 delta)) / epsilon + 1]."""
    for epsilon in (F(1, 2), F(2)):
        learner = _learner(epsilon=epsilon, delta=delta)
        for c in range(1, 40):
            bar = log(1 / (2 * float(F(delta)))) / float(epsilon) + 1 - c
            tail = exp(-float(epsilon) * abs(bar)) / 2
            assert float(learner.told(c)) == pytest.approx(tail if bar > 0 else 1 - tail)
        assert learner.told(1) == F(delta)


def test_blocks_of_each_size_are_the_first_pieces() -> None:
    learner = _learner(scales=4, smallest=1)
    assert learner.rows == 48
    assert learner.block_sizes(48) == [2] * 3 + [2] * 3 + [4] * 3 + [8] * 3
    assert learner.block_sizes(15) == [2] * 3 + [2] * 3 + [1] * 3 + [0] * 3
    assert learner.block_sizes(0) == [0] * 12
    assert learner(LabelCounts.of([((0, 0), (1,))], labels=1), rng=Seeded(1)) == NEVER


def test_the_printed_constants() -> None:
    """One of the runs of Theorem 12: what one printed run asks for, in rows (erratum A19)."""
    printed = PublishedLineLearner.printed(
        Lines(7), epsilon=1, delta="1e-6", accuracy=Accuracy("0.05", "1/2")
    )
    assert printed.rows == 32768 * 1095
    with pytest.raises(InvalidArgument, match="do not reach"):
        printed.sample_size(Accuracy("0.05", "0.49"))  # six bad sizes of twelve, and the votes
    wider = PublishedLineLearner.printed(
        Lines(7), epsilon=1, delta="1e-6", accuracy=Accuracy("0.05", "0.1")
    )
    assert wider.scales == 60
    assert wider.sample_size(Accuracy("0.06", "0.11")) == wider.rows


def test_the_promise_is_kept_where_it_can_be_run() -> None:
    """Eight sizes, accuracy (0.41, 0.8): on hard populations it fails no more than promised."""
    learner = _learner(concepts=Lines(5), epsilon=4, delta="1/10", voters=41, scales=8)
    goal = Accuracy("0.41", "0.8")
    n = learner.sample_size(goal)
    assert n == 41 * 128
    assert learner.beta < F(8, 10)
    line, rng = Line(1, 0, 5), np.random.default_rng(4)
    grid = np.array(list(product(range(5), repeat=2)))
    on = line(grid)
    for heavy, rest in ((0.45, 0.0), (0.25, 0.25), (0.3, 0.2), (0.02, 0.6)):
        mass = np.where(on, rest / 4, (1 - heavy - rest) / 20)
        mass[0] = heavy
        failed, runs = 0, 30
        for seed in range(runs):
            rows = rng.choice(25, n, p=mass)
            counts = [(tuple(map(int, grid[i])), (int(on[i]),)) for i in rows]
            told = learner(LabelCounts.of(counts, labels=1), rng=Seeded(seed))
            failed += mass[told(grid) != on].sum() > 0.41
        assert failed < alarm(runs, goal.beta)


def test_boosted_as_published() -> None:
    """Theorem 12: several runs on rows of their own, and a choice by fresh ones."""
    base = _learner(concepts=Lines(5), epsilon=4, delta="1/10", voters=41, scales=8)
    boosted = ConfidenceBooster(base, rows=base.rows, repeats=12, epsilon=1)
    size = boosted.sample_size(Accuracy("0.8", "0.2"))
    assert size > 12 * base.rows
    assert boosted.cost == Parallel(*[Approximate(4, "1/10")] * 12, BoundedRange(1))
    line, rng = Line(1, 0, 5), np.random.default_rng(5)
    grid = np.array(list(product(range(5), repeat=2)))
    rows = grid[rng.integers(0, 25, size)]
    sample = LabelCounts.of(
        [(tuple(map(int, x)), (int(y),)) for x, y in zip(rows, line(rows), strict=True)], labels=1
    )
    assert (boosted(sample, rng=Seeded(1))(grid) != line(grid)).mean() <= 0.8


def _undecided(voters: int) -> float:
    """Sum up, vote by vote, how likely what has two thirds of the votes is not told."""
    learner, votes = _learner(delta="1e-6", voters=voters), range(voters + 1)
    lead = [c - voters // 2 for c in votes]
    missed = [1 - float(learner.told(c)) if c > 0 else 1.0 for c in lead]
    return float(binom.pmf(votes, voters, 2 / 3) @ missed)


def test_the_golden_number_of_the_published_booster() -> None:
    """Each size against its own definition; one less would not do."""
    goal = Accuracy("0.1", "0.05")
    boosted = published_booster(Lines(7), epsilon=1, delta="1e-6", accuracy=goal)
    base = boosted.base
    assert isinstance(base, PublishedLineLearner)
    assert (boosted.repeats, base.voters, base.smallest, base.scales) == (29, 161, 3, 7)
    assert boosted.sample_size(goal) == 29 * 161 * 2**9 + 1083 == 2_391_611
    assert _undecided(161) <= 0.02 < _undecided(160)
    assert float(base.beta) == pytest.approx(6 / 7 + _undecided(161))
    assert (6 / 7 + 0.02) ** 29 <= 0.025 < (6 / 7 + 0.02) ** 28
    assert 2**2 < log(1.5) / 0.07 <= 2**3


def test_nonsense_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="below 1/2"):
        _learner(delta="1/2")
    with pytest.raises(InvalidArgument, match="scales"):
        _learner(scales=0)
    with pytest.raises(InvalidArgument, match="distance"):
        _learner().told(0)
