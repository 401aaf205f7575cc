"""A user's own algorithm: row by row, with a curator, without one, and between parties."""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from collections.abc import Generator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tacit.concepts.line.thresholds import Thresholds
from tacit.core.chance.randomness import Seeded
from tacit.core.cost import Pure
from tacit.core.errors import InvalidArgument
from tacit.learners import (
    LocalQueries,
    OwnQueries,
    PartyQueries,
    PartyTables,
    PointQueries,
    PrivateQueries,
    ThresholdQueries,
)
from tacit.learners.queries.statistical_queries import grades
from tacit.statistics import LabelCounts
from tacit.verify.enough.simulation import Population, alarm

F = Fraction
Asking = Generator[Any, Fraction, Any]


def one(query: Any) -> Any:
    def asks(_: Fraction) -> Asking:
        return (yield query)

    return asks


def values(query: Any, levels: int) -> list[int]:
    """Return the grades of the points 0, ..., 3 with the label yes."""
    own = OwnQueries(one(query), Thresholds(2), queries=1, levels=levels)
    asked = next(own.run(F(1, 10)))
    return [int(g) for g in asked(np.arange(4), np.ones(4, dtype=np.bool_))]


@pytest.mark.parametrize(
    ("query", "levels", "told"),
    [
        (lambda x, y: x / 3, 3, [0, 1, 2, 3]),
        (lambda x, y: F(x, 3), 2, [0, 1, 1, 2]),
        (lambda x, y: x - 1, 5, [0, 0, 5, 5]),
        (lambda x, y: [1.0, float("nan"), float("inf"), "no"][x], 4, [4, 0, 0, 0]),
        (lambda x, y: 1 / (x - 2), 1, [0, 0, 0, 1]),
        (lambda x, y: y and x > 1, 1, [0, 0, 1, 1]),
        (lambda x, y: sys.exit() if x == 1 else 1, 1, [1, 0, 1, 1]),
        (lambda x, y: np.greater(x, 1), 1, [0, 0, 1, 1]),
        (lambda x, y: np.float32(x) / 4, 4, [0, 1, 2, 3]),
        (lambda x, y: np.array(x) / 4, 4, [0, 1, 2, 3]),
    ],
)
def test_whatever_a_query_says_of_a_row_is_a_grade(query: Any, levels: int, told: Any) -> None:
    assert values(query, levels) == told


def test_no_warning_tells_that_a_row_is_there() -> None:
    with warnings.catch_warnings(record=True) as shown, np.errstate(all="warn"):
        warnings.simplefilter("always")
        assert values(lambda x, y: np.log(np.float64(x)), 1) == [0, 0, 1, 1]
        assert values(lambda x, y: warnings.warn(str(x), stacklevel=1), 1) == [0] * 4
    assert not shown


def test_what_is_no_query_is_refused_and_not_counted() -> None:
    with pytest.raises(InvalidArgument, match="must yield functions, got NoneType"):
        values(None, 1)


def test_a_query_sees_one_row_at_a_time() -> None:
    seen: list[Any] = []

    def noted(x: int, y: bool) -> int:
        seen.append((x, y))
        return 0

    values(noted, 1)
    assert seen == [(x, True) for x in range(4)]


def test_rows_are_counted_by_grades() -> None:
    sample = LabelCounts.of([(x, (x > 1,)) for x in (0, 1, 2, 3, 3)], labels=1)
    assert grades(sample, lambda x, y: np.where(y, x, 0), 3) == [2, 0, 1, 2]
    assert sum(grades(sample, lambda x, y: x * 9, 3)) == 5


def test_more_queries_than_declared_are_refused_and_fewer_are_not() -> None:
    def asks(_: Fraction) -> Asking:
        yield lambda x, y: y
        return (yield lambda x, y: y)

    sample = LabelCounts.of([(0, (1,)), (1, (0,))], labels=1)
    for oracle in (PrivateQueries, LocalQueries):
        few = OwnQueries(asks, Thresholds(1), queries=1)
        with pytest.raises(InvalidArgument, match="queries=1 were declared"):
            oracle(few, tolerance="0.1", epsilon=1)(sample, rng=Seeded(0))
        many = OwnQueries(asks, Thresholds(1), queries=3)
        assert 0 <= oracle(many, tolerance="0.1", epsilon=1)(sample, rng=Seeded(0)) <= 1


POPULATION = Population(np.arange(4), (F(1, 4),) * 4, (F(0), F(1), F(1), F(1)))


