"""Fewest hypotheses: golden sizes, brute force over all sets, the number of templates."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from tacit.concepts.contract.specification import parse
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.theory.representations.bounds import TEMPLATES
from tacit.theory.representations.exact import exact_representation, smallest_representation
from tacit.theory.representations.light_families import opposite, orbit, templates
from tacit.theory.representations.representation import Rows, represents


def points(n: int) -> Rows:
    return np.eye(n, dtype=np.bool_)


def thresholds(n: int) -> Rows:
    return np.arange(n - 1)[None, :] >= np.arange(n)[:, None]


def family(spec: str) -> Rows:
    concepts = parse(spec)
    return np.array([concept(concepts.domain()) for concept in concepts.concepts()])


def cube(d: int) -> Rows:
    return np.array(list(product((False, True), repeat=d)))


@pytest.mark.parametrize(
    ("alpha", "counts"),
    [
        ("1/4", (1, 2, 3, 5, 10, 36, 259)),
        ("1/3", (1, 2, 4, 8, 20, 87)),
        ("3/8", (1, 2, 4, 8, 35, 228)),
        ("2/5", (1, 2, 4, 12, 36, 197)),
    ],
)
def test_how_many_templates_there_are(alpha: str, counts: tuple[int, ...]) -> None:
    found = tuple(len(templates(k, alpha)) for k in range(1, len(counts) + 1))
    assert found == counts
    assert TEMPLATES.get(Fraction(alpha), counts) == counts


@pytest.mark.parametrize("alpha", ["1/4", "1/3", "2/5"])
def test_templates_against_all_weights_of_a_grid(alpha: str) -> None:
    """The family of light sets of any weights is inside a template, and each is such a family."""
    k, unit = 4, 8 * Fraction(alpha).denominator
    known = templates(k, alpha)
    limit, seen = Fraction(alpha) * unit, set()
    for weights in product(range(unit + 1), repeat=k - 1):
        if sum(weights) <= unit:
            full = (*weights, unit - sum(weights))
            light = [s for s in range(1 << k) if _mass(full, s) <= limit]
            light_family = sum(1 << s for s in light)
            assert any(light_family & other == light_family for other in known)
            seen.add(light_family)
    assert set(known) <= seen


def _mass(weights: tuple[int, ...], s: int) -> int:
    return sum(w for i, w in enumerate(weights) if s >> i & 1)


GOLDEN = [
    *[(points(n), alpha, n) for n in (3, 4, 5) for alpha in ("1/4", "1/3", "2/5")],
    (points(3), "0.49", 3),
    (thresholds(3), "1/4", 3),
    (thresholds(4), "1/3", 4),
    (thresholds(5), "1/5", 5),
    (thresholds(5), "1/4", 5),
    (thresholds(5), "1/3", 4),
    (thresholds(5), "2/5", 4),
    (thresholds(5), "0.49", 4),
    (family("lines(p=2)"), "1/4", 4),
    (family("parities(dims=2)"), "1/3", 4),
    (cube(2), "1/4", 4),
    (points(6), "1/4", 6),
    (points(6), "1/3", 5),
    (points(6), "2/5", 5),
    (thresholds(6), "1/4", 6),
    (thresholds(6), "1/3", 5),
    (points(7), "1/4", 7),
    (thresholds(7), "1/4", 7),
    (points(8), "1/4", 8),
    (points(8), "1/3", 6),
    (thresholds(8), "1/4", 8),
    (thresholds(8), "1/3", 6),
    (thresholds(8), "2/5", 5),
    (family("parities(dims=3)"), "1/4", 8),
    (cube(3), "1/4", 8),
    (cube(3), "1/3", 4),
    (thresholds(4), "1/2", 2),
]


@pytest.mark.parametrize(("concepts", "alpha", "size"), GOLDEN)
def test_golden_sizes(concepts: Rows, alpha: str, size: int) -> None:
    found = exact_representation(concepts, alpha)
    assert found.exact
    assert len(found.hypotheses) == size
    assert represents(found.hypotheses, concepts, alpha)


@pytest.mark.parametrize("seed", range(12))
def test_small_classes_against_all_sets_of_functions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    concepts = np.unique(rng.random((rng.integers(2, 6), 3)) < 0.5, axis=0)
    alpha = ("1/4", "1/3", "2/5")[seed % 3]
    found = exact_representation(concepts, alpha)
    functions = cube(3)
    plain = next(
        size
        for size in range(1, len(concepts) + 1)
        if any(
            represents(functions[list(chosen)], concepts, alpha)
            for chosen in combinations(range(8), size)
        )
    )
    assert found.lower == len(found.hypotheses) == plain


def test_what_takes_too_long_says_what_is_certain() -> None:
    many = np.unique(np.random.default_rng(0).random((40, 8)) < 0.5, axis=0)
    found = exact_representation(many, "1/4", time_limit=0.5)
    assert not found.exact
    assert 6 <= found.lower < len(many)
    with pytest.raises(TooLarge, match="between"):
        smallest_representation(np.eye(9, dtype=bool)[:, :8], "0.499")
    with pytest.raises(TooLarge, match="at most 7"):
        templates(8, "1/4")
    with pytest.raises(InvalidArgument, match="table"):
        exact_representation(np.zeros((0, 3), dtype=bool), "1/4")
    assert len(exact_representation(points(1), "1/2").hypotheses) == 1


def test_families_turn_and_are_renamed() -> None:
    for template in templates(4, "1/3"):
        assert opposite(opposite(template, 4), 4) == template
        assert template & opposite(template, 4) == 0
        assert orbit(template, 4) <= set(templates(4, "1/3"))
