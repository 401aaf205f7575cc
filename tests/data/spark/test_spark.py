"""Spark on a real cluster: the counts and the releases of every other engine, also after a loss.

One master and two workers, each a process, which all parts share: so they are parts of one test.
"""

from __future__ import annotations

import json
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from typer.testing import CliRunner

from tacit.concepts.algebra.lines import Lines
from tacit.core.chance.randomness import Seeded
from tacit.core.cost import Pure
from tacit.core.errors import InvalidArgument
from tacit.data import Bits, Category, Date, Integer, Schema, open_with_spark, read_points, reduce
from tacit.data.persons.reading import person_counts
from tacit.data.reading.coding import Coding
from tacit.data.reading.reduction import count_points, joint_counts, open_table, sample_of
from tacit.data.reading.source import open_source
from tacit.data.schema.rule_class import rules_over
from tacit.data.spark.mapping import mapped
from tacit.interfaces.cli.application import app
from tacit.learners.algebra.voting_line import VotingLineLearner
from tacit.mechanisms import SubsampleAndAggregate
from tacit.statistics import LabelCounts, ScoreProfile
from tacit.statistics.counts.label_gains import LabelGains
from tacit.statistics.counts.person_counts import PersonCounts
from tacit.verify.enumeration import verify
from tacit.verify.tables.family import _learn, case_of
from tacit.verify.tables.writers import WRITERS, Columns, Writer
from tacit.workflows import describe, learn
from tests.data.reading.test_reduction import ENGINES, SCHEMA, TABLE, reference, same
from tests.data.spark import distant_rows, grouped_rows
from tests.support.spark_cluster import Cluster

LABELS = ["dead", "ill", "sick"]
MANY = ["age", "id", "bmi", "sex", "ward", "smokes"]
SECRET = "4711"


@dataclass(frozen=True)
class Spark:
    """A cluster, a session on it, one table for all, and an empty folder."""

    cluster: Cluster
    session: Any
    frame: Any
    folder: Path


def spark_counts_what_the_others_count(spark: Spark) -> None:
    for features, labels in (
        (["age"], ["sick"]),
        (["id", "age"], ["ill", "sick"]),
        (["bmi"], ["ill", "dead"]),
        (MANY, LABELS),
    ):
        same(reduce(spark.frame, SCHEMA, features, labels), reference(TABLE, features, labels))


def records_and_points(spark: Spark) -> None:
    """Once counted by Spark itself, once by our code on the workers."""
    tables = spark.frame, TABLE
    for features in (["age", "id"], ["sex", "bmi"]):
        coding = Coding.of(SCHEMA, features, ["ill", "sick"])
        found, expected = (joint_counts(open_table(t, coding), coding) for t in tables)
        for part in ("points", "marks", "totals"):
            assert np.array_equal(getattr(found, part), getattr(expected, part)), part
        counts = [count_points(table, Coding.of(SCHEMA, features)) for table in tables]
        assert dict(counts[0].table) == dict(counts[1].table)


def persons_are_counted_alike(spark: Spark) -> None:
    """Their rows lie in any partition; identifiers are coded by the workers, of every type."""
    coding = Coding.of(SCHEMA, ["age", "sex"], ["ill", "sick"])
    rows = range(len(TABLE))
    table = TABLE.append_column("who", pa.array([f" {'pP'[i % 2]}{i % 7}" for i in rows]))
    table = table.append_column("house", pa.array([float(i % 3) for i in rows]))
    pyarrow.parquet.write_table(table, spark.folder / "p.parquet")
    pyarrow.csv.write_csv(table, spark.folder / "p.csv")
    frame = spark.session.createDataFrame(table)
    paths = [str(spark.folder / f"p.{end}") for end in ("csv", "parquet")]
    files = [open_with_spark(spark.session, [path]) for path in paths]
    empty = person_counts(open_source(frame.where("false")), coding, ["who"])
    assert (empty.n, empty.codes.shape) == (0, (0, 4))
    for person in (["who"], ["house"], ["who", "house"], ["id"]):
        expected = person_counts(open_source(table), coding, person)
        for source in (frame, frame.repartition(5), *files):
            same_persons(person_counts(open_source(source), coding, person), expected)
    for source in (frame, table):
        asked: Any = {"labels": ["ill"], "person": ["who"], "epsilon": 1, "rng": Seeded(3)}
        model = learn(source, SCHEMA, concepts="thresholds", features=["age"], **asked)
        assert (model.n, model.weight) == (7, 60)
        (spark.folder / f"{source is frame}.json").write_text(model.dumps())
    assert len({path.read_text() for path in spark.folder.glob("*.json")}) == 1


