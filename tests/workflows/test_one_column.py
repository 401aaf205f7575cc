"""Classes over several columns are classes over one column too."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from tacit.core.chance.randomness import Seeded
from tacit.data import Bits, Category, Integer, Real, Schema, read_points
from tacit.learners.contract.model import Model
from tacit.workflows import learn, rules

TABLE = {"dose": np.arange(40), "works": np.arange(40) >= 20}
HALVES = Schema({"dose": Real(0, 20, 20), "works": Bits()})


@pytest.mark.parametrize(
    ("concepts", "learner", "agnostic"),
    [
        ("rules", "generic", True),
        ("conjunctions", "generic", True),
        ("conjunctions", "statistical-query", False),
        ("parities", "generic", True),
        ("parities", "parity", False),
        ("halfspaces", "generic", True),
        ("balls", "generic", True),
        ("scorecards", "margin", True),
    ],
)
def test_one_column_is_enough(concepts: str, learner: str, agnostic: bool) -> None:
    model = learn(
        TABLE, HALVES, concepts=concepts, features=["dose"], labels=["works"], epsilon=100,
        delta="0.001", learner=learner, agnostic=agnostic, rng=Seeded(1),
    )  # fmt: skip
    points = read_points(TABLE, HALVES, ["dose"])
    assert (model.predict(points)[:, 0] == TABLE["works"]).all()
    again = Model.decode(model.encode())
    assert (again.predict(points) == model.predict(points)).all()
    assert rules(again) == rules(model)


def test_a_schema_can_be_copied_and_sent() -> None:
    schema = Schema({"age": Integer(0, 120), "sex": Category(["f", "m"]), "bmi": Real(0, 9, "0.1")})
    for copied in (copy.deepcopy(schema), pickle.loads(pickle.dumps(schema))):
        assert copied == schema
        assert copied.dump() == schema.dump()
