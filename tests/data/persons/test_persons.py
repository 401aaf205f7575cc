"""Persons: who is the same, on every engine; what each gives, and what that is worth."""

from __future__ import annotations

from collections import Counter
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any
from uuid import UUID

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

from tacit.concepts import Boxes, Thresholds
from tacit.concepts.rules.scorecards import Scorecards
from tacit.core.chance.randomness import Seeded
from tacit.core.composition import price
from tacit.core.cost import (
    Approximate,
    BoundedRange,
    NearGaussian,
    Parallel,
    Pure,
    Repeat,
    ZeroConcentrated,
)
from tacit.core.errors import InvalidArgument
from tacit.core.group_privacy import grouped
from tacit.data import Bits, Integer, Schema
from tacit.data.persons.identity import Identity
from tacit.data.persons.reading import person_counts
from tacit.data.reading.codes import codes_of
from tacit.data.reading.coding import Coding
from tacit.data.reading.source import open_source
from tacit.kernels.reading.identifiers import MISSING
from tacit.learners import DirectSum, GenericLearner, MarginLearner
from tacit.learners.contract.model import Model
from tacit.learners.made_from.by_person import ByPerson, scaled, weighs
from tacit.statistics import LabelCounts
from tacit.statistics.counts.person_counts import PersonCounts
from tacit.workflows import count, learn, measure, quantile, sanitize

SCHEMA = Schema({"age": Integer(0, 120), "ill": Bits()})
CODING = Coding.of(SCHEMA, ["age"], ["ill"])
SAME = [
    (
        "17",
        17,
        17.0,
        " 017 ",
        "1.7e1",
        "17e+0",
        b"17",
        Decimal("17.00"),
        np.float32(17),
        "+17",
        "１７",
    ),
    ("P-7a", " p-7A", "P-7A\t", b"p-7a"),
    (None, "", "   ", float("nan"), [1]),
    (2**61 + 1, str(2**61 + 1), Decimal(2**61 + 1)),
    (-3, "-3", "-3.0", -3.0),
    ("Straße", "STRASSE"),
    ("\u03b0", "\u03ab\u0301", "\u03c5\u0308\u0301"),
    (10**16, 1e16, "1e+16", "1.0E16", "10000000000000000.0", Decimal("1E+16")),
    (2**127, str(2**127), Decimal(2**127), float(2**127)),
    (UUID(int=2**127 + 5), str(UUID(int=2**127 + 5)).upper()),
    (date(2020, 3, 1), "2020-03-01"),
    (0.5, "0.50", ".5"),
]


@pytest.mark.parametrize("cells", SAME)
def test_one_person_however_it_is_written(cells: tuple[Any, ...]) -> None:
    assert len({Identity().code(cell) for cell in cells}) == 1


def test_different_persons_are_told_apart() -> None:
    """Words that a float would make one of, and long digits that it would round."""
    words = ["12e5", "0e12345", "0e54321", "1e400", "1e401", "2e400", "1" * 39, "1" * 38 + "2"]
    words += ["9" * 5000, "8" * 5000, "1.5e999", "1.5e998", 2**127 + 1, "inf", "infinity"]
    codes = [Identity().code(cell) for cell in [*(each[0] for each in SAME), *words]]
    assert len(set(codes)) == len(SAME) + len(words)
    assert all(0 <= code <= MISSING for code in codes)


def test_uuids_are_the_same_in_every_type(tmp_path: Path) -> None:
    """DuckDB's and Arrow's own type, Python's objects and their text; also beside one value."""
    duckdb.sql("SELECT uuid() AS who, 0 AS age, 1 AS ill FROM range(9)").to_table("u")
    relation = duckdb.table("u")
    relation.write_parquet(str(tmp_path / "u.parquet"))
    relation.write_csv(str(tmp_path / "u.csv"))
    held = relation.fetchall()
    objects = {"who": [row[0] for row in held], "age": [0] * 9, "ill": [1] * 9}
    coding = Coding.of(Schema({"age": Integer(0, 0)}), ["age"])  # with nothing to put into a word
    sources = [relation, tmp_path / "u.parquet", tmp_path / "u.csv", objects, pd.DataFrame(objects)]
    found = [person_counts(open_source(source), coding, ["who"]) for source in sources]
    assert [counts.n for counts in found] == [9] * len(sources)
    assert all(counts.codes.tolist() == [[0]] for counts in found)
    read = [codes_of(Identity(), held) for held in (
        pyarrow.parquet.read_table(tmp_path / "u.parquet").column("who").chunk(0),
        pa.array([str(who) for who in objects["who"]]),
    )]  # fmt: skip
    assert read[0].tolist() == read[1].tolist()