def same_persons(found: PersonCounts, expected: PersonCounts) -> None:
    assert found.n == expected.n
    for part in ("codes", "starts", "cells", "times"):
        assert np.array_equal(getattr(found, part), getattr(expected, part)), part


def rows_come_back_and_no_rows_are_no_points(spark: Spark) -> None:
    points = read_points(spark.frame, SCHEMA, MANY).tolist()
    assert sorted(points) == sorted(read_points(TABLE, SCHEMA, MANY).tolist())
    empty = spark.session.createDataFrame(TABLE).where("false")
    for features in (["age"], ["sex", "age"]):
        counts = reduce(empty, SCHEMA, features, ["sick", "ill"])
        assert (counts.n, len(counts.points), counts.positives.shape) == (0, 0, (0, 2))


def dates_words_and_outcomes(spark: Spark) -> None:
    """Labels of every kind, in Spark's types and as texts, with the marks of a row together."""
    labels: dict[str, Any] = {
        "born": Date("2020-01-20", "2020-06-01"),
        "seen": Date("2020-01-20", "2020-06-01", outside="null"),
        "ward": Category(["A", "B", "C"], outside="null"),
        "late": Bits(yes=["late", 2]),
    }
    schema = Schema({"born2": labels["born"], "sex": Category(["f", "m"]), **labels})
    days = pa.array([18290, 18300, None, 18400, -(10**6), 18300], pa.date32())
    table = pa.table({
        "born2": days, "born": days, "seen": days.cast(pa.timestamp("us")),
        "sex": ["f", "m", None, "f", "f", "m"], "ward": ["A", "B", None, "C", "?", "B"],
        "late": [2, 1, None, 0, 2, 1],
    })  # fmt: skip
    pyarrow.parquet.write_table(table, spark.folder / "t.parquet")
    pyarrow.csv.write_csv(table, spark.folder / "t.csv")
    files = [str(spark.folder / name) for name in ("t.parquet", "t.csv")]
    sources = [open_with_spark(spark.session, [file]) for file in files]
    sources.append(spark.session.createDataFrame(table))
    for features in (["born2"], ["born2", "sex"]):
        coding = Coding.of(schema, features, list(labels))
        expected = joint_counts(open_table(table, coding), coding)
        assert expected.labels == 5 + 5 + 3 + 1
        for source in sources:
            found = joint_counts(open_table(source, coding), coding)
            for part in ("points", "marks", "totals"):
                assert np.array_equal(getattr(found, part), getattr(expected, part)), part
            same(
                reduce(source, schema, features, [*labels]),
                reduce(table, schema, features, [*labels]),
            )


NASTY = (
    b'\xef\xbb\xbfage,sex,dead\r\n41,f,1\r\n\r\nforty,m,yes\r\n 67 ,"f",perhaps\n'
    b'"41","f,m"\n67,"open,1\nage,sex,dead\n99999999999999999999,m,0,surplus,1\n'
    b"-0.0,\xff\xfe,1\nnan,m,1.0\n1e400,m,t\n12.9,\x00f,2\n,,\nlast,m,y"
)


