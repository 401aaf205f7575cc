"""The command line: one JSON object, stable fields, clear refusals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from typer.testing import CliRunner

from tacit.core.chance.randomness import Seeded
from tacit.data import Bits, Integer, Schema
from tacit.interfaces.cli.application import app
from tacit.interfaces.cli.command import perform
from tacit.interfaces.cli.verbs import VERBS, load
from tacit.interfaces.output.files import whole
from tacit.interfaces.output.stopping import stoppable
from tacit.verify import registry
from tacit.workflows import learn
from tests.support.processes import started


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tacit", *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def call(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in this process, which takes no start-up; with patience for slow machines."""
    out, err = StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["tacit", *arguments])
        patch.setattr("tacit.interfaces.output.progress.Timer", lambda _, wake: Timer(3600, wake))
        with pytest.raises(SystemExit) as ended:
            perform()
    status = ended.value.code
    assert isinstance(status, int)
    return subprocess.CompletedProcess(arguments, status, out.getvalue(), err.getvalue())


def read(*arguments: str) -> dict[str, Any]:
    done = run(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 1
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_one_target_as_json() -> None:
    answer = read("audit", "exponential")
    assert {"target", "claimed", "method", "found", "pairs", "kind", "verdict"} <= set(answer)
    assert answer["target"] == "exponential"
    assert answer["method"] == "exact"
    assert answer["verdict"] == "verified"
    assert answer["found"]["epsilon"] <= answer["claimed"]["epsilon"] * (1 + 1e-12)
    assert answer["pairs"] == sum(case["pairs"] for case in answer["cases"])


def test_a_twin_is_refuted_and_that_is_success() -> None:
    answer = read("audit", "printed-a-dist")
    assert answer["verdict"] == "refuted"
    assert answer["found"]["delta"] == pytest.approx(0.390112, abs=1e-6)


def test_another_claim_is_tested() -> None:
    assert read("audit", "exponential", "--epsilon", "0.01")["verdict"] == "refuted"
    assert (
        read("audit", "exponential", "--epsilon", "9", "--delta", "1e-6")["verdict"] == "verified"
    )


def test_all_targets_are_told_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here for a few of them: test_registry verifies every one."""
    few = {"exponential", "randomised-response", "printed-a-dist", "budget-counted-once"}
    chosen = {target: place for target, place in registry.PLACES.items() if target in few}
    for module in ("tacit.verify.registry", "tacit.interfaces.cli.checks.audit"):
        monkeypatch.setattr(f"{module}.PLACES", chosen)
    monkeypatch.setattr("tacit.interfaces.cli.checks.audit.FITS", {})
    done = call("audit", "--all", "--json")
    assert done.returncode == 0
    answer, listed = json.loads(done.stdout), json.loads(call("audit", "--list", "--json").stdout)
    assert {target["target"] for target in answer["targets"]} == few
    for target in answer["targets"]:
        expected = "refuted" if target["kind"] == "broken" else "verified"
        assert target["verdict"] == expected, target["target"]
    assert [t["target"] for t in listed["targets"]] == [t["target"] for t in answer["targets"]]


def test_tables_for_people() -> None:
    shown = run("audit", "randomised-response")
    assert shown.returncode == 0
    assert "verified" in shown.stdout
    assert "broken" in run("audit", "--list").stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["audit"], "give one TARGET"),
        (["audit", "exponential", "--all"], "give one TARGET"),
        (["audit", "nothing"], "not registered"),
        (["audit", "exponential", "--epsilon", "nan"], "epsilon"),
        (["audit", "exponential", "--epsilon", "-1"], "epsilon must be at least 0"),
        (["audit", "exponential", "--epsilon", "1", "--delta", "1"], "delta must be"),
        (["audit", "--all", "--epsilon", "1"], "one TARGET"),
        (["audit", "exponential", "--colour"], "No such option"),
        (["audit", "exponential", "--delta", "0.1"], "--delta goes with --epsilon"),
        (["audit", "exponential", "--epsilon", "1e400"], "between 1e-09 and 10000, got 1e400"),
        (["audit", "exponential", "--epsilon", "1e-400"], "between 1e-09 and 10000, got 1e-400"),
        (["nonsense"], "No such command"),
        (["lern"], "Did you mean 'learn'"),
    ],
)
def test_bad_requests_exit_with_two(arguments: list[str], words: str) -> None:
    done = call(*arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert not done.stdout


def test_help_has_examples_and_the_version_is_told() -> None:
    assert "tacit audit --all --json" in call("audit", "--help").stdout
    assert call("--version").stdout.startswith("tacit 0.")
    assert "audit" in call("--help").stdout


def test_a_verb_is_loaded_when_it_is_used() -> None:
    """Help and version cost no engine; what the list says of a verb is what the verb says."""
    shown = """
import sys
from tacit.interfaces.cli.command import main
sys.argv = ["tacit", sys.argv[1]]
try:
    main()
except SystemExit:
    sys.exit(bool({"duckdb", "numpy", "pyarrow", "scipy", "flint"} & set(sys.modules)))
"""
    for asked in ("--help", "--version"):
        done = subprocess.run([sys.executable, "-c", shown, asked], capture_output=True, check=True)
        assert b"tacit" in done.stdout
    for name, told in VERBS.items():
        assert (load(name).help or "").strip().splitlines()[0] == told


@pytest.mark.parametrize("ending", ["3", "None", "'said'", "1 / 0"])
def test_at_the_end_all_is_done_and_written(ending: str) -> None:
    """Though nothing is taken apart: what was registered runs, also where the end is a defect."""
    ended = f"""
import atexit, sys
from tacit.interfaces.cli import command
def perform():
    atexit.register(sys.stdout.write, "done")
    sys.exit({ending})
command.perform = perform
command.main()
"""
    done = subprocess.run([sys.executable, "-c", ended], capture_output=True, text=True)
    said = {"'said'": "said\n", "1 / 0": "ZeroDivisionError: division by zero\n"}.get(ending, "")
    assert (done.returncode, done.stdout) == ({"3": 3, "None": 0}.get(ending, 1), "done")
    assert done.stderr.endswith(said)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("large")
    schema = Schema({"age": Integer(0, 120), "sick": Bits()})
    few = {"age": [20, 70], "sick": [0, 1]}
    model = learn(
        few,
        schema,
        concepts="thresholds",
        features=["age"],
        labels=["sick"],
        epsilon=1,
        rng=Seeded(0),
    )
    (folder / "model.json").write_text(json.dumps(model.encode()))
    (folder / "schema.toml").write_text(schema.dump())
    (folder / "t.csv").write_text("age,sick\n" + "67,1\n41,0\n" * 1_500_000)
    return folder


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("later", [0.0, 0.4])
def test_a_stopped_command_leaves_nothing(
    large: Path, number: signal.Signals, later: float
) -> None:
    """Stopped as it begins to write: nothing. Stopped later: nothing, or, if it was done, all."""
    before = sorted(large.iterdir())
    written = large / "p.csv"
    arguments = ("--quiet", "predict", "model.json", "t.csv", "--out", written.name)
    words = [sys.executable, "-m", "tacit", *arguments]
    with started(words, cwd=large, stderr=subprocess.PIPE) as command:
        while not list(large.glob(".tacit-*")):
            assert command.poll() is None
            time.sleep(0.005)
        time.sleep(later)
        command.send_signal(number)
        _, said = command.communicate(timeout=100)
    if later and written.exists():
        assert written.read_bytes().count(b"\n") == 3_000_001
        written.unlink()
    else:
        assert said == "tacit: interrupted; nothing was written\n"
        assert command.returncode == 128 + number
    assert sorted(large.iterdir()) == before


@pytest.mark.parametrize("loaded", ["typer", "duckdb"])
def test_an_interrupt_is_one_line_at_any_time(large: Path, loaded: str) -> None:
    """Interrupted the moment a library is imported, whether it is an early or a late one."""
    stopped = """
import os, signal, sys
class Stop:
    def find_spec(self, name, path=None, target=None):
        if name == awaited:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)
