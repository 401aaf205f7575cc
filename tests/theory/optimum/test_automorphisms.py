"""Automorphisms of small classes: the whole group, compared with brute force."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from numpy.typing import NDArray

from tacit.theory.optimum.automorphisms import automorphisms, merged

Map = tuple[tuple[int, ...], tuple[bool, ...]]


def brute(truth: NDArray[np.bool_]) -> set[Map]:
    m, rows = truth.shape[1], {row.tobytes() for row in truth}
    found = set()
    for points in permutations(range(m)):
        for flips in product((False, True), repeat=m):
            moved = np.empty_like(truth)
            moved[:, points] = truth ^ np.array(flips)
            if {row.tobytes() for row in moved} == rows:
                found.add((points, flips))
    return found


def generated(truth: NDArray[np.bool_]) -> set[Map]:
    m = truth.shape[1]
    same: Map = (tuple(range(m)), (False,) * m)
    found, waiting = {same}, [same]
    while waiting:
        points, flips = waiting.pop()
        for each in automorphisms(truth):
            then = tuple(each.points[x] for x in points)
            turned = tuple(f ^ each.flips[x] for f, x in zip(flips, points, strict=True))
            if (then, turned) not in found:
                found.add((then, turned))
                waiting.append((then, turned))
    return found


@pytest.mark.parametrize("seed", range(12))
def test_generators_generate_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = np.unique(rng.random((2 + seed // 2, 3 + seed % 2)) < 0.4, axis=0)
    assert generated(truth) == brute(truth)
    assert all(each.keeps(truth) for each in automorphisms(truth))


@pytest.mark.parametrize(("truth", "size"), [(np.eye(4) > 0, 24), (np.tri(4, 3, -1) > 0, 2)])
def test_groups_that_are_known(truth: NDArray[np.bool_], size: int) -> None:
    assert len(generated(truth)) == size


def test_orbits() -> None:
    assert merged(3, []).tolist() == [0, 1, 2]
    assert merged(3, [np.array([2, 1, 0])]).tolist() == [0, 1, 0]
