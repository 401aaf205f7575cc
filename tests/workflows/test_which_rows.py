"""Which rows are read: each file once, the one that was named, and under the ledger's lock."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacit.core.errors import InvalidArgument
from tacit.data import Bits, Schema, reduce
from tacit.data.ledger import Ledger, store
from tacit.learners.catalogue import named
from tacit.workflows import learn

SCHEMA = Schema({"fever": Bits(), "ill": Bits()})
ROWS = "fever,ill\n1,1\n0,0\n"
ASKED = {"concepts": "points", "features": ["fever"], "labels": ["ill"], "epsilon": 1}


@pytest.mark.parametrize(
    "names", [("a.csv", "a.csv"), ("a.csv", "*.csv"), ("a.csv", "./d/../a.csv")]
)
def test_a_file_that_is_named_twice_is_refused(
    tmp_path: Path, names: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its rows would count twice, which doubles what one of them can change."""
    monkeypatch.chdir(tmp_path)
    Path("d").mkdir()
    Path("a.csv").write_text(ROWS)
    with pytest.raises(InvalidArgument, match="same file"):
        reduce(list(names), SCHEMA, ["fever"], ["ill"])
    with pytest.raises(InvalidArgument, match="same"):
        learn(list(names), SCHEMA, learner="parties", **ASKED)


def test_a_link_to_a_file_is_that_file(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(ROWS)
    (tmp_path / "b.csv").symlink_to(tmp_path / "a.csv")
    with pytest.raises(InvalidArgument, match="same file"):
        reduce([tmp_path / "a.csv", tmp_path / "b.csv"], SCHEMA, ["fever"], ["ill"])


def test_one_table_is_not_two_parties() -> None:
    people = {"fever": [1, 0], "ill": [1, 0]}
    with pytest.raises(InvalidArgument, match="two parties"):
        learn([people, people], SCHEMA, learner="parties", **ASKED)


@pytest.mark.parametrize("name", ["w[ab]", "w?", "w*", "w[a", "w]"])
def test_signs_in_a_path_are_no_glob(tmp_path: Path, name: str) -> None:
    for folder, rows in (("wa", 50), (name, 3)):
        (tmp_path / folder).mkdir()
        table = pa.table({"fever": [1] * rows, "ill": [1] * rows})
        pq.write_table(table, tmp_path / folder / "t.parquet")
    assert reduce(tmp_path / name / "t.parquet", SCHEMA, ["fever"], ["ill"]).n == 3


def test_looking_at_a_ledger_keeps_the_locks_on_it(tmp_path: Path) -> None:
    """While one thread is alone with the file, another process cannot write it."""
    ledger = Ledger.create(tmp_path / "l.db")
    tried = (
        "import sqlite3, sys\n"
        "file = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)\n"
        "file.execute('BEGIN IMMEDIATE')"
    )
    with store.transaction(ledger.path):
        done = subprocess.run(
            [sys.executable, "-c", tried, str(ledger.path)], capture_output=True, check=False
        )
        assert b"database is locked" in done.stderr
    file = sqlite3.connect(ledger.path, timeout=0, isolation_level=None)
    file.execute("BEGIN IMMEDIATE")
    file.close()


def test_what_is_no_ledger_gets_no_lock_beside_it(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(ROWS)
    with pytest.raises(InvalidArgument, match="not a ledger"):
        Ledger(tmp_path / "people.csv").datasets()
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


def test_a_wrapper_assumes_what_its_parts_assume_and_wraps_no_wrapper() -> None:
    assert named("cover").assumes in named("boosted(cover)").assumes
    assert named("cover").assumes in named("empirical(cover)").assumes
    assert named("selected(cover, generic)").assumes == named("cover").assumes
    with pytest.raises(InvalidArgument, match="one label and table"):
        named("boosted(empirical)")
