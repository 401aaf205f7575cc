"""The explorer in a real browser: each page's story, clicked through as a reader would."""

from __future__ import annotations

import http.server
import json
import os
import re
import signal
import stat
import threading
import zipfile
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browsing import PATIENCE, PLANNED, WIDTHS, check_looks, opened
from tests.support.explorer_driver import Hold, Running, running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("workspace")
    rows = "".join(f"{20 + i % 70},{i % 3},{int(20 + i % 70 >= 60)}\n" for i in range(3000))
    (folder / "people.csv").write_text(f"age,ward,sick\n{rows}")
    with running(folder) as started:
        yield started


def number(text: str) -> int:
    found = re.search(r"[\d,]+", text)
    assert found is not None, text
    return int(found[0].replace(",", ""))


def test_plan(browser: Browser, server: Running) -> None:
    with opened(browser, f"{server.address}plan") as page:
        page.wait_for_selector(PLANNED)
        before = number(page.inner_text("#answer"))
        page.focus("#alpha")
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        expect(page.locator("#alpha-box")).to_have_value("0.1")
        expect(page.locator("#answer")).to_contain_text("10 %")
        assert number(page.inner_text("#answer")) < before
        expect(page.locator("#again pre").first).to_contain_text("--alpha 0.1")
        page.wait_for_selector("body[data-state=complete]")
        assert page.locator("#power path.path").count() >= 3
        expect(page.locator("#power")).to_contain_text("impossible")
        expect(page.locator("#checked")).to_contain_text("All learners are checked")
        page.click("#simulate")
        page.wait_for_selector("#simulating details")
        assert page.locator("#power rect.seen").count() == 5
        page.click("text=The plot as a table")
        expect(page.locator("#numbers table").last).to_be_visible()
        check_looks(page)


def test_plan_solves_for_the_others_and_survives_bad_input(
    browser: Browser, server: Running
) -> None:
    with opened(browser, f"{server.address}plan", width=360, dark=True) as page:
        page.wait_for_selector(PLANNED)
        page.click("label:has(input[value=alpha])")
        expect(page.locator("#answer")).to_contain_text("can be promised")
        expect(page.locator("#s-alpha")).to_be_hidden()
        page.click("label:has(input[value=epsilon])")
        expect(page.locator("#answer")).to_contain_text("privacy budget")
        for text in ("nonsense", "-4", "1e99", "<script>alert(1)</script>"):
            page.fill("#n-box", text)
            page.press("#n-box", "Tab")
            page.wait_for_selector("body[data-state=refused]")
            expect(page.locator("#trouble")).to_contain_text("n must be a whole number")
            page.fill("#n-box", "4000")
            page.press("#n-box", "Tab")
            page.wait_for_selector(PLANNED)
            expect(page.locator("#trouble")).to_be_empty()
        page.select_option("#family", "intervals")
        expect(page.locator("#again pre").first).to_contain_text("intervals(bits=16)")
        page.click("text=More choices")
        page.fill("#best-error", "0.6")
        page.press("#best-error", "Tab")
        expect(page.locator("#trouble")).to_contain_text("must be below 1/2")
        page.fill("#best-error", "0.05")
        page.press("#best-error", "Tab")
        expect(page.locator("#answer")).to_contain_text("if the best rule errs at most 0.05")
        expect(page.locator("#trouble")).to_be_empty()
        page.reload()
        page.wait_for_selector(PLANNED)
        expect(page.locator("#again pre").first).to_contain_text("'intervals(bits=16)' --n 4000")
        expect(page.locator("#again pre").first).to_contain_text("--best-error 0.05")
        check_looks(page)


def test_the_words_are_explained(browser: Browser, server: Running) -> None:
    with opened(browser, f"{server.address}attack") as page:
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.click("button[aria-label^='What is Privacy budget']")
        expect(page.locator("#glossary")).to_be_visible()
        expect(page.locator("#w-epsilon")).to_have_class("lit")
        page.keyboard.press("Escape")
        expect(page.locator("#glossary")).to_be_hidden()


