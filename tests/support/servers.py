"""The servers that `tacit sql` writes for, real ones: each takes a table and a query."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from math import inf, nan
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import numpy as np
import psycopg
import pyarrow as pa
import pyarrow.parquet

from tests.support.processes import started

Table = Mapping[str, tuple[str, list[Any]]]
"""Of each column, how it is stored and its cells."""
Ask = Callable[[Table, str], list[tuple[int, ...]]]
"""Store a table under the name `the "table"`, and answer a query."""
NAME = 'the "table"'
KINDS = {
    "text": pa.string(),
    "bytes": pa.binary(),
    "integer": pa.int64(),
    "double": pa.float64(),
    "float": pa.float32(),
    "decimal": pa.decimal128(20, 4),
    "boolean": pa.bool_(),
    "date": pa.date32(),
    "time": pa.timestamp("us"),
}

_TYPES = (
    *("TEXT", "BYTEA", "BIGINT", "FLOAT8", "FLOAT4", "NUMERIC(20, 4)", "BOOLEAN"),
    *("DATE", "TIMESTAMP"),
)
"""The same in PostgreSQL."""


def stored(dialect: str, table: Table) -> Table:
    """Return the cells as a server can hold them, and so that its text of them is the shortest.

    SQLite has no decimals, booleans, dates and floats of 32 bits; PostgreSQL writes bytes in
    hexadecimal; Java before 19 writes some floats of 32 bits too long.
    """
    plain: dict[str, tuple[str, Callable[[Any], Any]]] = {}
    if dialect == "sqlite":
        plain = {"decimal": ("text", str), "boolean": ("integer", int), "float": ("double", float)}
        plain |= dict.fromkeys(("date", "time"), ("text", str))
    elif dialect == "postgres":
        plain = {"bytes": ("text", bytes.decode)}
    elif dialect == "spark":
        plain = {"float": ("float", lambda x: x if x in (0, inf, -inf) or 1e-3 < x < 9e6 else nan)}
    held: dict[str, tuple[str, list[Any]]] = {}
    for name, (kind, cells) in table.items():
        kept, read = plain.get(kind, (kind, lambda cell: cell))
        held[name] = kept, [None if cell is None else read(cell) for cell in cells]
    return held


def native(kind: str, cell: Any) -> Any:
    """Return a cell as Python knows it: a float of 32 bits is not one of 64."""
    return np.float32(cell) if kind == "float" and cell is not None else cell


@contextmanager
def server(dialect: str, folder: Path) -> Iterator[Ask]:
    """Start one; what it started ends with it."""
    with _SERVERS[dialect](folder) as ask:
        yield ask


@contextmanager
def _duckdb(_: Path) -> Iterator[Ask]:
    def ask(table: Table, sql: str) -> list[tuple[int, ...]]:
        with closing(duckdb.connect()) as connection:
            connection.register(NAME, _arrow(table))
            return connection.execute(sql).fetchall()

    yield ask


@contextmanager
def _sqlite(_: Path) -> Iterator[Ask]:
    def ask(table: Table, sql: str) -> list[tuple[int, ...]]:
        with closing(sqlite3.connect(":memory:")) as connection:
            names = ", ".join(f"`{name.replace('`', '``')}`" for name in table)
            connection.execute(f"CREATE TABLE `{NAME}` ({names})")
            marks = ", ".join("?" * len(table))
            connection.executemany(f"INSERT INTO `{NAME}` VALUES ({marks})", _rows(table))
            return connection.execute(sql).fetchall()

    yield ask


SPARK = """
import json, sys
from pyspark.sql import SparkSession
from tests.support.spark_cluster import SETTINGS
builder = SparkSession.builder.master("local[1]")
for key, value in SETTINGS.items():
    builder = builder.config(key, value)
with builder.config("spark.sql.warehouse.dir", sys.argv[1]).getOrCreate() as session:
    for line in sys.stdin:
        path, name, sql = json.loads(line)
        session.read.parquet(path).createOrReplaceTempView(name)
        try:
            told = [list(row) for row in session.sql(sql).collect()]
        except Exception as error:
            told = str(error)
        print(json.dumps(told), flush=True)
