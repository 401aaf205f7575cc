"""Counts, means and quantiles from one budget: intervals that hold, costs that add up."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.core.chance.randomness import Seeded
from tacit.core.composition import price
from tacit.core.errors import InvalidArgument, TooLarge
from tacit.core.privacy import Privacy
from tacit.data import Bits, Category, Integer, Real, Schema
from tacit.statistics import Counts
from tacit.workflows import TableAnswers, count
from tacit.workflows.charging import watched
from tacit.workflows.counting.bins import Bins, read_bins
from tacit.workflows.counting.parts import Ranks, Sums, Table, TreeRanks

SCHEMA = Schema(
    {
        "sex": Category(["f", "m"]),
        "ward": Category(["a", "b", "c"], outside="null"),
        "age": Integer(18, 99),
        "bmi": Real(10, 60, "0.1"),
        "sick": Bits(),
        "far": Integer(0, (1 << 61) - 1),
        "one": Category(["x"]),
    }
)
N = 3000


def people(seed: int, n: int = N) -> dict[str, list[Any]]:
    floats = np.random.default_rng(seed)
    return {
        "sex": floats.choice(["f", "m"], n).tolist(),
        "ward": floats.choice(["a", "b", "c", "?"], n, p=[0.6, 0.25, 0.05, 0.1]).tolist(),
        "age": floats.integers(18, 100, n).tolist(),
        "bmi": np.round(floats.normal(27, 4, n), 1).tolist(),
        "sick": floats.integers(0, 2, n).tolist(),
        "far": floats.integers(0, 1 << 61, n).tolist(),
        "one": ["x"] * n,
    }


def truth(rows: dict[str, list[Any]], told: TableAnswers, asked: Any) -> float:
    """Answer by going through the rows: another way than the library's."""
    bins = read_bins(SCHEMA, told.by, 8)
    kept = [
        i
        for i in range(len(rows["sex"]))
        if asked.level is not None
        or all(
            each.labels[int(each.of(np.array([each.column.code(rows[each.name][i])]))[0])] == cell
            for each, cell in zip(bins, asked.cell, strict=True)
        )
    ]
    if asked.kind == "count":
        return len(kept)
    column: Any = SCHEMA[asked.of]
    values = [column.decode(column.code(rows[asked.of][i])) for i in kept]
    if asked.kind == "mean":
        return float(np.mean(values)) if values else float("nan")
    return float(sorted(values)[max(1, -(-asked.level * len(values) // 1)) - 1])


@pytest.mark.parametrize("delta", ["0", "1e-6"])
@pytest.mark.parametrize("epsilon", ["0.05", "2"])
def test_intervals_hold_as_often_as_they_say(epsilon: str, delta: str) -> None:
    """At 80 %, of 81 answers and more, two thirds at least."""
    held = []
    tables = 8 if delta == "0" else 3
    for seed in range(tables):
        rows = people(seed, 400)
        told = count(
            rows, SCHEMA, by=["ward", "sick"], mean=["bmi", "age"],
            quantiles={"age": ["0.1", "0.5"], "bmi": ["0.9"]},
            epsilon=epsilon, delta=delta, confidence="0.8", rng=Seeded(seed),
        )  # fmt: skip
        for asked in told.answers:
            own = truth(rows, told, asked)
            assert asked.low <= asked.value <= asked.high
            held.append(np.isnan(own) or asked.low - 1e-9 <= own <= asked.high + 1e-9)
    assert np.mean(held) > 0.67
    assert len(held) == tables * (8 * 3 + 3)


def test_the_coverage_of_a_count_is_exact() -> None:
    """By the law of the noise itself: at 95 % no less, and hardly more."""
    for epsilon in ("1/3", "2"):
        asked: Any = {"by": ["sex"], "epsilon": epsilon, "rng": Seeded(1)}
        with watched() as kept:
            told = count(people(1, 50), SCHEMA, **asked)
        law = kept[0].law()
        found = [F(0), F(0)]
        for answers, chance in law.probabilities.items():
            own = truth(people(1, 50), told, answers.answers[0])
            first = answers.answers[0]
            found[first.low <= own <= first.high] += chance
        assert found[1] >= F(19, 20)
        assert found[1] < F(995, 1000)


def test_one_budget_is_divided_equally_and_spent() -> None:
    asked: Any = {"by": ["ward"], "mean": ["age", "sick"], "quantiles": {"bmi": ["1/2"]}}
    for delta in ("0", "1e-6"):
        with watched() as kept:
            told = count(people(1), SCHEMA, **asked, epsilon=1, delta=delta, rng=Seeded(1))
        parts = kept[0].mechanism.parts
        each = [price(part.cost, told.privacy.delta).privacy.epsilon for part in parts]
        assert told.privacy.epsilon <= 1
        assert price(told.cost, told.privacy.delta).privacy.epsilon <= 1
        if delta == "0":
            assert each == [F(1, 4)] * 4
            assert told.privacy.delta == 0
    many: Any = {
        "by": ["ward"],
        "mean": [n for n in SCHEMA.names if n in ["age", "bmi", "sick", "far"]],
    }
    wide = [
        count(people(1), SCHEMA, **many, epsilon="0.2", delta=d, rng=Seeded(1))
        for d in ("0", "0.01")
    ]
    gaps = [told.answers[0].high - told.answers[0].low for told in wide]
    assert [told.noise for told in wide] == ["discrete Laplace", "discrete Gaussian"]
    assert gaps[1] < gaps[0], "a delta is used where it makes intervals narrower"


def test_shares_of_concentrated_privacy_are_equal() -> None:
    """A sum of squares s with noise of variance v costs s / 2v, draws e^2 / 8, a tree e^2 / 2."""
    asked: Any = {"by": ["ward"], "mean": ["age", "bmi", "far"], "epsilon": "0.2", "delta": "0.01"}
    levels = {"kids": [F(i, 10) for i in range(1, 10)], "bmi": ["1/2"]}
    schema = Schema({**{name: SCHEMA[name] for name in SCHEMA.names}, "kids": Integer(0, 3)})
    rows = people(1) | {"kids": [i % 4 for i in range(N)]}
    with watched() as kept:
        told = count(rows, schema, **asked, quantiles=levels, rng=Seeded(1))
    assert told.noise == "discrete Gaussian"
    rates = []
    for part in kept[0].mechanism.parts:
        match part:
            case Sums(place, top, cells, noise):
                rates.append(F(Sums.moved(place, top, cells)[1]) / (2 * noise.sigma_squared))
            case Ranks():
                rates.append(sum(draw.epsilon**2 for draw in part.draws) / 8)
            case TreeRanks():
                rates.append(part.tree.epsilon**2 / 2)
    assert [type(part) for part in kept[0].mechanism.parts] == [Sums] * 4 + [TreeRanks, Ranks]
    assert [float(rate) for rate in rates] == pytest.approx([float(rates[0])] * 6, rel=1e-5)


def test_a_delta_that_is_not_used_is_not_spent() -> None:
    told = count(people(1), SCHEMA, by=["sex"], epsilon=1, delta="1e-6", rng=Seeded(1))
    assert (told.noise, told.privacy) == ("discrete Laplace", Privacy(1))


def test_two_cells_are_one_count() -> None:
    told = count(people(1), SCHEMA, by=["sex"], epsilon=1, rng=Seeded(1))
    assert sum(asked.value for asked in told.answers) == N
    alone, three = (Sums.moved(None, 0, cells) for cells in (2, 3))
    assert (alone, three) == ((1, 1), (2, 2))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 5)), min_size=1, max_size=6), st.data())
