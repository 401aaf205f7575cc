"""What `tacit dims` says beyond VC and Littlestone; shares that are covered; unions of lists."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner

from tacit.concepts.contract.specification import parse
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.interfaces.cli.application import app
from tacit.kernels.bits.bit_columns import compact, distinct
from tacit.theory.dimensions.further_dimensions import further_dimensions
from tacit.theory.dimensions.littlestone import MistakeTree, is_mistake_tree, littlestone
from tacit.theory.representations.fractional import (
    CoveredShare,
    covered_share,
    share_of_challenges,
)
from tacit.theory.representations.representation import ProbabilisticRepresentation, represents
from tacit.theory.representations.sparsification import labelled_samples, sparsified
from tacit.theory.representations.union_derandomisation import (
    fixed_by_union,
    least_union,
    union_lists,
)
from tacit.theory.solving.class_table import listed
from tacit.theory.solving.incidence import Incidence

Matrix = NDArray[np.bool_]
QUARTER = Fraction(1, 4)
NAMES = ("dual_vc", "threshold", "teaching", "cover", "packing")


def _said(*arguments: str) -> dict[str, Any]:
    answered = CliRunner().invoke(app, ["dims", *arguments, "--json"])
    assert answered.exit_code == 0, answered.exception
    told: dict[str, Any] = json.loads(answered.stdout)
    return told


def _table(concepts: Any) -> Matrix:
    return np.array([concept(concepts.domain()) for concept in concepts.concepts()])


@pytest.mark.parametrize(
    ("spec", "values"),
    [
        ("thresholds(bits=3)", (1, 8, 2, 2, 3)),
        ("points(values=6)", (1, 1, 1, 6, 6)),
        ("parities(dims=3)", (3, 3, 3, 8, 8)),
        ("lines(p=3)", (2, 2, 2, 9, 9)),
    ],
)
def test_the_command_shows_witnesses(spec: str, values: tuple[int, ...]) -> None:
    said, concepts = _said(spec, "--time-limit", "8"), parse(spec)
    assert tuple(said[name]["value"] for name in NAMES) == values
    table = _table(concepts)
    domain = [tuple(np.ravel(x).tolist()) for x in concepts.domain()]

    def rows(name: str) -> Matrix:
        chosen = [concepts.decode(each) for each in said[name]["concepts"]]
        return np.array([c(concepts.domain()) for c in chosen])

    def places(name: str) -> list[int]:
        return [domain.index(tuple(np.ravel(x).tolist())) for x in said[name]["points"]]

    assert len(np.unique(rows("dual_vc").T, axis=0)) == 2 ** values[0]
    line = rows("threshold")[:, places("threshold")]
    assert (line == (np.arange(values[1])[None, :] >= np.arange(values[1])[:, None])).all()
    alike = (table[:, places("teaching")] == rows("teaching")[:, places("teaching")]).all(axis=1)
    assert (len(places("teaching")), alike.sum()) == (values[2], 1)
    far = (table[:, None] != rows("cover")[None]).sum(axis=2) * 4 > table.shape[1]
    assert (len(rows("cover")), far.all(axis=1).any()) == (values[3], False)
    apart = (rows("packing")[:, None] != rows("packing")[None]).sum(axis=2) * 4 > table.shape[1]
    assert apart[~np.eye(values[4], dtype=bool)].all()


@pytest.mark.parametrize(
    ("spec", "any_kind", "proper"),
    [("points(values=7)", 1, 6), ("thresholds(values=9)", 3, 3), ("points(bits=8)", 1, 255)],
)
def test_the_command_counts_equivalence_queries(spec: str, any_kind: int, proper: int) -> None:
    said = _said(spec, "--time-limit", "8")["equivalence_queries"]
    assert (said["any"]["value"], said["proper"]["value"]) == (any_kind, proper)
    assert (said["proper"]["concepts"] is None) == (proper == 255)


@pytest.mark.parametrize(
    "spec", ["points(values=7)", "thresholds(values=9)", "thresholds(values=2)", "parities(dims=3)"]
)
def test_what_is_proved_of_a_family_is_what_is_found(spec: str) -> None:
    concepts = parse(spec)
    known = {"shattered": concepts.vc, "depth": concepts.littlestone, "seconds": lambda _: 10.0}
    unlisted = further_dimensions(concepts, None, **known)
    for proved, found in zip(
        unlisted, further_dimensions(concepts, listed(concepts), **known), strict=True
    ):
        assert proved.name == found.name
        assert proved.concepts is None
        assert proved.known.lower <= found.known.lower <= found.known.upper <= proved.known.upper


def test_what_is_too_large_says_so() -> None:
    concepts = parse("thresholds(bits=10, direction=both)")
    known = {"shattered": concepts.vc, "depth": concepts.littlestone, "seconds": lambda _: 1.0}
    found = further_dimensions(concepts, listed(concepts), **known)
    assert {shown.name for shown in found} > {"dual_vc"}
    for shown in found:
        if shown.name != "dual_vc":
            assert "at most 512 are searched" in shown.known.why
            assert shown.concepts is None


def test_matrices_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("0,0,1\n0,1,1\n1,1,1\n0,0,0\n")
    said = _said(f"matrix({path})")
    assert [said[name]["value"] for name in NAMES[:3]] == [1, 3, 2]
    array = tmp_path / "mine.npy"
    np.save(array, np.loadtxt(path, delimiter=",", dtype=np.uint8))
    assert _said(f"matrix({array})")["littlestone"] == said["littlestone"]
    np.save(array, np.array([[0.5, 1.0]]))
    with pytest.raises(InvalidArgument, match="table of 0s and 1s"):
        parse(f"matrix({array})")
    array.write_bytes(b"no array")
    with pytest.raises(InvalidArgument, match="holds no array"):
        parse(f"matrix({array})")


def _classes(n: int) -> dict[str, Matrix]:
    points = np.eye(n, dtype=bool)
    return {
        "points": points,
        "thresholds": np.arange(n)[None, :] >= np.arange(n + 1)[:, None],
        "points and none": np.vstack((points, np.zeros((1, n), dtype=bool))),
        "everything": np.array(list(product((False, True), repeat=n))),
    }


def test_an_error_of_alpha_is_good_enough() -> None:
    """Where one of four equal points is wrong, the hypothesis covers the challenge at 1/4."""
    never, even = np.zeros((1, 4), dtype=np.bool_), (QUARTER,) * 4
    found = CoveredShare(QUARTER, never, (Fraction(1),), ((0, even),), (Fraction(1),), 1)
    point = np.eye(4, dtype=np.bool_)[:1]
    assert share_of_challenges(point, QUARTER, found) == 1
    assert share_of_challenges(point, QUARTER - Fraction(1, 10**9), found) == 0


GOLDEN = {2: (2, 3, 3, 4), 3: (3, 4, 4, 8), 4: (4, 5, 4, 8)}
LEAST = {2: (2, 3, 3, 3), 3: (3, 3, 3, 6), 4: (3, 4, 3, 6)}


@pytest.mark.parametrize("n", [2, 3, 4])
def test_covered_shares_that_are_known(n: int) -> None:
    for (name, table), golden, least in zip(_classes(n).items(), GOLDEN[n], LEAST[n], strict=True):
        found = covered_share(table, QUARTER)
        assert 1 / found.share == golden, name
        assert found.deterministic == golden
        assert share_of_challenges(table, QUARTER, found) == found.share
        lower, upper = found.sizes(QUARTER)
        assert lower <= least <= upper
        used = [i for i, p in enumerate(found.probabilities) if p]
        if len(used) <= 5:
            drawn = ProbabilisticRepresentation(
                tuple(found.hypotheses[i][None] for i in used),
                tuple(found.probabilities[i] for i in used),
            )
            failures = [drawn.failure(concept, QUARTER) for concept in table]
            assert max(failures) == 1 - found.share


def test_covered_shares_against_all_small_challenges() -> None:
    """Masses in quarters and fifths of three points are enough to show the value at 1/4."""
    masses = [
        tuple(Fraction(k, total) for k in (a, b, total - a - b))
        for total in (3, 4, 5)
        for a in range(total + 1)
        for b in range(total + 1 - a)
    ]
    for seed in range(20):
        rng = np.random.default_rng(seed)
        table = np.unique(rng.random((int(rng.integers(1, 7)), 3)) < 0.5, axis=0)
        found = covered_share(table, QUARTER)
        for concept, mass in product(table, masses):
            covered = sum(
                p
                for h, p in zip(found.hypotheses, found.probabilities, strict=True)
                if sum(
                    (m for m, wrong in zip(mass, h != concept, strict=True) if wrong), Fraction()
                )
                <= QUARTER
            )
            assert covered >= found.share


def test_shares_among_given_hypotheses() -> None:
    points = np.eye(6, dtype=bool)
    assert covered_share(points, QUARTER, among=points).share == Fraction(1, 6)
    with pytest.raises(TooLarge, match="among"):
        covered_share(np.eye(7, dtype=bool), QUARTER)
    with pytest.raises(InvalidArgument):
        covered_share(np.zeros((0, 3), dtype=bool), QUARTER)


def test_unions_of_lists_of_points() -> None:
    """Ours are smaller than the 11,718 hypotheses that the specification found for 2^8 points."""
    alpha, width = Fraction(1, 12), 31
    once = (1 - alpha) / (width * alpha)
    plan = least_union(2 * width + 1, points=256, concepts=256, near=(alpha, once**2))
    assert plan.hypotheses <= 11_718
    again = union_lists(
        plan.size,
        points=256,
        concepts=256,
        near=(alpha, once**2),
        sample=plan.sample,
        mistakes=plan.mistakes,
        share=plan.share,
    )
    assert again == plan
    samples = labelled_samples(256, 256, plan.sample)
    assert math.log(samples) + plan.lists * math.log(plan.share) < 0
    with pytest.raises(InvalidArgument, match="sample"):
        union_lists(
            63, points=256, concepts=256, near=("1/12", "1/5"), sample=9, mistakes=1, share="1/2"
        )
    with pytest.raises(InvalidArgument, match="near"):
        least_union(63, points=256, concepts=256, near=("1/4", "1/2"))


def test_a_union_of_a_plan_represents_the_class() -> None:
    points = np.eye(5, dtype=bool)
    pairs = [points[[i, (i + 1) % 5]] for i in range(5)]
    drawn = ProbabilisticRepresentation(tuple(pairs), (Fraction(1, 5),) * 5)
    assert drawn.failure(points[0], 0) == Fraction(3, 5)
    plan = union_lists(2, points=5, concepts=5, near=(0, "3/5"), sample=30, mistakes=0, share="4/5")
    union = fixed_by_union(drawn, points, plan, rng=Seeded(4))
    assert len(union) <= plan.hypotheses
    assert represents(union, points, QUARTER)
    half = ProbabilisticRepresentation((points[:3],), (Fraction(1),))
    with pytest.raises(InvalidArgument, match="do not represent"):
        fixed_by_union(half, points, plan, rng=Seeded(4), most=2)


def test_sparse_lists_keep_what_they_stand_for() -> None:
    points = np.eye(5, dtype=bool)
    each = ProbabilisticRepresentation(tuple(points[:, None]), (Fraction(1, 5),) * 5)
    few = sparsified(each, 400, rng=Seeded(2))
    assert few.represents(points, 0, Fraction(9, 10))
    assert not few.represents(points, 0, Fraction(1, 2))


def test_columns_are_counted_where_they_are() -> None:
    rng = np.random.default_rng(0)
    for seed in range(50):
        matrix = np.unique(np.random.default_rng(seed).random((90, 8)) < 0.3, axis=0)
        matrix = np.hstack((matrix, ~matrix[:, :2], matrix[:, 3:4]))[rng.permutation(len(matrix))]
        table = Incidence.of(matrix)
        number = distinct(table.columns, table.n)
        mask = np.zeros(table.columns.shape[1], dtype=np.uint64)
        for r in range(table.n):
            mask[r >> 6] |= np.uint64(1 << (r & 63))
        _, source, counts, _, _ = compact(table.columns, mask)
        assert np.flatnonzero(number).tolist() == sorted(source.tolist())
        for x, count in zip(source.tolist(), counts.tolist(), strict=True):
            assert number[x] in (count, table.n - count)


@pytest.mark.parametrize("points", [40, 300])
def test_trees_of_classes_too_large_for_one_go(points: int) -> None:
    rng = np.random.default_rng(points)
    table = Incidence.of(rng.random((4000, points)) < 0.5)
    found = littlestone(table)
    assert found.exact
    assert found.tree.depth == found.lower >= 11
    assert is_mistake_tree(table, found.tree)
    spoiled = found.tree.points.copy()
    spoiled[0] = (spoiled[0] + 1) % table.m
    assert not is_mistake_tree(table, MistakeTree(spoiled, found.tree.concepts))