def test_learn(browser: Browser, server: Running, tmp_path: Path) -> None:
    with opened(browser, f"{server.address}learn") as page:
        page.wait_for_selector("body[data-state=ready]")
        page.select_option("#table", "people.csv")
        page.select_option("select[aria-label='How sick is used']", "label")
        assert page.input_value("select[aria-label='How ward is used']") == "feature", "all columns"
        page.select_option("select[aria-label='How ward is used']", "")
        assert page.input_value("#c0-low") == page.input_value("#c0-high") == "", "never prefilled"
        page.click("#preview")
        expect(page.locator("#result")).to_contain_text("fill in low, from public knowledge")
        page.fill("#c0-low", "0")
        page.fill("#c0-high", "120")
        page.fill("#cap", "1.5")
        page.press("#epsilon", "ArrowRight")
        page.press("#epsilon", "ArrowLeft")
        with page.expect_response("**/budget.show"):
            page.click("#preview")
        page.wait_for_selector("body[data-state=ready]")
        assert page.input_value("#cap") == "1.5", "a cap that was typed is not drawn over"
        page.click("#open")
        expect(page.locator("#left")).to_contain_text("ε = 1.5 of 1.5")
        page.click("#preview")
        expect(page.locator("#result")).to_contain_text("nothing was spent")
        expect(page.locator("#left")).to_contain_text("ε = 1.5 of 1.5")
        page.wait_for_selector("body[data-state=ready]")
        page.fill("#best-error", "0.05")
        page.click("#preview")
        expect(page.locator("#result")).to_contain_text("and the best rule errs at most 5 %")
        page.wait_for_selector("body[data-state=ready]")
        page.fill("#best-error", "")
        page.click("#run")
        expect(page.locator("#result .rule")).to_contain_text("yes if age")
        expect(page.locator("#result")).to_contain_text("on 600 rows it never saw")
        expect(page.locator("#left")).to_contain_text(re.compile(r"ε = 0\.5\d* of 1\.5"))
        for name in ("model.json", "report.html", "rules.sql", "notebook.ipynb"):
            with page.expect_download() as waiting:
                page.click(f"#result >> text=Download {name}")
            waiting.value.save_as(tmp_path / name)
        assert json.loads((tmp_path / "model.json").read_text())["n"] == 3000
        assert json.loads((tmp_path / "notebook.ipynb").read_text())["nbformat"] == 4
        page.click("#pack")
        with page.expect_download() as waiting:
            page.click("#packed >> text=Download release.zip")
        waiting.value.save_as(tmp_path / "release.zip")
        assert "check_release.py" in zipfile.ZipFile(tmp_path / "release.zip").namelist()
        check_looks(page)
        expect(page.locator("#budget")).to_contain_text("this run would be refused")
        page.wait_for_selector("body[data-state=ready]")
        page.click("#run")
        expect(page.locator("#result")).to_contain_text("the budget of the data set is")
        expect(page.locator("#left")).to_contain_text(re.compile(r"ε = 0\.5\d* of 1\.5"))


def test_a_card_is_drawn_and_measured(browser: Browser, server: Running, tmp_path: Path) -> None:
    rows = "".join(f"{20 + i % 70},{int(20 + i % 70 + i % 7 * 5 >= 75)}\n" for i in range(3000))
    (tmp_path / "cards.csv").write_text(f"age,sick\n{rows}")
    with opened(browser, f"{server.address}learn", width=360, dark=True) as page:
        page.wait_for_selector("body[data-state=ready]")
        page.set_input_files("#upload", tmp_path / "cards.csv")
        expect(page.locator("#table-trouble")).to_contain_text("cards.csv is in the workspace")
        page.select_option("select[aria-label='How age is used']", "feature")
        page.select_option("select[aria-label='How sick is used']", "label")
        page.fill("#c0-low", "0")
        page.fill("#c0-high", "120")
        page.click("#open")
        expect(page.locator("#left")).to_contain_text("ε = 3 of 3")
        page.select_option("#class", "thresholds")
        offered = page.locator("#learner option").all_inner_texts()
        assert any(each.startswith("prior: ") for each in offered)
        assert not any(each.startswith("margin: ") for each in offered), "only those that apply"
        page.select_option("#class", "scorecards")
        page.select_option("#learner", "margin")
        assert page.input_value("#delta") == "1e-6"
        page.click("#run")
        expect(page.locator("#result")).to_contain_text("on 600 rows it never saw")
        expect(page.locator("#left")).to_contain_text("δ: 0.000001 of 0.00001 spent")
        assert page.locator("#result .wide svg rect").count() > 1
        assert page.locator("#result .pictures svg path.promised").count() > 2
        assert page.locator("#result .pictures svg path.band").count() > 2, "with bands"
        check_looks(page)