def csv_is_read_line_by_line_wherever_it_is_cut(spark: Spark) -> None:
    for i in range(2):
        (spark.folder / f"{i}.csv").write_bytes(NASTY)
    files = [str(spark.folder / "*.csv")]
    expected = reduce(files, SCHEMA, ["age", "sex"], ["dead"])
    assert expected.n == 2 * 13
    for size in ("64", "1000000"):
        spark.session.conf.set("spark.sql.files.maxPartitionBytes", size)
        opened = open_with_spark(spark.session, files)
        same(reduce(opened, SCHEMA, ["age", "sex"], ["dead"]), expected)
        distant = open_with_spark(spark.session, [f"file://{spark.folder}/0.csv"])
        assert reduce(distant, SCHEMA, ["age", "sex"], ["dead"]).n == 13
    spark.session.conf.unset("spark.sql.files.maxPartitionBytes")
    rows = read_points(opened, SCHEMA, ["age", "sex"]).tolist()
    assert sorted(rows) == sorted(read_points(files, SCHEMA, ["age", "sex"]).tolist())
    (spark.folder / "2.csv").write_bytes(b"sex,age,dead\nf,4711,1\n")
    with pytest.raises(InvalidArgument, match="one and the same header"):
        open_with_spark(spark.session, files)
    with pytest.raises(InvalidArgument, match="same file"):
        open_with_spark(spark.session, [f"{spark.folder}/0.csv", f"{spark.folder}/0.csv"])
    with pytest.raises(InvalidArgument, match="there is no file"):
        open_with_spark(spark.session, ["no_such_table"])


def sources(spark: Spark) -> Iterator[tuple[str, Any]]:
    """Every engine's view of one table, Spark's four among them."""
    for name, make in ENGINES.items():
        (spark.folder / name).mkdir()
        yield name, make(TABLE, spark.folder / name)
    pyarrow.parquet.write_table(TABLE, spark.folder / "t [1].parquet")
    spark.frame.createOrReplaceTempView("people")
    yield "spark", spark.frame
    files = spark.folder / "t [[]1].parquet", spark.folder / "csv by pyarrow" / "t.csv"
    yield "spark parquet", open_with_spark(spark.session, [str(files[0])])
    yield "spark csv", open_with_spark(spark.session, [str(files[1])])
    yield "spark table", open_with_spark(spark.session, ["people"])


def same_seed_same_release_on_every_engine(spark: Spark) -> None:
    released = {}
    for name, source in sources(spark):
        model = learn(
            source,
            SCHEMA,
            concepts="thresholds",
            features=["age"],
            labels=LABELS,
            epsilon=3,
            delta="1e-6",
            rng=Seeded(11),
        )
        released[name] = json.dumps(describe(model))
    assert len(released) == len(ENGINES) + 4
    assert len(set(released.values())) == 1, released


def rules_are_scored_where_the_rows_are(spark: Spark) -> None:
    names = ["age", "sex", "smokes"]
    rules = rules_over(SCHEMA, names, "width=2, cuts=4")
    expected = reduce(TABLE, SCHEMA, names, LABELS)
    path = ENGINES["csv by pyarrow"](TABLE, spark.folder)
    told, coding = [], Coding.of(SCHEMA, names, LABELS)
    for source in (spark.frame, open_with_spark(spark.session, [str(path)])):
        gains = sample_of(source, coding, scored=rules)
        assert isinstance(gains, LabelGains)
        assert (gains.n, gains.labels) == (TABLE.num_rows, 3)
        for label in range(3):
            profiles = [
                ScoreProfile.agreements(rules, sample, label=label) for sample in (gains, expected)
            ]
            assert profiles[0].scores.tolist() == profiles[1].scores.tolist()
    for source in (spark.frame, TABLE):
        model = learn(
            source,
            SCHEMA,
            concepts=rules,
            features=names,
            labels=LABELS,
            epsilon=3,
            rng=Seeded(2),
        )
        told.append(json.dumps(describe(model)))
    assert told[0] == told[1]
    assert isinstance(sample_of(TABLE, coding, scored=rules), LabelCounts)


