"""What Spark spills: for its user alone, and gone with its process, even a killed one."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tacit.core.errors import InvalidArgument
from tacit.data.spark import private_folder as module
from tacit.data.spark.private_folder import PREFIX, private_folder, sweep
from tests.support.processes import started

SPILL = """
import sys
from tacit.data.spark.private_folder import private_folder
(private_folder() / "cells").write_text("raw")
print("spilled", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


@contextmanager
def spilling() -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", SPILL]
    with started(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == "spilled\n"
        yield process


def test_what_is_spilled_is_private_and_removed(place: Path) -> None:
    with spilling() as process:
        (folder,) = place.iterdir()
        assert oct(folder.stat().st_mode & 0o777) == "0o700"
    assert process.returncode == 0
    assert not list(place.iterdir())


def test_the_folder_of_a_killed_process_is_swept_and_that_of_a_living_one_is_not(
    place: Path,
) -> None:
    with spilling():
        with spilling() as killed:
            killed.kill()
        assert len(list(place.iterdir())) == 2
        sweep()
        (left,) = place.iterdir()
        assert left.name.startswith(PREFIX)
    assert not list(place.iterdir())


def test_look_alikes_are_not_touched(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    precious = place / "precious"
    precious.mkdir(0o700)
    (precious / "kept").touch()
    (place / f"{PREFIX}link").symlink_to(precious)
    (place / f"{PREFIX}file").touch()
    (place / f"{PREFIX}open").mkdir(0o755)
    sweep()
    assert sorted(path.name for path in place.iterdir()) == [
        "precious",
        f"{PREFIX}file",
        f"{PREFIX}link",
        f"{PREFIX}open",
    ]
    (place / f"{PREFIX}other").mkdir(0o700)
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: 4242)
        sweep()
    assert (place / f"{PREFIX}other").exists(), "it is somebody else's"
    sweep()
    assert not (place / f"{PREFIX}other").exists()


def test_a_lock_that_is_a_link_is_not_followed(place: Path) -> None:
    """Whose lock it is nobody knows then: such a folder is left."""
    folder = place / f"{PREFIX}linked"
    folder.mkdir(0o700)
    (place / "elsewhere").touch()
    (folder / "alive").symlink_to(place / "elsewhere")
    sweep()
    assert folder.exists()


def test_a_forked_process_leaves_the_folder_of_its_parent(place: Path) -> None:
    folder = private_folder()
    child = os.fork()
    if child == 0:
        module._remove(folder, os.getppid())
        os._exit(0)
    os.waitpid(child, 0)
    assert folder.exists()
    module._remove(folder, os.getpid())
    assert not folder.exists()


def test_a_folder_that_is_being_made_is_not_swept(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold = module._hold

    def swept_meanwhile(folder: Path) -> None:
        sweep()
        hold(folder)
        sweep()

    monkeypatch.setattr(module, "_hold", swept_meanwhile)
    folder = private_folder()
    sweep()
    assert folder.is_dir()


def test_no_place_for_it_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "mkdtemp", full)
    with pytest.raises(InvalidArgument, match=r"No space left on device.*TMPDIR"):
        private_folder()
