"""Every bound that is printed has what it needs: the witnesses of small classes are verified."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from tacit.concepts.contract.concept_class import ConceptClass, Packed
from tacit.concepts.contract.finite import Finite
from tacit.concepts.contract.specification import parse
from tacit.core.errors import TooLarge
from tacit.theory.impossible.witnesses import (
    Dimension,
    PackedConcepts,
    Thresholding,
    agreeing,
    differing,
    line,
)
from tacit.workflows.planning.goal import Goal
from tacit.workflows.planning.impossible import impossible, strongest
from tacit.workflows.planning.plan import plan

ONE_FUNCTION = json.dumps({"width": 1, "columns": [["age", 0, 9]], "literals": [[0, ">=", 0]]})
SMALL = [
    "points(values=2)",
    "points(values=5)",
    "thresholds(values=2)",
    "thresholds(values=6)",
    "thresholds(values=5, direction=both)",
    "thresholds(values=5, direction=down)",
    "intervals(values=4)",
    "intervals(values=7)",
    "boxes(bits=2, dims=2)",
    "boxes(values=4x5)",
    "parities(dims=1)",
    "parities(dims=4)",
    "conjunctions(dims=3, width=2)",
    "lines(p=3)",
    "halfspaces(bits=1, dims=2)",
    "balls(bits=1, dims=2)",
]


def _matrix(*rows: str) -> Finite:
    return Finite(np.array([[int(bit) for bit in row] for row in rows]))


def _goal(concepts: ConceptClass[Any], **more: Any) -> Goal:
    return Goal(concepts, Fraction(1, 20), Fraction(1, 20), Fraction(1), **more)


@pytest.mark.parametrize("spec", SMALL)
def test_the_witnesses_of_small_classes_are_what_they_say(spec: str) -> None:
    concepts = parse(spec)
    for delta in (Fraction(0), Fraction(1, 10**6)):
        goal = _goal(concepts, delta=delta, labels=2, agnostic=True, proper=True)
        bounds = impossible(goal)
        assert bounds
        for bound in bounds:
            assert bound.witness.verify(concepts), bound
            assert str(bound.witness) in str(bound.facts)


@pytest.mark.parametrize("spec", SMALL)
def test_a_packing_that_claims_more_is_refused(spec: str) -> None:
    concepts = parse(spec)
    for packing in concepts.packings:
        member = packing.member

        def repeated(index: int, member: Callable[[int], Packed[Any]] = member) -> Packed[Any]:
            return member(max(index - 1, 0))

        twice = replace(packing, concepts=packing.concepts + 1, member=repeated)
        assert not PackedConcepts(twice).verify(concepts)
        lighter = replace(packing, share=1, concepts=min(packing.concepts, 8))
        if packing.share > 1 and packing.concepts > 1:
            assert not PackedConcepts(lighter).verify(concepts)


def test_a_dimension_that_is_too_great_is_refused() -> None:
    line = parse("thresholds(values=8)")
    assert Dimension("Littlestone", 3, "").verify(line)
    assert not Dimension("Littlestone", 4, "").verify(line)
    assert not Dimension("VC", 2, "").verify(line)
    with pytest.raises(TooLarge, match="smaller"):
        Dimension("VC", 2, "").verify(parse("thresholds(bits=64)"))


@pytest.mark.parametrize("spec", [*SMALL, "halfspaces(bits=2, dims=1)", "balls(bits=2, dims=1)"])
def test_a_line_of_thresholds_is_there(spec: str) -> None:
    concepts = parse(spec)
    found = line(concepts)
    if found is not None:
        assert found.verify(concepts)
        assert not Thresholding(concepts.domain_size + 1).verify(concepts)
    assert (found is None) is (concepts.family in {"points", "parities", "conjunctions", "lines"})


OPPOSITES = [
    parse("points(bits=1)"),
    _matrix("01", "10"),
    _matrix("00", "11"),
    _matrix("0110", "1001"),
]


@pytest.mark.parametrize("concepts", OPPOSITES, ids=str)
def test_two_opposites_need_few_rows(concepts: ConceptClass[Any]) -> None:
    """One row tells them apart, and five do so privately: no bound may say more."""
    assert differing(concepts) is not None
    assert agreeing(concepts) is None
    found = {bound.name: bound.n for bound in impossible(_goal(concepts))}
    assert max(found.values()) == found["two concepts"] == 5
    assert all(bound.n <= 1 for bound in impossible(_goal(concepts)) if not bound.private)


@pytest.mark.parametrize(
    "concepts", [_matrix("00", "01"), _matrix("011", "110"), _matrix("0", "1")]
)
def test_concepts_that_agree_are_told_from_opposites(concepts: Finite) -> None:
    rows = [np.array(row) for row in concepts.matrix]
    agree = any((p == q).any() for p, q in combinations(rows, 2))
    assert (agreeing(concepts) is not None) is agree
    assert strongest(_goal(concepts)).n == (113 if agree else 5)  # type: ignore[union-attr]


def test_one_function_needs_no_rows_and_a_card_of_two_constants_few() -> None:
    for concepts in (_matrix("0110"), parse(f"rules({ONE_FUNCTION})")):
        assert impossible(_goal(concepts, labels=3, agnostic=True)) == ()
    constants = parse("scorecards(values=1)")
    assert max(bound.n for bound in impossible(_goal(constants))) == 5


def test_no_bound_is_told_where_no_rows_meet_the_goal() -> None:
    """Whoever may fail with probability .99 needs nothing, but if it has to guess a point."""
    lax = {"alpha": Fraction(12, 100), "beta": Fraction(99, 100), "agnostic": True}
    assert impossible(replace(_goal(parse("thresholds(bits=3)")), **lax)) == ()
    (guessed,) = impossible(replace(_goal(parse("points(bits=8)")), **lax))
    assert guessed.proper
    everything = _matrix("00", "01", "10", "11")
    hard = replace(_goal(everything), alpha=Fraction(1, 10**4), beta=Fraction(49, 100))
    assert max(b.n for b in impossible(hard) if not b.private) == 203
    assert impossible(replace(hard, alpha=Fraction(45, 100), beta=Fraction(8, 10))) == ()


@pytest.mark.parametrize("agnostic", [False, True])
@pytest.mark.parametrize("delta", [0, "1e-6"])
@pytest.mark.parametrize("spec", ["points(bits=1)", "thresholds(bits=32)", "parities(dims=8)"])
def test_no_learner_beats_what_binds_it(spec: str, delta: str, agnostic: bool) -> None:
    for labels in (1, 10):
        found = plan(spec, alpha="0.05", epsilon=1, delta=delta, labels=labels, agnostic=agnostic)
        assert found.gap is not None
        assert found.gap.ratio >= 1
        assert not found.gap.bound.proper or found.gap.offer.proper
