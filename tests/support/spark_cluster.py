"""A real Spark cluster on this machine: a master and two workers, each a process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any

import pyspark
from pyspark.sql import SparkSession

HOME = Path(pyspark.__file__).parent
SMALL = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "2",
    "spark.driver.memory": "512m",
    "spark.executor.memory": "512m",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.extraJavaOptions": SMALL,
    "spark.executor.extraJavaOptions": SMALL,
}


class Cluster:
    """Starts with `with`; what it started ends with it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        self.master = ""
        self.losses = 0

    def __enter__(self) -> Cluster:
        self.folder.mkdir()
        os.environ.update(SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable)
        log = self._start("master.Master", "--port", "0")
        self.master = self._await(log, r"Starting Spark master at (spark://\S+)")
        self.workers = [self._worker(f"worker{i}") for i in range(2)]
        return self

    def _worker(self, name: str) -> subprocess.Popen[bytes]:
        self._start(
            "worker.Worker", "--port", "0", "--cores", "1", "--memory", "1g", "--work-dir",
            str(self.folder / name), self.master,
        )  # fmt: skip
        return self.processes[-1]

    def session(self) -> Any:
        builder = SparkSession.builder.master(self.master).appName("tests")
        for key, value in SETTINGS.items():
            builder = builder.config(key, value)
        builder = builder.config("spark.local.dir", str(self.folder / "local"))
        builder = builder.config("spark.sql.warehouse.dir", str(self.folder / "warehouse"))
        return builder.getOrCreate()

    def kill(self, worker: int) -> None:
        """End a worker and its executor at once, as a machine does that loses its power."""
        os.killpg(self.workers[worker].pid, signal.SIGKILL)
        self.workers[worker].wait()
        self.losses += 1

    def replace(self, worker: int) -> None:
        """End a worker, and start another one in its place."""
        self.kill(worker)
        self.workers[worker] = self._worker(f"worker{len(self.processes)}")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process in reversed(self.processes):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def _start(self, name: str, *arguments: str) -> Path:
        log = self.folder / f"{len(self.processes)}.log"
        with log.open("w") as file:
            process = subprocess.Popen(
                [
                    str(HOME / "bin" / "spark-class"), f"org.apache.spark.deploy.{name}",
                    "--host", "127.0.0.1", "--webui-port", "0", *arguments,
                ],
                env={**os.environ, "SPARK_DAEMON_MEMORY": "256m", "SPARK_DAEMON_JAVA_OPTS": SMALL},
                stdout=subprocess.DEVNULL,
                stderr=file,
                start_new_session=True,
            )  # fmt: skip
        self.processes.append(process)
        return log

    def _await(self, log: Path, pattern: str) -> str:
        while (found := re.search(pattern, log.read_text())) is None:
            assert self.processes[-1].poll() is None, log.read_text()
            time.sleep(0.05)
        return found[1]