def test_a_person_has_any_number_of_rows() -> None:
    """A million rows of one person weigh what one of another does; alone they are learned from."""
    many = {"who": [7] * 10**6 + [8], "age": [1, 2] * (10**6 // 2) + [3], "ill": [1] * 10**6 + [0]}
    table = {name: np.array(held) for name, held in many.items()}
    counts = person_counts(open_source(table), CODING, ["who"])
    held: Any = counts.mean(60)
    assert (held.points.tolist(), held.totals.tolist()) == ([1, 2, 3], [30, 30, 60])
    alone = {name: held[:-1] for name, held in table.items()}
    for hold_out in (0, None):
        asked: Any = {"labels": ["ill"], "epsilon": 1, "person": ["who"], "hold_out": hold_out}
        assert learn(alone, SCHEMA, **asked, rng=Seeded(1)).n == 1


def test_arrays_are_read_as_cells_are() -> None:
    """Compiled, by types and one by one: the same codes."""
    texts = ["17", " 017", "P-7a", "p-7A ", "", None, "1e3", "0A12", "12-34", "+5", "inf", "i7",
             "12E5", "1.5e3", "1e+3",
             "Infinity", "ı", "9" * 18, "9" * 19, "-0", "1e", "E5", "b c", "3e4-"]  # fmt: skip
    arrays = [
        pa.array(texts),
        pa.array(texts).dictionary_encode(),
        pa.array([17, None, -3, 2**62, 2**53 + 1], pa.int64()),
        pa.array([17.0, None, float("nan"), 0.5, 1e300, -3.0, 2.0**53]),
        pa.array([17, 2**64 - 1], pa.uint64()),
        pa.array([0.1, 17.0], pa.float32()),
        pa.array([True, None]),
        pa.array([date(2020, 3, 1), None]),
        pa.array([Decimal("17.0"), None], pa.decimal128(9, 1)),
    ]
    for cells in arrays:
        expected = [Identity().code(cell) for cell in cells.to_pylist()]
        if pa.types.is_float32(cells.type):
            expected = [Identity().code(np.float32(cell)) for cell in cells.to_pylist()]
        assert codes_of(Identity(), cells).tolist() == expected


VISITS: dict[str, list[Any]] = {
    "who": ["a7", "A7 ", "9", "b", None, "", "b"],
    "age": [41, 42, 67, 20, 30, 31, 20],
    "ill": [0, 1, 1, 0, 1, 0, 0],
}


def _content(counts: PersonCounts) -> Counter[Any]:
    """What each person has, without the order of the identifiers."""
    rows = counts.codes.tolist()
    ends = zip(counts.starts[:-1].tolist(), counts.starts[1:].tolist(), strict=True)
    each = (
        tuple((*rows[counts.cells[e]], int(counts.times[e])) for e in range(low, high))
        for low, high in ends
    )
    return Counter(each)


def test_every_engine_counts_alike(tmp_path: Path) -> None:
    frame = pd.DataFrame(VISITS)
    table = pa.table({"who": VISITS["who"], "age": VISITS["age"], "ill": VISITS["ill"]})
    (tmp_path / "v.csv").write_text(frame.to_csv(index=False))
    pyarrow.parquet.write_table(table, tmp_path / "v.parquet")
    for part, rows in enumerate((frame[:3], frame[3:])):
        rows.to_csv(tmp_path / f"part{part}.csv", index=False)
    sources = [
        VISITS, frame, table, tmp_path / "v.csv", tmp_path / "v.parquet", pl.DataFrame(VISITS),
        pl.DataFrame(VISITS).lazy(), duckdb.from_arrow(table), frame[::-1],
        [tmp_path / "part0.csv", tmp_path / "part1.csv"],
    ]  # fmt: skip
    known = _content(person_counts(open_source(VISITS), CODING, ["who"]))
    assert known == {
        ((41, 0, 1), (42, 1, 1)): 1,
        ((67, 1, 1),): 1,
        ((20, 0, 2),): 1,
        ((30, 1, 1), (31, 0, 1)): 1,
    }
    for source in sources:
        assert _content(person_counts(open_source(source), CODING, ["who"])) == known
    both = {**VISITS, "house": [1, 1, 2, 3, 3, 4, 3]}
    assert person_counts(open_source(both), CODING, ["who", "house"]).n == 5


def test_a_person_is_no_feature() -> None:
    with pytest.raises(InvalidArgument, match="--person"):
        person_counts(open_source(VISITS), CODING, ["age"])
    with pytest.raises(InvalidArgument, match="--person"):
        person_counts(open_source(VISITS), CODING, [CODING.names[-1]])
    with pytest.raises(InvalidArgument, match="nobody"):
        person_counts(open_source(VISITS), CODING, ["nobody"])


@pytest.mark.parametrize("last", [1 << 20, 1 << 61, (1 << 62) - 1])
@pytest.mark.parametrize("wide", [1, 1 << 40])
def test_persons_are_grouped_alike_whatever_their_codes(last: int, wide: int) -> None:
    """Small codes, hashes, and both: packed into one word, by their first bits, or by rank."""
    rng = np.random.default_rng(2)
    codes = np.unique(np.append(rng.integers(0, last, 60), [0, 1, 2] if last > 1 << 61 else []))
    who = codes[rng.integers(0, len(codes), 900)].astype(np.int64)
    rows = rng.integers(0, 7, (900, 1)) * wide
    counts = PersonCounts.of(who[:, None], rows, features=1)
    found = Counter(
        (place, int(counts.codes[counts.cells[entry], 0]), int(counts.times[entry]))
        for place in range(counts.n)
        for entry in range(counts.starts[place], counts.starts[place + 1])
    )
    places = np.searchsorted(np.unique(who), who)
    seen = Counter(zip(places.tolist(), rows[:, 0].tolist(), strict=True))
    assert found == Counter((place, row, many) for (place, row), many in seen.items())


@pytest.mark.parametrize("weight", [6, 60])
def test_each_person_weighs_the_same(weight: int) -> None:
    rng = np.random.default_rng(1)
    who = rng.integers(0, 40, 700)[:, None]
    rows = np.stack([rng.integers(0, 9, 700), rng.integers(0, 2, 700)], axis=1)
    counts = PersonCounts.of(who, rows, features=1)
    held: Any = counts.mean(weight)
    assert held.n == held.totals.sum() == counts.n * weight
    for place in range(counts.n):
        alone: Any = counts.only(np.array([place]))
        mine = rows[who[:, 0] == np.unique(who)[place]]
        told: Any = alone.mean(weight)
        assert told.totals.sum() == weight
        order = sorted(map(tuple, mine.tolist()))
        records = list(
            zip(told.points.tolist(), told.marks[:, 0].astype(int).tolist(), strict=True)
        )
        for cut in set(order):
            share = sum(t for r, t in zip(records, told.totals.tolist(), strict=True) if r <= cut)
            exact = Fraction(weight * sum(row <= cut for row in order), len(order))
            assert abs(share - exact) < 1
        if weight % len(order) == 0:
            each = weight // len(order)
            shares = dict(zip(records, told.totals.tolist(), strict=True))
            assert shares == {row: each * many for row, many in Counter(order).items()}


def test_one_row_each_is_uniform() -> None:
    counts = PersonCounts.of(
        np.array([[1], [1], [1], [2]]), np.array([[0], [0], [1], [5]]), features=1
    )
    law: Counter[Any] = Counter()
    for share, drawn in counts.draws():
        held: Any = drawn
        law[tuple(sorted(held.table.items()))] += share  # type: ignore[assignment]
    assert law == {((0, 1), (5, 1)): Fraction(2, 3), ((1, 1), (5, 1)): Fraction(1, 3)}
    found = Counter(
        tuple(sorted(counts.drawn(rng=rng).table.items()))  # type: ignore[union-attr]
        for rng in map(Seeded, range(600))
    )
    assert abs(found[(0, 1), (5, 1)] - 400) < 60


def test_weights_cost_nothing() -> None:
    """On W copies of each row, at epsilon / W, the law is that of the rows."""
    made = DirectSum(GenericLearner(Thresholds(3), epsilon=1), 1)
    rows = [(1, (0,)), (4, (1,)), (6, (0,))]
    once, often = (LabelCounts.of(rows * many, labels=1) for many in (1, 12))
    ours: Any = scaled(made, 12)
    one, other = made.law(once).probabilities, ours.law(often).probabilities
    assert one.keys() == other.keys()
    assert all(abs(one[key] - other[key]) < Fraction(1, 10**15) for key in one)
    cards = DirectSum(MarginLearner(Scorecards("9"), rho="1/8"), 1)
    assert ByPerson(made, 60).cost == made.cost
    row, person = (
        price(each.cost, "1e-6").privacy.epsilon for each in (cards, ByPerson(cards, 60))
    )
    assert row * Fraction(99, 100) < person <= row
    few = GenericLearner(Boxes(16, 2), epsilon=1)  # of 390 rows at most
    assert [weighs(DirectSum(few, 1), n) for n in (6, 7)] == [True, False]


def test_what_several_rows_cost() -> None:
    assert grouped(Repeat(ZeroConcentrated("1/3600"), 2), 60) == Repeat(ZeroConcentrated(1), 2)
    assert grouped(BoundedRange("1/60"), 60) == BoundedRange(1)
    assert grouped(NearGaussian("1/3600", "1/1200"), 60) == NearGaussian(1, 3)
    for cost in (Approximate(1, "1/10"), Parallel(Pure(1), Pure(1))):
        with pytest.raises(InvalidArgument, match="several rows"):
            grouped(cost, 2)


def _clinic(persons: int) -> dict[str, Any]:
    rng = np.random.default_rng(3)
    many = rng.integers(1, 9, persons)
    who = np.repeat(np.arange(persons), many)
    age = np.repeat(rng.integers(20, 100, persons), many)
    ill = (age >= 60) ^ (rng.random(len(age)) < 0.1)
    return {"who": who, "age": age, "ill": ill.astype(int)}


def test_every_verb_counts_persons() -> None:
    clinic, asked = _clinic(2000), {"epsilon": 1, "person": ["who"], "rng": Seeded(1)}
    model = learn(clinic, SCHEMA, labels=["ill"], hold_out=None, **asked)  # type: ignore[arg-type]
    assert (model.n, model.unit.person, model.weight, model.accuracy) == (2000, ("who",), 60, None)
    assert model.measured[0].n == 400
    assert model.predict(np.array([50, 70]))[:, 0].tolist() == [False, True]
    assert Model.loads(model.dumps()) == model
    promised = learn(clinic, SCHEMA, labels=["ill"], alpha="0.3", **asked)  # type: ignore[arg-type]
    assert promised.weight == 1
    assert promised.accuracy is not None
    told = measure(model, clinic, **asked)  # type: ignore[arg-type]
    assert told.n == 2000
    assert told.readings[0].error < 0.15
    assert quantile(clinic, SCHEMA, column="age", **asked).n == 2000  # type: ignore[arg-type]
    assert count(clinic, SCHEMA, by=["ill"], **asked).n == 2000  # type: ignore[arg-type]
    assert sanitize(clinic, SCHEMA, columns=["age"], **asked).rows == 2000  # type: ignore[arg-type]


def test_means_err_less_than_one_row_and_groups() -> None:
    """200 persons with about four rows, 20 at most, whom group privacy has to reckon with."""
    rng, made = np.random.default_rng(5), DirectSum(GenericLearner(Thresholds(5), epsilon=1), 1)
    excess = dict.fromkeys(("mean", "one", "group"), 0.0)
    for run in range(150):
        many = np.minimum(1 + rng.poisson(3, 200), 20)
        who, x = np.repeat(np.arange(200), many), np.repeat(rng.integers(0, 32, 200), many)
        y = (x >= 16) ^ (rng.random(len(x)) < 0.3)
        counts = PersonCounts.of(who[:, None], np.stack([x, y], axis=1), features=1)
        every = LabelCounts.of(
            list(zip(x.tolist(), ((m,) for m in y.tolist()), strict=True)), labels=1
        )
        group = DirectSum(GenericLearner(Thresholds(5), epsilon=Fraction(1, 20)), 1)
        drawn = {
            "mean": ByPerson(made, 60)(counts, rng=Seeded(run)),
            "one": ByPerson(made, 1)(counts, rng=Seeded(run)),
            "group": group(every, rng=Seeded(run)),
        }
        for name, (rule,) in drawn.items():
            wrong = (rule(np.arange(32)) != (np.arange(32) >= 16)).mean()
            excess[name] += 0.4 * wrong / 150
    assert excess["mean"] < excess["one"]
    assert excess["mean"] <= 0.25 * excess["group"]


def test_a_misspelt_person_is_told_the_nearest_declared_column(tmp_path: Path) -> None:
    """A file's first line may be a row: of its columns only those are named that are declared."""
    table = tmp_path / "visits.csv"
    table.write_text("patient,secret,age,ill\na7,1,41,0\n")
    schema = Schema({"age": Integer(0, 120), "ill": Bits(), "patient": Integer(0, 9)})
    for person, declared, words in (
        ("patiant", schema, "; did you mean 'patient'?"),
        ("patiant", SCHEMA, "; tacit schema template FILE shows them"),
    ):
        with pytest.raises(InvalidArgument, match="must name one of its columns") as refused:
            learn(table, declared, features=["age"], labels=["ill"], epsilon=1, person=[person])
        assert str(refused.value).endswith(words)
        assert "secret" not in str(refused.value)
    frame = pd.read_csv(table)
    with pytest.raises(InvalidArgument, match="of its columns; it has patient, secret"):
        learn(frame, SCHEMA, labels=["ill"], epsilon=1, person=["patiant"])
