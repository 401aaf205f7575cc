"""A hundred million rows: a Parquet file beside DuckDB, a Spark frame beside plain PySpark.

DuckDB's query and the PySpark aggregation are what one would write by hand for the same counts, in
the same process and session; they neither code nor clip nor sort, and learn nothing. Files are
timed in seconds of processor time, so that a busy machine does not spoil the ratios; Spark, whose
work is done by other processes, by the clock on the wall. Memory is the peak of a process that runs
`tacit learn`, loading included. Growth is the time of our reduction with ten times the rows, ten
times the labels, and twice the columns, beside a tenth, a tenth and a half of them, always over
2^16 different points; the bar is the factor by which the cells of the table grow, and a half.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import process_time
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet

from benchmarks.side_by_side import Row, compare
from tacit.core.chance.randomness import System
from tacit.data import Bits, Integer, Schema, reduce, spark_session
from tacit.workflows import learn

ROWS = 10**8
CHUNK = 10**7
UNIT = 2**20
DOMAIN = 2**52
SCHEMA = Schema({"x": Integer(0, DOMAIN - 1), "y": Bits()})
MEMORY = 8 * 10**9


def measure() -> list[Row]:
    """Measure both engines and the growth of the reduction."""
    with tempfile.TemporaryDirectory() as folder:
        return [*_parquet(Path(folder)), *_growth(Path(folder)), *_spark()]


def _parquet(folder: Path) -> Iterator[Row]:
    path = folder / "rows.parquet"
    _write(path)
    (folder / "schema.toml").write_text(SCHEMA.dump())
    yield compare(
        f"{ROWS:.0e} rows of Parquet to a private threshold",
        lambda: _learn(path),
        "DuckDB GROUP BY",
        lambda: _group_by(path),
        bar=1.2,
        rounds=3,
        clock=process_time,
    )
    yield Row(f"memory of tacit learn, {ROWS:.0e} rows", _peak(folder), "8 GB", MEMORY, 1, "B")
    path.unlink()


def _write(path: Path) -> None:
    """Write int64 rows: 98 % by Zipf's law over many values, 2 % uniform over 2^32 of them."""
    schema = pa.schema({"x": pa.int64(), "y": pa.int8()})
    with pyarrow.parquet.ParquetWriter(path, schema) as file:
        for start in range(0, ROWS, CHUNK):
            floats = np.random.default_rng(start)
            x = np.minimum(floats.zipf(1.2, CHUNK), 10**5).astype(np.int64) * 30_011
            far = floats.random(CHUNK) < 0.02
            x[far] = floats.integers(0, 2**32, int(far.sum()))
            y = (x >= 10**6) ^ (floats.random(CHUNK) < 0.1)
            file.write_table(pa.table({"x": x * UNIT, "y": y.astype(np.int8)}, schema=schema))


def _group_by(path: Path) -> Any:
    engine = duckdb.connect()
    engine.execute("SET enable_progress_bar = false")
    query = f"SELECT x, count(*) AS n, sum(y) AS ones FROM '{path}' GROUP BY x"
    return engine.sql(query).to_arrow_table()


def _learn(path: Path) -> object:
    return learn(
        path,
        SCHEMA,
        concepts="thresholds",
        features=["x"],
        labels=["y"],
        epsilon=1,
        rng=System(),
    )


def _peak(folder: Path) -> float:
    asked = ("--features", "x", "--labels", "y", "--epsilon", "1", "--schema", "schema.toml")
    command = [sys.executable, "-m", "tacit", "learn", "rows.parquet", *asked]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return 1024.0 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss


def _growth(folder: Path) -> Iterator[Row]:
    """Compare the reduction of small tables and of larger ones."""
    for name, larger, smaller, factor in (
        ("n × 10", (10**7, 1, 1), (10**6, 1, 1), 10),
        ("k × 10", (10**6, 1, 50), (10**6, 1, 5), 51 / 6),
        ("d × 2", (10**6, 8, 1), (10**6, 4, 1), 9 / 5),
    ):
        runs = [_table(folder / f"{name} {i}.parquet", *s) for i, s in enumerate((larger, smaller))]
        n, d, k = larger
        yield compare(
            f"reduction, {name}: {n:.0e} rows, {d} columns, {k} labels",
            runs[0],
            "a smaller table",
            runs[1],
            bar=1.5 * factor,
            rounds=5,
            clock=process_time,
        )


def _table(path: Path, n: int, d: int, k: int) -> Any:
    floats, side = np.random.default_rng(n + d + k), 2 ** (16 // d)
    features = {f"x{i}": floats.integers(0, side, n) for i in range(d)}
    labels = {f"y{j}": floats.integers(0, 2, n).astype(np.int8) for j in range(k)}
    pyarrow.parquet.write_table(pa.table(features | labels), path)
    schema = Schema(
        {name: Integer(0, side - 1) for name in features} | {name: Bits() for name in labels}
    )
    return lambda: reduce(path, schema, list(features), list(labels))


def _spark() -> Iterator[Row]:
    with _session() as session:
        made = ("id * 7919 % 100003 * 1048576 AS x", "CAST(id % 3 = 0 AS TINYINT) AS y")
        frame = session.range(ROWS).selectExpr(*made)
        grouped = frame.groupBy("x")
        yield compare(
            f"{ROWS:.0e} rows of Spark reduced to counts",
            lambda: reduce(frame, SCHEMA, ["x"], ["y"]),
            "PySpark groupBy",
            lambda: grouped.agg({"*": "count", "y": "sum"}).toArrow(),
            bar=1.3,
            rounds=3,
        )


@contextmanager
def _session() -> Iterator[Any]:
    with spark_session("local[*]") as session:
        session.conf.set("spark.sql.shuffle.partitions", "4")
        yield session
