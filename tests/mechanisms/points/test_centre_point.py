"""Tukey depth against its definition, centre points, and halfspaces learned through them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, chi2

from tacit.concepts.grid.halfspaces import Halfspaces
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.decay import Decay
from tacit.learners import CentrePointHalfspaceLearner, GenericLearner, named
from tacit.mechanisms import CentrePoint
from tacit.mechanisms.points.centre_point import tukey_depths
from tacit.statistics import Counts, LabelCounts
from tacit.theory.enough.depth import DepthBound
from tacit.verify.enough.simulation import Population, alarm, failures

F = Fraction
GOAL = Accuracy("0.25", "0.2")
RUNS = 40


def _directions(dims: int, reach: int) -> np.ndarray[Any, Any]:
    """Return so many directions that every way to part vectors of entries up to 2 is among them."""
    made = np.array(list(product(range(-reach, reach + 1), repeat=dims)))
    return made[made.any(axis=1)]


def _by_definition(points: Any, place: Any, directions: Any) -> int:
    inside = (np.array(points) - np.array(place)) @ directions.T >= 0
    return int(inside.sum(axis=0).min())


@pytest.mark.parametrize(("dims", "side", "reach"), [(1, 5, 1), (2, 3, 5), (3, 2, 3)])
def test_depth_is_the_least_halfspace(dims: int, side: int, reach: int) -> None:
    """Against all halfspaces with small normals, which are enough on so small a grid."""
    floats, directions = np.random.default_rng(dims), _directions(dims, reach)
    places = np.array(list(product(range(side), repeat=dims)))
    for _ in range(60):
        points = floats.integers(0, side, (int(floats.integers(1, 9)), dims))
        different, counts = np.unique(points, axis=0, return_counts=True)
        found = tukey_depths(different, counts, places).tolist()
        assert found == [_by_definition(points, place, directions) for place in places]


def test_depth_beyond_the_grid_of_points() -> None:
    cube = np.array(list(product((0, 4), repeat=3)))
    ones = np.ones(8, dtype=np.int64)
    assert tukey_depths(cube, ones, np.array([[2, 2, 2], [4, 4, 4], [5, 0, 0]])).tolist() == [
        4,
        1,
        0,
    ]
    line = np.array([[1, 1, 1], [2, 2, 2], [4, 4, 4]])
    assert tukey_depths(line, np.array([5, 1, 2]), np.array([[2, 2, 2]])).tolist() == [3]
    assert tukey_depths(line, np.array([5, 1, 2]), np.array([[2, 2, 1]])).tolist() == [0]


@settings(max_examples=60)
@given(
    st.integers(1, 3).flatmap(
        lambda dims: st.lists(st.tuples(*[st.integers(0, 3)] * dims), min_size=1, max_size=9)
    )
)
def test_some_point_is_as_deep_as_claimed(points: list[tuple[int, ...]]) -> None:
    dims = len(points[0])
    centre = CentrePoint((4,) * dims, 60)
    different, counts = np.unique(np.array(points), axis=0, return_counts=True)
    places = np.array(list(product(range(4), repeat=dims)))
    assert tukey_depths(different, counts, places).max() >= centre.best(len(points))


def test_the_corners_of_a_square_attain_it() -> None:
    square = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    assert tukey_depths(square, np.ones(4, dtype=np.int64), square).max() == 1
    assert CentrePoint((2, 2), 1).best(4) == 1


def test_the_sampler_has_the_law() -> None:
    """Chi-square; a true law fails with probability 1e-9."""
    centre, count, rng = CentrePoint((3, 3), 1), 1500, Seeded(1)
    records = Counts.of([(0, 0), (0, 2), (2, 0), (1, 1), (9, -4)])
    law = centre.law(records)
    drawn = [centre(records, rng=rng) for _ in range(count)]
    found = sum(
        (drawn.count(place) - count * float(p)) ** 2 / (count * float(p))
        for place, p in law.probabilities.items()
    )
    assert found < chi2.isf(1e-9, 8)
    assert law[1, 1] > law[0, 0]


def test_depths_are_promised() -> None:
    centre = CentrePoint((8, 8), 1)
    assert centre.depth(100, "0.05") == 11
    assert centre.failure(11, 100) <= F(1, 20) < centre.failure(12, 100)
    assert centre.failure(26, 100) == 1
    assert centre.failure(0, 0) == 0
    assert centre.depth(4, "0.05") == 0
    floats, rng, misses = np.random.default_rng(1), Seeded(2), 0
    for _ in range(60):
        points = floats.integers(0, 8, (100, 2))
        chosen = np.array([centre(Counts.of(map(tuple, points.tolist())), rng=rng)])
        depth = tukey_depths(points, np.ones(100, dtype=np.int64), chosen)[0]
        misses += depth < 11
    assert misses < alarm(60, F(1, 20))


def test_no_records_and_bad_grids() -> None:
    assert len(CentrePoint((3,), 1).law(Counts(5, {})).probabilities) == 3
    with pytest.raises(InvalidArgument, match="sizes"):
        CentrePoint((2, 2, 2, 2), 1)
    with pytest.raises(InvalidArgument, match="at most"):
        CentrePoint((1 << 9, 1 << 9), 1)
    with pytest.raises(InvalidArgument, match="epsilon"):
        CentrePoint((2,), 0)


LEARNER = CentrePointHalfspaceLearner.planned(Halfspaces(2, 1), epsilon=2, accuracy=GOAL)


def _population(masses: list[Fraction], labels: list[int]) -> Population:
    return Population(np.arange(4)[:, None], tuple(masses), tuple(F(y) for y in labels))


POPULATIONS = {
    "a rare end": _population(
        [F(3, 4) - F(1, 1000), F(0), F(0), F(1, 4) + F(1, 1000)], [0, 0, 0, 1]
    ),
    "a rare start": _population(
        [F(1, 4) + F(1, 1000), F(3, 4) - F(1, 1000), F(0), F(0)], [1, 0, 0, 0]
    ),
    "uniform": _population([F(1, 4)] * 4, [0, 0, 1, 1]),
    "always": _population([F(1, 4)] * 4, [1, 1, 1, 1]),
    "never": _population([F(1, 2), F(0), F(0), F(1, 2)], [0, 0, 0, 0]),
    "rare and near": _population(
        [F(15, 100), F(251, 1000), F(281, 1000), F(318, 1000)], [0, 0, 1, 1]
    ),
    "rare middle": _population([F(1, 2), F(1, 4), F(1, 4), F(0)], [1, 1, 0, 0]),
}


def test_the_promise_is_kept_and_within_four_of_what_is_needed() -> None:
    """A quarter of the printed rows fails where four points have about the same mass."""
    n, rng = LEARNER.sample_size(GOAL), Seeded(3)
    assert (LEARNER.blocks, n) == (12, 24)
    for name, population in POPULATIONS.items():
        failed = failures(LEARNER, population, n=n, limit=GOAL.alpha, runs=RUNS, rng=rng)
        assert failed < alarm(RUNS, GOAL.beta), name
    hard, runs = POPULATIONS["rare and near"], 400
    few = failures(LEARNER, hard, n=n // 4, limit=GOAL.alpha, runs=runs, rng=rng)
    assert few >= alarm(runs, GOAL.beta)


def _heavy_corner(bits: int, share: Fraction) -> Population:
    """Return the same mass on all points of a square but the corner, the only one labelled 0."""
    points = Halfspaces(bits, 2).domain()
    corner = (points == 0).all(axis=1)
    rest = 1 - share * (len(points) - 1)
    masses = tuple(rest if at else share for at in corner.tolist())
    return Population(points, masses, tuple(F(int(not at)) for at in corner.tolist()))


def test_planes() -> None:
    """With too few rows it fails; with all of them it keeps its promise."""
    goal, rng, runs = Accuracy("0.2", "0.1"), Seeded(4), 300
    plane = CentrePointHalfspaceLearner.planned(Halfspaces(2, 2), epsilon=1, accuracy=goal)
    n, hard = plane.sample_size(goal), _heavy_corner(2, F("0.20001") / 9)
    assert (plane.blocks, n) == (534, 534)
    few = failures(plane, hard, n=n // 4, limit=goal.alpha, runs=runs, rng=rng)
    most = failures(plane, hard, n=n, limit=goal.alpha, runs=12, rng=rng)
    assert few >= alarm(runs, goal.beta)
    assert most < alarm(12, goal.beta)


@pytest.mark.parametrize(
    ("bits", "goal", "share"),
    [
        (2, Accuracy("0.2", "0.1"), F("0.20001") / 9),
        (3, Accuracy("0.1", "0.05"), F("0.10001") / 41),
    ],
)
def test_half_of_the_rows_are_not_enough_on_a_plane(
    bits: int, goal: Accuracy, share: Fraction
) -> None:
    """The chance of failure given the counts, on the mean: six standard errors above beta."""
    concepts = Halfspaces(bits, 2)
    plane = CentrePointHalfspaceLearner.planned(concepts, epsilon=1, accuracy=goal)
    hard, floats = _heavy_corner(bits, share), np.random.default_rng(8)
    table = np.array([concept(hard.points) for concept in concepts.concepts()])
    errors = table != np.array([bool(y) for y in hard.positive])
    masses = np.array([float(m) for m in hard.masses])
    bad = errors @ masses > float(goal.alpha)

    def chances(n: int) -> Any:
        made = []
        for counts in floats.multinomial(n, masses, size=400):
            odds = np.exp(-np.where(errors, counts, 0).max(axis=1) / 2)
            made.append(odds[bad].sum() / odds.sum())
        return np.array(made)

    n = plane.sample_size(goal)
    few, most = chances(n // 2), chances(n)
    assert few.mean() - 6 * few.std() / 20 > goal.beta > most.mean() + 6 * most.std() / 20


def test_one_of_many_points_is_seen_often() -> None:
    """Exactly, over all ways in which two blocks of two rows fall on three points and the rest."""
    for first in (F(1, 10), F(1, 5), F(3, 10)):
        other = (F(3, 10) - first) / 2
        chance = [first, other, other, F(7, 10)]
        for k in (1, 2):
            found = F(0)
            for rows in product(range(4), repeat=4):
                seen = [(x in rows[:2]) + (x in rows[2:]) for x in range(3)]
                found += (max(seen) < k) * prod(chance[row] for row in rows)
            unseen = (1 - F(1, 10)) ** 2
            below = unseen**2 if k == 1 else 1 - (1 - unseen) ** 2
            assert found <= below**3


def test_beside_the_generic_learner() -> None:
    goal = Accuracy("0.2", "0.1")
    concepts = Halfspaces(3, 1)
    through = CentrePointHalfspaceLearner.planned(concepts, epsilon=1, accuracy=goal)
    assert through.sample_size(goal) == 72
    assert GenericLearner(concepts, epsilon=1).sample_size(goal) == 60


def test_depths_are_those_of_the_definition() -> None:
    """Denied labels of each block from all halfspaces that explain it, one by one."""
    concepts = Halfspaces(2, 1)
    learner = CentrePointHalfspaceLearner(concepts, epsilon=1, blocks=4)
    floats, listed = np.random.default_rng(2), list(concepts.concepts())
    domain = concepts.domain()
    for _ in range(40):
        blocks = [
            [((int(x),), (int(y),)) for x, y in floats.integers(0, [4, 2], (size, 2))]
            for size in floats.integers(0, 4, 4)
        ]
        expected = []
        for h in listed:
            said = h(domain)
            denied = [0] * 4
            for block in blocks:
                left = [g for g in listed if all(g(np.array([x]))[0] == y[0] for x, y in block)]
                for x in range(4):
                    denied[x] += bool(left) and all(g(domain)[x] != said[x] for g in left)
            expected.append(4 - max(denied))
        made = [LabelCounts.of(block, labels=1) for block in blocks]
        shaped = [LabelCounts(b.n, 1, b.points.reshape(-1, 1), b.totals, b.positives) for b in made]
        assert learner._depths(shaped).scores.tolist() == expected


def test_the_target_is_denied_nowhere() -> None:
    concepts = Halfspaces(2, 2)
    learner = CentrePointHalfspaceLearner(concepts, epsilon=1, blocks=6)
    floats, domain = np.random.default_rng(7), concepts.domain()
    for place, target in enumerate(concepts.concepts()):
        rows = domain[floats.integers(0, 16, (6, 3))]
        blocks = [
            LabelCounts.of([(tuple(x), (int(target(x[None])[0]),)) for x in part], labels=1)
            for part in rows
        ]
        assert learner._depths(blocks).scores[place] == 6


def test_errors_on_a_line_are_beginnings_or_ends() -> None:
    """From each target's cut on, around the line, every other concept errs on one or the other."""
    line = Halfspaces(3, 1)
    domain = line.domain()
    table = np.array([concept(domain) for concept in line.concepts()])
    for target in table:
        cut = int((np.diff(target.astype(int)) != 0).argmax()) + 1
        start = 0 if target.all() or not target.any() else cut
        errors = np.roll(table != target, -start, axis=1).astype(int)
        assert set((abs(np.diff(errors, axis=1)).sum(axis=1)).tolist()) <= {0, 1}