def test_who_is_protected_is_asked_first(browser: Browser, server: Running, tmp_path: Path) -> None:
    """Of 900 patients with 1 to 5 visits each all rows are protected, and it is said."""
    visits = [(i, 20 + 7 * i % 70) for i in range(900) for _ in range(1 + i % 5)]
    rows = "".join(f"p{who},{age},{int(age >= 60)}\n" for who, age in visits)
    (tmp_path / "clinic.csv").write_text(f"patient,age,sick\n{rows}")
    with opened(browser, f"{server.address}learn") as page:
        page.wait_for_selector("body[data-state=ready]")
        page.set_input_files("#upload", tmp_path / "clinic.csv")
        expect(page.locator("#table-trouble")).to_contain_text("clinic.csv is in the workspace")
        assert page.input_value("#person") == ""
        page.select_option("#person", "patient")
        page.select_option("select[aria-label='How sick is used']", "label")
        assert page.input_value("select[aria-label='How patient is used']") == ""
        page.fill("#c1-low", "0")
        page.fill("#c1-high", "120")
        page.click("#open")
        expect(page.locator("#left")).to_contain_text("ε = 3 of 3")
        page.click("#preview")
        expect(page.locator("#result")).to_contain_text("all rows of one person (patient)")
        expect(page.locator("#result")).to_contain_text("persons of the table")
        page.wait_for_selector("body[data-state=ready]")
        page.click("#run")
        said = "for replacing all rows of one person (patient); there are 900 persons."
        expect(page.locator("#result")).to_contain_text(said)
        expect(page.locator("#result")).to_contain_text(
            "on 180 persons (one row of each) it never saw"
        )
        with page.expect_download() as waiting:
            page.click("#result >> text=Download model.json")
        waiting.value.save_as(tmp_path / "model.json")
        assert json.loads((tmp_path / "model.json").read_text())["n"] == 900
        check_looks(page)