def blocks_vote_on_the_workers(spark: Spark) -> None:
    """k parities, a tiny class, lines by vote, any procedure: the release of one machine."""
    d, k = 6, 3
    bits = np.random.default_rng(4).integers(0, 2, (1500, d))
    secrets = np.array([[1, 0, 1, 0, 0, 1], [0, 1, 0, 0, 0, 0], [1, 1, 1, 1, 0, 0]])
    table = {f"x{i}": bits[:, i] for i in range(d)}
    table |= {f"y{j}": bits @ secrets[j] % 2 for j in range(k)}
    schema = Schema({name: Bits() for name in table})
    frame = spark.session.createDataFrame(pa.table(table))
    models = [
        learn(
            source,
            schema,
            concepts="parities",
            features=list(table)[:d],
            labels=list(table)[d:],
            epsilon=2,
            delta="1e-6",
            learner="block-parity",
            agnostic=False,
            rng=Seeded(5),
        )
        for source in (frame, table)
    ]
    assert json.dumps(describe(models[0])) == json.dumps(describe(models[1]))
    assert models[0].hypotheses[1].columns == (1,)
    counts = [reduce(source, schema, ["x0", "x1"], ["y1"]) for source in (frame, table)]
    lines = VotingLineLearner(Lines(7), epsilon=2, delta="1e-6", voters=60)
    assert lines(counts[0], rng=Seeded(1)) == lines(counts[1], rng=Seeded(1))
    most = SubsampleAndAggregate(max, blocks=40, epsilon=1, delta=1e-6)
    told = most((3,) * 400, rng=Seeded(0), spread=counts[0].spread)
    assert told == most((3,) * 400, rng=Seeded(0)) == 3
    assert counts[0].spread(pow, []) == []


def refusals_show_no_value(spark: Spark) -> None:
    def refused(query: str) -> str:
        with pytest.raises(InvalidArgument) as error:
            reduce(spark.session.sql(query), SCHEMA, ["age"], ["sick"])
        assert SECRET not in str(error.value)
        assert error.value.__suppress_context__ or error.value.__context__ is None
        return str(error.value)

    assert "has no column 'age'" in refused("SELECT 4711 AS Age, 1 AS sick")
    assert "has more than one column 'age'" in refused("SELECT 4711 AS age, 1 AS age, 1 AS sick")
    for cell in ("array(4711)", "DATE'2020-01-01'", "timestamp_seconds(4711)", "X'4711'", "NULL",
                 "INTERVAL '4711' SECOND", "named_struct('a', 4711)", "make_interval(4711)",
                 "true", "CAST('nan' AS DOUBLE)", "CAST('nan' AS FLOAT)"):  # fmt: skip
        frame = spark.session.sql(f"SELECT {cell} AS age, 1 AS sick")
        assert reduce(frame, SCHEMA, ["age"], ["sick"]).points.tolist() == [0], cell
    assert "cannot read" in refused("SELECT CAST(CONCAT('4711x', id) AS INT) AS age, 1 AS sick "
                                    "FROM range(3)")  # fmt: skip
    decimals = spark.session.sql("SELECT CAST('41.5' AS DECIMAL(38, 2)) AS age, NULL AS sick")
    assert reduce(decimals, SCHEMA, ["age"], ["sick"]).points.tolist() == [41]


def the_command_learns_with_spark(spark: Spark) -> None:
    path = ENGINES["csv by pyarrow"](TABLE, spark.folder)
    (spark.folder / "s.toml").write_text(SCHEMA.dump())
    asked = [
        "learn", str(path), "--schema", str(spark.folder / "s.toml"), "--features", "age",
        "--labels", "dead,ill", "--epsilon", "1", "--seed", "7",
    ]  # fmt: skip
    for person in ([], ["--person", "id"]):
        models = []
        for options in ([], _on(spark)):
            out = spark.folder / "model.json"
            done = CliRunner().invoke(app, [*asked, *person, *options, "--out", str(out)])
            assert done.exit_code == 0, done.output
            models.append(out.read_bytes())
        assert models[0] == models[1]


