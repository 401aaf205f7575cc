"""Rows that stay with Spark's workers give what they would give here, with the same key."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

from tacit.core.chance.deal import Deal, Records
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.data import Bits, Integer, Schema, open_with_spark
from tacit.data.reading.coding import Coding
from tacit.data.reading.reduction import joint_counts
from tacit.data.reading.source import open_source
from tacit.data.schema.rule_class import rules_over
from tacit.data.spark import distant as distant_module
from tacit.data.spark import room
from tacit.data.spark.distant import SparkRows
from tacit.statistics import JointCounts, ScoreProfile
from tacit.statistics.counts.score_counts import ScoreCounts
from tacit.workflows import learn, measure
from tacit.workflows import measuring as measuring_module
from tacit.workflows.learned import question

SCHEMA = Schema({"x": Integer(0, 9), "z": Integer(0, 3), "y": Bits(), "w": Bits()})
ROWS = np.random.default_rng(8).integers(0, [10, 4, 2, 2], (600, 4))
ROWS[:, 2] = ROWS[:, 0] >= 6
ROWS[:300] = [3, 1, 0, 1]
TABLE = pa.table(dict(zip(SCHEMA.names, ROWS.T, strict=True)))
CODING = Coding.of(SCHEMA, ["x", "z"], ["y", "w"])
RULES = rules_over(SCHEMA, ["x", "z"], "width=2, cuts=4")
SIZES = [450, 0, 150]


def dealt_here(sizes: list[int], seed: int) -> list[JointCounts]:
    """Deal the same rows by the same key, without Spark."""
    held = joint_counts(open_source(TABLE), CODING)
    lines = np.column_stack([held.points, held.marks @ np.array([1, 2])]).astype(np.int64)
    records = Records(lines, held.totals)
    deal, found = Deal.of(records, held.n, sizes, rng=Seeded(seed)), []
    for block, size in enumerate(sizes):
        totals = deal.only(records, block) if size else 0 * held.totals
        some = totals > 0
        kept = held.points[some], held.marks[some], totals[some]
        found.append(JointCounts(size, 2, *kept))
    return found


def distant(source: Any) -> SparkRows:
    opened: Any = open_source(source)
    found: SparkRows = opened.distant(CODING)
    return found


def check_parts(parts: tuple[SparkRows, ...], seed: int) -> None:
    """Compare what is learned from one part, and measured on another, with what it is here."""
    learned, nobody, held = parts
    here = dealt_here(SIZES, seed)
    gains = learned.gains(RULES)
    assert (gains.n, learned.n, nobody.n, held.n) == (450, *SIZES)
    for label in (0, 1):
        profiles = [
            ScoreProfile.agreements(RULES, sample, label=label)
            for sample in (gains, here[0].marginal())
        ]
        assert profiles[0].scores.tolist() == profiles[1].scores.tolist()
    rule = RULES.nth(5)
    levels = [rule.levels, (0,)]
    for label, told in enumerate(held.scores([rule, rule], RULES, levels)):
        expected = ScoreCounts.of(
            here[2].marginal(), rule, RULES, label=label, levels=levels[label]
        )
        assert (told.n, told.cells.tolist()) == (150, expected.cells.tolist())


def rows_are_dealt_where_they_are(spark: Any) -> None:
    pyarrow.csv.write_csv(TABLE, spark.folder / "t.csv")
    frame = spark.session.createDataFrame(TABLE)
    sources = [frame.repartition(3), open_with_spark(spark.session, [str(spark.folder / "t.csv")])]
    with pytest.MonkeyPatch.context() as patch:
        for source, dealt in zip(sources, (100, 1 << 22), strict=True):
            patch.setattr(distant_module, "DEALT", dealt)  # in six parts, and as they come
            rows = distant(source)
            assert repr(rows) == "SparkRows(n=600, labels=2)"
            check_parts(rows.split(SIZES, rng=Seeded(5)), 5)
    within = rows.split([400, 200], rng=Seeded(1))[0].split([100, 300], rng=Seeded(2))
    assert [part.gains(RULES).n for part in within] == [100, 300]
    with pytest.raises(InvalidArgument, match="cannot be dealt"):
        rows.split([601], rng=Seeded(1))


def blocks_vote_where_they_are(spark: Any) -> None:
    def vote(block: Any) -> Any:
        marks = block.marks if isinstance(block, JointCounts) else block.positives
        lines = zip(block.points.tolist(), marks.tolist(), block.totals.tolist(), strict=True)
        return block.n, sorted(lines)

    rows = distant(spark.session.createDataFrame(TABLE))
    sizes = [20] * 12 + [0, 7]
    here = dealt_here(sizes, 3)
    assert rows.each(vote, sizes, rng=Seeded(3)) == [vote(block) for block in here]
    each = [replace(b.marginal(), labels=1, positives=b.marginal().positives[:, 1:]) for b in here]
    assert rows.each(vote, sizes, label=1, rng=Seeded(3)) == [vote(block) for block in each]
    assert rows.each(vote, [0, 0], rng=Seeded(3)) == [(0, []), (0, [])]


def many_rows_stay_and_few_come(spark: Any) -> None:
    """Who learns decides by their number: what is asked of many rows never brings them here."""
    frame = spark.session.createDataFrame(TABLE)
    few = learn(frame, SCHEMA, labels=["y"], epsilon=4, hold_out="1/5", rng=Seeded(1))
    here = learn(TABLE, SCHEMA, labels=["y"], epsilon=4, hold_out="1/5", rng=Seeded(1))
    assert few.dumps() == here.dumps()
    opened = replace(open_source(frame), counted=None, batches=None)  # type: ignore[arg-type]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(question, "NEAR", 0)
        patch.setattr(measuring_module, "NEAR", 0)
        for asked in ({"epsilon": 3}, {"concepts": RULES}, {"concepts": RULES, "hold_out": 0}):
            wanted: Any = {"features": ["x", "z"], "epsilon": 20, "hold_out": None} | asked
            model = learn(opened, SCHEMA, labels=["y", "w"], **wanted, rng=Seeded(1))
            assert model.n == 600
            assert [told.n for told in model.measured] == ([] if "hold_out" in asked else [120] * 2)
            assert "x is at least 6" in str(model.hypotheses[0].rule(["x", "z"]))
        told = measure(model, opened, epsilon=2, rng=Seeded(1))
        assert told.describe() == measure(model, TABLE, epsilon=2, rng=Seeded(1)).describe()
        lines = np.random.default_rng(1).integers(0, 2, (900, 5))
        lines[:, 4] = lines[:, 0] ^ lines[:, 2]
        bits = pa.table({f"x{j}": lines[:, j] for j in range(5)})
        schema = Schema({f"x{j}": Bits() for j in range(5)})
        known: Any = {"labels": ["x4"], "concepts": "parities", "agnostic": False, "epsilon": 2}
        for name, delta in (("block-parity", "1e-6"), ("pure-block-parity", 0)):
            many = replace(open_source(spark.session.createDataFrame(bits)), counted=None)  # type: ignore[arg-type]
            found = learn(many, schema, **known, delta=delta, learner=name, hold_out="1/10")
            assert found.hypotheses[0].columns == (0, 2)


def tables_are_read_by_name(spark: Any) -> None:
    """A table that was saved in the warehouse, in a database of its own."""
    spark.session.sql("CREATE DATABASE clinic")
    frame = spark.session.createDataFrame(TABLE)
    frame.write.saveAsTable("clinic.visits", format="parquet")
    try:
        asked: Any = {"concepts": "thresholds", "features": ["x"], "labels": ["y"], "epsilon": 1}
        here = learn(TABLE, SCHEMA, **asked, rng=Seeded(3))
        for name in ("clinic.visits", "spark_catalog.clinic.visits", "`clinic`.`visits`"):
            opened = open_with_spark(spark.session, [f"table:{name}"])
            assert learn(opened, SCHEMA, **asked, rng=Seeded(3)).dumps() == here.dumps()
        for wrong, why in (
            (["table:clinic.nothing"], "has no table clinic.nothing"),
            (["table:clinic.`odd name`"], "has no table clinic"),
            (["table:a; DROP TABLE b"], "backticks"),
            (["table:clinic.visits", "t.csv"], "named alone"),
        ):
            with pytest.raises(InvalidArgument, match=why):
                open_with_spark(spark.session, wrong)
        with pytest.raises(InvalidArgument, match="add --engine spark"):
            open_source("table:clinic.visits")
    finally:
        spark.session.sql("DROP DATABASE clinic CASCADE")


def counts_that_have_no_room_are_refused(spark: Any) -> None:
    """By rows and domain, never by how many different rows there are."""
    frame = spark.session.range(4000).selectExpr("0 AS x", "0 AS z", "id % 2 AS y", "0 AS w")
    asked: Any = {"labels": ["y"], "epsilon": 1, "concepts": "thresholds"}
    wide = Schema({"x": Integer(0, 10**9), "z": Integer(0, 9), "y": Bits(), "w": Bits()})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room, "memory", lambda: 500_000)
        learn(frame, wide, **asked, features=["z"])
        with pytest.raises(InvalidArgument, match=r"may have 4,000 different rows.*GB here"):
            learn(frame, wide, **asked, features=["x"])
