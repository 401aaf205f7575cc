"""Synthetic rows by multiplicative weights: law, golden numbers, promises."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from tacit.core.chance.law import collect
from tacit.core.chance.randomness import Seeded
from tacit.core.composition import price
from tacit.core.errors import InvalidArgument
from tacit.core.numbers.decay import Decay
from tacit.core.privacy import Privacy
from tacit.sanitizers import Attributes, ListedQueries, MarginalQueries, MultiplicativeWeights
from tacit.statistics import Counts
from tests.support.sanitized import chain, counted, follows_its_law

F = Fraction


def test_the_law_of_two_rounds_by_hand() -> None:
    """All pairs of choices, with weights and answers computed straight from the definition."""
    queries = ListedQueries.thresholds(3)
    sanitizer = MultiplicativeWeights(queries, epsilon=1, rounds=2)
    rows, n = [0, 0, 2], 3
    truth = [2, 2, 3]
    eta, q = math.sqrt(8 * math.log(3) / 2), Decay.of(F(1, 2))

    def chances(weights: list[float]) -> list[Fraction]:
        answers = [round(sum(weights[: c + 1])) for c in range(3)]
        scores = [s * (truth[c] - answers[c]) for s, c in product((1, -1), range(3))]
        mass = [q.power(max(scores) - score) for score in scores]
        return [m / sum(mass, F(0)) for m in mass]

    def after(weights: list[float], choice: int) -> list[float]:
        sign, query = divmod(choice, 3)
        factor = math.exp(-eta if sign else eta)
        raised = [w * factor if x <= query else w for x, w in enumerate(weights)]
        return [n * w / sum(raised) for w in raised]

    first = [1.0, 1.0, 1.0]
    found = []
    for choice, p in enumerate(chances(first)):
        second = after(first, choice)
        mean = np.cumsum(np.array(first) + np.array(second))
        table = np.diff(np.rint(mean * n / mean[-1]), prepend=0)
        found.append((tuple(table.astype(int).tolist()), p))
    law = sanitizer.law(Counts.of(rows)).map(lambda made: tuple(made.histogram().tolist()))
    assert law.probabilities == collect(found).probabilities


def test_draws_follow_the_law() -> None:
    sanitizer = MultiplicativeWeights(ListedQueries.thresholds(4), epsilon=1, rounds=3)
    assert follows_its_law(sanitizer, Counts.of([0, 1, 1, 3]), runs=2000, seed=5)


def test_golden_error() -> None:
    queries = ListedQueries(np.ones((1, 1024), dtype=np.bool_))

    class Many:
        count, attributes = 523_777, queries.attributes
        answers, scale = queries.answers, queries.scale

    sanitizer = MultiplicativeWeights(Many(), epsilon="0.01234", rounds=1280)
    assert float(sanitizer.error(81_152, "0.05")) == pytest.approx(0.1, rel=1e-3)


def test_the_promise_holds_twenty_times() -> None:
    attributes = Attributes.binary(6)
    queries = MarginalQueries(attributes, 3)
    sanitizer = MultiplicativeWeights(queries, epsilon="0.05", rounds=60, copies=4)
    for seed in range(20):
        counts = counted(chain(seed, dims=6, n=20_000, flip=0.1 + 0.01 * seed))
        made = sanitizer(counts, rng=Seeded(seed))
        assert made.n == 80_000
        off = attributes.deviations(made.histogram() / 4, attributes.histogram(counts), 3)
        assert max(off) <= 20_000 * sanitizer.promised(made, "0.01") <= 0.25 * 20_000


def test_rounding_to_rows_counts() -> None:
    queries = ListedQueries.thresholds(4)
    sanitizer = MultiplicativeWeights(queries, epsilon=100, rounds=40)
    made = sanitizer(Counts.of([0, 1, 1] * 40), rng=Seeded(1))
    rounded = F(made.deviations[0], made.n)
    assert rounded > 0
    assert sanitizer.promised(made, "0.05") == sanitizer.error(120, "0.05") + rounded < 1


def test_a_budget_is_kept() -> None:
    queries = MarginalQueries(Attributes.binary(6), 2)
    pure = MultiplicativeWeights.within(queries, Privacy(1), n=10**5, beta="0.05")
    assert price(pure.cost).privacy.epsilon <= 1
    mild = MultiplicativeWeights.within(queries, Privacy(1, "1e-6"), n=10**5, beta="0.05")
    assert price(mild.cost, "1e-6").privacy.epsilon <= 1
    assert mild.error(10**5, "0.05") < pure.error(10**5, "0.05")


def test_bad_requests() -> None:
    queries = MarginalQueries(Attributes.binary(2), 1)
    for name in ("rounds", "copies"):
        with pytest.raises(InvalidArgument, match=name):
            MultiplicativeWeights(queries, epsilon=1, **{"rounds": 1, name: 0})
    assert MultiplicativeWeights(queries, epsilon=1, rounds=1).error(0, "0.1") == 1