@pytest.mark.parametrize("rows", [2, 3, 40])
def test_the_bound_on_a_line_is_the_estimate(rows: int) -> None:
    bound = DepthBound(((2, 2, 2, 1),), Decay.of(F(1, 2)), line=True)
    for blocks in (1, 4, 27, 80):
        exact = float(bound.failure(blocks, rows, F(1, 5)))
        assert exact == pytest.approx(min(1.0, bound._estimate(blocks, rows, 0.2)), rel=1e-6)


@pytest.mark.parametrize(("rate", "rows"), [(2.0, 1), (0.5, 1), (0.5, 3), (0.1, 2), (0.004, 1)])
def test_the_bound_elsewhere_is_its_formula(rate: float, rows: int) -> None:
    """Against binomial tails in floating point; sums are rounded up by less than a part in 200."""
    profiles = ((2, 2, 2, 1), (1, 3, 2, 1))
    bound = DepthBound(profiles, Decay.of(F(rate)), line=False)
    for blocks in (1, 27, 80, 400):
        sizes, k = np.arange(1, 5)[:, None], np.arange(blocks)
        seen = 1 - (1 - 0.2 / sizes) ** rows
        weights = (1 - np.exp(-rate)) * np.exp(-rate * k)
        most = binom.cdf(k, blocks, seen) ** sizes @ weights + np.exp(-rate * blocks)
        if rate < 0.01:
            most = (1 - (1 - np.exp(-rate)) * seen[:, 0]) ** blocks
        odds = max(most @ profile for profile in np.array(profiles))
        exact = float(bound.failure(blocks, rows, F(1, 5)))
        assert odds / (1 + odds) * (1 - 1e-9) <= exact <= 1.005 * odds / (1 + odds)


