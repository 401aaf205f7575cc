"""Made-up rows through scikit-learn: what comes out, in which container, and how near it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import config_context
from sklearn.base import clone

from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument, TacitError
from tacit.data import Bits, Category, Integer, Schema
from tacit.estimators import PrivateSynthesizer
from tacit.workflows import sanitize

SCHEMA = Schema({"age": Integer(0, 99), "sex": Category(["f", "m"]), "smoker": Bits()})


def _people() -> pd.DataFrame:
    place = np.arange(3000)
    sex = np.where(place % 3 == 0, "f", "m")
    return pd.DataFrame({"age": place % 100, "sex": sex, "smoker": place % 2})


def test_it_is_the_sanitizer() -> None:
    people = _people()
    made = PrivateSynthesizer(schema=SCHEMA, queries="conjunctions(width=2)", random_state=3)
    made.fit(people)
    expected = sanitize(
        people, SCHEMA, columns=["age", "sex", "smoker"], queries="conjunctions(width=2)",
        epsilon=1, rng=Seeded(3),
    )  # fmt: skip
    assert made.synthetic_ == expected
    rows = made.set_output(transform="pandas").sample()
    assert list(rows.columns) == made.get_feature_names_out().tolist() == ["age", "sex", "smoker"]
    key = ["age", "sex", "smoker"]
    assert (
        rows.sort_values(key, ignore_index=True)
        .astype(object)
        .equals(pd.DataFrame(expected.table).sort_values(key, ignore_index=True).astype(object))
    )


def test_containers() -> None:
    made = PrivateSynthesizer(bounds=(0, 99), step=1, random_state=3)
    made.fit(_people()[["age"]])
    plain = made.sample(7)
    assert isinstance(plain, np.ndarray)
    assert plain.shape == (7, 1)
    framed = made.set_output(transform="polars").sample(7)
    assert isinstance(framed, pl.DataFrame)
    assert framed["age"].to_list() == plain.ravel().tolist()
    assert isinstance(made.set_output(transform="pandas").sample(7), pd.DataFrame)
    assert isinstance(made.set_output().sample(7), pd.DataFrame)
    assert isinstance(made.set_output(transform="default").sample(7), np.ndarray)
    fresh = clone(made).fit(_people()[["age"]])
    with config_context(transform_output="polars"):
        assert isinstance(fresh.sample(7), pl.DataFrame)
    with pytest.raises(InvalidArgument, match="transform must be"):
        made.set_output(transform="excel")


def test_missing_values_come_out_as_nothing() -> None:
    schema = Schema({"age": Integer(0, 9, outside="null")})
    ages = pd.DataFrame({"age": [3.0, np.nan] * 500})
    made = PrivateSynthesizer(schema=schema, queries="points", random_state=1).fit(ages)
    found = set(made.sample(100).ravel().tolist())
    assert found == {3, None}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"queries": "riddles"}, "there are no questions"),
        ({"method": "magic"}, "cannot be asked of the method"),
        ({"beta": 2}, "beta"),
        ({"bounds": None}, "bounds must be declared"),
    ],
)
def test_what_is_public_and_wrong_is_refused(given: dict[str, Any], said: str) -> None:
    made = PrivateSynthesizer(bounds=(0, 99)).set_params(**given)
    with pytest.raises(InvalidArgument, match=said):
        made.fit(_people()[["age"]])


def test_a_number_of_rows_is_at_least_one() -> None:
    made = PrivateSynthesizer(bounds=(0, 99), random_state=1).fit(_people()[["age"]])
    for wrong in (0, -3, 2.0, True):
        with pytest.raises(TacitError, match="n_samples"):
            made.sample(wrong)


@settings(max_examples=12)
@given(st.integers(0, 10**6), st.integers(1, 500), st.integers(1, 3))
def test_samples_have_the_declared_values(seed: int, rows: int, columns: int) -> None:
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(200, columns))
    made = PrivateSynthesizer(bounds=(-2, 2), step=1, random_state=seed, epsilon=2).fit(table)
    sample = made.sample(rows)
    assert sample.shape == (rows, columns)
    assert set(np.unique(sample)) <= {-2, -1, 0, 1, 2}
    assert sorted(map(tuple, sample.tolist())) == sorted(map(tuple, made.sample(rows).tolist()))
