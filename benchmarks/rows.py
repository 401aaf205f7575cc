"""Files of 10^7 rows: counted, and learned from, beside DuckDB's own group-by.

DuckDB's query runs in the same process, with its default settings, and hands over Arrow; it does
neither sort nor code nor clip, and learns nothing. Both give the same counts. Floats and CSV are
timed in seconds of processor time: DuckDB uses all cores for them, we read cell by cell on one.
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from benchmarks.side_by_side import Row, compare
from tacit.core.chance.randomness import System
from tacit.data import Bits, Integer, Real, Schema, reduce
from tacit.workflows import learn

ROWS = 10**7
FLOATS, LINES = 2.0, 2.0
"""What is reached, with room: a float is mapped by exact comparisons, which DuckDB does not do."""
DOMAIN = 2**32
CLUSTER = 3 * 10**9
SCHEMA = Schema({"x": Integer(0, DOMAIN - 1), "y": Bits()})
GRID = Schema({"x": Real(0, 1000, "0.1"), "y": Bits()})


def measure() -> list[Row]:
    """Measure the reduction alone, then with the learning of a threshold over 2^32 values."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        _write(path)
        _agree(path)
        return [
            compare(
                f"{ROWS:.0e} rows of Parquet reduced to counts",
                lambda: reduce(path, SCHEMA, ["x"], ["y"]),
                "DuckDB GROUP BY",
                lambda: _group_by(path),
                bar=1.5,
                rounds=5,
            ),
            compare(
                f"{ROWS:.0e} rows of Parquet to a private threshold",
                lambda: _learn(path),
                "DuckDB GROUP BY",
                lambda: _group_by(path),
                bar=1.5,
                rounds=5,
            ),
            *_cells(Path(folder)),
        ]


def _cells(folder: Path) -> list[Row]:
    """Compare floats on a grid, in Parquet, and as text, in CSV; some of them are NaN."""
    floats = np.random.default_rng(2)
    x = np.round(floats.uniform(-5, 1010, ROWS), 3)
    x[floats.random(ROWS) < 0.01] = np.nan
    table = pa.table({"x": x, "y": floats.integers(0, 2, ROWS).astype(np.int8)})
    pyarrow.parquet.write_table(table, folder / "floats.parquet")
    pyarrow.csv.write_csv(table, folder / "floats.csv")
    return [
        compare(
            f"{ROWS:.0e} rows of {kind} reduced to counts, processor time",
            partial(reduce, path, GRID, ["x"], ["y"]),
            "DuckDB GROUP BY",
            partial(_grouped, path),
            bar=bar,
            rounds=3,
            clock=process_time,
        )
        for kind, path, bar in (
            ("Parquet floats", folder / "floats.parquet", FLOATS),
            ("CSV", folder / "floats.csv", LINES),
        )
    ]


def _grouped(path: Path) -> Any:
    engine = duckdb.connect()
    engine.execute("SET enable_progress_bar = false")
    query = f"SELECT floor(x * 10) AS code, count(*), sum(y) FROM '{path}' GROUP BY code"
    return engine.sql(query).to_arrow_table()


def _write(path: Path) -> None:
    """Write rows of which half are uniform and half follow Zipf's law from one place on."""
    floats = np.random.default_rng(1)
    clustered = CLUSTER + np.minimum(floats.zipf(1.2, ROWS // 2), 1 << 20)
    x = np.concatenate([clustered, floats.integers(0, DOMAIN, ROWS - ROWS // 2)])
    floats.shuffle(x)
    y = (x >= CLUSTER + 10) ^ (floats.random(ROWS) < 0.1)
    pyarrow.parquet.write_table(pa.table({"x": x, "y": y.astype(np.int8)}), path)


def _group_by(path: Path) -> Any:
    query = f"SELECT x, count(*) AS n, sum(y) AS ones FROM '{path}' GROUP BY x"
    engine = duckdb.connect()
    engine.execute("SET enable_progress_bar = false")
    return engine.sql(query).to_arrow_table()


def _learn(path: Path) -> object:
    return learn(
        path,
        SCHEMA,
        concepts="thresholds(bits=32)",
        features=["x"],
        labels=["y"],
        epsilon=1,
        rng=System(),
    )


def _agree(path: Path) -> None:
    counts, table = reduce(path, SCHEMA, ["x"], ["y"]), _group_by(path)
    order = np.argsort(x := table.column("x").to_numpy())
    ones = table.column("ones").cast(pa.int64()).to_numpy()
    assert np.array_equal(counts.points, x[order]), "the points differ"
    assert np.array_equal(counts.totals, table.column("n").to_numpy()[order]), "the counts differ"
    assert np.array_equal(counts.positives[:, 0], ones[order]), "the labels differ"
