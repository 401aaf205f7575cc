"""How far a stand-in is, against all samples of public points; the bound, by its formula."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import Any

import numpy as np
import pytest

from tacit.concepts.contract.concept_class import ConceptClass
from tacit.concepts.contract.specification import parse
from tacit.concepts.line.thresholds import Thresholds
from tacit.core.accuracy import Accuracy
from tacit.core.numbers.decay import Decay
from tacit.theory.enough.public_cover import PARTS, PublicCoverBound, labellings
from tacit.theory.enough.selection import SelectionBound

F = Fraction
HALF = Decay.of(F(1, 2))
SMALL = [
    "thresholds(values=5)",
    "thresholds(values=5, direction=down)",
    "thresholds(values=4, direction=both)",
    "intervals(values=5)",
    "boxes(values=3x2)",
    "points(values=4)",
    "parities(dims=2)",
    "conjunctions(dims=2, width=2)",
]


def _stand_ins(concepts: ConceptClass[Any], points: Any) -> dict[Any, Any]:
    """Return what stands for each concept."""
    made = {tuple(h(points).tolist()): h for h in concepts.dichotomies(points)}
    return {h: made[tuple(h(points).tolist())] for h in concepts.concepts()}


def _far(
    concepts: ConceptClass[Any], masses: list[Fraction], m: int
) -> Iterator[tuple[Any, list[tuple[Fraction, Fraction]]]]:
    """Yield for each concept how far its stand-in is, with what probability, over all samples."""
    domain = concepts.domain()
    found: dict[Any, list[tuple[Fraction, Fraction]]] = {h: [] for h in concepts.concepts()}
    known: dict[frozenset[int], Any] = {}
    for places in product(range(len(domain)), repeat=m):
        held = frozenset(places)
        if held not in known:
            known[held] = _stand_ins(concepts, domain[sorted(held)])
        chance = prod((masses[place] for place in places), start=F(1))
        for h, near in known[held].items():
            differ = h(domain) != near(domain)
            found[h].append(
                (sum((w for w, d in zip(masses, differ, strict=True) if d), F(0)), chance)
            )
    yield from found.items()


@pytest.mark.parametrize("spec", SMALL)
@pytest.mark.parametrize("even", [True, False])
def test_a_stand_in_is_as_near_as_said(spec: str, even: bool) -> None:
    concepts = parse(spec)
    weights = [1 if even else 1 + place * place for place in range(len(concepts.domain()))]
    masses = [F(w, sum(weights)) for w in weights]
    for m in (1, 2, 3, 4):
        bound = PublicCoverBound(concepts, m, HALF, agnostic=False)
        for _, distances in _far(concepts, masses, m):
            for a in {d for d, _ in distances if d}:
                below = a - F(1, 10**9)  # the mass is a: above anything less
                chance = sum((p for d, p in distances if d > below), F(0))
                assert chance <= bound.apart(below)


@pytest.mark.parametrize("spec", SMALL)
def test_there_are_no_more_stand_ins_than_said(spec: str) -> None:
    concepts = parse(spec)
    domain = concepts.domain()
    for m in (1, 2, 3, 4):
        most = max(
            len(concepts.dichotomies(domain[sorted(set(places))]))
            for places in product(range(len(domain)), repeat=m)
        )
        assert most <= labellings(concepts, m)


@pytest.mark.parametrize("sides", [1, 2, 4])
def test_sides_are_a_binomial_tail(sides: int) -> None:
    spec = {1: "thresholds(bits=64)", 2: "intervals(bits=64)", 4: "boxes(bits=32, dims=2)"}[sides]
    bound = PublicCoverBound(parse(spec), 100, HALF, agnostic=False)
    a = F(1, 10)
    tail = sum(comb(100, j) * a**j * (1 - a) ** (100 - j) for j in range(sides))
    assert bound.apart(a) == pytest.approx(tail)
    assert bound.apart(a) >= tail


def test_the_sum_is_what_the_page_says() -> None:
    """By floats, with the bound for labels of a concept that decides at this size."""
    bound, n = PublicCoverBound(Thresholds(64), 150, HALF, agnostic=False), 248
    fails, tails = [0.0], [1.0]
    for part in range(1, PARTS):
        near = F(part, 10 * PARTS)
        choice = SelectionBound(151, F(1, 10) - near, near, HALF)
        fails.append(float(choice.failure(n)) if choice.factor < 1 else 1.0)
        tails.append(float(1 - near) ** 150)
    rises = np.diff(np.maximum.accumulate(fails))
    told = float(rises @ np.array(tails[:-1]) + (1 - max(fails)) * tails[-1])
    assert float(bound.failure(n, F(1, 10))) == pytest.approx(told, rel=0.02)
    assert bound.failure(n, F(1, 10)) <= F(1, 20) < bound.failure(n - 1, F(1, 10))


@pytest.mark.parametrize("agnostic", [False, True])
@pytest.mark.parametrize("spec", ["thresholds(bits=64)", "intervals(bits=16)", "parities(dims=8)"])
def test_more_rows_and_more_room_are_enough_too(spec: str, agnostic: bool) -> None:
    bound = PublicCoverBound(parse(spec), 300, HALF, agnostic)
    told = [bound.failure(n, F(1, 10)) for n in (10, 100, 400, 1600, 6400)]
    assert told == sorted(told, reverse=True)
    told = [bound.failure(800, F(k, 40)) for k in range(2, 20, 3)]
    assert told == sorted(told, reverse=True)


def test_large_budgets_do_not_hurt() -> None:
    """A stand-in errs a little: each row must not be trusted too much, and is not."""
    rows = [
        PublicCoverBound(Thresholds(64), 150, Decay.of(F(epsilon, 2)), agnostic=False).sample_size(
            Accuracy("0.1", "0.05")
        )
        for epsilon in (1, 2, 4, 8, 16)
    ]
    assert rows == sorted(rows, reverse=True)
