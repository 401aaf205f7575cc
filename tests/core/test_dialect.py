"""Names and texts that a server could take for something else than names and texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tacit.concepts.line.points import Point
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.data import Bits, Category, Column, Integer, Schema
from tacit.learners.contract.model import Model
from tacit.workflows import learn, query
from tests.support.servers import NAME, server


def model(columns: Mapping[str, Column], features: Sequence[str]) -> Model:
    """Return a model that says yes to the second code of its feature."""
    schema = Schema({**columns, "sick": Bits()})
    rows: Any = {name: [0] for name in schema.names}
    asked: Any = {"concepts": "points", "features": features, "labels": ["sick"]}
    return replace(learn(rows, schema, epsilon=1, rng=Seeded(0), **asked), hypotheses=(Point(1),))


def test_spark_puts_no_setting_in_place_of_a_name() -> None:
    """It would look for ${env:HOME} before it looks at quotes, and name a column by its value."""
    name = "${env:HOME}"
    read = model({name: Integer(0, 9), "age": Integer(0, 9)}, [name])
    plain = model({"age": Integer(0, 9)}, ["age"])
    for made, table in ((read, NAME), (replace(plain, labels=(name,)), NAME), (plain, name)):
        assert name in query(made, table)
        with pytest.raises(InvalidArgument, match="a setting in place of"):
            query(made, table, "spark")


def test_a_backslash_ends_no_text_of_postgresql(tmp_path: Path) -> None:
    """Whether a server takes it for an escape in plain texts is a setting of its own."""
    named = Category(["f", "\\' THEN 0 END = 0 OR 1 = 1 --"])
    made = query(model({"sex": named}, ["sex"]), NAME, "postgres")
    chosen = "SELECT length(set_config('standard_conforming_strings', '{}', true))"
    with server("postgres", tmp_path) as ask:
        for setting in ("on", "off"):
            ask({"sex": ("text", [])}, chosen.format(setting))
            assert ask({"sex": ("text", list(named.values))}, made) == [(0,), (1,)]