def test_auto_reads_dates_words_and_cuts_and_compares_groups(
    browser: Browser, server: Running, tmp_path: Path
) -> None:
    days = [date(2020, 1, 1) + timedelta(days=i % 400) for i in range(3000)]
    lines = [
        f"{day},{20 + i % 70},{'late' if i % 400 > 182 else 'soon'},{i % 90},{'fm'[i % 2]}\n"
        for i, day in enumerate(days)
    ]
    (tmp_path / "visits.csv").write_text("day,age,was,cost,sex\n" + "".join(lines))
    with opened(browser, f"{server.address}learn", width=360) as page:
        page.wait_for_selector("body[data-state=ready]")
        page.set_input_files("#upload", tmp_path / "visits.csv")
        expect(page.locator("#table-trouble")).to_contain_text("visits.csv is in the workspace")
        assert (page.input_value("#class"), page.input_value("#learner")) == ("auto", "auto")
        page.select_option("select[aria-label='How was is used']", "label")
        page.fill("#c2-yes", "late, Later")
        page.select_option("select[aria-label='How cost is used']", "label")
        page.select_option("select[aria-label='Type of cost']", "integer")
        page.select_option("select[aria-label='How sex is used']", "group")
        page.select_option("select[aria-label='Type of sex']", "category")
        page.fill("#c4-values", "f, m")
        page.select_option("select[aria-label='Type of day']", "date")
        filled = {"c0": ("2020-01-01", "2021-12-31"), "c1": ("0", "120"), "c3": ("0", "99")}
        for column, (low, high) in filled.items():
            page.fill(f"#{column}-low", low)
            page.fill(f"#{column}-high", high)
        page.fill("#c3-cuts", "30, 60")
        page.fill("#cap", "4")
        page.select_option("#cap-delta", "0")
        page.click("#open")
        expect(page.locator("#left")).to_contain_text("ε = 4 of 4 is left; no δ")
        assert page.input_value("#delta") == "0", "no run has a δ that its account lacks"
        page.fill("#epsilon", "0.5")
        page.click("#preview")
        expect(page.locator("#result")).to_contain_text("Chosen: rules of up to 2 conditions")
        expect(page.locator("#result pre")).to_contain_text('yes = ["late", "Later"]')
        expect(page.locator("#result pre")).to_contain_text("low = 2020-01-01")
        page.wait_for_selector("body[data-state=ready]")
        page.click("#run")
        expect(page.locator("#result")).to_contain_text("on 600 rows it never saw")
        expect(page.locator("#result")).to_contain_text("Chosen: rules of up to 2 conditions")
        assert page.locator("#result .rule").count() == 3
        expect(page.locator("#result .rule").last).to_contain_text("cost is at least 60: ")
        expect(page.locator("#result table")).to_contain_text("error of cost is at least 30")
        assert page.locator("#result table tbody tr").count() == 2
        check_looks(page)


