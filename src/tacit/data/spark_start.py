"""A Spark session for the command line, or one clear reason why there is none."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from tacit.core.errors import InvalidArgument, MissingExtra

JAVA = 17
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.maxResultSize": "0",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "65536",
    "spark.log.level": "ERROR",
}
_MASTER = re.compile(r"local(\[.+\])?|local-cluster\[.+\]|spark://.+|yarn|k8s://.+")


@contextmanager
def spark_session(master: str = "local[*]") -> Iterator[Any]:
    """Start a session, and stop it in the end; needs pyspark and Java.

    A session that runs already is taken as it is, and left running.
    """
    if not _MASTER.fullmatch(master):
        raise InvalidArgument(
            "master must be local[2], local[*], spark://HOST:PORT, yarn or k8s://..., got "
            f"{master[:40]!r}"
        )
    try:
        sql = import_module("pyspark.sql")
    except ImportError:
        raise MissingExtra(package="pyspark", extra="spark") from None
    if (running := sql.SparkSession.getActiveSession()) is not None:
        yield running
        return
    check_java()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = sql.SparkSession.builder.master(master).appName("tacit")
    for key, value in SETTINGS.items():
        builder = builder.config(key, value)
    try:
        session = builder.getOrCreate()
    except Exception:
        raise InvalidArgument(
            f"no Spark session with master {master} can be started; does that master run, and can "
            "it be reached from here?"
        ) from None
    try:
        yield session
    finally:
        session.stop()


def check_java() -> int:
    """Return the version of Java that Spark will start; refuse if there is none, or an old one."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home, "bin", "java")) if home else shutil.which("java")
    version = None if java is None else _version(java)
    if version is None or version < JAVA:
        found = "none is found" if version is None else f"version {version} is found"
        raise InvalidArgument(
            f"Spark needs Java {JAVA} or newer, and {found}: install it (on Debian and Ubuntu, "
            f"apt-get install openjdk-{JAVA}-jre-headless), or set JAVA_HOME"
        )
    return version


def _version(java: str) -> int | None:
    try:
        told = subprocess.run([java, "-version"], capture_output=True, text=True, check=True)  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        return None
    return read_version(told.stderr)


def read_version(told: str) -> int | None:
    """Read the first number of a version, the second of an old one.

    >>> read_version('openjdk version "17.0.15" 2025-04-15'), read_version('version "1.8.0_392"')
    (17, 8)
    """
    found = re.search(r'version "(?:1\.)?(\d+)', told)
    return None if found is None else int(found[1])
