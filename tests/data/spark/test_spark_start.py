"""A local Spark session: who can hear it, what is on its command line, and what it leaves."""

from __future__ import annotations

import ipaddress
import os
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.support.processes import started

SESSION = """
import sys
from tacit.data import spark_session
with spark_session("local[2]") as session:
    counted = session.range(1000).mapInPandas(lambda frames: frames, "id long").repartition(3)
    assert counted.cache().groupBy("id").count().count() == 1000
    assert session.sql("SHOW TABLES").collect() == []
    conf = session.sparkContext.getConf()
    print(conf.get("spark.authenticate"), conf.get("spark.network.crypto.enabled"),
          conf.get("spark.io.encryption.enabled"), conf.get("spark.eventLog.enabled"), flush=True)
    sys.stdin.read()
"""


@contextmanager
def session(folder: Path, **environment: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a session in a process of its own; give it, and what it says when it has counted."""
    quiet = {"SPARK_LOCAL_IP", "SPARK_LOCAL_DIRS"}
    kept = {name: value for name, value in os.environ.items() if name not in quiet}
    with started(
        [sys.executable, "-W", "ignore", "-c", SESSION],
        cwd=folder,
        env=kept | environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdout is not None
        yield process, process.stdout.readline()


def descendants(pid: int) -> list[int]:
    """Return a process and all that it started."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parent = int(entry.read_text().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(entry.parent.name))
    found = [pid]
    for each in found:
        found += children.get(each, [])
    return found


def listening(pids: list[int]) -> list[ipaddress.IPv4Address | ipaddress.IPv6Address]:
    """Return the addresses on which processes wait for connections."""
    waiting = {}
    for table in ("tcp", "tcp6"):
        for line in Path("/proc/net", table).read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A":
                words = re.findall(".{8}", fields[1].partition(":")[0])
                packed = b"".join(bytes.fromhex(word)[::-1] for word in words)
                waiting[f"socket:[{fields[9]}]"] = ipaddress.ip_address(packed)
    found = []
    for pid in pids:
        for handle in Path(f"/proc/{pid}/fd").glob("*"):
            with suppress(OSError):
                if (name := str(handle.readlink())) in waiting:
                    found.append(waiting[name])
    return found


def is_loopback(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def test_a_local_session_is_heard_by_this_machine_only(tmp_path: Path) -> None:
    here, temporary, large = (tmp_path / name for name in ("here", "temporary", "large disk"))
    for folder in (here, temporary, large):
        folder.mkdir()
    places = {"TMPDIR": str(temporary), "SPARK_LOCAL_DIRS": f"{large},{here}"}
    with session(here, **places) as (process, told):
        assert told == "true true true false\n"
        started = descendants(process.pid)
        found = listening(started)
        assert len(found) >= 4, "the driver, its blocks, its gateway and Python's accumulators"
        assert all(map(is_loopback, found)), found
        commands = [Path(f"/proc/{pid}/cmdline").read_text() for pid in started]
        assert any("SparkSubmit" in command for command in commands)
        assert not any("authenticate.secret" in command for command in commands)
        (folder,) = large.iterdir()
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert list(folder.glob("blockmgr-*"))
        outside = [*here.iterdir(), *temporary.iterdir()]
        assert not [path for path in outside if re.match("spark|block|artifacts", path.name)]
    assert process.returncode == 0
    assert sorted(tmp_path.rglob("*")) == sorted([here, temporary, large])
