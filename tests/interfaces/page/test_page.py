"""The explorer: what its pages are told, what it refuses, and who is answered at all."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import io
import json
import random
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Coroutine
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tacit.concepts.contract.specification import parse
from tacit.core.errors import InvalidArgument, Refused, TacitError
from tacit.data.ledger import Ledger
from tacit.interfaces.page import planning
from tacit.interfaces.page.families import PLANNED, SEARCHED, described, specification
from tacit.interfaces.page.pages import PAGES, pages, parts
from tacit.interfaces.page.research import dimensions
from tacit.interfaces.page.serving.fields import Fields
from tacit.interfaces.page.serving.serving import listen
from tacit.interfaces.page.serving.tasks import TASKS, perform
from tacit.interfaces.page.serving.worker import answer
from tacit.interfaces.page.serving.workspace import Workspace
from tacit.learners.contract.model import Model
from tacit.workflows.planning.plan import plan
from tests.support.explorer_driver import TOKEN, Driver, driven, running

REQUESTS = 10_000
SECRET = "nobody may read this"
THRESHOLDS = {"family": "thresholds", "sizes": {"bits": 16}}
COLUMNS = [
    {"name": "age", "type": "integer", "low": "0", "high": "120"},
    {"name": "sick", "type": "bits"},
]
ATTACK = {"users": 3, "runs": 4, "code": "boneh-shaw", "learner": "generic", "epsilon": "0.5"}
LEARN = {
    "table": "people.csv",
    "columns": COLUMNS,
    "features": ["age"],
    "labels": ["sick"],
    "class": "thresholds",
    "epsilon": "1",
}
LEARNED = {"model.json", "report.html", "rules.sql", "notebook.ipynb", "schema.toml"}


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    folder = tmp_path / "inner" / "workspace"
    made = Workspace.at(folder)
    rows = "".join(f"{20 + i % 70},{int(20 + i % 70 >= 60)}\n" for i in range(2000))
    (folder / "people.csv").write_text(f"age,sick\n{rows}")
    (tmp_path / "inner" / "outside.csv").write_text(f"age,sick\n{SECRET},1\n")
    (tmp_path / "model.json").write_text(SECRET)
    return made


def do(task: str, workspace: Workspace | None = None, /, **asked: Any) -> dict[str, Any]:
    return perform(task, asked, workspace or Workspace(Path("nowhere")), lambda _: None)


# --- Plan


@pytest.mark.parametrize(
    "given",
    [
        {"question": "n", "alpha": "0.05", "epsilon": "1"},
        {"question": "alpha", "n": 3000, "epsilon": "0.5"},
        {"question": "n", "alpha": "0.05", "epsilon": "1", "best_error": "0.02"},
        {"question": "epsilon", "n": "3000", "alpha": "0.08", "labels": 3, "delta": "1e-6"},
    ],
)
def test_the_page_is_told_what_the_library_says(given: dict[str, Any]) -> None:
    found = do("plan.first", **{"class": THRESHOLDS, **given})
    solved = {k: v for k, v in given.items() if k != "question"}
    if "n" in solved:
        solved["n"] = int(solved["n"])
    expected = plan(parse("thresholds(bits=16)"), among=("generic",), **solved)
    (result,) = found["results"]
    assert expected.answer is not None
    assert result["answer"] == float(expected.answer)
    assert result["rows"] == expected.offers[0].n
    assert found["nonprivate_n"] == expected.nonprivate_n
    assert [b["n"] for b in found["lower_bounds"]] == [b.n for b in expected.lower_bounds]
    assert not {"generic"} & set(found["pending"]) or not result["whole"]


def test_curves_are_computed_and_never_interpolated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "LATER_TIME", 1e9)
    asked = {"class": THRESHOLDS, "question": "n", "alpha": "0.05", "epsilon": "1"}
    found = do("plan.one", **asked, learner="generic")
    assert found["whole"]
    for alpha, rows in found["points"]:
        alone = plan(parse("thresholds(bits=16)"), alpha=alpha, epsilon=1, among=("generic",))
        assert rows == alone.answer
    never_enough = dict(map(tuple, do("plan.first", **asked)["impossible"]))
    assert all(1 < never_enough[alpha] < rows for alpha, rows in found["points"])


def test_what_is_impossible_leaves_out_bounds_for_others() -> None:
    goal = plan(parse("thresholds(bits=32)"), alpha="0.05", epsilon=1, among=("generic",))
    improper = next(b.n for b in goal.lower_bounds if b.proper)
    assert goal.impossible_below < improper
    proper = plan(parse("thresholds(bits=32)"), alpha="0.05", epsilon=1, proper=True, among=())
    assert proper.impossible_below == improper


def test_the_command_and_the_python_reproduce_the_answer() -> None:
    asked = {"class": {"family": "intervals"}, "question": "alpha", "n": 4000, "epsilon": "2"}
    found = do("plan.first", **asked, agnostic=True)
    assert found["command"] == "tacit plan 'intervals(bits=16)' --n 4000 --epsilon 2 --agnostic"
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(found["python"], {})
    known = do("plan.first", **asked, best_error="0.05")
    assert known["command"].endswith("--n 4000 --epsilon 2 --best-error 0.05")
    assert 'best_error="0.05"' in known["python"]
    assert known["results"][0]["answer"] < found["results"][0]["answer"]
    assert "more than the best rule would" in known["results"][0]["sentence"]
    assert "if the best rule errs at most 0.05" in known["results"][0]["sentence"]
    question, value, learner = said.getvalue().split()
    assert (question, learner) == ("alpha", "generic")
    assert float(Fraction(value)) == found["results"][0]["answer"]


def test_simulated_points_lie_between_impossible_and_promised() -> None:
    asked = {"class": THRESHOLDS, "question": "n", "alpha": "0.05", "epsilon": "1"}
    found = do("plan.simulate", **asked, axis="alpha", learner="generic")
    assert [x for x, _ in found["points"]] == [0.05, 0.08, 0.12, 0.2, 0.3]
    for alpha, needed in found["points"]:
        promised = plan(parse("thresholds(bits=16)"), alpha=alpha, epsilon=1, among=("generic",))
        assert promised.impossible_below <= needed <= promised.offers[0].n


def test_advice_is_the_librarys() -> None:
    asked = {"class": {"family": "intervals"}, "question": "n", "alpha": "0.05", "epsilon": "1"}
    ways = do("plan.advice", **asked, have=600)["ways"]
    assert ways[0]["change"] == "collect more rows"
    assert any(way["n"] <= 600 for way in ways)
    with pytest.raises(InvalidArgument, match="ask for rows"):
        do("plan.advice", **(asked | {"question": "alpha", "n": 9}), have=600)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"alpha": "0.6"}, "alpha must lie between"),
        ({"alpha": "much"}, "alpha must be a number"),
        ({"alpha": None}, "alpha must be a number"),
        ({"epsilon": "0"}, "epsilon must lie between"),
        ({"epsilon": "1e999"}, "epsilon must be a number"),
        ({"delta": "0.5"}, "delta must be at most"),
        ({"labels": 1000}, "labels must be a whole number"),
        ({"labels": True}, "labels must be a whole number"),
        ({"best_error": "0.5"}, "best_error .* must be below 1/2"),
        ({"best_error": "few"}, "best_error must be a number"),
        ({"agnostic": "yes"}, "agnostic must be true or false"),
        ({"question": "beta"}, "question must be one of"),
        ({"class": {"family": "matrix"}}, "family must be one of"),
        ({"class": {"family": "thresholds", "sizes": {"bits": 65}}}, "bits must be a whole"),
        ({"class": {"family": "thresholds", "sizes": {"values": 5}}}, "has no size 'values'"),
        ({"class": "thresholds"}, "class must be a JSON object"),
        ({"learners": ["nobody"]}, "there is no learner"),
    ],
)
def test_a_bad_question_is_refused_in_a_sentence(change: dict[str, Any], why: str) -> None:
    asked = {"class": THRESHOLDS, "question": "n", "alpha": "0.05", "epsilon": "1"} | change
    with pytest.raises(InvalidArgument, match=why):
        do("plan.first", **asked)


def test_every_family_is_a_class_at_its_ends() -> None:
    for offered in (PLANNED, SEARCHED):
        for family in offered:
            for end in ("low", "high", "start"):
                sizes = {size.name: getattr(size, end) for size in family.sizes}
                text = specification(Fields({"family": family.name, "sizes": sizes}), offered)
                assert str(parse(text)).startswith(family.name)
        assert [each["name"] for each in described(offered)] == [f.name for f in offered]


# --- Learn


def test_learning_writes_files_that_work(workspace: Workspace) -> None:
    assert do("learn.columns", workspace, table="people.csv")["columns"] == ["age", "sick"]
    opened = do("budget.open", workspace, **LEARN, cap_epsilon="1.5")
    assert (opened["left_epsilon"], opened["open"]) == (1.5, True)
    seen = do("learn.preview", workspace, **LEARN)
    assert do("budget.show", workspace, table="people.csv")["left_epsilon"] == 1.5
    steps: list[str] = []
    found = perform("learn.run", LEARN, workspace, steps.append)
    assert [step[:3] for step in steps] == ["0/5", "1/5", "2/5", "3/5", "4/5"]
    assert (seen["rows"], seen["epsilon"]) == (2000, 1.0)
    assert found["alpha"] <= seen["alpha"], "what was measured can only sharpen the promise"
    (told,) = found["measured"]
    assert told["label"] == "sick"
    assert told["better"]
    assert "on 400 rows it never saw" in told["says"]
    assert found["rules"][0][0] == "sick"
    assert set(found["files"]) == LEARNED
    model = Model.loads(workspace.output(found["run"], "model.json").read_text())
    assert model.secure
    assert "SELECT" in workspace.output(found["run"], "rules.sql").read_text()
    assert "Private rules" in workspace.output(found["run"], "report.html").read_text()
    assert do("budget.show", workspace, table="people.csv")["left_epsilon"] == 0.5


def test_what_nobody_names_is_chosen_and_outcomes_are_any_kind(workspace: Workspace) -> None:
    days = [date(2020, 1, 1) + timedelta(days=i % 400) for i in range(3000)]
    lines = [
        f"{day},{'fm'[i % 2]},{'late' if i % 400 > 182 else 'soon'},{'xyz'[i % 3]},{i % 90}\n"
        for i, day in enumerate(days)
    ]
    (workspace.folder / "visits.csv").write_text("day,sex,was,ward,age\n" + "".join(lines))
    columns = [
        {"name": "day", "type": "date", "low": "2020-01-01", "high": "2021-12-31"},
        {"name": "was", "type": "bits", "yes": ["late"]},
        {"name": "ward", "type": "category", "values": ["x", "y", "z"]},
        {"name": "age", "type": "integer", "low": "0", "high": "99", "cuts": ["30", "60"]},
        {"name": "sex", "type": "category", "values": ["f", "m"]},
    ]
    asked: dict[str, Any] = {"table": "visits.csv", "columns": columns, "epsilon": "8"}
    asked |= {"features": ["day"], "labels": ["was", "ward", "age"], "by": ["sex"]}
    do("budget.open", workspace, **asked, cap_epsilon="9")
    seen = do("learn.preview", workspace, **asked)
    found = do("learn.run", workspace, **asked)
    assert seen["why"] == found["why"]
    assert seen["why"], "it says what it chose, and why"
    labels = ["was", *(f"ward is {value}" for value in "xyz")]
    labels += [f"age is at least {cut}" for cut in (30, 60)]
    assert [label for label, _ in found["rules"]] == [each["label"] for each in found["measured"]]
    assert list(found["groups"]) == [label for label, _ in found["rules"]] == labels
    assert [each["group"] for each in found["groups"]["was"]] == ["sex is f", "sex is m"]
    model = Model.loads(workspace.output(found["run"], "model.json").read_text())
    assert (model.features, model.why) == (("day",), found["why"])
    assert found["measured"][0]["better"], "dates and words were read"
    report = workspace.output(found["run"], "report.html").read_text()
    assert report.count("sex is f") == 1, "the groups, and their sizes, are told once"
    assert "Errors of was by group" in report
    everything = asked | {"features": [], "by": []}
    assert do("learn.preview", workspace, **everything)["why"].count("2 weights") == 1


def test_rows_are_held_out_as_many_as_was_said(workspace: Workspace) -> None:
    do("budget.open", workspace, **LEARN, cap_epsilon="3")
    found = do("learn.run", workspace, **LEARN, hold_out="0")
    assert found["measured"] == []
    report = workspace.output(found["run"], "report.html").read_text()
    assert "Nothing was measured" in report
    (told,) = do("learn.run", workspace, **LEARN, hold_out="0.1")["measured"]
    assert "on 200 rows it never saw" in told["says"]
    with pytest.raises(InvalidArgument, match="must be at least 0 and below 1"):
        do("learn.preview", workspace, **LEARN, hold_out="1")


def test_persons_are_protected_with_all_their_rows(workspace: Workspace) -> None:
    rows = "".join(f"{i % 400},{20 + i % 70},{int(20 + i % 70 >= 60)}\n" for i in range(2000))
    (workspace.folder / "people.csv").write_text(f"who,age,sick\n{rows}")
    told = do("learn.preview", workspace, **LEARN, person=["who"])
    assert (told["rows"], told["many"]) == (400, "persons")
    assert told["protected"] == "all rows of one person (who)"
    assert told["alpha"] is None
    assert "no bound is proved" in told["nothing"]
    plain = do("learn.preview", workspace, **LEARN)
    assert (plain["rows"], plain["protected"]) == (2000, "one row")
    with pytest.raises(InvalidArgument, match="a feature or a label too"):
        do("learn.preview", workspace, **LEARN, person=["age"])


def test_a_best_error_is_taken_and_told(workspace: Workspace) -> None:
    free = do("learn.preview", workspace, **LEARN, best_error=" ")
    known = do("learn.preview", workspace, **LEARN, best_error="0.05")
    assert (free["best_error"], known["best_error"]) == (None, 0.05)
    assert known["alpha"] < free["alpha"]
    do("budget.open", workspace, **LEARN, cap_epsilon="1.5")
    found = do("learn.run", workspace, **LEARN, best_error="0.05")
    assert (found["alpha"], found["best_error"]) == (known["alpha"], 0.05)
    model = Model.loads(workspace.output(found["run"], "model.json").read_text())
    assert model.best_error == Fraction(1, 20)
    report = workspace.output(found["run"], "report.html").read_text()
    assert "the best rule errs at most 0.05" in report


def test_a_policy_in_the_workspace_is_kept(workspace: Workspace) -> None:
    do("budget.open", workspace, **LEARN, cap_epsilon="9")
    policy = workspace.folder / "policy.toml"
    policy.write_text('format = "tacit-policy-1"\n[dataset]\nepsilon = 0.1\n')
    with pytest.raises(Refused, match=r"\[dataset\] epsilon = 1/10"):
        do("learn.run", workspace, **LEARN)
    assert not list(workspace.folder.glob("run-*"))


def test_a_request_of_the_page_says_what_is_held_out_and_cut(workspace: Workspace) -> None:
    do("budget.open", workspace, **LEARN, cap_epsilon="9")
    clause = f'[approval]\nby = {{ ada = "{"1" * 64}" }}'
    (workspace.folder / "policy.toml").write_text(f'format = "tacit-policy-1"\n{clause}\n')
    cut = {"columns": [COLUMNS[0] | {"cuts": ["40"]}, COLUMNS[1]], "by": ["age"]}
    for more in ({}, {"hold_out": "0"}, {"hold_out": "0.3"} | cut):
        with pytest.raises(Refused, match=r"\[approval\] 1 of ada must approve"):
            do("learn.run", workspace, **(LEARN | more))
    events = Ledger(workspace.ledger).events()
    asked = [event.body["asked"] for event in events if event.body["kind"] == "request"]
    assert [each.get("hold_out") for each in asked] == [None, "0", "3/10"]
    assert (asked[2]["by"], asked[2]["cuts"]) == ("age", {"age": ["40"]})


def test_the_ledger_refuses_and_nothing_is_written(workspace: Workspace) -> None:
    with pytest.raises(InvalidArgument, match="open a budget"):
        do("learn.run", workspace, **LEARN)
    do("budget.open", workspace, **LEARN, cap_epsilon="1.5")
    do("learn.run", workspace, **LEARN)
    before = sorted(workspace.folder.iterdir())
    with pytest.raises(Refused, match="the budget of the data set is"):
        do("learn.run", workspace, **LEARN)
    assert sorted(workspace.folder.iterdir()) == before
    again = do("budget.open", workspace, **LEARN, cap_epsilon="100")
    assert again["cap_epsilon"] == 1.5, "the page cannot raise a cap"
    wider = LEARN | {"columns": [COLUMNS[0] | {"high": "130"}, COLUMNS[1]], "epsilon": "0.25"}
    with pytest.raises(Refused, match="no budget for this schema"):
        do("learn.run", workspace, **wider)
    do("budget.open", workspace, **wider, cap_epsilon="100")
    do("learn.run", workspace, **wider)
    assert do("budget.show", workspace, table="people.csv")["left_epsilon"] == 0.25


def test_the_notebook_runs_beside_the_model(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    do("budget.open", workspace, **LEARN, cap_epsilon="1")
    found = do("learn.run", workspace, **LEARN)
    folder = workspace.folder / found["run"]
    read = json.loads((folder / "notebook.ipynb").read_text())
    assert (read["nbformat"], read["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in read["cells"]}) == len(read["cells"])
    (folder / "new_people.csv").write_bytes((workspace.folder / "people.csv").read_bytes())
    monkeypatch.chdir(folder)
    space: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()) as said:
        for cell in read["cells"]:
            if cell["cell_type"] == "code":
                exec("".join(cell["source"]), space)
    assert space["model"].n == 2000
    assert "SELECT" in said.getvalue()
    assert space["predicted"].shape == (2000, 1)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"columns": []}, "declare 1 to"),
        ({"columns": [{"name": "age", "type": "integer"}]}, "fill in low, from public knowledge"),
        ({"columns": [COLUMNS[0] | {"high": "old"}]}, "high must be a number"),
        ({"columns": [COLUMNS[0] | {"high": "1e40"}]}, "no public range"),
        ({"columns": [COLUMNS[0] | {"low": "200"}, COLUMNS[1]]}, "column 'age'"),
        ({"columns": [{"name": "age", "type": "text"}]}, "type must be one of"),
        ({"columns": [{"name": "age", "type": "date"}]}, "fill in low, from public knowledge"),
        ({"columns": [{"name": "age", "type": "date", "low": "1", "high": "2"}]}, "be a date such"),
        ({"table": "../outside.csv"}, "has no table"),
        ({"table": "/etc/passwd"}, "has no table"),
        ({"class": "matrix(/etc/passwd)"}, "class must be one of"),
        ({"labels": []}, "choose at least one column"),
        ({"learner": "nobody"}, "learner must be one of"),
        ({"class": "auto", "learner": "margin"}, "is for a class"),
        ({"by": ["age", "sick"]}, "choose one column whose groups"),
        ({"by": ["sick"]}, "a label"),
        ({"epsilon": "0"}, "epsilon must be"),
        ({"best_error": "0.7"}, "best_error .* must be below 1/2"),
    ],
)
def test_a_bad_request_to_learn_is_refused(
    workspace: Workspace, change: dict[str, Any], why: str
) -> None:
    for task in ("learn.preview", "budget.open"):
        if task == "budget.open" and not {"columns", "table"} & change.keys():
            continue
        with pytest.raises(TacitError, match=why):
            do(task, workspace, **(LEARN | change), cap_epsilon="1")


# --- Workspace


def test_no_name_leads_out_of_the_workspace(workspace: Workspace) -> None:
    (workspace.folder / "link.csv").symlink_to(workspace.folder.parent / "outside.csv")
    assert workspace.tables() == ["people.csv"]
    bad = ("../outside.csv", "link.csv", "", ".", "a/b.csv", "..\\x.csv", "x.csv\x00", "budget.db")
    for name in (*bad, "/etc/passwd", "x" * 300 + ".csv", ".hidden.csv", "people.csv/"):
        with pytest.raises(InvalidArgument):
            workspace.table(name)
        if name != "link.csv":
            with pytest.raises(InvalidArgument):
                workspace.upload(name)
    (workspace.folder / "run-0001").symlink_to(workspace.folder.parent.parent)
    for run, name in (("run-0001", "model.json"), ("..", "model.json"), ("run-0002", "../x")):
        with pytest.raises(InvalidArgument):
            workspace.output(run, name)
    for name in ("people.csv", "link.csv"):
        with pytest.raises(InvalidArgument, match="already"):
            workspace.upload(name)
    with workspace.draft() as folder:
        (folder / "model.json").write_text("{}")
        assert workspace.keep(folder) == "run-0002"
    assert workspace.runs == ["run-0002"]
    assert not list(workspace.folder.glob(".tacit-*"))


# --- Dimensions and Attack


def test_dimensions_come_with_what_shows_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dimensions, "SECONDS", 600.0)
    found = do("dimensions.find", rows=["000", "001", "011", "111"])
    assert (found["vc"]["lower"], found["littlestone"]["lower"]) == (1, 2)
    assert found["matrix"]["shattered"] == [int(x) for x in found["shattered"]]
    assert len(found["tree"]["points"]) == 3
    assert len(found["tree"]["leaves"]) == 4
    assert found["curve"][0][1:] == [0.5, 0.5]
    assert found["curve"][-1] == [4, 0.0, 0.0]
    large = do("dimensions.find", family="thresholds", sizes={"bits": 8})
    assert (large["vc"]["lower"], large["littlestone"]["lower"]) == (1, 8)
    assert large["tree"]["shown"] == 5
    assert large["matrix"] is None
    for rows in ([], ["012"], ["0", "01"], [""], ["01", "01"], ["0" * 65]):
        with pytest.raises(InvalidArgument):
            do("dimensions.find", rows=rows)


def test_the_attack_separates_and_does_not() -> None:
    found = do("attack.run", **ATTACK)
    openly, privately = found["panels"]
    assert openly["traced"] == 4
    assert not openly["private"]
    assert privately["private"]
    assert max(openly["scores"]) > openly["bar"]
    assert len(openly["scores"]) == 3
    assert len(privately["left_out"]) == 4
    assert found["command"].startswith("tacit attack --users 3 --code boneh-shaw")
    with pytest.raises(InvalidArgument, match="users must be"):
        do("attack.run", **(ATTACK | {"users": 500}))


def test_a_worker_always_writes_one_last_line(workspace: Workspace) -> None:
    lines = ("nonsense", "{}", '{"task": "x", "asked": {}}', '{"task": "plan.first", "asked": 3}')
    for line in lines:
        out = io.StringIO()
        answer(line, workspace, out)
        (said,) = out.getvalue().splitlines()
        assert json.loads(said)["status"] in (400, 500)
        assert "Traceback" not in said


# --- The server


def drive(folder: Path, story: Callable[[Driver], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        async with driven(folder) as driver:
            await story(driver)

    asyncio.run(run())


def test_pages_and_parts_are_sealed_and_whole(workspace: Workspace) -> None:
    async def story(call: Driver) -> None:
        for name in ("", *PAGES):
            page = await call("GET", name)
            assert page.status == 200
            assert page.headers["content-security-policy"].startswith("default-src 'self'")
            assert page.headers["cache-control"] == "no-store"
            assert page.headers["x-frame-options"] == "DENY"
            assert page.headers["referrer-policy"] == "no-referrer"
            assert "{{" not in page.body.decode()
        for name in parts():
            assert (await call("GET", f"static/{name}")).status == 200
        for name in ("static/frame.html", "static/../server.py", "nothing", "api/plan.first"):
            assert (await call("GET", name)).status in (404, 405)

    drive(workspace.folder, story)
    for text in (*pages().values(), *(text for _, text in parts().values())):
        for outside in ("https://", "//cdn", "eval(", "innerHTML", "<script>"):
            assert outside not in text
        assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")


def test_a_table_goes_in_and_a_report_comes_out(workspace: Workspace) -> None:
    async def story(call: Driver) -> None:
        table = (workspace.folder / "people.csv").read_bytes()
        assert (await call("PUT", "tables/new.csv", [table[:99], table[99:]])).status == 200
        assert (workspace.folder / "new.csv").read_bytes() == table
        assert (await call("PUT", "tables/new.csv", table)).status == 400
        asked = LEARN | {"table": "new.csv"}
        opened = await call.ask("budget.open", **asked, cap_epsilon="1")
        assert opened.json["left_epsilon"] == 1.0
        ended = await call.follow("learn.run", **asked)
        run = ended["answer"]["run"]
        shown = await call("GET", f"files/{run}/report.html")
        assert shown.headers["content-security-policy"].startswith("default-src 'none'")
        assert "attachment" not in shown.headers.get("content-disposition", "")
        for name in ended["answer"]["files"]:
            kept = await call("GET", f"files/{run}/{name}?keep")
            assert kept.status == 200
            assert kept.headers["content-disposition"].startswith("attachment")
        refused = await call.follow("learn.run", **asked)
        assert refused["status"] == 409
        assert "is spent" in refused["why"]
        assert (await call("GET", "job/unknown/0")).status == 404

    drive(workspace.folder, story)


def test_quick_learners_join_the_first_answer(workspace: Workspace) -> None:
    async def story(call: Driver) -> None:
        asked = {"class": {"family": "parities"}, "question": "n", "alpha": "0.1", "epsilon": "1"}
        first = (await call.ask("plan.first", **asked)).json
        assert [each["learner"] for each in first["results"]] == ["generic"]
        assert "parity" in first["pending"]
        call.explorer.known.note(asked, [{"learner": "parity", "seconds": 0.01}])
        call.explorer.known.note(asked, [{"learner": "local", "seconds": 1.0}])
        assert call.explorer.known.learners(asked) == ["generic", "parity"]
        later = (await call.ask("plan.first", **(asked | {"alpha": "0.2"}))).json
        given = [each["learner"] for each in later["results"]]
        assert given[0] == "generic"
        assert "parity" in {*given[1:], *later["pending"]}
        assert not {"local", "nobody"} & set(given)

    drive(workspace.folder, story)


def test_what_is_no_longer_wanted_is_given_up(workspace: Workspace) -> None:
    async def story(call: Driver) -> None:
        lane = call.explorer.slow
        task = asyncio.create_task(lane.run("attack.run", ATTACK | {"users": 20}, seconds=600))
        while lane._process is None:
            await asyncio.sleep(0.01)
        process = lane._process
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert process.returncode is not None
        assert (await call.ask("learn.choices")).json["tables"] == ["people.csv"]

    drive(workspace.folder, story)


def random_request(rng: random.Random) -> tuple[str, str, list[bytes], dict[str, Any]]:
    """Return a method, a path, a body and how to call: most of it is wrong in some way."""
    names = ["..", "../..", "%2e%2e", "outside.csv", "../outside.csv", "..\\outside.csv", "", ".",
             "/etc/passwd", "model.json", "people.csv", "\x00", "a" * 5000, "é\ud800", "run-0001",
             "....//", "file.csv", "con.csv", "~root", "$HOME", "x.csv;ls"]  # fmt: skip
    places = ["static", "files/run-0001", "files/..", "files/%2e%2e", "tables", "api", "job", ""]
    path = f"{rng.choice(places)}/{rng.choice(names)}"
    kind = rng.randrange(6)
    if kind == 0:
        path = f"{rng.choice(['api', 'job'])}/{rng.choice(sorted(TASKS))}"
    if kind == 1:
        path = "/".join(rng.choice(names) for _ in range(rng.randrange(5)))
    method = rng.choice(["GET", "POST", "POST", "PUT", "HEAD", "DELETE", "OPTIONS", "PATCH", "X"])
    if rng.random() < 0.5:
        return method, path, _random_body(rng), _random_caller(rng)
    return method, path, _random_body(rng), {}


def _random_body(rng: random.Random) -> list[bytes]:
    junk: list[Any] = [None, True, -1, 1e308, "x" * 300, [], {}, "../outside.csv", "\ud800", 10**40]
    keys = ["class", "question", "alpha", "table", "columns", "rows", "users", "family", "epsilon"]
    kind = rng.randrange(8)
    if kind == 0:
        return [rng.randbytes(rng.randrange(200))]
    if kind == 1:
        return [b"[" * rng.randrange(1, 60_000)]
    if kind == 2:
        return [b"x" * 70_000] * rng.randrange(1, 6)
    if kind == 3:
        return [b'{"alpha": NaN, "n": ' + b"9" * rng.randrange(1, 6000) + b"}"]
    if kind == 4:
        return [json.dumps(rng.choice(junk)).encode()]
    asked = {rng.choice(keys): rng.choice(junk) for _ in range(rng.randrange(5))}
    return [json.dumps(asked).encode()]


def _random_caller(rng: random.Random) -> dict[str, Any]:
    wrong = [
        TOKEN[:-1],
        TOKEN + "x",
        TOKEN.upper(),
        "",
        " ",
        "%73ecret",
        f"/{TOKEN}",
        "é",
        "\ud800",
    ]
    hosts = [b"example.org", b"127.0.0.1.example.org:8400", b"", b"127.0.0.1@evil:8400",
             b"[::1]:8400", b"127.0.0.1:8401", b"127.0.0.1"]  # fmt: skip
    if rng.random() < 0.7:
        return {"token": rng.choice([*wrong, None])}
    return {"headers": [(b"host", rng.choice(hosts))] * rng.randrange(3)}


def _other_sites(rng: random.Random) -> list[tuple[bytes, bytes]]:
    """Headers as another site's page, an older browser or a program would send them."""
    sites = [b"cross-site", b"same-site", b"none", b"", b"same-origin"]
    origins = [b"null", b"http://example.org", b"http://127.0.0.1:8401", b"https://127.0.0.1:8400"]
    kinds = [b"text/plain", b"multipart/form-data", b"application/x-www-form-urlencoded", b""]
    sent = [(b"host", b"127.0.0.1:8400")]
    for name, values in (
        (b"sec-fetch-site", sites),
        (b"origin", origins),
        (b"content-type", kinds),
    ):
        if rng.random() < 0.8:
            sent.append((name, rng.choice(values)))
    return sent