def test_very_large_blocks_know_every_label() -> None:
    bound = DepthBound(((2, 2, 2, 1),), Decay.of(F(1)), line=False)
    odds = 7 * float(Decay.of(F(1)).ratio) ** 10
    for rows in (3000, 10**6):
        found = float(bound.failure(10, rows, F(1, 4)))
        assert odds / (1 + odds) * (1 - 1e-9) <= found <= 1.005 * odds / (1 + odds)


def test_the_law_of_dealt_rows_is_the_mean_of_their_blocks() -> None:
    learner = CentrePointHalfspaceLearner(Halfspaces(1, 1), epsilon=1, blocks=2)
    rows: list[Any] = [((0,), (0,)), ((1,), (1,)), ((1,), (1,))]
    law = learner.law(LabelCounts.of(rows, labels=1))
    parts = [
        learner.blocks_law([LabelCounts.of([rows[i]], labels=1) for i in order])
        for order in ((0, 1), (1, 0), (1, 2), (0, 2), (2, 0), (2, 1))
    ]
    for card, p in law.probabilities.items():
        assert p == sum((part[card] for part in parts), F(0)) / 6


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.tuples(st.tuples(st.integers(-1, 3), st.integers(0, 1)), st.integers(0, 1)), max_size=9
    ),
    st.integers(0, 10**6),
)
def test_any_sample_gives_a_halfspace(rows: list[Any], seed: int) -> None:
    learner = CentrePointHalfspaceLearner(Halfspaces(1, 2), epsilon=1, blocks=3)
    counted = LabelCounts.of([(x, (y,)) for x, y in rows], labels=1)
    shaped = counted.points.reshape(len(counted.points), 2)
    sample = LabelCounts(counted.n + 1, 1, shaped, counted.totals, counted.positives)
    found = learner(sample, rng=Seeded(seed))
    assert learner.hypotheses.decode(learner.hypotheses.encode(found)) == found


def test_accuracy_inverts_sample_size() -> None:
    n = LEARNER.sample_size(GOAL)
    promised = LEARNER.accuracy(n, GOAL.beta)
    assert promised is not None
    assert promised.alpha <= GOAL.alpha
    assert LEARNER.sample_size(promised) == n
    assert LEARNER.accuracy(3, GOAL.beta) is None


def test_bad_requests() -> None:
    with pytest.raises(InvalidArgument, match="too large"):
        CentrePointHalfspaceLearner(Halfspaces(2, 3), epsilon=1, blocks=2)
    with pytest.raises(InvalidArgument, match="too large"):
        CentrePointHalfspaceLearner(Halfspaces(4, 2), epsilon=1, blocks=2)
    with pytest.raises(InvalidArgument, match="blocks"):
        CentrePointHalfspaceLearner(Halfspaces(2, 1), epsilon=1, blocks=0)
    with pytest.raises(InvalidArgument, match="too few"):
        CentrePointHalfspaceLearner(Halfspaces(2, 1), epsilon=1, blocks=3).sample_size(GOAL)
    assert not named("centre-point-halfspace").agnostic
    assert LEARNER.proper
