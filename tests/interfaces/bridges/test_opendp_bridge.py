"""The bridge to OpenDP, with the real OpenDP on its other side."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import opendp.prelude as dp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.chance.randomness import Seeded
from tacit.core.composition import price
from tacit.core.cost import Approximate, Pure, Sequential, ZeroConcentrated
from tacit.core.errors import InvalidArgument
from tacit.data import Bits, Integer, Schema
from tacit.interfaces.bridges.opendp import cost_of, learning, sanitizing
from tacit.learners.contract.model import Model

dp.enable_features("contrib", "honest-but-curious")
SCHEMA = Schema({"age": Integer(0, 120), "sick": Bits()})
PEOPLE = {"age": list(range(20, 100)) * 9, "sick": [a >= 65 for a in range(20, 100)] * 9}
NUMBERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)


def learner(epsilon: Any, delta: Any = 0) -> Any:
    return learning(
        SCHEMA,
        concepts="thresholds",
        features=["age"],
        labels=["sick"],
        epsilon=epsilon,
        delta=delta,
    )


def measured(measurement: Any) -> Any:
    return measurement.map(1)


def test_a_learner_is_a_measurement() -> None:
    made = learner(1)
    assert made.map(1) == 1
    assert made.check(2, 2.0)
    assert not made.check(2, 1.99)
    model = Model.decode(made(PEOPLE))
    assert model.privacy.epsilon <= 1
    assert model.secure


def test_a_release_does_not_carry_the_table() -> None:
    """OpenDP sets `__opendp_dict__`, with the input in it, where an attribute can be set."""
    for released in (learner(1)(PEOPLE), sanitizing(SCHEMA, columns=["sick"], epsilon=1)(PEOPLE)):
        assert not hasattr(released, "__opendp_dict__")


def test_a_sanitizer_is_a_measurement() -> None:
    made = sanitizing(SCHEMA, columns=["sick"], epsilon=1)
    assert len(made(PEOPLE)["sick"]) == len(PEOPLE["sick"])


def test_opendp_composes_ours_and_ours_composes_theirs() -> None:
    parts = [learner("1/4"), learner("1/2")]
    both = dp.c.make_composition(parts)
    assert both.check(1, 0.75)
    models = both(PEOPLE)
    assert [Model.decode(model).privacy.epsilon for model in models] == [
        Fraction(1, 4),
        Fraction(1, 2),
    ]
    assert cost_of(both) == Pure(Fraction(3, 4))
    noise = dp.m.make_laplace(*NUMBERS, scale=4.0)
    total = price(Sequential(cost_of(both), cost_of(noise, distance=1)), delta=0)
    assert total.privacy.epsilon == 1


def test_a_table_that_lacks_a_column_is_not_of_the_domain() -> None:
    domain = learner(1).input_domain
    assert domain.member(PEOPLE)
    assert not domain.member({"age": [1]})


@given(
    st.fractions(min_value="1/1000", max_value=5),
    st.fractions(min_value="1e-12", max_value="1/2"),
    st.integers(0, 5000),
)
def test_the_map_is_group_privacy_rounded_up(epsilon: Fraction, delta: Fraction, rows: int) -> None:
    loss, risk = learner(epsilon, delta).map(rows)
    assert loss >= rows * epsilon
    assert math.isclose(loss, rows * epsilon)
    walked = math.fsum(float(delta) * math.exp(min(600, i * epsilon)) for i in range(min(rows, 9)))
    assert risk >= min(1, walked * (1 - 1e-12))
    assert rows != 1 or risk == float(delta) or Fraction(risk) > delta


@pytest.mark.parametrize("rows", [2**31, 2**32 - 1])
def test_many_rows_take_no_time(rows: int) -> None:
    assert learner(20, "1e-6").map(rows)[1] == 1.0


def test_their_measures_are_read() -> None:
    gauss = dp.m.make_gaussian(*NUMBERS, scale=2.0)
    assert cost_of(gauss, distance=1) == ZeroConcentrated(Fraction(1, 8))
    profile = dp.c.make_zCDP_to_approxDP(gauss)
    read = cost_of(profile, distance=1, delta="1e-6")
    assert isinstance(read, Approximate)
    assert read.delta <= Fraction("1e-6")
    fixed = dp.c.make_fix_delta(profile, 1e-6)
    fixed_at_one: Any = measured(fixed)
    assert cost_of(fixed, distance=1) == Approximate(*map(Fraction, fixed_at_one))


def test_a_replaced_row_is_one_removed_and_one_added() -> None:
    space = dp.vector_domain(dp.atom_domain(bounds=(0, 10))), dp.symmetric_distance()
    total = dp.t.make_sum(*space) >> dp.m.then_laplace(scale=10.0)
    assert total.map(1) == 1.0
    assert cost_of(total) == Pure(Fraction(total.map(2)))


@pytest.mark.parametrize(
    ("measurement", "told", "words"),
    [
        (dp.m.make_laplace(*NUMBERS, scale=1.0), {}, "distance must be given"),
        (dp.m.make_laplace(*NUMBERS, scale=0.0), {"distance": 1}, "not finite"),
        (
            dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*NUMBERS, scale=2.0)),
            {"distance": 1},
            "at which delta",
        ),
    ],
)
def test_what_cannot_be_read_is_refused(measurement: Any, told: Any, words: str) -> None:
    with pytest.raises(InvalidArgument, match=words):
        cost_of(measurement, **told)


@pytest.mark.parametrize("epsilon", [0, -1, math.nan, math.inf, "none"])
def test_a_budget_that_is_none_is_refused(epsilon: Any) -> None:
    with pytest.raises((InvalidArgument, TypeError)):
        learner(epsilon)


def test_seeded_coins_are_refused() -> None:
    """Their map would say that they are private."""
    with pytest.raises(InvalidArgument, match="secret coins"):
        sanitizing(SCHEMA, columns=["sick"], epsilon=1, rng=Seeded(1))
