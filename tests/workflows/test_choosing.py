"""What is chosen where nobody says: by public numbers, and learnable for every schema."""

from __future__ import annotations

from typing import Any

import pytest

from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.core.privacy import Privacy
from tacit.data import Bits, Category, Integer, Real, Schema
from tacit.data.schema.columns import Column
from tacit.learners.catalogue import CATALOGUE
from tacit.workflows import learn
from tacit.workflows.choosing import CELLS, Chosen, choose

BUDGETS = (Privacy(1, "1e-6"), Privacy("0.1"), Privacy(3, "1e-9"), Privacy(1))
NAMES = [f"v{place}" for place in range(5000)]
SCHEMAS: dict[str, dict[str, Column]] = {
    "one number": {"a": Integer(0, 99)},
    "one number of any scale": {"a": Integer(0, 1 << 61)},
    "one real": {"a": Real(0, 1, "0.01", "null")},
    "one bit": {"a": Bits()},
    "one category": {"a": Category(["x", "y", "z"], "null")},
    "bits": {f"b{place}": Bits() for place in range(30)},
    "categories": {f"c{place}": Category(list("abcdefg")) for place in range(6)},
    "5,000 categories": {"a": Category(NAMES), "b": Integer(0, 9)},
    "huge ranges": {f"n{place}": Integer(0, 1 << 60) for place in range(5)},
    "mixed": {"a": Integer(0, 120), "b": Real(0, 9, "0.5", "null"), "c": Category(list("pqr"))},
}


def _chosen(columns: dict[str, Column], n: int, privacy: Privacy, labels: int = 1) -> Chosen:
    marks = {f"y{place}": Bits() for place in range(labels)}
    return choose(Schema({**columns, **marks}), list(columns), list(marks), n, privacy)


@pytest.mark.parametrize("name", SCHEMAS)
def test_what_is_chosen_can_be_learned(name: str) -> None:
    """Tables of one row, of few and of as many as decide for scorecards, one label and three."""
    columns = SCHEMAS[name]
    for n, privacy, labels in (
        (1, BUDGETS[0], 1),
        (40, BUDGETS[1], 3),
        (1300, BUDGETS[2], 1),
        (3000, BUDGETS[3], 1),
    ):
        told = _chosen(columns, n, privacy, labels)
        marks = {f"y{place}": [row % 2 for row in range(n)] for place in range(labels)}
        cells: dict[str, Any] = {
            key: [column.decode(row % column.inside) for row in range(n)]
            for key, column in columns.items()
        }
        model = learn(
            {**cells, **marks},
            Schema({**columns, **{key: Bits() for key in marks}}),
            concepts=told.concepts,
            features=list(columns),
            labels=list(marks),
            epsilon=privacy.epsilon,
            delta=privacy.delta,
            learner=told.learner,
            rng=Seeded(1),
        )
        assert len(model.hypotheses) == labels
        spent = model.privacy
        assert isinstance(spent, Privacy)
        assert spent.epsilon <= privacy.epsilon
        assert spent.delta <= privacy.delta


def test_scorecards_from_the_rows_that_are_said_on() -> None:
    """The sentence names the number of rows at which the choice changes; it does change there."""
    few = _chosen(SCHEMAS["mixed"], 10, BUDGETS[0])
    needed = int(few.why.split("from ")[1].split(" rows")[0].replace(",", ""))
    assert _chosen(SCHEMAS["mixed"], needed - 1, BUDGETS[0]) == Chosen(
        few.concepts, few.learner, few.why.replace("10 rows", f"{needed - 1:,} rows")
    )
    many = _chosen(SCHEMAS["mixed"], needed, BUDGETS[0])
    assert (many.concepts, many.learner) == ("scorecards", "margin")
    assert f"with fewer than {needed:,} it would be rules" in many.why
    assert _chosen(SCHEMAS["mixed"], needed, BUDGETS[0], labels=2).learner == "short-rules"


def test_without_delta_learners_are_pure() -> None:
    learners = {_chosen(SCHEMAS["mixed"], 10**k, Privacy(1)).learner for k in range(7)}
    assert learners == {"short-rules", "counted"}
    assert all(CATALOGUE[name].pure for name in learners)


def test_the_richest_rules_that_can_be_counted() -> None:
    wide: dict[str, Column] = {f"n{place}": Integer(0, 999) for place in range(200)}
    shapes = [_chosen(wide, n, Privacy("0.001")).concepts for n in (10**3, 5 * 10**5, 10**9)]
    cuts = ("width=2, cuts=16", "width=2, cuts=8", "width=1, cuts=4")
    assert shapes == [f"rules({text}, negated=yes)" for text in cuts]


def test_memory_is_not_spent_on_scorecards() -> None:
    n = CELLS // 5000
    told = _chosen(SCHEMAS["5,000 categories"], n, Privacy(100, "1e-6"))
    assert told.learner == "short-rules"
    assert "too much memory" in told.why


def test_where_nothing_fits_the_way_out_is_said() -> None:
    wide: dict[str, Column] = {f"n{place}": Integer(0, 1 << 60) for place in range(100)}
    with pytest.raises(InvalidArgument, match="name fewer of them"):
        _chosen(wide, 1000, BUDGETS[0])