def every_verb_runs_on_spark(spark: Spark) -> None:
    """By name, with the same coins: what is told is what is told without Spark."""
    model, paths = _said_of(spark.folder)
    (spark.folder / "s.toml").write_text(SCHEMA.dump())
    about = ("--epsilon", "1", "--seed", "3", "--json")
    table = (*about, "--schema", str(spark.folder / "s.toml"))
    made = ("--out", str(spark.folder / "made.csv"))
    lines, pages = paths
    for words in (
        ("count", lines, *table, "--by", "sex", "--mean", "age", "--quantiles", "age"),
        ("count", pages, *table, "--by", "sex", "--person", "id"),
        ("quantile", lines, *table, "--column", "age"),
        ("sanitize", pages, *table, "--columns", "age", *made),
        ("optimise", lines, *table, "--columns", "age", "--problem", "centre-point"),
        ("measure", model, pages, *about),
    ):
        assert _called(*words) == _called(*words, *_on(spark)), words


def what_is_said_of_rows_is_written_in_parallel(spark: Spark) -> None:
    model, paths = _said_of(spark.folder)
    for path in paths:
        asked = ("predict", model, path, "--keep", "row", "--risk", "--out")
        here, there = f"{path}.csv", f"{path} said.parquet"
        _called(*asked, here)
        _called(*asked, there, *_on(spark))
        expected = pyarrow.csv.read_csv(here).sort_by("row")
        found = pyarrow.parquet.read_table(there)
        found = found.set_column(0, "row", found["row"].cast(pa.int64())).sort_by("row")
        assert found.schema.names == ["row", "dead", "ward", "dead_risk", *found.schema.names[4:]]
        assert found.cast(expected.schema).to_pydict() == expected.to_pydict()
        assert Path(there).stat().st_mode & 0o777 == 0o700
        assert not list(spark.folder.glob(".tacit-*"))
        again = CliRunner().invoke(app, [*asked, there, *_on(spark)])
        assert isinstance(again.exception, InvalidArgument)


def _said_of(folder: Path) -> tuple[str, list[str]]:
    """Write a model, and rows that it can be asked of, in two files."""
    asked: Any = {"labels": ["dead", "ward"], "features": ["age", "sex"], "epsilon": 2}
    model = learn(TABLE, SCHEMA, **asked, delta="1e-6", hold_out="1/5", rng=Seeded(1))
    (folder / "m.json").write_text(model.dumps())
    rows = TABLE.append_column("row", pa.array(range(len(TABLE))))
    pyarrow.csv.write_csv(rows, folder / "t.csv")
    pyarrow.parquet.write_table(rows, folder / "t.parquet")
    return str(folder / "m.json"), [str(folder / "t.csv"), str(folder / "t.parquet")]


def _on(spark: Spark) -> list[str]:
    return ["--engine", "spark", "--master", spark.cluster.master]


def _called(*words: str) -> str:
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, (words, done.output, done.exception)
    return done.stdout


