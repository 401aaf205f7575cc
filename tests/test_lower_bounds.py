"""Lower bounds: golden numbers, monotone, and never above what a learner achieves."""

from __future__ import annotations

import math

import pytest

from tacit.concepts.specification import parse
from tacit.core.accuracy import Accuracy
from tacit.core.errors import InvalidArgument
from tacit.learners import GenericLearner
from tacit.theory.lower_bounds import (
    littlestone_bound,
    many_labels,
    packing,
    two_concepts,
    without_privacy,
)


@pytest.mark.parametrize(
    ("families", "epsilon", "beta", "mass", "rows"),
    [
        (2**10, 1, "0.5", "0.1", 71),
        (2**100, 1, "0.5", "0.1", 695),
        (2**100, "0.1", "0.5", "0.1", 6933),
        (2**100, 1, "0.05", "0.1", 837),
        (2**160, 1, "0.5", 1, 111),
    ],
)
def test_packing_golden_numbers(
    families: int, epsilon: str, beta: str, mass: str, rows: int
) -> None:
    assert packing(families, epsilon=epsilon, beta=beta, mass=mass) == rows


@pytest.mark.parametrize(("bits", "known"), [(10, 88), (32, 267), (64, 515), (1024, 7468)])
def test_proper_thresholds_are_at_least_as_hard_as_known(bits: int, known: int) -> None:
    assert packing(2**bits - 2, epsilon=1, beta="0.05", mass="0.1") >= known


def test_littlestone_golden_numbers() -> None:
    assert littlestone_bound(100, epsilon=1, alpha="0.1", beta="0.05") == math.ceil(30.19)
    assert littlestone_bound(100, epsilon=1, alpha="0.01", beta="0.05") == math.ceil(301.9)
    assert littlestone_bound(100, epsilon="1/4", alpha="1/4", beta="1/4") == math.ceil(3.13)
    assert littlestone_bound(100, epsilon=1, alpha="0.4", beta="0.4") == 0


@pytest.mark.parametrize("alpha", ["0.2", "0.05", "0.01"])
@pytest.mark.parametrize("epsilon", ["0.1", "1", "3"])
@pytest.mark.parametrize("spec", ["points(bits=8)", "thresholds(bits=16)", "parities(dims=12)"])
def test_no_bound_exceeds_a_learner(spec: str, epsilon: str, alpha: str) -> None:
    concepts, beta = parse(spec), "0.05"
    enough = GenericLearner(concepts, epsilon=epsilon).sample_size(Accuracy(alpha, beta))
    bounds = [
        packing(concepts.size - 2, epsilon=epsilon, beta=beta, mass=alpha),
        littlestone_bound(concepts.littlestone.lower, epsilon=epsilon, alpha=alpha, beta=beta),
        two_concepts(epsilon=epsilon, delta=0, alpha=alpha, beta=beta),
        without_privacy(concepts.vc.lower, alpha=alpha, beta=beta),
    ]
    if spec.startswith("parities"):
        bounds = bounds[1:]  # parities are no points: only those bounds that are for every class
    assert max(bounds) <= enough


def test_more_privacy_and_more_accuracy_need_more_rows() -> None:
    sizes = [packing(2**20, epsilon=e, beta="0.05", mass="0.1") for e in ("2", "1", "0.5")]
    assert sizes == sorted(sizes)
    assert two_concepts(epsilon=1, delta="0.1", alpha="0.1", beta="0.05") <= two_concepts(
        epsilon=1, delta=0, alpha="0.1", beta="0.05"
    )
    labels = [many_labels(k, epsilon=1, delta="1e-9", alpha="0.01") for k in (1, 100, 10000)]
    assert labels == sorted(labels)
    assert labels[2] == pytest.approx(100 * labels[0], rel=0.2)
    assert many_labels(100, epsilon=1, delta=0, alpha="0.2") == 0


def test_without_privacy() -> None:
    assert without_privacy(0, alpha="0.1", beta="0.05") == 0
    assert without_privacy(1, alpha="0.1", beta="0.6") == 0
    assert without_privacy(321, alpha="0.1", beta="0.6") == 100


def test_bad_arguments() -> None:
    with pytest.raises(InvalidArgument, match="families"):
        packing(0, epsilon=1, beta="0.05")
    with pytest.raises(InvalidArgument, match="labels"):
        many_labels(0, epsilon=1, delta=0, alpha="0.1")
    with pytest.raises(InvalidArgument, match="epsilon"):
        two_concepts(epsilon=0, delta=0, alpha="0.1", beta="0.05")