def test_a_replaced_row_moves_sums_by_what_is_said(rows: list[Any], data: Any) -> None:
    group = Bins("g", Integer(0, 2))
    place = data.draw(st.integers(0, len(rows) - 1))
    other = [
        *rows[:place],
        data.draw(st.tuples(st.integers(0, 2), st.integers(0, 5))),
        *rows[place + 1 :],
    ]
    for at in (None, 1):
        part = Sums(at, 5, 3, None)  # type: ignore[arg-type]
        one, two = (part._sums(Table.of(Counts.of(r), 2, [group])) for r in (rows, other))
        total, squared = Sums.moved(at, 5, 3)
        assert abs(one - two).sum() <= total
        assert ((one - two) ** 2).sum() <= squared


def test_many_quantiles_are_read_off_a_tree_and_few_drawn() -> None:
    kinds = {}
    for levels in (["1/2"], [F(i, 20) for i in range(1, 20)]):
        with watched() as kept:
            told = count(people(1), SCHEMA, quantiles={"age": levels}, epsilon=1, rng=Seeded(1))
        assert price(told.cost, F(0)).privacy.epsilon == told.privacy.epsilon == 1
        kinds[len(levels)] = type(kept[0].mechanism.parts[0])
    assert kinds == {1: Ranks, 19: TreeRanks}