def test_learn_takes_a_table_in(browser: Browser, server: Running, tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("height,tall\n150,0\n190,1\n")
    (tmp_path / "notes.txt").write_text("no table")
    with opened(browser, f"{server.address}learn", width=360) as page:
        page.wait_for_selector("body[data-state=ready]")
        page.set_input_files("#upload", tmp_path / "notes.txt")
        expect(page.locator("#table-trouble")).to_contain_text("ends in .csv")
        page.set_input_files("#upload", tmp_path / "mine.csv")
        expect(page.locator("#table-trouble")).to_contain_text("mine.csv is in the workspace")
        assert page.locator(".column").count() == 2
        page.select_option("select[aria-label='How height is used']", "feature")
        page.select_option("select[aria-label='Type of height']", "real")
        assert page.locator("#c0-step").count() == 1
        check_looks(page)


def test_dimensions(browser: Browser, server: Running) -> None:
    with opened(browser, f"{server.address}dimensions") as page:
        page.fill("#height", "4")
        page.fill("#width", "3")
        page.press("#width", "Tab")
        assert page.locator("#board button").count() == 12
        page.focus("#board [data-at='0,0']")
        for key in ("Space", "ArrowRight", "Enter", "ArrowDown"):
            page.keyboard.press(key)
        assert page.evaluate("document.activeElement.dataset.at") == "1,1"
        expect(page.locator("[data-at='0,0']")).to_have_attribute("aria-pressed", "true")
        page.click("label:has(input[value=pasted])")
        page.fill("#paste", "0 2 1")
        page.click("#find")
        expect(page.locator("#found")).to_contain_text("lines of 0s and 1s")
        page.fill("#paste", "0,0,0\n0,0,1\n0,1,1\n1,1,1")
        page.click("#find")
        expect(page.locator("#vc")).to_have_text("1")
        expect(page.locator("#littlestone")).to_have_text("2")
        assert page.locator("#found th.lit").count() == 1
        assert page.locator("#found svg .node").count() == 3
        ink, card = (
            "getComputedStyle(e).fill",
            "getComputedStyle(e.closest('.card')).backgroundColor",
        )
        same = page.locator("#found svg .node").first.evaluate(f"(e) => {ink} === {card}")
        assert same, "dark words on a light box"
        check_looks(page)


def test_dimensions_of_a_family(browser: Browser, server: Running) -> None:
    with opened(browser, f"{server.address}dimensions", width=360) as page:
        page.click("label:has(input[value=family])")
        page.select_option("#family", "points")
        page.click("#find")
        expect(page.locator("#vc")).to_have_text("1")
        expect(page.locator("#littlestone")).to_have_text("1")
        assert page.locator("#found svg circle.fill").count() >= 8
        check_looks(page)


@pytest.mark.parametrize("width", WIDTHS)
def test_attack(browser: Browser, server: Running, width: int) -> None:
    with opened(browser, f"{server.address}attack", width=width) as page:
        page.fill("#users-box", "many")
        page.press("#users-box", "Tab")
        page.click("#attack")
        expect(page.locator("#found")).to_contain_text("users must be a whole number")
        for box, text in (("#users-box", "3"), ("#runs-box", "4")):
            page.fill(box, text)
            page.press(box, "Tab")
        page.click("#attack")
        expect(page.locator("#found .answer")).to_contain_text("named in 4 of 4 runs")
        assert page.locator("#found .pair svg").count() == 2
        assert page.locator("#found svg .threshold").count() == 2
        assert page.locator("#found svg .seen").count() == 8
        check_looks(page)


def test_two_tabs_do_not_disturb_each_other(browser: Browser, server: Running) -> None:
    with (
        opened(browser, f"{server.address}plan") as one,
        opened(browser, f"{server.address}plan") as two,
    ):
        one.wait_for_selector(PLANNED)
        two.wait_for_selector(PLANNED)
        one.select_option("#family", "parities")
        two.select_option("#family", "boxes")
        one.focus("#epsilon")
        one.keyboard.press("Home")
        two.focus("#epsilon")
        two.keyboard.press("End")
        expect(one.locator("#again pre").first).to_contain_text("--epsilon 0.05")
        expect(two.locator("#again pre").first).to_contain_text("--epsilon 10")
        expect(one.locator("#again pre").first).to_contain_text("parities")
        expect(two.locator("#again pre").first).to_contain_text("boxes")


def fill_in(page: Page) -> None:
    """Choose the table and say what is public about it."""
    page.wait_for_selector("body[data-state=ready]")
    page.select_option("#table", "people.csv")
    page.select_option("select[aria-label='How age is used']", "feature")
    page.select_option("select[aria-label='How sick is used']", "label")
    page.fill("#c0-low", "0")
    page.fill("#c0-high", "120")


@pytest.mark.parametrize("width", WIDTHS)
def test_a_run_is_cancelled_and_the_page_goes_on(
    browser: Browser, tmp_path: Path, width: int
) -> None:
    hold, folder = Hold(tmp_path / "hold"), tmp_path / "workspace"
    folder.mkdir()
    (folder / "people.csv").write_text("age,sick\n" + "20,0\n70,1\n" * 900)
    with (
        running(folder, **hold.environment) as server,
        opened(browser, f"{server.address}learn", width=width) as page,
    ):
        fill_in(page)
        page.fill("#cap", "3")
        page.click("#open")
        expect(page.locator("#left")).to_contain_text("ε = 3 of 3")
        hold.at("counting")
        page.click("#run")
        expect(page.locator("#result .state")).to_contain_text("counting the rows")
        expect(page.locator("#result")).to_contain_text("10 minutes at most")
        check_looks(page)
        page.click("#result .cancel")
        expect(page.locator("#result .note")).to_contain_text("cancelled; nothing was spent")
        expect(page.locator("#left")).to_contain_text("ε = 3 of 3")
        hold.at("drawing")
        page.click("#run")
        expect(page.locator("#result .state")).to_contain_text("drawing the answer")
        page.reload()
        expect(page.locator("#result .state")).to_contain_text("drawing the answer")
        page.click("#result .cancel")
        expect(page.locator("#result .note")).to_contain_text("the charge stays")
        hold.release()
        fill_in(page)
        expect(page.locator("#left")).to_contain_text("ε = 2 of 3")
        page.click("#run")
        expect(page.locator("#result .rule")).to_contain_text("yes if age")
        expect(page.locator("#result")).to_contain_text("on 360 rows it never saw")


def test_a_termination_before_the_server_has_begun_is_not_lost(tmp_path: Path) -> None:
    program = tmp_path / "browser"
    program.write_text("#!/bin/sh\nkill -TERM $PPID\n")
    program.chmod(0o700)
    with running(tmp_path / "w", browser="--browser", BROWSER=str(program)) as server:
        assert server.process.wait(timeout=60) == 0
        assert server.process.stdout is not None
        assert "has stopped" in server.process.stdout.read()


def test_the_browser_is_started_with_a_private_file(browser: Browser, tmp_path: Path) -> None:
    told, program = tmp_path / "told", tmp_path / "browser"
    os.mkfifo(told)
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > "{told}"\n')
    program.chmod(0o700)
    for used in (True, False):
        folder = tmp_path / f"work space {used}"
        with running(folder, browser="--browser", BROWSER=str(program)) as server:
            (shown,) = told.read_text().splitlines()
            assert shown.startswith("file:///")
            assert server.address.split("/")[3] not in shown
            file = Path(unquote(urlsplit(shown).path))
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
            assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
            if used:
                context = browser.new_context()
                page = context.new_page()
                page.set_default_timeout(PATIENCE)
                page.goto(shown)
                page.wait_for_url(f"{server.address}**")
                page.wait_for_selector(PLANNED)
                assert not file.parent.exists(), "it is for one use"
                context.close()
        assert not file.parent.exists()


class Elsewhere(http.server.BaseHTTPRequestHandler):
    """A page of the same machine, and so of the same site, on another port."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def test_another_page_cannot_use_the_explorer(browser: Browser, tmp_path: Path) -> None:
    """Not even one that knows the token."""
    (tmp_path / "people.csv").write_text("age,sick\n20,0\n")
    other = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    threading.Thread(target=other.serve_forever, daemon=True).start()
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    asked = json.dumps({
        "table": "people.csv", "columns": [{"name": "sick", "type": "bits"}], "cap_epsilon": "3",
    })  # fmt: skip
    with running(tmp_path) as server:
        page.goto(f"http://127.0.0.1:{other.server_port}/")
        for path, options in (
            ("api/budget.open", {"method": "POST", "mode": "no-cors", "body": asked}),
            ("api/budget.open", {"method": "POST", "body": asked}),
            ("tables/new.csv", {"method": "PUT", "body": "x"}),
            ("plan", {"mode": "no-cors"}),
        ):
            heard = page.evaluate(
                "([url, options]) => fetch(url, options).then((r) => r.type, (e) => e.name)",
                [f"{server.address}{path}", options],
            )
            assert heard == "TypeError"
        assert [each.name for each in tmp_path.iterdir()] == ["people.csv"]
        page.evaluate("(url) => { location.href = url; }", f"{server.address}plan")
        page.wait_for_selector(PLANNED)
    context.close()
    other.shutdown()
    other.server_close()


def test_the_server_is_killed_and_started_again(browser: Browser, tmp_path: Path) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    with running(tmp_path) as first:
        page.goto(f"{first.address}plan")
        page.wait_for_selector(PLANNED)
        first.process.send_signal(signal.SIGKILL)
        first.process.wait(PATIENCE / 1000)
        page.focus("#alpha")
        page.keyboard.press("ArrowRight")
        expect(page.locator("#banner")).to_contain_text("not running under this address")
    with running(tmp_path, first.port) as second:
        page.keyboard.press("ArrowRight")
        expect(page.locator("#trouble")).to_contain_text("could not answer")
        assert page.locator("#banner").is_visible()
        page.goto(f"{second.address}plan")
        page.wait_for_selector(PLANNED)
        expect(page.locator("#banner")).to_be_hidden()
    context.close()
