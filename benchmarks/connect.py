"""Each verb through a Spark Connect server of this machine, beside what it tells without Spark.

The server is a process on loopback; the seeds are the same, so the answers have to be.

    python -m benchmarks.connect
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
from tests.support.spark_cluster import HOME
from typer.testing import CliRunner

from benchmarks.cluster import LABELLED, SCHEMA
from tacit.interfaces.cli.application import app

ROWS = 20_000
PATIENCE = 600
SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"
ENDS = {"sanitize": ".csv"}
VERBS = (
    ("learn", "{rows}", *LABELLED, "--class", "rules", "--out", "{out}"),
    ("measure", "{model}", "{rows}"),
    ("count", "{rows}", "--by", "ward", "--mean", "age"),
    ("quantile", "{rows}", "--column", "age"),
    ("sanitize", "{rows}", "--columns", "age,smoker", "--rows", "500", "--out", "{out}"),
    ("predict", "{model}", "{rows}", "--keep", "age", "--out", "{said}"),
)


@contextmanager
def connect_server(folder: Path) -> Iterator[str]:
    """Run a server with one core; yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {
        "spark.connect.grpc.binding.port": port,
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.sql.warehouse.dir": folder / "warehouse",
        "spark.sql.shuffle.partitions": 2,
    }
    said = [part for key, value in settings.items() for part in ("--conf", f"{key}={value}")]
    command = [str(HOME / "bin" / "spark-submit"), "--master", "local[1]", "--class", SERVER, *said]
    path = os.pathsep.join(place for place in (str(Path.cwd()), *sys.path) if place)
    known = {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1", "PYTHONPATH": path}
    with (folder / "server.log").open("w") as log:
        server = subprocess.Popen(
            [*command, "spark-internal"],
            env={**os.environ, **known},
            cwd=folder,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        for _ in range(PATIENCE):
            with suppress(OSError):
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            time.sleep(1)
        yield f"sc://127.0.0.1:{port}"
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


def _told(folder: Path, words: tuple[str, ...], master: str | None) -> str:
    """Run a verb, and return what it tells and writes."""
    kind = "here.csv" if master is None else "there.parquet"
    paths = {
        "rows": folder / "rows.parquet",
        "out": folder / f"{words[0]}-{master is None}{ENDS.get(words[0], '.json')}",
    }
    paths |= {"model": folder / "learn-True.json", "said": folder / kind}
    asked = [word.format(**paths) for word in words]
    if words[0] != "predict":
        asked += ["--epsilon", "1", "--seed", "3", "--json"]
        asked += [] if words[0] == "measure" else ["--schema", str(folder / "schema.toml")]
    asked += [] if master is None else ["--engine", "spark", "--master", master]
    done = CliRunner().invoke(app, asked)
    if done.exit_code:
        raise SystemExit(f"{asked}\n{done.output}\n{done.exception!r}")
    if words[0] == "predict":
        read = pyarrow.csv.read_csv if master is None else pyarrow.parquet.read_table
        table = read(paths["said"])
        return str(
            sorted(zip(*(map(str, column.to_pylist()) for column in table.columns), strict=True))
        )
    written = paths["out"].read_text() if "--out" in words else ""
    return done.stdout.replace(str(paths["out"]), "") + written


def main() -> int:
    """Print each verb and whether both ways told the same; the exit status says whether all did."""
    draw, wrong = np.random.default_rng(1), 0
    age = draw.integers(0, 100, ROWS)
    columns = {"age": age, "ward": draw.choice(["A", "B", "C", "D"], ROWS)}
    columns |= {"smoker": draw.integers(0, 2, ROWS), "dead": draw.integers(0, 2, ROWS)}
    columns["ill"] = ((age >= 60) ^ (draw.random(ROWS) < 0.05)).astype(np.int64)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        pyarrow.parquet.write_table(pa.table(columns), folder / "rows.parquet")
        (folder / "schema.toml").write_text(SCHEMA.dump())
        with connect_server(folder) as master:
            for words in VERBS:
                here = _told(folder, words, None)
                same = here == _told(folder, words, master)
                wrong += not same
                print(words[0], "the same" if same else "ANOTHER ANSWER", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
