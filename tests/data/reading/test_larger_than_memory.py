"""Tables that are larger than what reading them takes: batch by batch, and nothing is spilled."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

ROWS, TIMES = 1 << 20, 24
READ = """
import resource, sys
from tacit.data import Bits, Integer, Schema, reduce
schema = Schema({name: Integer(0, 69) for name in "abc"} | {"y": Bits()})
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
reduce(sys.argv[1], schema, ["a", "b", "c"], ["y"])
before = peak()
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
counts = reduce(sys.argv[2], schema, ["a", "b", "c"], ["y"])
print(counts.n, counts.totals.sum(), len(counts.totals), peak() - before)
"""
"""A process that counts a small table, and after that may not write a byte into any file."""


def by_arrow(path: Path, times: int) -> None:
    cells = np.arange(ROWS) % 70
    table = pa.table({"a": cells, "b": cells // 2, "c": 69 - cells, "y": cells % 2})
    with pyarrow.parquet.ParquetWriter(path, table.schema) as file:
        for _ in range(times):
            file.write_table(table)


def by_duckdb(path: Path, times: int) -> None:
    """Its second page is one that Arrow refuses, so that DuckDB decodes what follows."""
    far = "CASE i WHEN 5 THEN 2147483647 WHEN 6 THEN -2147482648 ELSE hash(i) >> 34 END"
    cells = f"({far})::INT AS a, (i % 35)::BIGINT AS b, (69 - i % 70)::BIGINT AS c, i % 2 AS y"
    duckdb.execute(
        f"COPY (SELECT {cells} FROM range({times * ROWS}) t(i)) TO '{path}' (PARQUET_VERSION v2)"
    )
    with pytest.raises((pa.ArrowException, OSError)):
        pyarrow.parquet.read_table(path)


@pytest.mark.parametrize("write", [by_arrow, by_duckdb])
def test_memory_does_not_grow_with_the_rows_and_nothing_is_written(
    write: Any, tmp_path: Path
) -> None:
    small, large = tmp_path / "small.parquet", tmp_path / "large.parquet"
    write(small, 1)
    write(large, TIMES)
    command = [sys.executable, "-c", READ, str(small), str(large)]
    told = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)
    n, total, different, grown = map(int, told.stdout.split())
    assert n == total == TIMES * ROWS
    assert different <= 70**3
    assert grown < TIMES * ROWS * 4 * 8 / 8, "an eighth of the cells"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["large.parquet", "small.parquet"]
