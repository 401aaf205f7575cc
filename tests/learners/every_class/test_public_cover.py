"""Covers from public points: the law by brute force, the promise in simulation, the refusals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tacit.concepts.contract.finite import Finite
from tacit.concepts.contract.specification import parse
from tacit.concepts.grid.boxes import Boxes
from tacit.concepts.line.intervals import Intervals
from tacit.concepts.line.thresholds import Thresholds
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.numbers.decay import Decay
from tacit.core.privacy import Privacy
from tacit.learners import CATALOGUE, PublicCoverLearner, Request, named
from tacit.statistics import LabelCounts

F = Fraction
GOAL = Accuracy("0.1", "0.05")
RUNS = 200
MATRIX = Finite([[0, 0, 1, 1], [0, 1, 1, 0], [1, 1, 1, 1], [0, 0, 0, 1]])


@pytest.mark.parametrize(
    ("concepts", "public"),
    [
        (parse("thresholds(bits=3)"), [2, 5, 5, 7]),
        (parse("thresholds(bits=3, direction=both)"), [0, 4]),
        (parse("intervals(bits=3)"), [1, 6, 2]),
        (parse("points(bits=3)"), [3, 3, 0]),
        (parse("boxes(bits=2, dims=2)"), [(0, 3), (1, 1), (3, 2)]),
        (parse("conjunctions(dims=3, width=2)"), [(0, 1, 1), (1, 1, 0)]),
        (parse("parities(dims=3)"), [(1, 0, 1), (0, 1, 1)]),
        (parse("halfspaces(bits=1, dims=2)"), [(0, 0), (0, 1), (1, 1)]),
        (parse("lines(p=3)"), [(0, 1), (2, 2)]),
        (MATRIX, [0, 3]),
    ],
    ids=str,
)
def test_the_law_is_a_choice_among_the_labellings(concepts: Any, public: list[Any]) -> None:
    domain = concepts.domain()
    labelling = {tuple(h(np.array(public)).tolist()) for h in concepts.concepts()}
    rng = np.random.default_rng(7)
    drawn = [domain[i].tolist() for i in rng.integers(0, len(domain), 9)]
    rows = [(tuple(x) if isinstance(x, list) else x, (int(rng.integers(2)),)) for x in drawn]
    sample = LabelCounts.of(rows, labels=1)
    law = PublicCoverLearner(concepts, public, epsilon="3/2").law(sample).probabilities
    told = {tuple(h(np.array(public)).tolist()) for h in law}
    assert told == labelling
    assert len(law) == len(labelling)
    assert set(law) <= set(concepts.concepts())
    ratio = Decay.of(F(3, 4)).ratio
    weights = {h: ratio ** sample.mistakes(h) for h in law}
    assert law == {h: w / sum(weights.values()) for h, w in weights.items()}


def _drawn(
    learner: PublicCoverLearner[Any],
    draw: Callable[[np.random.Generator, int], Any],
    target: Any,
    noise: float,
    rows: int,
    goal: Accuracy = GOAL,
) -> int:
    """Count runs, with public points of their own, that err more than promised."""
    failures = 0
    for run in range(RUNS):
        rng = np.random.default_rng(run)
        public = [
            tuple(x) if isinstance(x, list) else x for x in draw(rng, learner.public).tolist()
        ]
        made = PublicCoverLearner(
            learner.concepts, public, epsilon=learner.epsilon, agnostic=learner.agnostic
        )
        points = draw(rng, rows)
        marks = target(points) ^ (rng.random(rows) < noise)
        held = [tuple(x) if isinstance(x, list) else x for x in points.tolist()]
        counted = LabelCounts.of(zip(held, marks[:, None].tolist(), strict=True), labels=1)
        found = made(counted, rng=Seeded(run))
        fresh = draw(rng, 20_000)
        wrong = float((found(fresh) != target(fresh)).mean())
        failures += wrong * (1 - 2 * noise) > float(goal.alpha)
    return failures


def _even(rng: np.random.Generator, many: int) -> Any:
    return rng.integers(0, 1 << 62, many)


def _lumpy(rng: np.random.Generator, many: int) -> Any:
    """Draw one of 60 far apart points, some of them heavy."""
    places = np.minimum(rng.geometric(0.06, many), 60)
    return (places.astype(np.int64) << 40) + 5


LINE = Thresholds(62)


@pytest.mark.parametrize("noise", [0.0, 0.2])
@pytest.mark.parametrize(
    ("concepts", "public", "draw", "target"),
    [
        (LINE, 150, _even, LINE.nth(1 << 61)),
        (LINE, 150, _lumpy, LINE.nth(12 << 40)),
        (Thresholds(62, "both"), 150, _even, LINE.nth(1 << 60)),
        (Intervals(62), 60, _even, Intervals(62).decode({"low": 1 << 60, "high": 1 << 61})),
    ],
    ids=["even", "lumpy", "both", "intervals"],
)
def test_it_fails_as_seldom_as_promised(
    concepts: Any, public: int, draw: Any, target: Any, noise: float
) -> None:
    agnostic = noise > 0
    learner = PublicCoverLearner(concepts, public, epsilon=1, agnostic=agnostic)
    goal = GOAL if public == 150 else Accuracy("0.25", "0.05")
    rows = learner.sample_size(goal)
    assert _drawn(learner, draw, target, noise, rows, goal) <= goal.beta * RUNS


def test_few_rows_fail_more_often() -> None:
    """The simulation sees failures: with a tenth of the rows they are more than promised."""
    learner = PublicCoverLearner(LINE, 20, epsilon=1)
    assert _drawn(learner, _even, LINE.nth(1 << 61), 0.0, 20) > GOAL.beta * RUNS


def test_what_is_promised_is_what_is_enough() -> None:
    learner = PublicCoverLearner(Thresholds(64), 150, epsilon=1)
    n = learner.sample_size(GOAL)
    assert n == 248
    promised = learner.accuracy(n, GOAL.beta)
    assert promised is not None
    assert promised.alpha <= GOAL.alpha
    assert not learner.suffices(n - 1, GOAL)
    assert learner.accuracy(0, GOAL.beta) is None


@pytest.mark.parametrize("agnostic", [False, True])
def test_the_domain_is_free(agnostic: bool) -> None:
    rows = [
        PublicCoverLearner(Thresholds(bits), 150, epsilon=1, agnostic=agnostic).sample_size(GOAL)
        for bits in (32, 64, 4096)
    ]
    assert len(set(rows)) == 1


def test_what_the_best_errs_takes_fewer_rows() -> None:
    made = [
        PublicCoverLearner(LINE, 150, epsilon=1, agnostic=True, best_error=error)
        for error in (None, "0.02")
    ]
    free, stated = (learner.sample_size(GOAL) for learner in made)
    assert stated < free


def test_points_outside_are_clipped() -> None:
    inside = PublicCoverLearner(Thresholds(3), [7, 0, 2], epsilon=1)
    assert PublicCoverLearner(Thresholds(3), [99, -4, 2], epsilon=1) == inside


def test_too_few_or_too_many_public_rows_are_refused() -> None:
    few = PublicCoverLearner(Thresholds(64), 20, epsilon=1)
    with pytest.raises(InvalidArgument, match="too few to promise this"):
        few.sample_size(GOAL)
    assert few.accuracy(10_000, GOAL.beta) is not None
    with pytest.raises(TooLarge, match="give up to 50 of them"):
        PublicCoverLearner(Boxes(16, 2), 51, epsilon=1)
    with pytest.raises(InvalidArgument):
        PublicCoverLearner(Thresholds(3), [], epsilon=1)
    with pytest.raises(InvalidArgument, match="made for a plan"):
        few.law(LabelCounts.of([(1, (1,))], labels=1))


def test_the_catalogue_gives_it_to_those_who_have_public_rows() -> None:
    asked = Request(Thresholds(4), Privacy(1), 50, None, F(1, 20), agnostic=True)
    with pytest.raises(InvalidArgument, match="made from public rows"):
        CATALOGUE["public-cover"](asked)
    made: Any = CATALOGUE["public-cover"](replace(asked, public=(3, 1, 3), labels=2))
    assert made.learner.points == (1, 3)
    assert made.learner.public == 3


@pytest.mark.parametrize("outer", ["boosted", "empirical", "selected"])
def test_it_is_not_wrapped(outer: str) -> None:
    """Tries on different rows would share the public points, and fail together."""
    with pytest.raises(InvalidArgument, match="must be made from"):
        named(f"{outer}(public-cover)")
