"""Points drawn at random: sizes, values at two points counted, promises checked by exact games."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from tacit.concepts.algebra.hashes import Hashes
from tacit.concepts.contract.hypothesis_set import Listed
from tacit.concepts.line.points import Point
from tacit.core.accuracy import Accuracy
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.learners import RepresentationLearner
from tacit.statistics import LabelCounts
from tacit.theory.representations.fractional import missed_share
from tacit.theory.representations.of_points import BucketedPoints, PairwisePoints
from tacit.theory.representations.representation import ProbabilisticRepresentation, Rows

F = Fraction
GOALS = [("1/4", "1/4"), ("0.1", "0.05"), ("0.01", "0.01")]


@pytest.mark.parametrize("bits", [64, 1024, None])
def test_golden_sizes(bits: int | None) -> None:
    assert [PairwisePoints.least(bits, *goal).size for goal in GOALS] == [22, 119, 1840]
    buckets = [BucketedPoints.least(bits, *goal).size for goal in GOALS]
    assert buckets == [13 if bits else 14, 76, 1246]  # at 1/4 no collision more may happen
    for alpha, beta in GOALS:
        for kind in (PairwisePoints, BucketedPoints):
            found = kind.least(bits, alpha, beta)
            assert found.approximation == F(alpha)
            assert found.failure <= F(beta)
        fewer = PairwisePoints.least(bits, alpha, beta)
        assert PairwisePoints(fewer.outputs, alpha, fewer.size - 1).failure > F(beta)


def _functions(once: PairwisePoints) -> tuple[Rows, list[Fraction]]:
    """Return the functions that one draw gives on the whole domain, with their probabilities."""
    assert once.outputs.bits is not None
    domain, law = np.arange(1 << once.outputs.bits), Counter[tuple[bool, ...]]()
    for chance, drawn in once.lottery():
        assert isinstance(drawn, Listed)
        (only,) = drawn.hypotheses
        law[tuple(only(domain).tolist())] += chance  # type: ignore[assignment]
    assert sum(law.values()) == 1
    return np.array(list(law)), [F(p) for p in law.values()]


@pytest.mark.parametrize(("bits", "parts"), [(1, 2), (2, 2), (2, 5), (3, 8), (4, 6)])
def test_values_at_two_points_are_as_good_as_independent(bits: int, parts: int) -> None:
    once = PairwisePoints(Hashes(parts, bits), "99/100", 1)
    table, chances = _functions(once)
    weights = np.array(chances, dtype=object)
    for x, z in permutations(range(1 << bits), 2):
        assert (weights * table[:, z]).sum() == once.chance
        assert (weights * (table[:, x] & table[:, z])).sum() == once.chance * once.also
    assert once.also < once.chance < F(1, parts) + F(1, 1 << bits)


@pytest.mark.parametrize(
    ("bits", "alpha", "beta"), [(1, "1/4", "1/4"), (2, "1/4", "1/4"), (2, "1/2", "1/10")]
)
def test_the_promise_of_single_parts_under_every_distribution(
    bits: int, alpha: str, beta: str
) -> None:
    """The worst distribution is searched for exactly; independent draws multiply."""
    found = PairwisePoints.least(bits, alpha, beta)
    table, chances = _functions(PairwisePoints(found.outputs, alpha, 1))
    for concept in np.eye(1 << bits, dtype=np.bool_):
        missed = missed_share(table, chances, concept, alpha)
        assert missed <= 1 - found.share
        assert missed**found.size <= found.failure <= F(beta)
        assert missed >= 1 - found.chance  # all mass on the point: only a yes there is near


@pytest.mark.parametrize(("bits", "parts", "alpha"), [(1, 2, "2/5"), (1, 3, "1/3"), (2, 2, "2/5")])
def test_the_promise_of_all_buckets_under_every_distribution(
    bits: int, parts: int, alpha: str
) -> None:
    found = BucketedPoints(Hashes(parts, bits), alpha, 1)
    domain, law = np.arange(1 << bits), Counter[tuple[bytes, ...]]()
    ones, gains = np.zeros(len(domain), dtype=np.int64), {}
    for chance, drawn in found.lottery():
        cells = drawn.cells(domain, ones)
        members = [
            cells.member(cell, rank)(domain)
            for cell, many in enumerate(cells.multiplicities)
            for rank in range(int(many))
        ]
        assert len(members) == found.size == parts + 1
        key = tuple(sorted({m.tobytes() for m in members}))
        gains[key] = np.unique(np.array(members), axis=0)
        law[key] += chance  # type: ignore[assignment]
    drawn_sets = ProbabilisticRepresentation(
        tuple(gains[key] for key in law), tuple(F(p) for p in law.values())
    )
    failure = drawn_sets.failure(domain == 0, alpha)
    assert failure <= found.failure


def test_learners_use_them() -> None:
    goal, point = Accuracy("0.1", "0.05"), 7**20
    rows = [(point, (1,)), (point + 1, (0,)), (3, (0,))] * 200
    sample = LabelCounts.of(rows, labels=1)
    for kind in (PairwisePoints, BucketedPoints):
        learner = RepresentationLearner(kind.least(64, "0.02", "0.01"), epsilon=1)
        assert learner.sample_size(goal) <= 600
        found = learner(sample, rng=Seeded(3))
        assert (found(sample.points) == Point(point)(sample.points)).all()
        assert learner.hypotheses.decode(learner.hypotheses.encode(found)) == found


def test_what_promises_nothing_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="more buckets"):
        PairwisePoints(Hashes(4, 64), "1/4", 10)
    with pytest.raises(InvalidArgument, match="more buckets"):
        BucketedPoints(Hashes(2, 64), "1/4", 10)
    with pytest.raises(TooLarge, match="draws"):
        PairwisePoints.least(2, "1/4", "1/4").lottery()