@pytest.mark.parametrize("levels", [1, 8])
@pytest.mark.parametrize("local", [False, True])
def test_answers_are_within_the_tolerance(levels: int, local: bool) -> None:
    """The mean of x/3 among yeses is 1/2; so it is on the grids."""
    own = OwnQueries(one(lambda x, y: x / 3 if y else 0), Thresholds(2), queries=1, levels=levels)
    make: Any = LocalQueries if local else PrivateQueries
    oracle, rng, runs = make(own, tolerance="0.15", epsilon=1), Seeded(3), 60
    n = oracle.sample_size("0.1")
    off = sum(
        abs(oracle(POPULATION.draw(n, rng=rng), rng=rng) - F(1, 2)) > F(3, 20) for _ in range(runs)
    )
    assert off < alarm(runs, F(1, 10))


def test_local_answers_follow_their_law() -> None:
    own = OwnQueries(one(lambda x, y: x / 2), Thresholds(1), queries=1, levels=2)
    oracle, rng = LocalQueries(own, tolerance="0.1", epsilon=1), Seeded(1)
    sample = LabelCounts.of([(1, (1,)), (1, (0,)), (0, (0,))], labels=1)
    law, runs = oracle.law(sample), 4000
    drawn = Counter(oracle(sample, rng=rng) for _ in range(runs))
    assert sum(law.probabilities.values()) == 1
    assert all(abs(drawn[o] / runs - float(p)) < 0.04 for o, p in law.probabilities.items())


@pytest.mark.parametrize("algorithm", [ThresholdQueries(16), PointQueries(8)])
def test_parties_learn_what_one_table_would(algorithm: Any) -> None:
    parties = PartyQueries(algorithm, tolerance="0.1", epsilon=1, parties=3)
    assert parties.cost == Pure(1)
    n = parties.sample_size("0.1")
    alone = PrivateQueries(algorithm, tolerance="0.1", epsilon=1).sample_size("0.1")
    assert alone < n < 3 * alone
    north, south, west = (
        LabelCounts.of([(x % 8, (x % 8 == 5,)) for x in range(size)], labels=1)
        for size in (n // 2, n // 4, n // 4 + 8)
    )
    told = parties(PartyTables((north, south, west)), rng=Seeded(4))
    assert len(told.messages) == algorithm.queries
    assert all(len(said) == 3 for said in told.messages)
    assert told.learned.at == 5 or isinstance(algorithm, ThresholdQueries)


def test_a_conversation_follows_its_law() -> None:
    parties = PartyQueries(ThresholdQueries(2), tolerance="0.1", epsilon=1, parties=2, reach=0)
    tables = PartyTables(
        (LabelCounts.of([(0, (1,))], labels=1), LabelCounts.of([(1, (1,)), (0, (1,))], labels=1))
    )
    law, rng, runs = parties.law(tables), Seeded(2), 3000
    drawn = Counter(parties(tables, rng=rng) for _ in range(runs))
    assert sum(law.probabilities.values()) == 1
    assert all(abs(drawn[o] / runs - float(p)) < 0.05 for o, p in law.probabilities.items())


def test_parties_refuse_what_cannot_be() -> None:
    parties = PartyQueries(ThresholdQueries(2), tolerance="0.1", epsilon=1, parties=2, reach=0)
    table = LabelCounts.of([(0, (1,))], labels=1)
    with pytest.raises(InvalidArgument, match="got 3 tables"):
        parties(PartyTables((table,) * 3), rng=Seeded(0))
    with pytest.raises(InvalidArgument, match="reach=0"):
        parties.sample_size("0.1")


def test_messages_that_are_cut_are_paid_for_out_of_beta() -> None:
    """Noise beyond the reach, either way and of each party, is a failure of its own."""
    algorithm, asked = ThresholdQueries(2), {"tolerance": "0.1", "epsilon": 1}
    alone = PrivateQueries(algorithm, **asked)  # type: ignore[arg-type]
    law = alone.noise.law(0, low=-40, high=40)
    for reach in (0, 3, 8):
        inside = sum(law[noise] for noise in range(-reach, reach + 1))
        assert 1 - inside <= alone.beyond(reach) <= (1 - inside) * (1 + F(1, 1 << 40))
    three = PartyQueries(algorithm, **asked, parties=3, reach=8)  # type: ignore[arg-type]
    cut = algorithm.queries * alone.beyond(8)
    with pytest.raises(InvalidArgument, match="reach=8"):
        three.sample_size(5 * cut / 2)
    assert three.sample_size(7 * cut / 2) > 0