def test_a_range_of_61_bits_does_not_overflow() -> None:
    rows = people(3, 500)
    asked: Any = {"mean": ["far"], "quantiles": {"far": ["0", "1"]}, "by": ["sex"]}
    told = count(rows, SCHEMA, **asked, epsilon=100, rng=Seeded(1))
    for answer in told.answers:
        own = truth(rows, told, answer)
        assert answer.low * (1 - 1e-9) <= own <= answer.high * (1 + 1e-9)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({}, "nothing is asked"),
        ({"by": ["sex", "sex"]}, "each column once"),
        ({"by": ["sex=1"]}, "no numbers to cut"),
        ({"by": ["age=17"]}, "can be cut above 18"),
        ({"mean": ["ward"]}, "integer or real or bits"),
        ({"mean": ["age", "age"]}, "each column once"),
        ({"quantiles": {"sick": ["1/2"]}}, "integer or real: values of other"),
        ({"quantiles": {"age": []}}, "1 to 99 levels"),
        ({"quantiles": {"age": [2]}}, "1 to 99 levels"),
        ({"by": ["sex"], "confidence": 1}, "confidence"),
        ({"by": "sex"}, "must be a list"),
        ({"by": ["one"]}, "one cell"),
    ],
)
def test_what_cannot_be_asked_is_refused_for_public_reasons(asked: Any, said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        count({name: [] for name in SCHEMA.names}, SCHEMA, **asked, epsilon=1)


def test_too_many_cells_and_no_rows_are_refused() -> None:
    with pytest.raises(TooLarge, match="cells, more than"):
        count(people(1), Schema({f"c{i}": Integer(0, 99) for i in range(9)}),
              by=[f"c{i}" for i in range(9)], epsilon=1)  # fmt: skip
    with pytest.raises(InvalidArgument, match="no rows"):
        count({name: [] for name in SCHEMA.names}, SCHEMA, by=["sex"], epsilon=1)


@pytest.mark.parametrize("epsilon", ["1/10", "9", "50"])
def test_the_coverage_of_a_mean_is_exact(epsilon: str) -> None:
    """By the law of the noise: a mean such as 56/3 is no float, so ends are rounded outwards."""
    rows = {name: held[:3] for name, held in people(1, 3).items()} | {"age": [18, 19, 19]}
    schema = Schema({"sex": Category(["f", "m"]), "age": Integer(18, 20)})
    with watched() as kept:
        count(rows, schema, mean=["age"], epsilon=epsilon, confidence="0.9", rng=Seeded(1))
    held = F(0)
    for answers, chance in kept[0].law().probabilities.items():
        (told,) = answers.answers
        held += chance * (F(told.low) <= F(56, 3) <= F(told.high))
    assert held >= F(9, 10)