from tacit.interfaces.cli.command import main
awaited = sys.argv.pop(1)
sys.meta_path.insert(0, Stop())
main()
"""
    arguments = "--quiet learn t.csv --schema schema.toml --features age --labels sick --epsilon 1"
    done = subprocess.run(
        [sys.executable, "-c", stopped, loaded, *arguments.split(), "--out", "m.json"],
        cwd=large,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, "tacit: interrupted; nothing was written\n")
    assert not done.stdout
    assert not (large / "m.json").exists()


def test_an_interrupt_names_what_is_complete(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "m.json"

    @stoppable()
    def write() -> None:
        with whole(model) as text:
            text.write("{}")
        with whole(tmp_path / "r.html") as text:
            text.write("<p>")
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(SystemExit) as ended:
        write()
    assert ended.value.code == 130
    assert capsys.readouterr().err == f"tacit: interrupted; only {model} was written\n"
    assert list(tmp_path.iterdir()) == [model]


def test_an_interrupt_names_what_has_just_taken_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file is there while its folder is put on the disk, which takes long."""
    model, synced = tmp_path / "m.json", iter([0, signal.SIGINT])

    def sync(handle: int) -> None:
        if number := next(synced):
            signal.raise_signal(number)

    @stoppable()
    def write() -> None:
        with whole(model) as text:
            text.write("{}")

    monkeypatch.setattr(os, "fsync", sync)
    with pytest.raises(SystemExit):
        write()
    assert capsys.readouterr().err == f"tacit: interrupted; only {model} was written\n"
    assert list(tmp_path.iterdir()) == [model]


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal's signals are POSIX")
@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_who_is_stopped_twice_leaves_nothing_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: str
) -> None:
    """Ctrl-C goes to all processes of a terminal, and their parent may pass it on."""
    stop, unlink = getattr(signal, number), Path.unlink

    def interrupted(path: Path, **more: bool) -> None:
        signal.raise_signal(signal.SIGINT)
        unlink(path, **more)

    @stoppable()
    def write() -> None:
        with whole(tmp_path / "m.json") as text:
            text.write("a row")
            signal.raise_signal(stop)

    monkeypatch.setattr(Path, "unlink", interrupted)
    before = signal.signal(stop, lambda *_: None)
    try:
        with pytest.raises(SystemExit) as ended:
            write()
    finally:
        signal.signal(stop, before)
    assert ended.value.code == 128 + stop
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal's signals are POSIX")
def test_a_terminal_may_be_closed_where_that_is_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with stoppable():
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("plan po", {"points"}),
        ("learn --class thr", {"thresholds"}),
        ("learn --learner hashed", {"hashed-point", "hashed-tally"}),
        ("learn t.csv --schema s.toml --labels bo", {"body_mass"}),
        ("learn t.csv --schema s.toml --features age,bo", {"age,body_mass"}),
        ("count t.csv --schema nosuch.toml --by a", set()),
        ("audit marginal", {"marginal-sanitizer"}),
        ("explain litt", {"littlestone"}),
        ("expla", {"explain"}),
    ],
)
def test_a_shell_is_offered_the_words_that_may_follow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, offered: set[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    column = 'type = "integer"\nlow = 0\nhigh = 9\n'
    Path("s.toml").write_text(f"[columns.age]\n{column}[columns.body_mass]\n{column}")
    words = ["tacit", *line.split()]
    env = {"_TACIT_COMPLETE": "complete_bash", "COMP_WORDS": " ".join(words)}
    asked = env | {"COMP_CWORD": str(len(words) - 1)}
    told = CliRunner().invoke(app, [], env=asked, prog_name="tacit").output
    assert set(told.split()) == offered


def test_a_full_memory_is_one_line_that_shows_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def full() -> None:
        raise MemoryError("Unable to allocate 256. MiB for an array with shape (33558158,)")

    monkeypatch.setattr("tacit.interfaces.cli.application.app", full)
    done = call("learn")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "memory" in done.stderr
    assert not any(letter.isdigit() for letter in done.stderr)
