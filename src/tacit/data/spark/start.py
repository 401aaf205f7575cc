"""A Spark session for the command line, or one clear reason why there is none."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from tacit.core.errors import InvalidArgument, MissingExtra
from tacit.data.spark.private_folder import private_folder

JAVA = 17
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.maxResultSize": "0",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "65536",
    "spark.log.level": "ERROR",
}
ALONE = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.authenticate": "true",
    "spark.network.crypto.enabled": "true",
    "spark.io.encryption.enabled": "true",
    "spark.eventLog.enabled": "false",
}
"""A driver that is its own cluster: heard by this machine only, and only by who knows a secret.

The secret is not named here, so that Spark draws one in the driver: what is set here is an argument
of the driver's command, and any user of the machine can read it.
"""

_LOCAL = re.compile(r"local(\[.+\])?")
_DISTANT = re.compile(r"sc://(\[[^\]]+\]|[^:/;]+)(?::(\d+))?(/.*)?")
_MASTER = re.compile(rf"{_LOCAL.pattern}|sc://.+|spark://.+|yarn|k8s://.+")
_PORT, _PATIENCE = 15002, 10
"""Where a Connect server listens unless that is said, and for how many seconds it is asked."""


@contextmanager
def spark_session(master: str = "local[*]") -> Iterator[Any]:
    """Start a session, and stop it in the end; needs pyspark and Java.

    A session that runs already is taken as it is, and left running. With a local master nothing
    listens but on loopback. On a cluster the driver must be reached by the executors, and a secret
    must be known to both: there addresses and secrets are those of Spark's own configuration. With
    sc://HOST:PORT the session is one of Spark Connect: it needs no Java here, and what Spark is set
    to and where it spills is the server's.
    """
    if not _MASTER.fullmatch(master):
        raise InvalidArgument(
            "master must be local[2], local[*], spark://HOST:PORT, sc://HOST:PORT, yarn or "
            f"k8s://..., got {master[:40]!r}"
        )
    try:
        sql = import_module("pyspark.sql")
    except ImportError:
        raise MissingExtra(package="pyspark", extra="spark") from None
    if (running := sql.SparkSession.getActiveSession()) is not None:
        yield running
        return
    if (server := _DISTANT.fullmatch(master)) is not None:
        with _connected(sql, master, server[1].strip("[]"), int(server[2] or _PORT)) as session:
            yield session
        return
    check_java()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = sql.SparkSession.builder.master(master).appName("tacit")
    alone = ALONE if _LOCAL.fullmatch(master) else {}
    for key, value in (SETTINGS | _places(scratch()) | alone).items():
        builder = builder.config(key, value)
    asked = os.environ.pop("SPARK_LOCAL_DIRS", None)  # it would win over our folder inside it
    try:
        session = builder.getOrCreate()
    except Exception:
        raise InvalidArgument(
            f"no Spark session with master {master} can be started; does that master run, and can "
            "it be reached from here?"
        ) from None
    finally:
        if asked is not None:
            os.environ["SPARK_LOCAL_DIRS"] = asked
    try:
        yield session
    finally:
        session.stop()


@contextmanager
def _connected(sql: Any, master: str, host: str, port: int) -> Iterator[Any]:
    """Open a session of Spark Connect; ours is a new one, so it ends when we leave it.

    Whether anybody listens is asked first: Spark's client tries again for minutes. Of the address
    only host and port are said: the rest may be a token.
    """
    refused = InvalidArgument(
        f"no Spark Connect server answers at sc://{host}:{port}: is it started "
        "(start-connect-server.sh of Spark), and of the version of this process's pyspark?"
    )
    try:
        socket.create_connection((host, port), _PATIENCE).close()
    except OSError:
        raise refused from None
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas")
        try:
            import_module("pyspark.sql.connect.session")
        except ImportError:
            raise MissingExtra(package="grpcio", extra="spark-connect") from None
        try:
            session = sql.SparkSession.builder.remote(master).create()
            session.version  # noqa: B018  asks the server
        except Exception:
            raise refused from None
    try:
        yield session
    finally:
        session.stop()


@cache
def scratch() -> Path:
    """Return this process's private folder for all that Spark writes; it is removed at the end.

    One for all sessions: a driver keeps the folder of its first session for as long as it runs. It
    lies where SPARK_LOCAL_DIRS says, or else among the temporary files.
    """
    wished = os.environ.get("SPARK_LOCAL_DIRS", "").partition(",")[0]
    place = wished if Path(wished).is_dir() and wished else None
    return private_folder(place)


def _places(folder: Path) -> dict[str, str]:
    """Name the folder for spilled blocks, for what Java calls temporary, and for the warehouse."""
    return {
        "spark.local.dir": str(folder),
        "spark.driver.defaultJavaOptions": shlex.quote(f"-Djava.io.tmpdir={folder}"),
        "spark.sql.warehouse.dir": "file:/" + (folder / "warehouse").as_posix().lstrip("/"),
    }


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