"""


@contextmanager
def _spark(folder: Path) -> Iterator[Ask]:
    """It runs in a process of its own: others in this one start theirs with other settings."""
    table_file = folder / "table.parquet"
    with (folder / "log").open("w") as log:
        path = {"SPARK_LOCAL_IP": "127.0.0.1", "PYTHONPATH": os.pathsep.join(sys.path)}
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": log}
        command = [sys.executable, "-W", "ignore", "-c", SPARK, str(folder / "warehouse")]
        with started(command, env=os.environ | path, **pipes) as process:

            def ask(table: Table, sql: str) -> list[tuple[int, ...]]:
                pyarrow.parquet.write_table(_arrow(table), table_file)
                assert process.stdin
                assert process.stdout
                asked = [str(table_file), f"`{NAME}`", sql]
                print(json.dumps(asked), file=process.stdin, flush=True)
                told = json.loads(process.stdout.readline())
                assert not isinstance(told, str), told
                return [tuple(row) for row in told]

            yield ask


@contextmanager
def _postgres(_: Path) -> Iterator[Ask]:
    """It has a folder of its own: the path of a socket is short, and postgres may enter it."""
    with TemporaryDirectory() as home, postgres(Path(home), "-c fsync=off"):
        yield from _asked(Path(home))


@contextmanager
def postgres(home: Path, *options: str) -> Iterator[Callable[[], object]]:
    """Run a server, and yield what kills it and starts it again.

    It listens on a socket in the folder only, and refuses to run as root: there, as postgres.
    """
    account: dict[str, Any] = {}
    if os.getuid() == 0:
        user = pwd.getpwnam("postgres")
        account = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        os.chown(home, user.pw_uid, user.pw_gid)
    start = {"cwd": home, "check": True, "stdout": subprocess.DEVNULL, **account}
    made = ["-D", "data", "-A", "trust", "-U", "tests", "-E", "UTF8", "--locale=C.UTF-8", "-N"]
    subprocess.run([_program("initdb"), *made], **start)
    said = " ".join(["-c listen_addresses=''", f"-k {home}", *options])
    control = [_program("pg_ctl"), "-D", "data", "-l", "log", "-w"]

    def begin() -> None:
        subprocess.run([*control, "-o", said, "start"], **start)

    def again() -> None:
        """Kill the first process, as a power cut would; it starts when its children have ended."""
        os.kill(int((home / "data" / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)
        for _ in range(100):
            with suppress(subprocess.CalledProcessError):
                begin()
                return
            time.sleep(0.1)

    begin()
    try:
        yield again
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], **start)


def _asked(home: Path) -> Iterator[Ask]:
    types = dict(zip(KINDS, _TYPES, strict=True))
    with psycopg.connect(host=str(home), user="tests", dbname="postgres") as connection:

        def ask(table: Table, sql: str) -> list[tuple[int, ...]]:
            quoted = [
                f'"{name.replace(chr(34), 2 * chr(34))}" {types[kind]}'
                for name, (kind, _) in table.items()
            ]
            cursor = connection.cursor()
            cursor.execute('DROP TABLE IF EXISTS "the ""table"""')
            cursor.execute(f'CREATE TABLE "the ""table""" ({", ".join(quoted)})'.encode())
            with cursor.copy('COPY "the ""table""" FROM STDIN') as copy:
                for row in _rows(table):
                    copy.write_row(row)
            return cursor.execute(sql.encode()).fetchall()

        yield ask


_SERVERS: dict[str, Callable[[Path], Any]] = {
    "duckdb": _duckdb,
    "sqlite": _sqlite,
    "spark": _spark,
    "postgres": _postgres,
}


def _program(name: str) -> str:
    """Find a program of the server, which Debian keeps off the path."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(found[-1]) if found else shutil.which(name) or name


def _arrow(table: Table) -> pa.Table:
    return pa.table({name: pa.array(c, KINDS[kind]) for name, (kind, c) in table.items()})


def _rows(table: Table) -> list[tuple[Any, ...]]:
    return list(zip(*(cells for _, cells in table.values()), strict=True))