def test_ten_thousand_random_requests(workspace: Workspace, tmp_path: Path) -> None:
    def outside() -> dict[str, bytes]:
        files = [p for p in tmp_path.rglob("*") if workspace.folder not in p.parents]
        return {str(p): p.read_bytes() for p in files if p.is_file()}

    async def story(call: Driver) -> None:
        rng = random.Random(11)
        statuses: dict[int, int] = {}
        for _ in range(REQUESTS):
            method, path, body, caller = random_request(rng)
            stranger = not caller and rng.random() < 0.3
            headers = {"headers": _other_sites(rng)} if stranger else {}
            found = await call(method, path, body, **caller, **headers)
            if stranger and method not in ("GET", "HEAD"):
                assert found.status in (403, 415), (method, path, headers)
            statuses[found.status] = statuses.get(found.status, 0) + 1
            assert found.status < 500, (method, path, found.body)
            assert b"Traceback" not in found.body
            assert SECRET.encode() not in found.body
            if caller:
                assert (found.status, found.body) == (404, b""), (method, path, caller)
            assert found.headers["x-content-type-options"] == "nosniff"
        assert {200, 400, 403, 404, 405, 413} <= statuses.keys()

    before = outside()
    drive(workspace.folder, story)
    assert outside() == before
    left = [p.name for p in workspace.folder.iterdir()]
    assert not [name for name in left if name.endswith(".part")]
    assert set(left) <= {"people.csv", "file.csv", "con.csv", "outside.csv", "budget.db"}


