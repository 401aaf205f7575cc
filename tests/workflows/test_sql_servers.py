"""What `tacit sql` writes gives what `tacit predict` gives, on four real servers."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tacit.concepts.algebra.hashes import Hashes
from tacit.concepts.algebra.line_hashes import LineBucket
from tacit.concepts.algebra.lines import Line
from tacit.concepts.algebra.lines_or_points import PlanePoint
from tacit.concepts.algebra.parities import Parity
from tacit.concepts.algebra.reed_solomon import ReedSolomon
from tacit.concepts.contract.concept_class import Concept
from tacit.concepts.contract.finite import Row
from tacit.concepts.grid.ball import Ball
from tacit.concepts.grid.boxes import Box
from tacit.concepts.grid.halfspace import Halfspace
from tacit.concepts.line.intervals import Interval
from tacit.concepts.line.points import Point
from tacit.concepts.line.thresholds import Threshold
from tacit.concepts.outputs.bucket import Bucket
from tacit.concepts.outputs.majority_set import Majority
from tacit.concepts.outputs.never import Never
from tacit.concepts.outputs.one_of import Member
from tacit.concepts.outputs.point_sets import PointSet
from tacit.concepts.rules.conjunctions import Conjunction
from tacit.concepts.rules.decision_lists import DecisionList
from tacit.concepts.rules.literals import Literal
from tacit.concepts.rules.rules import Rule
from tacit.concepts.rules.scorecard import Parabola, Scorecard
from tacit.core.chance.randomness import Seeded
from tacit.core.dialect import DIALECTS
from tacit.data import Bits, Category, Column, Date, Integer, Real, Schema
from tacit.learners.contract.model import Model
from tacit.theory.communication.protocols import LineHashing
from tacit.workflows import learn, query
from tacit.workflows.predicting import predictions
from tests.support.servers import NAME, Ask, Table, native, server, stored

EDGES = (-(2**63), -(2**61), -(2**53) - 1, 2**53 + 1, 2**61, 2**62 + 1, 2**63 - 1)
COLUMNS: dict[str, Column] = {
    "age": Integer(18, 120),
    "signed": Integer(-7, 9, outside="null"),
    "low": Integer(-(2**63), -(2**62) - 9, outside="null"),
    "high": Integer(2**62 + 9, 2**63 - 1, outside="null"),
    "wide": Integer(-(2**61), 2**61 - 1),
    "bmi": Real(10, 60, "0.1"),
    "third": Real("-7/3", "14/3", "1/3", outside="null"),
    "fine": Real(0, 1, "0.000001", outside="null"),
    "word": Category(["it's", "a\\b", "${x}", "né", "NaN", "2.5", "-1", "0", "1"], outside="null"),
    "number": Category([0, 1, 2, 10**7, 999_999_999_999_999, "2.0"]),
    "many": Category([f"v{i}" for i in range(300)] + ["7"], outside="null"),
    "bit": Bits(),
    "maybe": Bits(outside="null"),
    "words": Bits("null", yes=["it's", 2, "né", "risk", "ΑΣ"], no=["v7", "NaN", "on time"]),
    "day": Date("1969-12-01", "2024-02-29", outside="null"),
    "ancient": Date("0001-01-01", "9999-12-31"),
}
DAYS = [
    *(
        "2020-02-29",
        "2019-02-29",
        "2000-02-29",
        "1900-02-29",
        "2020-02-30",
        "2020-04-31",
        "0000-01-01",
    ),
    *("2020-13-01", "2020-00-10", "2020-01-00", "2020-1-1", "20200101", "1969-12-31", "1970-01-01"),
    *("0001-01-01", "9999-12-31", "10000-01-01", "-2020-01-01", "2020-01-01Z", "2020-01-01-05"),
    *("2020-01-01 10:20", "2020-01-01T10:20:30", "2020-01-01T10:20:30.", "2020-01-01 10:20:30.25"),
    *("2020-01-01T10:20Z", "2020-01-01 10:20 Z", "2020-01-01 10:20  Z", "2020-01-01 10:20:30.5x"),
    *(
        "2020-01-01T10:20:30.123+05:30",
        "2020-01-01 10:20 -0530",
        "2020-01-01 10:20+05",
        "2020-01-01 ",
    ),
    *("2020-01-01T10", "2020-01-01  10:20", "2020-01-01 99:99", "2020-01-01T10:20:3", "٢٠٢٠-01-01"),
    *("2020-01-01 Z", "2020-01-01t10:20", "2020-01-01 10:20+5", "2020-01-01 10:20+05:3", "now"),
]
TEXTS = [
    *DAYS,
    *("RİSK", "RIS\u212a", "ΑΣ", "ας", "ασ", "ON TIME", "NÉ", "Né", "nÉ"),
    *("", " ", "7", "+7", "-7", " 7.50 ", "\t7\n", "7\r\n", "7\v", "7\u2028", "7\u00a0", "٣", "７"),
    *(
        "1e3",
        "1E+1",
        "1e1",
        "1e",
        "e1",
        "1e+",
        "1e1e1",
        ".",
        "..5",
        ".5",
        "5.",
        "5.e0",
        ".5e1",
        "+",
    ),
    *("--7", "+-7", "0x1F", "1_000", "1,5", "7f", "7d", "1e400", "-1e400", "1e-400", "-1e-400"),
    *("-2.4e-324", "-5e-324", "1e99999999999999999999", "-1e-99999999999999999999", "0e99999"),
    *("0.0e-99999", "-0e5", "inf", "+Inf", "-INF", "Infinity", "-infinity", "infinit", "ınf"),
    *("nan", "NaN", "-nan", "true", "TRUE", "t", "Yes", " y", "No", "f", "false", "on", "1.0"),
    *("0", "0.0", "-0.0", "-0", "00", "1.00", "2", "2.0", "2.00", "2.5", "02", "1e0", "10000000"),
    *("10000000.0", "1.0E7", "999999999999999", "it's", " it's ", "a\\b", "${x}", "né", "NÉ", "v7"),
    *("v299", "v300", "V7", "0.3", "0.30000000000000000000", "0.1", "10.05", "13.5", "13.49"),
    *("13.499999999999", "0.000001", "1e-6", "0.0000010", "59.9", "60", "60.0000000001", "2.3e0"),
    *(
        "9" * 38,
        "9" * 39,
        "-" + "9" * 39,
        "0" * 50 + "7",
        "7." + "0" * 50,
        "1" + "0" * 400,
        "120.9",
    ),
    *("18.0", "17.99", "0.9e-1", "9223372036854775807.0", "9223372036854775808", "1.5e18", "4e18"),
    *(
        "4611686018427387913.5",
        "-4611686018427387913.5",
        "+" + str(2**62 + 9),
        "null",
        "NULL",
        "--",
    ),
    *(
        "1" * 900,
        "1" * 300 + "e-299",
        "0." + "0" * 300 + "7e301",
        "DROP TABLE x; --",
        "{t}",
        "a\tb",
    ),
]
WHOLE = [
    0,
    1,
    2,
    -1,
    7,
    -7,
    9,
    10,
    18,
    120,
    121,
    10**7,
    10**15 - 1,
    *EDGES,
    *(e + 1 for e in EDGES[:-1]),
]
FLOATS = [
    *(math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0, 2.0, 2.5, -1.0, 0.5, 7.9, -7.5, 9.99, 10.0),
    *(0.1 + 0.2, 0.3, 0.1, 1 / 3, 2 / 3, -7 / 3, 14 / 3, 4.666666666666667, 13.5, 13.1, 59.9, 60.0),
    *(math.nextafter(13.1, 0), math.nextafter(13.1, 99), math.nextafter(60, 99), 5e-324, -5e-324),
    *(1e7, 1e15, 999_999_999_999_999.0, 1e16, 1e22, 1e-7, 1e-6, 120.99, 121.0, 1e300, -1e300),
    *(float(e) for e in EDGES),
]  # fmt: skip
DECIMALS = [
    Decimal(d).quantize(Decimal("0.0001"))
    for d in ("0", "1.0000", "2", "2.5", "-1", "7.5", "-7.5", "10000000", "13.1", "-0.0001")
]


def _padded(kinds: dict[str, list[Any]]) -> Table:
    """Return columns of one length: each with a gap, and repeated from the start."""
    longest = max(len(cells) for cells in kinds.values()) + 1
    return {kind: (kind, ([None, *cells] * longest)[:longest]) for kind, cells in kinds.items()}


CELLS = _padded(
    {
        "text": TEXTS,
        "integer": WHOLE,
        "double": FLOATS,
        "float": [float(np.float32(f)) for f in FLOATS if not 1e38 < abs(f) < math.inf],
        "decimal": DECIMALS,
        "boolean": [True, False],
        "date": [date(1, 1, 1), date(1969, 11, 30), date(2020, 2, 29), date(9999, 12, 31)],
        "time": [datetime(1969, 12, 31, 23, 59, 59, 5), datetime(2020, 2, 29), datetime.max],
        "bytes": [b"7", b" 1e1", b"yes", b"2.0", b"-", b"v299", b"0.3"],
    }
)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_server_predicts_what_tacit_predicts(dialect: str, tmp_path: Path) -> None:
    with server(dialect, tmp_path) as ask:
        _cells_are_read_alike(dialect, ask)
        for seed in range(3 if dialect == "spark" else 12):
            _random_models_agree(dialect, ask, random.Random(seed))
        _one_answer_is_given(dialect, ask)
        _what_is_not_used_is_not_read(dialect, ask)


def _cells_are_read_alike(dialect: str, ask: Ask) -> None:
    """Every kind of column over every kind of storage."""
    held, spoken = dict(stored(dialect, CELLS)), DIALECTS[dialect]
    if dialect == "sqlite":  # where a column may hold everything
        everything = [cell for _, cells in held.values() for cell in cells]
        held["mixed"] = "text", [*everything, "7\0", "\0", "7\0 7", "v7\0", "yes\0"]
    for kind, (storage, cells) in held.items():
        table = {"the `cell` {t}": (storage, cells)}
        codes = [c.code_sql("the `cell` {t}", spoken) for c in COLUMNS.values()]
        said = ask(table, f"SELECT {', '.join(codes)} FROM {spoken.identifier(NAME)}")
        for cell, row in zip(cells, said, strict=True):
            read = native(storage, cell)
            expected = {name: column.code(read) for name, column in COLUMNS.items()}
            assert dict(zip(COLUMNS, row, strict=True)) == expected, (kind, cell)


def _random_models_agree(dialect: str, ask: Ask, rng: random.Random) -> None:
    names = [*rng.sample(sorted(COLUMNS.keys() - {"bit"}), 3), "bit"]
    rng.shuffle(names)
    kinds = rng.choices(sorted(CELLS), k=4)
    rows = 60
    table = stored(
        dialect,
        {n: (k, rng.choices(CELLS[k][1], k=rows)) for n, k in zip(names, kinds, strict=True)},
    )
    schema = Schema({n: COLUMNS[n] for n in names} | {"sick": Bits()})
    codes = {n: [_code(schema[n], *table[n], i) for i in range(rows)] for n in names}
    for features, hypotheses in _hypotheses(schema, names, codes, rng):
        model = _model(schema, features, hypotheses)
        said = ask(table, query(model, NAME, dialect))
        points = np.array([codes[n] for n in features], dtype=np.int64).T
        expected = model.predict(points[:, 0] if len(features) == 1 else points)
        assert [list(row) for row in said] == expected.astype(int).tolist()


def _code(column: Column, kind: str, cells: list[Any], row: int) -> int:
    return column.code(native(kind, cells[row]))


def _hypotheses(
    schema: Schema, names: list[str], codes: dict[str, list[int]], rng: random.Random
) -> list[tuple[list[str], list[Concept]]]:
    """Draw hypotheses of every class: over one column, over two, and over all."""
    coins = Seeded(rng.randrange(2**32))

    def at(name: str) -> int:
        return rng.choice([*codes[name], rng.randrange(schema[name].size)])

    one, two = names[0], names[:2]
    low, high = sorted((at(one), at(one)))
    line: list[Concept] = [
        *(Threshold(at(one)), Threshold(at(one), up=False), Threshold(0), Never()),
        *(Point(at(one)), Interval(low, high), Interval(1, 0), Interval(0, schema[one].size - 1)),
        *(Majority((Point(at(one)), Threshold(low), Threshold(high, up=False))), Majority(())),
        Majority(tuple(Point(at(one)) for _ in range(301))),
        Member(0, Point(at(one))),
        *(PointSet(tuple((x,) for x in sorted({at(one) for _ in range(k)}))) for k in (0, 3)),
    ]
    if schema[one].size <= 1000:
        line.append(Row(0, tuple(x % 3 == 0 for x in range(schema[one].size))))
    if schema[one].size <= 1 << 60:
        hashed = Hashes(4, (schema[one].size - 1).bit_length() or 1).draw(rng=coins)
        code = ReedSolomon.least(max(2, schema[one].bits), "1/4")
        line += [Bucket(hashed, 1), code.decode({"place": 0, "value": at(one) % code.prime})]
    p = 101
    plane: list[Concept] = [
        *(Box((Interval(*sorted((at(n), at(n)))), Interval(0, schema[m].size - 1)))
          for n, m in (two,)),
        PlanePoint(at(two[0]), at(two[1])),
        PointSet(tuple({(at(two[0]), at(two[1])) for _ in range(5)})),
    ]  # fmt: skip
    if all(schema[n].size < 2**28 for n in two):
        plane += [
            Ball((at(two[0]), 2 * at(two[1])), 2, rng.randrange(40_000)),
            *(Line(7, 3, p), Ball((3, 4), 1, -1)),
            LineBucket(LineHashing(p, 64).draw(rng=coins).of, rng.randrange(64)),
        ]
    return [([one], line), (two, plane), (names, _wide(schema, names, at, rng))]


def _wide(schema: Schema, names: list[str], at: Any, rng: random.Random) -> list[Concept]:
    def literal() -> Literal:
        place = rng.randrange(len(names))
        return Literal(place, rng.choice([">=", "<", "=", "!="]), at(names[place]))

    def rule() -> Rule:
        return Rule(tuple(literal() for _ in range(rng.randrange(1, 4))))

    made: list[Concept] = [
        *(rule(), rule(), Rule(()), DecisionList(((rule(), 1), (rule(), 0), (rule(), 1)), 0)),
        *(DecisionList((), 1), Conjunction(((0, at(names[0])), (3, at(names[3]))))),
        *(Parity(_bits(schema, names)), Parity(0), Never(), Conjunction(())),
    ]
    if all(schema[n].size < 2**28 for n in names):
        weights = [rng.randrange(-9, 10) for _ in names]
        middle = [at(n) for n in names]
        total = sum(w * x for w, x in zip(weights, middle, strict=True))
        points = tuple(
            tuple(rng.randrange(-50, 50) for _ in range(schema[n].size))
            if schema[n].size < 1000
            else rng.choice([Parabola(rng.randrange(-9, 9), rng.randrange(-9, 9)), 3, 0])
            for n in names
        )
        made += [
            *(Halfspace(tuple(weights), total), Halfspace((0, 0, 0, 0), 1)),
            *(Halfspace((0, -1, 0, 0), -middle[1]), Ball(tuple(middle), 1, 10_000)),
            *(Scorecard(points, rng.randrange(-60, 60)), Scorecard((0, 0, 0, 0), 0)),
        ]
    return made


def _bits(schema: Schema, names: list[str]) -> int:
    """Return the columns of bits, of which parities speak."""
    return sum(1 << i for i, name in enumerate(names) if schema[name].size == 2)


def _model(schema: Schema, features: Sequence[str], hypotheses: Sequence[Concept]) -> Model:
    plain = Schema({"x": Integer(0, 1), "sick": Bits()})
    rows = {"x": [0, 1], "sick": [0, 1]}
    asked: dict[str, Any] = {"concepts": "thresholds", "features": ["x"], "labels": ["sick"]}
    made = learn(rows, plain, epsilon=1, rng=Seeded(0), **asked)
    labels = tuple(f'label "{i}" `' for i in range(len(hypotheses)))
    context = {"schema": schema.dump(), "features": tuple(features), "labels": labels}
    return replace(made, hypotheses=tuple(hypotheses), **context)


def _one_answer_is_given(dialect: str, ask: Ask) -> None:
    """Of a category as `predict`, measured or not; of a number the range of its median."""
    schema = Schema(
        {
            "age": Integer(0, 9),
            "ward": Category(["it's", "né", "c"]),
            "side": Category(["left", "right"]),
            "stay": Integer(0, 30),
            "late": Date("2020-01-01", "2020-12-31", outside="null"),
        }
    )
    ages = [i % 10 for i in range(2000)]
    rows = {
        "age": ages,
        "ward": [["né", "c", "it's"][a // 4] for a in ages],
        "side": ["right" if a > 6 else "left" for a in ages],
        "stay": [2 * a for a in ages],
        "late": [f"2020-{a + 1:02}-01" for a in ages],
    }
    asked = {
        "concepts": "thresholds",
        "features": ["age"],
        "labels": ["ward", "side", "stay", "late"],
        "cuts": {"stay": [5, 10], "late": [date(2020, 5, 1)]},
    }
    table: Table = {"age": ("integer", [*range(10), None])}
    for hold_out in ("0", "0.2"):
        model = learn(
            rows,
            schema,
            epsilon=8,
            hold_out=hold_out,
            rng=Seeded(1),
            **asked,  # type: ignore[arg-type]
        )
        assert bool(model.measured) == (hold_out != "0")
        told = [row for part in predictions(model, {"age": table["age"][1]}) for row in part]
        said: list[Any] = ask(table, query(model, NAME, dialect))
        assert len(said[0]) == 4 + len(model.labels)
        assert [(row[0], row[4]) for row in said] == [(row[0], row[1]) for row in told]
        assert {row[6] for row in said} <= {"below 5", "between 5 and 9", "at least 10"}
        assert [row[6] == "at least 10" for row in said[:10]] == [a > 4 for a in range(10)]
        assert {row[9] for row in said} == {
            "between 2020-01-01 and 2020-04-30",
            "between 2020-05-01 and 2020-12-31",
        }
        assert [row[1:4].count(1) for row in said[:10]] == model.predict(np.arange(10))[:, :3].sum(
            axis=1
        ).tolist()


def _what_is_not_used_is_not_read(dialect: str, ask: Ask) -> None:
    schema = Schema({n: COLUMNS[n] for n in ("age", "bmi", "bit")} | {"sick": Bits()})
    table: Table = {"bmi": ("double", [11.0, 50.0, None])}
    names = ["age", "bmi", "bit"]
    box = Box((Interval(0, 102), Interval(0, 99), Interval(0, 1)))
    model = _model(schema, names, [box, Rule((Literal(1, ">=", 100),))])
    assert ask(table, query(model, NAME, dialect)) == [(1, 0), (0, 1), (1, 0)]
    always = _model(schema, names, [Rule(()), Never()])
    assert ask(table, query(always, NAME, dialect)) == [(1, 0)] * 3
    used = _model(schema, names, [Rule((Literal(0, ">=", 100),))])
    with pytest.raises(Exception, match=r"(?i)age"):
        ask(table, query(used, NAME, dialect))
