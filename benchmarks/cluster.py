"""Each verb on a Spark cluster of this machine: with workers killed while it runs, and its time.

A master and two workers are processes on loopback. While a verb runs, one worker and its executor
are killed, after a time that is drawn uniformly from as long as the verb took undisturbed, and
another worker takes its place. The same seed has to give the same answer each time.

Then the verbs without a loss, beside what one would write by hand in PySpark for the same counts,
in one session, by the clock on the wall, since other processes do the work; and the peak of the
driver's memory with ten times the rows, in processes of their own.

    python -m benchmarks.cluster --rows 2000000 --runs 20
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet
from tests.support.spark_cluster import Cluster
from typer.testing import CliRunner

from tacit.data import Bits, Category, Integer, Schema
from tacit.interfaces.cli.application import app

SCHEMA = Schema(
    {
        "age": Integer(0, 99),
        "ward": Category(["A", "B", "C", "D"]),
        "smoker": Bits(),
        "ill": Bits(),
        "dead": Bits(),
    }
)
MADE = (
    "CAST(id * 7919 % 100 AS INT) AS age",
    "element_at(array('A', 'B', 'C', 'D'), CAST(id * 31 % 4 + 1 AS INT)) AS ward",
    "id % 3 = 0 AS smoker",
    "(id * 7919 % 100 >= 60) <> (pmod(hash(id), 20) = 0) AS ill",
    "id % 11 = 0 AND id % 3 = 0 AS dead",
)
LABELLED = ("--labels", "ill,dead", "--features", "age,ward,smoker")
VERBS: dict[str, tuple[str, ...]] = {
    "learn": ("learn", "rows", "schema", *LABELLED, "--delta", "1e-6"),
    "learn rules": ("learn", "rows", "schema", *LABELLED, "--class", "rules"),
    "measure": ("measure", "model", "rows"),
    "predict": ("predict", "model", "rows"),
    "count": ("count", "rows", "schema", "--by", "ward", "--mean", "age"),
    "quantile": ("quantile", "rows", "schema", "--column", "age"),
    "sanitize": ("sanitize", "rows", "schema", "--columns", "age,smoker", "--rows", "1000"),
    "optimise": ("optimise", "rows", "schema", "--columns", "age", "--problem", "centre-point"),
}
BY_HAND: dict[str, Sequence[str]] = {
    "learn": ("age", "ward", "smoker", "ill", "dead"),
    "learn rules": ("age", "ward", "smoker", "ill", "dead"),
    "measure": ("age", "ward", "smoker", "ill", "dead"),
    "count": ("ward", "age"),
    "quantile": ("age",),
    "sanitize": ("age", "smoker"),
    "optimise": ("age",),
}
"""The columns of which one would count the rows by hand."""


class Verbs:
    """The verbs of the command over one table in a folder, by Spark."""

    def __init__(self, folder: Path, master: str) -> None:
        self.folder, self.master = folder, master
        (folder / "schema.toml").write_text(SCHEMA.dump())

    def said(self, verb: str) -> str:
        """Run a verb, and return a digest of what it tells."""
        out, told = self.run(verb)
        if verb == "predict":
            table = pyarrow.parquet.read_table(out)
            groups = table.group_by(table.column_names).aggregate([([], "count_all")])
            told = str(sorted(map(str, groups.to_pylist())))
        return hashlib.sha256(told.encode()).hexdigest()[:12]

    def run(self, verb: str) -> tuple[Path, str]:
        """Run a verb, and return where it writes and what it tells."""
        ends = {"predict": ".parquet", "sanitize": ".csv"}
        out = self.folder / f"out{ends.get(verb, '.json')}"
        shutil.rmtree(out, ignore_errors=True)
        out.unlink(missing_ok=True)
        return out, self._run(*VERBS[verb], out=out)

    def model(self) -> None:
        """Learn what is measured and predicts."""
        self._run(*VERBS["learn rules"], out=self.folder / "model.json")

    def _run(self, *words: str, out: Path) -> str:
        files = {"rows": "rows.parquet/*.parquet", "model": "model.json"}
        paths = {word: [str(self.folder / name)] for word, name in files.items()}
        paths["schema"] = ["--schema", str(self.folder / "schema.toml")]
        asked = [part for word in words for part in paths.get(word, [word])]
        asked += ["--json", "--engine", "spark", "--master", self.master]
        asked += ["--epsilon", "1", "--seed", "3"] if words[0] != "predict" else []
        asked += ["--out", str(out)] if words[0] in ("learn", "predict", "sanitize") else []
        done = CliRunner().invoke(app, asked)
        if done.exit_code:
            raise SystemExit(f"{' '.join(asked)}\n{done.output}\n{done.exception!r}")
        read = out.read_text() if out.is_file() else ""
        return done.stdout.replace(str(self.folder), "") + read


def storm(cluster: Cluster, verbs: Verbs, verb: str, runs: int) -> tuple[int, int, int]:
    """Run a verb until a worker was killed in so many runs; count runs, kills and other answers.

    A verb may be done before the drawn moment: that run counts for nothing but its answer. It is
    timed the second time, when the driver's Java is warm. No more than three times as many runs.
    """
    expected, start = verbs.said(verb), time.perf_counter()
    others = int(verbs.said(verb) != expected)
    usual, moments, first = time.perf_counter() - start, random.Random(verb), cluster.losses
    made = 0
    while made < 3 * runs and cluster.losses - first < runs:
        made += 1
        worker, moment = moments.randrange(2), moments.uniform(0, usual)
        timer = threading.Timer(moment, cluster.replace, [worker])
        timer.start()
        others += verbs.said(verb) != expected
        timer.cancel()
        timer.join()
    return made, cluster.losses - first, others


def side_by_side(session: Any, verbs: Verbs, verb: str, rounds: int) -> tuple[float, float]:
    """Return the median seconds of a verb, and of the counts that one would write by hand."""
    frame = session.read.parquet(str(verbs.folder / "rows.parquet"))

    def by_hand() -> object:
        if verb == "predict":
            said = frame.selectExpr("age >= 60 AS ill", "false AS dead")
            return said.write.mode("overwrite").parquet(str(verbs.folder / "hand.parquet"))
        return frame.groupBy(*BY_HAND[verb]).count().toArrow()

    times: dict[bool, list[float]] = {False: [], True: []}
    for ours in [True, False] * (rounds + 1):
        start = time.perf_counter()
        verbs.run(verb) if ours else by_hand()
        times[ours].append(time.perf_counter() - start)
    return statistics.median(times[True][1:]), statistics.median(times[False][1:])


MEMORY = """
import json, resource, sys
from pathlib import Path
from pyspark.sql import SparkSession
from benchmarks.cluster import MADE, SCHEMA
from tacit.data import spark_session
from tacit.workflows import learn
with spark_session("local[2]") as session:
    frame = session.range(int(sys.argv[1])).selectExpr(*MADE)
    asked = {"labels": ["ill", "dead"], "features": ["age", "ward", "smoker"], "epsilon": 1}
    model = learn(frame, SCHEMA, **asked, concepts="rules", hold_out="1/5")
    jvm = session.sparkContext._gateway.proc.pid
    lines = Path(f"/proc/{jvm}/status").read_text().splitlines()
    peak = next(line for line in lines if "HWM" in line)
