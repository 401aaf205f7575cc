"""The explorer in a real browser: each page's story, clicked through as a reader would."""

from __future__ import annotations

import http.server
import io
import json
import os
import re
import shutil
import signal
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.support.explorer_driver import Hold, Running, running

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PATIENCE = 120_000
"""Milliseconds: a loaded machine may be slow, and nothing here waits longer than it must."""

WIDTHS = {1280: 900, 360: 740}
expect.set_options(timeout=PATIENCE)
PLANNED = "body[data-state=answered], body[data-state=complete]"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, NAMES)), None)
    assert found is not None, f"none of {', '.join(NAMES)} is installed; see requirements/system.sh"
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("workspace")
    rows = "".join(f"{20 + i % 70},{i % 3},{int(20 + i % 70 >= 60)}\n" for i in range(3000))
    (folder / "people.csv").write_text(f"age,ward,sick\n{rows}")
    with running(folder) as started:
        yield started


@contextmanager
def opened(
    browser: Browser, address: str, *, width: int = 1280, dark: bool = False
) -> Iterator[Page]:
    """Open a page whose console must stay free of errors, and which may ask nobody else."""
    context = browser.new_context(
        viewport={"width": width, "height": WIDTHS[width]},
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    troubles: list[str] = []
    page.on("console", lambda said: troubles.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on(
        "request",
        lambda asked: None if asked.url.startswith(address[:20]) else troubles.append(asked.url),
    )
    page.goto(address)
    yield page
    refusals = re.compile(r"Failed to load resource: the server responded with a status of 4")
    assert [said for said in troubles if not refusals.match(said)] == []
    context.close()


def check_looks(page: Page) -> None:
    """Nothing sticks out at the side, and the page is not blank."""
    over = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert over <= 0, f"{over} pixels stick out of {page.url}"
    picture = Image.open(io.BytesIO(page.screenshot(full_page=True))).convert("L")
    histogram = picture.histogram()
    assert len([count for count in histogram if count > 20]) > 30
    assert max(histogram) < 0.97 * sum(histogram)
    small = page.evaluate(
        "[...document.querySelectorAll('button, select, input, textarea, a')]"
        ".filter((e) => e.checkVisibility() && !(e.labels?.length || e.ariaLabel || e.innerText))"
        ".map((e) => e.outerHTML)"
    )
    assert small == [], "every control has a name"


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
        page.select_option("select[aria-label='How age is used']", "feature")
        page.select_option("select[aria-label='How sick is used']", "label")
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
        expect(page.locator("#left")).to_contain_text("ε = 0.5 of 1.5")
        for name in ("model.json", "report.html", "rules.sql", "notebook.ipynb"):
            with page.expect_download() as waiting:
                page.click(f"#result >> text=Download {name}")
            waiting.value.save_as(tmp_path / name)
        assert json.loads((tmp_path / "model.json").read_text())["n"] == 3000
        assert json.loads((tmp_path / "notebook.ipynb").read_text())["nbformat"] == 4
        check_looks(page)
        expect(page.locator("#budget")).to_contain_text("this run would be refused")
        page.wait_for_selector("body[data-state=ready]")
        page.click("#run")
        expect(page.locator("#result")).to_contain_text("the budget of the data set is")
        expect(page.locator("#left")).to_contain_text("ε = 0.5 of 1.5")


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
        page.select_option("#class", "scorecards")
        page.select_option("#learner", "margin")
        page.select_option("#delta", "1e-6")
        page.click("#run")
        expect(page.locator("#result")).to_contain_text("on 600 rows it never saw")
        expect(page.locator("#left")).to_contain_text("δ: 0.000001 of 0.00001 spent")
        assert page.locator("#result .wide svg rect").count() > 1
        assert page.locator("#result .pair svg path.promised").count() > 1
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
        expect(page.locator("#result .state")).to_contain_text("drawing the rules")
        page.reload()
        expect(page.locator("#result .state")).to_contain_text("drawing the rules")
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
        first.process.wait()
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
