"""Files that are written: whole, on the disk, no more open than they should be, over no input."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tacit.core.errors import InvalidArgument
from tacit.interfaces.output.files import beside, trial, whole, writable
from tacit.interfaces.output.stopping import WRITTEN
from tests.interfaces.cli.test_command import call


@pytest.fixture(params=[0o022, 0o077, 0o002])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_what_is_public_respects_the_umask_and_what_is_private_is_its_owners(
    umask: int, tmp_path: Path
) -> None:
    for private, expected in ((False, 0o666 & ~umask), (True, 0o600)):
        with whole(tmp_path / f"{private}", private=private) as text:
            (incomplete,) = tmp_path.glob(".tacit-*")
            assert mode(incomplete) == expected
            text.write("x")
        assert mode(tmp_path / f"{private}") == expected


def test_a_file_that_is_replaced_hands_on_what_it_did_not_allow(tmp_path: Path) -> None:
    path = tmp_path / "old"
    for old, private, new in (
        (0o600, False, 0o600),
        (0o640, False, 0o640),
        (0o666, False, 0o644),
        (0o644, True, 0o600),
        (0o400, True, 0o400),
    ):
        path.touch()
        path.chmod(old)
        before = os.umask(0o022)
        with whole(path, private=private) as text:
            text.write("new")
        os.umask(before)
        assert mode(path) == new
        path.unlink()


def test_a_file_is_on_the_disk_before_it_has_its_name_and_its_name_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, done = tmp_path / "model", []
    sync, replace = os.fsync, Path.replace

    def synced(handle: int) -> None:
        done.append("folder" if path.exists() else "file")
        sync(handle)

    def renamed(name: Path, target: Path) -> Path:
        done.append("rename")
        return replace(name, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", renamed)
    with whole(path) as text:
        text.write("x" * 10**6)
    assert done == ["file", "rename", "folder"]


def test_what_fails_leaves_nothing(tmp_path: Path) -> None:
    def fail() -> None:
        with whole(tmp_path / "model") as text:
            text.write("half")
            raise OSError(28, "No space left on device")

    with pytest.raises(InvalidArgument, match="model could not be written: No space left"):
        fail()
    assert not list(tmp_path.iterdir())


def test_an_interrupt_leaves_nothing(tmp_path: Path) -> None:
    def stop() -> None:
        with whole(tmp_path / "model") as text:
            text.write("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stop()
    assert not list(tmp_path.iterdir())


def test_a_link_in_the_place_of_what_is_incomplete_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kept").write_text("kept")
    (tmp_path / f".tacit-{bytes(8).hex()}").symlink_to("kept")
    monkeypatch.setattr(os, "urandom", bytes)
    with pytest.raises(InvalidArgument, match="File exists"), whole(tmp_path / "model") as text:
        text.write("lost")
    assert (tmp_path / "kept").read_text() == "kept"


def test_what_is_only_tried_out_leaves_nothing(tmp_path: Path) -> None:
    """Nor a word, where an interrupt says what was written."""
    before = list(WRITTEN)
    with trial(tmp_path / "model.json") as name, whole(name) as text:
        text.write("tried")
    assert not list(tmp_path.iterdir())
    assert before == WRITTEN


def test_a_name_as_long_as_names_can_be(tmp_path: Path) -> None:
    with whole(tmp_path / ("n" * 255)) as text:
        text.write("x")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("a.csv", "b.csv", "deep/c.csv"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text("age,sick\n30,0\n70,1\n")
    Path("out").mkdir()
    Path("link.json").symlink_to("b.csv")
    Path("hard.json").hardlink_to("b.csv")
    Path("there").symlink_to("deep")
    return tmp_path


@pytest.mark.parametrize(
    ("out", "pattern"),
    [
        ("b.csv", "*.csv"),
        ("./b.csv", "[ab].csv"),
        ("link.json", "*.csv"),
        ("hard.json", "*.csv"),
        ("new.csv", "*.csv"),
        ("deep/new.csv", "*/*.csv"),
        ("deep/c.csv", "**/*.csv"),
        ("there/new.csv", "deep/*.csv"),
        ("there/c.csv", "deep/c.csv"),
        ("deep/../new.csv", "*.csv"),
        ("new.csv", "n?w.csv"),
    ],
)
def test_an_input_is_not_written_over_however_it_is_named(
    folder: Path, out: str, pattern: str
) -> None:
    for given in (pattern, str(folder / pattern)):
        with pytest.raises(InvalidArgument, match=r"--out: .* input .*name another file"):
            writable(Path(out), option="--out", inputs=[given])


@pytest.mark.parametrize(
    ("out", "pattern"),
    [("new.json", "*.csv"), ("out/new.csv", "*.csv"), ("new.csv", "deep/*.csv"), ("x", "db.table")],
)
def test_other_files_may_be_written(folder: Path, out: str, pattern: str) -> None:
    assert writable(Path(out), option="--out", inputs=[pattern]) == Path(out)


def test_only_a_file_is_written_over(folder: Path) -> None:
    os.mkfifo("pipe")
    for name in ("pipe", "out"):
        with pytest.raises(InvalidArgument, match="is not a file; name one to write"):
            writable(Path(name), option="--out")


def test_the_files_beside_a_ledger_are_not_written_over(folder: Path) -> None:
    for name in ("b.db", "b.db.lock", "b.db.done", "b.db-journal"):
        with pytest.raises(InvalidArgument, match="name another file"):
            writable(Path(name), option="--out", inputs=beside(Path("b.db")))
    Path("b.db").touch()
    Path("out/link.db").symlink_to(Path("b.db").absolute())
    for name in ("b.db", "b.db.lock", "b.db.done", "b.db-journal"):
        with pytest.raises(InvalidArgument, match="name another file"):
            writable(Path(name), option="--out", inputs=beside(Path("out/link.db")))


def test_the_command_keeps_its_inputs_and_its_predictions(folder: Path) -> None:
    Path("s.toml").write_text(
        '[columns.age]\ntype = "integer"\nlow = 0\nhigh = 120\n\n[columns.sick]\ntype = "bits"\n'
    )
    asked = ["--schema", "s.toml", "--features", "age", "--labels", "sick", "--epsilon", "1"]
    before = Path("b.csv").read_bytes()
    for out in ("b.csv", "new.csv"):
        refused = call("learn", "*.csv", *asked, "--out", out)
        assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)
        refused = call("learn", "*.csv", *asked, "--out", "m.json", "--report", "deep/../b.csv")
        assert refused.returncode == 2
    assert Path("b.csv").read_bytes() == before
    assert not Path("new.csv").exists()
    assert call("learn", "[ab].csv", *asked, "--out", "m.json", "--seed", "1").returncode == 0
    assert call("predict", "m.json", "a.csv", "--out", "p.csv").returncode == 0
    assert (mode(Path("p.csv")), mode(Path("m.json"))) == (0o600, 0o666 & ~current())


def current() -> int:
    before = os.umask(0)
    os.umask(before)
    return before


def test_a_pipe_in_the_place_of_a_ledger_is_not_waited_for(folder: Path) -> None:
    os.mkfifo("pipe")
    for verb in ("show", "verify", "export"):
        done = call("ledger", verb, "pipe")
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