# --- The command


def test_the_command_serves_loopback_and_stops_cleanly(tmp_path: Path) -> None:
    with running(tmp_path / "new") as server:
        host = f"127.0.0.1:{server.port}"
        line = http.client.HTTPConnection(host, timeout=60)
        path = server.address.partition(host)[2]
        for asked, status in ((path, 200), ("/", 404), (path[:-2] + "/", 404)):
            line.request("GET", asked)
            found = line.getresponse()
            assert found.status == status
            assert bool(found.read()) == (status == 200)
            assert found.getheader("server") is None
        rng = random.Random(5)
        for _ in range(100):
            _broken(server.port, rng, path.encode())
        line.request("GET", path)
        assert line.getresponse().read()
        line.close()
        workers = _children_of(server.process.pid)
        server.process.send_signal(signal.SIGINT)
        out, err = server.process.communicate(timeout=60)
        assert server.process.returncode == 0
        assert out.splitlines()[-1] == "The explorer has stopped."
        assert err == ""
    assert workers
    assert not any(Path("/proc", worker).exists() for worker in workers)


def _broken(port: int, rng: random.Random, path: bytes) -> None:
    """Send bytes that are no request, or only a part of one; whatever comes back tells nothing."""
    post = b"POST " + path + b"api/plan.first HTTP/1.1\r\nHost: 127.0.0.1:1\r\nContent-Length: "
    sent = rng.choice(
        [
            rng.randbytes(300),
            b"GET " + path + b" HTTP/1.1\r\n\r\n",
            post + b"-5\r\n\r\n",
            post + b"50\r\n\r\n{",
            b"GET " + path + b"../../etc/passwd HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n",
            b"GET http://127.0.0.1" + path + b" HTTP/1.0\r\n\r\n",
            b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20_000 + b"\r\n",
        ]
    )
    with (
        socket.create_connection(("127.0.0.1", port), timeout=60) as line,
        contextlib.suppress(ConnectionError),
    ):
        line.sendall(sent)
        line.shutdown(socket.SHUT_WR)
        said = b"".join(iter(lambda: line.recv(65536), b""))
        assert b"Traceback" not in said
        assert b"root:" not in said


def _children_of(pid: int) -> list[str]:
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if entry.read_text().rpartition(")")[2].split()[1] == str(pid):
                found.append(entry.parent.name)
    return found


def test_only_loopback_is_taken() -> None:
    with listen("127.0.0.1", 0) as taken:
        assert taken.getsockname()[0] == "127.0.0.1"
        with pytest.raises(OSError, match="in use"):
            listen("127.0.0.1", taken.getsockname()[1])


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as taken:
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "tacit", "explore", "--no-browser", "--port", port]
        found = subprocess.run(
            [*command, "--workspace", str(tmp_path)], capture_output=True, text=True, check=False
        )
    assert found.returncode == 2
    assert found.stderr.startswith(f"tacit: --port: {port} cannot be used")
