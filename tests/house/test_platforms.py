"""What can be tried here of other systems: names, encodings, locks, rights, fresh processes.

The code was run on Linux only (docs/platforms.md). These tests take away what Linux has.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import pytest

from tacit.core.chance.randomness import System
from tacit.data import Bits, Integer
from tacit.data.ledger import modes
from tacit.data.schema.schema import Schema
from tacit.interfaces.output import files
from tacit.workflows.learning import learn

ROOT = Path(__file__).parents[2]
POSIX_ONLY = {"fchmod", "geteuid", "getuid", "killpg", "fork", "register_at_fork", "O_NOFOLLOW"}
RESERVED = {"con", "prn", "aux", "nul", *(f"{p}{i}" for p in ("com", "lpt") for i in range(10))}
WITHOUT = """
import importlib, pkgutil, sys, types
import duckdb, flint, joblib, numba, numpy, pandas, psycopg, pyarrow, pyarrow.parquet, rich.console
import scipy.special, sklearn.base, starlette.applications, typer, uvicorn, opendp, matplotlib
import tacit
sys.platform = "win32"
for name in ("fcntl", "resource", "pwd", "grp", "termios"):
    sys.modules[name] = None
sys.modules["msvcrt"] = types.ModuleType("msvcrt")
for found in pkgutil.walk_packages(tacit.__path__, "tacit."):
    if not found.name.endswith("__main__"):
        importlib.import_module(found.name)
"""


def _tree() -> list[Path]:
    """Return what is in the folders of the checkout, but for what was made there."""
    rooms = (ROOT / name for name in ("src", "tests", "docs", "benchmarks", "demo", "requirements"))
    found = (path.relative_to(ROOT) for room in rooms for path in room.rglob("*"))
    return [path for path in found if "__pycache__" not in path.parts]


def test_every_name_is_one_that_other_systems_can_have() -> None:
    """No name that differs by case alone, none that Windows keeps for itself, none too long."""
    tree = _tree()
    assert len({str(path).casefold() for path in tree}) == len(tree)
    for path in tree:
        assert not set(str(path)) & set('<>:"|?*\\'), path
        assert not {part.partition(".")[0].lower() for part in path.parts} & RESERVED, path
        assert len(str(path)) < 160, path


def test_every_module_is_imported_without_what_only_linux_has() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_text_is_utf_8_whatever_the_system_prefers(tmp_path: Path) -> None:
    """Python tells where the system's encoding would decide; none of our lines may."""
    (tmp_path / "s.toml").write_text(TOML, encoding="utf-8")
    (tmp_path / "tä b.csv").write_text(_table(200, "\r\n"), encoding="utf-8", newline="")
    learn = "learn 'tä b.csv' --schema s.toml --labels krank --epsilon 9 --report r.html"
    for line in (learn, "predict model.json 'tä b.csv'", "sql model.json"):
        done = subprocess.run(
            f"{sys.executable} -X warn_default_encoding -m tacit {line}",
            shell=True,
            cwd=tmp_path,
            env=os.environ | {"PYTHONWARNINGS": "always::EncodingWarning"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        ours = [told for told in done.stderr.splitlines() if "EncodingWarning" in told]
        assert not [told for told in ours if f"{os.sep}tacit{os.sep}" in told]
    assert b"\r" not in (tmp_path / "model.json").read_bytes()


class WithoutPosix(types.ModuleType):
    """The module `os` as another system has it."""

    name = "nt"

    def __getattr__(self, name: str) -> Any:
        if name in POSIX_ONLY:
            raise AttributeError(name)
        return getattr(os, name)


def test_files_are_written_where_there_are_no_rights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "os", WithoutPosix("os"))
    monkeypatch.setattr(modes, "os", WithoutPosix("os"))
    for said in ("one", "two"):
        with files.whole(tmp_path / "private.txt", private=True) as text:
            text.write(said)
    assert (tmp_path / "private.txt").read_text(encoding="utf-8") == "two"
    os.close(modes.opened(tmp_path / "ledger.lock", os.O_RDWR, modes.OWNER))
    assert modes.narrowed(tmp_path / "ledger.lock") == modes.OWNER
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".tacit-")] == []


def test_the_lock_of_windows_keeps_others_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a stand-in for `msvcrt` that knows who holds which file: taken, refused, let go."""
    held: set[int] = set()

    def locking(handle: int, how: int, many: int) -> None:
        file = os.fstat(handle).st_ino
        assert many == 1
        if how == 2:
            held.remove(file)
        elif file in held:
            raise OSError("locked")
        else:
            held.add(file)

    stand_in = types.ModuleType("msvcrt")
    stand_in.__dict__.update(LK_NBLCK=1, LK_UNLCK=2, locking=locking)
    monkeypatch.setitem(sys.modules, "msvcrt", stand_in)
    text = (ROOT / "src" / "tacit" / "data" / "ledger" / "lock.py").read_text(encoding="utf-8")
    lock = types.ModuleType("lock_of_windows")
    monkeypatch.setattr(sys, "platform", "win32")
    exec(compile(text, "lock.py", "exec"), lock.__dict__)
    lock.PATIENCE = 0.02
    with lock.locked(tmp_path / "l", 0o600):
        assert len(held) == 1
        with pytest.raises(lock.Refused, match="has held the lock"), lock.locked(tmp_path / "l", 1):
            pytest.fail("two hold one lock")
    assert not held


def test_processes_that_start_anew_get_everything_and_draw_their_own_coins() -> None:
    """As on macOS and Windows, where nothing is inherited: what is sent must be picklable."""
    schema = Schema({"alter": Integer(0, 9), "krank": Bits()})
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        found = pool.map(_learned, [schema, schema], chunksize=1)
    (first, coins), (second, others) = found
    assert first == second == schema.digest
    assert coins != others


def _learned(schema: Schema) -> tuple[str, int]:
    rows = {"alter": list(range(10)) * 20, "krank": [0, 0, 0, 0, 0, 1, 1, 1, 1, 1] * 20}
    names = {"features": ["alter"], "labels": ["krank"]}
    model = learn(rows, schema, concepts="thresholds", epsilon=1, **names)
    assert model.secure
    return schema.digest, System().below(1 << 128)


TOML = '[columns.alter]\ntype = "integer"\nlow = 0\nhigh = 9\n[columns.krank]\ntype = "bits"\n'


def _table(rows: int, end: str) -> str:
    lines = [f"{i % 10},{int(i % 10 > 4)}" for i in range(rows)]
    return end.join(["alter,krank", *lines, ""])
