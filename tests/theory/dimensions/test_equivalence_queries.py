"""Equivalence queries: brute force on all tiny classes, the families, spoiled strategies."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from tacit.concepts.contract.specification import parse
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.theory.dimensions.equivalence_queries import (
    EquivalenceLearner,
    most_counterexamples,
    proper_queries,
)
from tacit.theory.dimensions.littlestone import littlestone
from tacit.theory.solving.incidence import Incidence

Row = tuple[bool, ...]


def plain_queries(concepts: frozenset[Row], hypotheses: tuple[Row, ...]) -> int:
    """Play the game on sets of rows: the learner names a hypothesis, the oracle a wrong point.

    A proposal to which the oracle may repeat itself leads nowhere.
    """
    endless = len(concepts) + 1

    @cache
    def value(left: frozenset[Row]) -> int:
        best = endless
        for h in hypotheses:
            worst = 0
            for x, said in enumerate(h):
                rest = frozenset(c for c in left if c[x] != said)
                if rest == left:
                    worst = endless
                elif rest:
                    worst = max(worst, 1 + value(rest))
            best = min(best, worst)
        return best

    return value(concepts)


def all_classes(points: int) -> list[tuple[Row, ...]]:
    rows = list(product((False, True), repeat=points))
    return [
        tuple(row for i, row in enumerate(rows) if chosen >> i & 1)
        for chosen in range(1, 1 << len(rows))
    ]


@pytest.mark.parametrize("points", [1, 2, 3])
def test_all_classes_of_up_to_three_points(points: int) -> None:
    functions = tuple(product((False, True), repeat=points))
    for rows in all_classes(points):
        table = np.array(rows)
        any_kind, proper = littlestone(table).lower, proper_queries(table)
        assert any_kind == plain_queries(frozenset(rows), functions)
        assert any_kind == most_counterexamples(EquivalenceLearner.optimal(table))
        assert proper.lower == proper.upper == plain_queries(frozenset(rows), rows)
        learner = EquivalenceLearner.proper(table, proper.strategy)
        assert most_counterexamples(learner) == proper.upper


def random_table(seed: int, *, rows: int, points: int) -> NDArray[np.bool_]:
    rng = np.random.default_rng(seed)
    shape = int(rng.integers(2, rows + 1)), int(rng.integers(2, points + 1))
    return np.unique(rng.random(shape) < rng.uniform(0.1, 0.9), axis=0)


def test_random_classes_against_brute_force() -> None:
    for seed in range(150):
        table = random_table(seed, rows=8, points=6)
        rows = tuple(tuple(row) for row in table.tolist())
        found = proper_queries(table)
        assert found.lower == found.upper == plain_queries(frozenset(rows), rows)
        learner = EquivalenceLearner.proper(table, found.strategy)
        assert most_counterexamples(learner) == found.upper


@pytest.mark.parametrize(
    ("spec", "any_kind", "proper"),
    [
        ("points(values=2)", 1, 1),
        ("points(values=24)", 1, 23),
        ("thresholds(values=16)", 4, 4),
        ("thresholds(values=23)", 4, 4),
        ("parities(dims=4)", 4, 4),
        ("lines(p=3)", 2, 4),
        ("intervals(values=7)", 4, 4),
    ],
)
def test_families(spec: str, any_kind: int, proper: int) -> None:
    table = Incidence.of_class(parse(spec))
    assert most_counterexamples(EquivalenceLearner.optimal(table)) == any_kind
    assert littlestone(table).lower == any_kind
    found = proper_queries(table)
    assert (found.lower, found.upper) == (proper, proper)
    assert most_counterexamples(EquivalenceLearner.proper(table, found.strategy)) == proper


def test_one_more_concept_saves_all_but_one_counterexample() -> None:
    """Points and nothing: nothing is proposed first, and any counter-example tells the point."""
    table = np.vstack([np.eye(12, dtype=bool), np.zeros((1, 12), dtype=bool)])
    assert proper_queries(table).upper == 1
    assert proper_queries(table[:-1]).lower == 11


def test_proposing_what_is_excluded_never_helps() -> None:
    """The oracle would repeat itself; so the best strategy explains all that was heard."""
    for seed in range(150):
        table = Incidence.of(random_table(seed, rows=9, points=6))
        found = proper_queries(table)
        assert all(space >> h & 1 for space, h in found.strategy.items())
        assert found.upper == plain_consistent(frozenset(map(tuple, table.truth.tolist())))


@lru_cache(maxsize=1 << 16)
def plain_consistent(left: frozenset[Row]) -> int:
    """Play with hypotheses that explain all that was heard."""
    if len(left) < 2:
        return 0
    return min(
        max(
            1 + plain_consistent(rest)
            for x, said in enumerate(h)
            if (rest := frozenset(c for c in left if c[x] != said))
        )
        for h in left
    )


def test_conversations_end_with_the_target() -> None:
    rng = np.random.default_rng(7)
    for seed in range(60):
        table = Incidence.of(random_table(seed, rows=12, points=6))
        found, depth = proper_queries(table), littlestone(table).lower
        for most, learner in (
            (depth, EquivalenceLearner.optimal(table)),
            (found.upper, EquivalenceLearner.proper(table, found.strategy)),
        ):
            for c, target in enumerate(table.truth):

                def oracle(
                    said: NDArray[np.bool_], target: NDArray[np.bool_] = target
                ) -> int | None:
                    wrong = np.flatnonzero(said != target)
                    return int(rng.choice(wrong)) if len(wrong) else None

                concept, heard = learner(oracle)
                assert concept == c
                assert len(heard) <= most


def test_spoiled_strategies_are_found_out() -> None:
    """Strategies that propose another concept are never better; some are worse, or never end."""
    worse = endless = 0
    for seed in range(40):
        table = Incidence.of(random_table(seed, rows=8, points=5))
        found = proper_queries(table)
        for space, h in found.strategy.items():
            for other in range(table.n):
                spoiled = EquivalenceLearner.proper(table, {**found.strategy, space: other})
                most = most_counterexamples(spoiled)
                assert most is None or most >= found.lower
                assert other != h or most == found.upper
                worse += most is not None and most > found.upper
                endless += most is None
    assert worse
    assert endless


def test_liars_and_large_classes_are_refused() -> None:
    table = np.eye(3, dtype=bool)
    with pytest.raises(InvalidArgument, match="no concept explains"):
        EquivalenceLearner.proper(table, {})(lambda said: int(np.argmax(said)))
    with pytest.raises(InvalidArgument, match="is no concept"):
        EquivalenceLearner.optimal(table)(lambda _: None)
    with pytest.raises(TooLarge, match="4096"):
        proper_queries(np.eye(65, dtype=bool))


def test_a_time_limit_leaves_what_is_certain() -> None:
    table = np.unique(np.random.default_rng(1).random((60, 40)) < 0.3, axis=0)
    found = proper_queries(table, time_limit=0.2)
    assert found.lower < found.upper == len(table) - 1
    assert "stopped" in found.why