ours = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([model.n, ours / 1024, int(peak.split()[1]) / 1024]))
"""


def memory(rows: int) -> tuple[int, float, float]:
    """Return rows, and the peaks of the driver's Python and of its Java in MiB."""
    command = [sys.executable, "-W", "ignore", "-c", MEMORY, str(rows)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    n, ours, java = json.loads(done.stdout.splitlines()[-1])
    return n, ours, java


def main() -> int:
    """Print what was measured; the exit status says whether all answers were the same."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cluster", description=__doc__)
    parser.add_argument("--rows", type=int, default=2 * 10**6)
    parser.add_argument("--runs", type=int, default=20, help="in how many runs a worker is killed")
    parser.add_argument("--rounds", type=int, default=3, help="how often they are timed")
    parser.add_argument("--verbs", default=",".join(VERBS))
    parser.add_argument("--memory", type=int, nargs="*", default=[10**6, 10**7])
    asked = parser.parse_args()
    wrong = 0
    for line in _lines(asked):
        print(*line, sep="\t", flush=True)
        wrong += line[0] == "killed" and line[-1] != 0
    return int(wrong > 0)


def _lines(asked: argparse.Namespace) -> Iterator[tuple[Any, ...]]:
    with tempfile.TemporaryDirectory() as place, Cluster(Path(place) / "cluster") as cluster:
        session = cluster.session()
        verbs = Verbs(Path(place), cluster.master)
        try:
            frame = session.range(asked.rows).selectExpr(*MADE)
            frame.write.parquet(str(verbs.folder / "rows.parquet"))
            verbs.model()
            named = [verb for verb in asked.verbs.split(",") if verb]
            for verb in named if asked.rounds else ():
                ours, theirs = side_by_side(session, verbs, verb, asked.rounds)
                told = (f"{each:.2f}" for each in (ours, theirs, ours / theirs))
                yield "seconds", verb, asked.rows, *told
            for verb in named if asked.runs else ():
                yield "killed", verb, *storm(cluster, verbs, verb, asked.runs)
        finally:
            session.stop()
    for rows in asked.memory:
        yield "driver", *(round(each) for each in memory(rows))


if __name__ == "__main__":
    sys.exit(main())
