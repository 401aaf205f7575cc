"""What fails for public reasons fails before it is charged: every learner, every stage."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tacit.core.chance.randomness import System
from tacit.core.errors import InvalidArgument, Refused
from tacit.data import Bits, Integer, Schema
from tacit.data.ledger import Cap, Ledger
from tacit.estimators import PrivateSearchCV, PrivateSynthesizer, PrivateThresholdClassifier
from tacit.interfaces.page.serving.workspace import Workspace
from tacit.learners.catalogue import CATALOGUE, named
from tacit.learners.contract.model import Model
from tacit.statistics import JointCounts, LabelCounts
from tacit.statistics.counts.label_gains import LabelGains
from tacit.workflows import SyntheticTable, learn
from tacit.workflows.charging import Charge, Prepared, released
from tacit.workflows.learning import prepare
from tacit.workflows.made_up import made_up
from tacit.workflows.quantiles import quantile
from tacit.workflows.sanitizing import sanitize
from tests.interfaces.cli.test_command import call
from tests.interfaces.page.test_page import LEARN, do
from tests.interfaces.page.test_page import workspace as workspace

SCHEMA = Schema(
    {"age": Integer(0, 15), "x": Integer(0, 4), "y": Integer(0, 4)}
    | {name: Bits() for name in ("fever", "cough", "rash", "sick", "old")}
)
N = 400
CHARGED = [name for name, entry in CATALOGUE.items() if not entry.labels_only]
ROWS = {
    name: [(7 * i + 3 * k + i // 11) % SCHEMA[name].size for i in range(N)]
    for k, name in enumerate(SCHEMA.names)
}
CLASSES: dict[str, tuple[str, list[str]]] = {
    "thresholds": ("thresholds(bits=4, direction=up)", ["age"]),
    "points": ("points", ["age"]),
    "boxes": ("boxes", ["x", "y"]),
    "halfspaces": ("halfspaces(bits=3, dims=2)", ["x", "y"]),
    "scorecards": ("scorecards", ["x", "y"]),
    "rules": ("rules(width=1)", ["x", "y"]),
    "lines": ("lines(p=5)", ["x", "y"]),
    "conjunctions": ("conjunctions", ["fever", "cough", "rash"]),
    "parities": ("parities", ["fever", "cough", "rash"]),
}


def asked(name: str) -> dict[str, Any]:
    """Return a request that a learner can serve."""
    listing = named(name)
    concepts, features = CLASSES[listing.families[0] if listing.families else "thresholds"]
    return {
        "concepts": concepts,
        "features": features,
        "labels": ["sick", "old"],
        "epsilon": 1,
        "delta": 0 if listing.pure else Fraction(1, 10**5),
        "learner": name,
        "agnostic": listing.agnostic,
        "public": {"age": [2, 5, 9]} if listing.public else None,
    }


def table(name: str) -> Any:
    return [ROWS, dict(ROWS)] if named(name).by_party else ROWS


class Untouched(System):
    """Coins of which none may be drawn."""

    def _take(self, size: int) -> bytes:
        raise AssertionError("a coin was drawn")

    def words(self, count: int, /) -> Any:
        raise AssertionError("coins were drawn")


class Public(RuntimeError):
    """Something that is broken on this machine, whatever the data are."""


def broken(*_: object, **__: object) -> Any:
    raise Public


STAGES: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "drawing": lambda patch: patch.setattr(Prepared, "__call__", broken),
    "encoding": lambda patch: patch.setattr(Model, "encode", broken),
    "rules": lambda patch: patch.setattr("tacit.workflows.naming.rules", broken),
    "writing": lambda patch: patch.setattr(json, "dumps", broken),
}


def test_label_privacy_is_charged_to_nobody() -> None:
    """Whoever prepares it: no ledger is told of it, no coin is drawn."""
    given = asked("generic")
    given.pop("learner")
    prepared = prepare(ROWS, SCHEMA, **given, labels_only=True)
    assert prepared.blank.cost is None
    with pytest.raises(InvalidArgument, match="leave out --ledger"):
        released(prepared, Untouched(), broken, broken)


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("name", CHARGED)
def test_every_learner_is_charged_after_every_stage(
    name: str, stage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    charged: list[object] = []
    given = asked(name)
    with monkeypatch.context() as patch:
        STAGES[stage](patch)
        with pytest.raises(Public):
            learn(
                table(name), SCHEMA, **given, rng=Untouched(), charge=lambda *c: charged.append(c)
            )
    assert not charged


@pytest.mark.parametrize("name", CHARGED)
def test_every_learner_is_rehearsed_with_the_rows_of_nobody(name: str) -> None:
    """What is told before the charge is the same whatever the table holds."""
    told: list[list[str]] = []
    for rows in (ROWS, {column: [0] * N for column in ROWS}):
        told.append([])

        def hear(model: Model, told: list[str] = told[-1]) -> None:
            assert not model.secure
            told.append(json.dumps(model.encode()))

        def stop(*_: object) -> None:
            raise Public

        source = [rows, dict(rows)] if named(name).by_party else rows
        with pytest.raises(Public):
            learn(source, SCHEMA, **asked(name), rng=Untouched(), charge=stop, rehearsal=hear)
    assert told[0] == told[1]
    assert len(told[0]) == 1


def test_sums_that_an_engine_scored_are_made_up_too() -> None:
    gains = LabelGains(9, 2, np.array([[3, -1], [4, 4]]), np.array([2, 1]))
    rows = made_up(gains, [4])
    assert (rows.gains.tolist(), rows.zeros.tolist()) == ([[0, 0], [0, 0]], [9, 9])


@pytest.mark.parametrize("sizes", [[1], [1, 1], [2], [16, 3]])
@pytest.mark.parametrize("n", [1, 2, 7])
def test_made_up_rows_are_as_many_and_inside(n: int, sizes: list[int]) -> None:
    point = 0 if len(sizes) == 1 else (0,) * len(sizes)
    for kind in (LabelCounts, JointCounts):
        rows: Any = made_up(kind.of([(point, (1, 0))] * n, labels=2), sizes)
        assert (rows.n, rows.labels, rows.totals.sum()) == (n, 2, n)
        points = rows.points.reshape(len(rows.points), len(sizes))
        assert (points >= 0).all()
        assert (points < sizes).all()
        assert len({tuple(point) for point in points.tolist()}) == len(points)


# --- synthetic rows, quantiles, estimators --------------------------------------------------------


def refused(act: Callable[[Charge], object]) -> None:
    charged: list[object] = []
    with pytest.raises(Public):
        act(lambda *c: charged.append(c))
    assert not charged


@pytest.mark.parametrize("method", [None, "histogram", "marginal", "tree"])
def test_made_up_rows_are_charged_after_they_were_tried(
    method: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    columns = ["age"] if method == "tree" else ["age", "sick"]
    monkeypatch.setattr(SyntheticTable, "describe", broken)
    refused(
        lambda charge: sanitize(
            ROWS,
            SCHEMA,
            columns=columns,
            epsilon=1,
            delta="1e-6",
            method=method,
            rng=Untouched(),
            charge=charge,
            rehearsal=SyntheticTable.describe,
        )
    )
    monkeypatch.setattr(Prepared, "__call__", broken)
    refused(
        lambda charge: sanitize(
            ROWS,
            SCHEMA,
            columns=columns,
            epsilon=1,
            delta="1e-6",
            method=method,
            rng=Untouched(),
            charge=charge,
        )
    )


@pytest.mark.parametrize("verb", [sanitize, quantile])
def test_rows_and_quantiles_are_rehearsed_with_the_rows_of_nobody(verb: Any) -> None:
    told: list[str] = []
    chosen = {"columns": ["age", "sick"]} if verb is sanitize else {"column": "age"}
    for rows in (ROWS, {column: [3] * N for column in ROWS}):
        with pytest.raises(Public):
            verb(
                rows,
                SCHEMA,
                **chosen,
                epsilon=9,
                rng=Untouched(),
                charge=broken,
                rehearsal=lambda release: told.append(repr(release)),
            )
    assert len(told) == 2
    assert told[0] == told[1]


def test_a_quantile_is_charged_after_it_was_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Prepared, "__call__", broken)
    refused(
        lambda charge: quantile(
            ROWS, SCHEMA, column="age", epsilon=1, rng=Untouched(), charge=charge
        )
    )


X = np.array(ROWS["age"]).reshape(-1, 1)
Y = np.array(ROWS["sick"])


@pytest.mark.parametrize(
    "made",
    [
        lambda **given: PrivateThresholdClassifier(bounds=(0, 15), step=1, **given),
        lambda **given: PrivateSynthesizer(bounds=(0, 15), step=1, **given),
        lambda **given: PrivateSearchCV(
            PrivateThresholdClassifier(bounds=(0, 15), step=1), {"feature": [0]}, **given
        ),
    ],
)
def test_a_fit_that_cannot_end_costs_nothing(
    made: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = Ledger.create(tmp_path / "b.db")
    shell = made(ledger=ledger, dataset="patients")
    ledger.grant("patients", shell.declared_schema(X), Cap(10))
    monkeypatch.setattr(Prepared, "__call__", broken)
    with pytest.raises(Public):
        shell.fit(X, Y)
    assert ledger.datasets()[0].account.total.epsilon == 0


@pytest.mark.parametrize("where", ["write_report", "query", "notebook", "model_text", "told"])
def test_a_run_of_the_page_that_cannot_end_costs_nothing(
    workspace: Workspace, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    do("budget.open", workspace, **LEARN, cap_epsilon="1")
    before = sorted(workspace.folder.iterdir())
    with monkeypatch.context() as patch:
        patch.setattr(f"tacit.interfaces.page.learning.{where}", broken)
        with pytest.raises(Public):
            do("learn.run", workspace, **LEARN)
    assert do("budget.show", workspace, table="people.csv")["left_epsilon"] == 1
    assert sorted(workspace.folder.iterdir()) == before
    do("learn.run", workspace, **LEARN)
    assert do("budget.show", workspace, table="people.csv")["left_epsilon"] == 0


# --- the command ----------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    lines = zip(*ROWS.values(), strict=True)
    text = ",".join(ROWS) + "\n" + "".join(",".join(map(str, line)) + "\n" for line in lines)
    for file in ("p.csv", "q.csv"):
        Path(file).write_text(text)
    Path("s.toml").write_text(SCHEMA.dump())
    Ledger.create(Path("b.db")).grant("patients", SCHEMA, Cap(10, "1e-3"))
    return tmp_path


BUDGET = ("--schema", "s.toml", "--epsilon", "1", "--ledger", "b.db", "--dataset", "patients")
VERBS = {
    "learn": ("learn", "p.csv", "--features", "age", "--labels", "sick", "--report", "r.html"),
    "sanitize": ("sanitize", "p.csv", "--columns", "age,sick", "--out", "made.csv"),
    "parquet": ("sanitize", "p.csv", "--columns", "age,sick", "--out", "made.parquet"),
    "quantile": ("quantile", "p.csv", "--column", "age"),
    "record": ("quantile", "p.csv", "--column", "age", "--record", "r.json"),
    "optimise": ("optimise", "p.csv", "--problem", "centre-point", "--columns", "age"),
}


def spent() -> Fraction:
    return Ledger(Path("b.db")).datasets()[0].account.total.epsilon


def full(*_: object) -> None:
    raise OSError(28, "No space left on device")


FAULTS: dict[str, tuple[str, Callable[..., object], tuple[str, ...]]] = {
    "a full disk": (
        "tacit.interfaces.output.files.os.fsync",
        full,
        ("learn", "sanitize", "parquet"),
    ),
    "no renaming": ("pathlib.Path.replace", full, ("learn", "sanitize", "parquet")),
    "no report": ("tacit.interfaces.report.writing.page", broken, ("learn",)),
    "no sentence": ("tacit.interfaces.cli.tables.learn.decided", broken, ("learn",)),
    "no json": ("tacit.learners.contract.seal.json.dumps", broken, ("learn",)),
    "no csv": ("tacit.workflows.SyntheticTable.write_csv", broken, ("sanitize",)),
    "no parquet": (
        "tacit.workflows.SyntheticTable.write_parquet",
        broken,
        ("parquet",),
    ),
    "no line": ("tacit.interfaces.cli.tables.quantile._lines", broken, ("quantile",)),
    "no solution": ("tacit.interfaces.cli.tables.optimise._lines", broken, ("optimise",)),
    "no price": ("tacit.interfaces.cli.tables.quantile.privacy_line", broken, ("quantile",)),
}


@pytest.mark.parametrize(
    ("fault", "verb"), [(fault, verb) for fault, (_, _, verbs) in FAULTS.items() for verb in verbs]
)
def test_a_command_that_cannot_end_costs_nothing(
    folder: Path, fault: str, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sorted(folder.iterdir())
    where, broke, _ = FAULTS[fault]
    with monkeypatch.context() as patch:
        patch.setattr(where, broke)
        if broke is full:
            assert call(*VERBS[verb], *BUDGET).returncode == 2
        else:
            with pytest.raises(Public):
                call(*VERBS[verb], *BUDGET)
    assert spent() == 0
    assert sorted(folder.iterdir()) == before, "nothing stays of what was tried"
    assert call(*VERBS[verb], *BUDGET).returncode == 0
    assert spent() == 1


def test_a_class_that_no_model_can_hold_costs_nothing(folder: Path) -> None:
    done = call(*VERBS["learn"], *BUDGET, "--class", "thresholds(bits=15000)")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert spent() == 0
    widest = ("--class", "thresholds(bits=2048)", "--out", "wide.json")
    assert call(*VERBS["learn"], *BUDGET, *widest).returncode == 0
    assert call("sql", "wide.json").returncode == 0
    assert call("predict", "wide.json", "q.csv").returncode == 0
    assert spent() == 1


def test_what_is_learned_after_a_rehearsal_is_what_the_rows_say(folder: Path) -> None:
    assert call(*VERBS["learn"], *BUDGET, "--out", "m.json").returncode == 0
    told = json.loads(Path("m.json").read_text())
    assert (told["secure"], told["n"]) == (True, N)
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("verb", ["learn", "sanitize", "parquet", "record"])
def test_what_was_charged_is_not_lost_when_the_disk_fills_up_meanwhile(
    folder: Path, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reserve = Ledger.reserve

    def then_full(*asked: Any, **given: Any) -> str:
        monkeypatch.setattr("tacit.interfaces.output.files.os.fsync", full)
        return reserve(*asked, **given)

    monkeypatch.setattr(Ledger, "reserve", then_full)
    done = call(*VERBS[verb], *BUDGET)
    assert done.returncode == 2
    assert done.stderr.endswith("on standard output instead\n")
    assert spent() == 1
    if verb == "learn":
        assert Model.decode({**json.loads(done.stdout)}).n == N
    elif verb == "record":
        assert json.loads(done.stdout)["n"] == N
    else:
        assert len(done.stdout.splitlines()) == N + 1


def test_an_interrupt_after_the_charge_says_so(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw, reserve = Prepared.__call__, Ledger.reserve

    def stop(*asked: Any, **given: Any) -> Any:
        if spent():
            os.kill(os.getpid(), signal.SIGINT)
        return draw(*asked, **given)

    monkeypatch.setattr(Prepared, "__call__", stop)
    done = call(*VERBS["learn"], *BUDGET)
    assert done.returncode == 130
    assert done.stderr == (
        "tacit: interrupted; nothing was written; b.db may have been charged: see tacit ledger "
        "show\n"
    )
    assert spent() == 1
    monkeypatch.setattr(Prepared, "__call__", draw)

    def stop_before(*asked: Any, **given: Any) -> str:
        os.kill(os.getpid(), signal.SIGINT)
        return reserve(*asked, **given)

    monkeypatch.setattr(Ledger, "reserve", stop_before)
    assert call(*VERBS["learn"], *BUDGET).returncode == 130
    assert spent() == 1


def test_a_ledger_that_cannot_be_noted_in_is_no_reason_to_stop(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def held(*_: object) -> None:
        raise Refused("another process has held the lock")

    monkeypatch.setattr("tacit.data.ledger.store.note", held)
    assert call(*VERBS["learn"], *BUDGET, "--out", "m.json").returncode == 0
    (patients,) = Ledger(Path("b.db")).datasets()
    assert (patients.account.total.epsilon, patients.pending) == (1, 1)