def a_worker_is_lost_and_nothing_changes(spark: Spark) -> None:
    """The rows of each of 997 persons lie with several workers."""
    coding = Coding.of(Schema({"x": Integer(0, 99), "y": Bits()}), ["x"], ["y"])
    rows = spark.session.range(4000).selectExpr(
        "CAST(id * 7 % 101 AS STRING) AS x", "id % 3 = 1 AS y", "CONCAT('p', id % 997) AS who"
    )
    expected = person_counts(open_source(rows), coding, ["who"])
    folder = str(spark.folder)

    def stop_once(batches: Iterator[Any]) -> Iterator[Any]:
        """Let the first task that comes here wait for the end of its worker, and say where."""
        try:
            Path(folder, "caught").symlink_to(Path.cwd())
            while True:
                time.sleep(0.05)
        except FileExistsError:
            yield from batches

    dealt = distant_rows.distant(spark.session.createDataFrame(distant_rows.TABLE).repartition(4))
    parts = dealt.split(distant_rows.SIZES, rng=Seeded(9))
    stopped = mapped(rows.repartition(4), stop_once, "x string, y boolean, who string")
    found: list[Any] = []
    job = threading.Thread(
        target=lambda: found.append(person_counts(open_source(stopped), coding, ["who"])),
        daemon=True,
    )
    job.start()
    caught = spark.folder / "caught"
    while job.is_alive() and not caught.is_symlink():
        job.join(0.05)
    worker = caught.readlink().relative_to(spark.cluster.folder).parts[0]
    spark.cluster.kill(int(worker.removeprefix("worker")))
    job.join()
    same_persons(found[0], expected)
    assert (expected.n, expected.times.sum()) == (997, 4000)
    distant_rows.check_parts(parts, 9)  # dealt before, read again after the loss
    assert [process.poll() for process in spark.cluster.processes].count(-signal.SIGKILL) == 1


def tables_are_audited_from_the_file_on(spark: Spark) -> None:
    """As `tacit audit table-...` does for other engines; here rules are scored by the workers."""
    for name, cells in (("csv", 3), ("parquet-pyarrow", 2)):
        written = next(writer for writer in WRITERS if writer.name == name)
        writer = replace(
            written, make=partial(_opened, spark.session, written), storages=written.storages[:1]
        )
        case = case_of(
            "table-spark", "learn", writer, writer.storages[0], _learn, Pure(1), most=cells
        )
        (told, _, drawn), *_ = case.law((0, 0)).probabilities
        assert (told, len(drawn)) == (("", ""), 1)
        assert verify(case).verdict == "verified"


def _opened(session: Any, writer: Writer, columns: Columns, path: Path) -> Any:
    return open_with_spark(session, [str(writer(columns, path))])


PARTS = (
    spark_counts_what_the_others_count,
    records_and_points,
    persons_are_counted_alike,
    dates_words_and_outcomes,
    rows_come_back_and_no_rows_are_no_points,
    csv_is_read_line_by_line_wherever_it_is_cut,
    same_seed_same_release_on_every_engine,
    rules_are_scored_where_the_rows_are,
    blocks_vote_on_the_workers,
    tables_are_audited_from_the_file_on,
    refusals_show_no_value,
    the_command_learns_with_spark,
    every_verb_runs_on_spark,
    what_is_said_of_rows_is_written_in_parallel,
    grouped_rows.groups_are_read_as_rows_are,
    grouped_rows.padded_texts_are_read_as_rows_are,
    grouped_rows.groups_by_another_equality_are_found_out,
    grouped_rows.groups_beyond_32_bits_are_added_up_exactly,
    grouped_rows.what_is_looked_up_is_what_is_read,
    distant_rows.rows_are_dealt_where_they_are,
    distant_rows.blocks_vote_where_they_are,
    distant_rows.many_rows_stay_and_few_come,
    distant_rows.counts_that_have_no_room_are_refused,
    distant_rows.tables_are_read_by_name,
    a_worker_is_lost_and_nothing_changes,
)


def test_spark(subtests: pytest.Subtests, tmp_path: Path) -> None:
    with Cluster(tmp_path / "cluster") as cluster:
        session = cluster.session()
        try:
            frame = session.createDataFrame(TABLE)
            for part in PARTS:
                folder = tmp_path / part.__name__
                folder.mkdir()
                with subtests.test(part.__name__):
                    part(Spark(cluster, session, frame, folder))
        finally:
            session.stop()
