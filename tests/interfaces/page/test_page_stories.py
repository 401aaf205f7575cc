"""What analyst, officer and researcher do on the pages: by mouse, by keyboard alone, on paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tacit.interfaces.page.pages import PAGES
from tacit.interfaces.page.serving.tasks import perform
from tacit.interfaces.page.serving.workspace import Workspace
from tests.support.browsing import PLANNED, WIDTHS, check_looks, opened
from tests.support.explorer_driver import Running, running

COLUMNS = [
    {"name": "age", "type": "integer", "low": "0", "high": "120"},
    {"name": "ward", "type": "category", "values": ["a", "b", "c"]},
    {"name": "sick", "type": "bits"},
]
LEARN: dict[str, Any] = {
    "table": "people.csv",
    "columns": COLUMNS,
    "features": ["age", "ward"],
    "labels": ["sick"],
    "epsilon": "1",
    "delta": "1e-6",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A workspace with one table, two models of it, and much budget left."""
    workspace = Workspace.at(tmp_path_factory.mktemp("workspace"))
    ages = [20 + i % 70 for i in range(3000)]
    rows = "".join(f"{a},{'abc'[i % 3]},{int(a + i % 7 >= 60)}\n" for i, a in enumerate(ages))
    (workspace.folder / "people.csv").write_text(f"age,ward,sick\n{rows}")
    told = {"cap_epsilon": "20", "cap_delta": "1e-4"}
    perform("budget.open", LEARN | told, workspace, lambda _: None)
    for kind in ("rules(width=1)", "scorecards"):
        perform("learn.run", LEARN | {"class": kind}, workspace, lambda _: None)
    with running(workspace.folder) as started:
        yield started


def declare(page: Page, **uses: str) -> None:
    """Choose the table, fill in its columns from an earlier run, and say what each is for."""
    page.wait_for_selector("body[data-state=ready]")
    page.select_option("#table", "people.csv")
    expect(page.locator("#left")).to_be_visible()
    page.select_option("#known", "run-0001")
    expect(page.locator("#columns-trouble")).to_contain_text("Filled in.")
    for name, use in uses.items():
        page.select_option(f"select[aria-label='How {name} is used']", use)


@pytest.mark.parametrize("width", WIDTHS)
def test_data_is_counted_and_made_up(browser: Browser, server: Running, width: int) -> None:
    with opened(browser, f"{server.address}data", width=width, dark=True) as page:
        declare(page, age="quantiles", ward="by", sick="mean")
        assert page.input_value("#c0-high") == "120"
        page.click("#count")
        expect(page.locator("#result table")).to_have_count(2)
        assert page.locator("#result table").first.locator("tbody tr").count() == 3
        expect(page.locator("#result table").first).to_contain_text("mean of sick")
        assert page.locator("#result table").last.locator("tbody tr").count() == 3
        expect(page.locator("#result")).to_contain_text("there are 3,000 rows")
        expect(page.locator("#result .files")).to_contain_text("Download answers.csv")
        check_looks(page)
        page.wait_for_selector("body[data-state=ready]")
        page.click("#rows")
        expect(page.locator("#result")).to_contain_text("3,000 made-up rows of age, ward, sick")
        with page.expect_download() as waiting:
            page.click("#result >> text=Download rows.csv")
        assert waiting.value.path().read_text().startswith("age,ward,sick\n")
        check_looks(page)


@pytest.mark.parametrize("width", WIDTHS)
def test_two_models_are_compared(browser: Browser, server: Running, width: int) -> None:
    with opened(browser, f"{server.address}compare", width=width) as page:
        page.wait_for_selector("body[data-state=ready]")
        runs = page.locator("#first option").evaluate_all("all => all.map(each => each.value)")
        newest = sorted(runs, reverse=True)[:2]  # another story may have learned a third
        assert [page.input_value("#first"), page.input_value("#second")] == newest
        page.select_option("#second", "run-0001")
        page.select_option("#first", "run-0002")
        table = page.locator("#found table").first
        expect(table).to_contain_text("sick: error of a constant")
        expect(table).to_contain_text("margin")
        page.select_option("#first", "run-0001")
        expect(table).not_to_contain_text("margin")
        assert page.locator("#found .pictures").count() == 2
        check_looks(page)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_table_is_planned_for(
    browser: Browser, server: Running, tmp_path: Path, width: int
) -> None:
    schema = tmp_path / "s.toml"
    schema.write_text(
        '[columns.age]\ntype = "integer"\nlow = 0\nhigh = 120\n'
        '[columns.bmi]\ntype = "real"\nlow = 10\nhigh = 60\nstep = 0.5\n'
        '[columns.sick]\ntype = "bits"\n'
        '[columns.job]\ntype = "category"\nvalues = ["laid off, for now", "works"]\n'
        'outside = "null"\n'
    )
    with opened(browser, f"{server.address}plan", width=width) as page:
        page.wait_for_selector(PLANNED)
        expect(page.locator("#other")).to_contain_text("If no rule explains the labels")
        page.click("label:has(input[value=table])")
        page.set_input_files("#schema", schema)
        expect(page.locator("#columns-trouble")).to_contain_text("Filled in.")
        assert page.input_value("#c1-step") == "0.5"
        assert page.input_value("#c3-values") == '"laid off, for now", works'
        assert page.input_value("select[aria-label='What else is in job']") == "null"
        page.click("#plan-table")
        expect(page.locator("#table-plan")).to_contain_text("choose at least one column to predict")
        page.select_option("select[aria-label='How sick is used']", "label")
        page.fill("#rows", "300")
        with page.expect_request("**/api/plan.table") as asked:
            page.click("#plan-table")
        job = {"values": ["laid off, for now", "works"], "outside": "null"}
        sent: Any = asked.value.post_data_json
        assert job.items() <= sent["columns"][3].items()
        expect(page.locator("#table-plan .beside")).to_contain_text("error ≤")
        expect(page.locator("#table-plan .answer")).to_contain_text("short-rules")
        kinds = page.locator("#table-plan table tbody tr")
        expect(kinds).to_have_count(3)
        expect(kinds.last).to_contain_text("no promise")
        expect(page.locator("#table-plan pre")).to_contain_text("--labels sick --n 300")
        check_looks(page)


@pytest.mark.parametrize("width", WIDTHS)
def test_the_best_learner_is_drawn(browser: Browser, server: Running, width: int) -> None:
    with opened(browser, f"{server.address}optimum", width=width, dark=True) as page:
        page.wait_for_selector("body[data-state=ready]")
        page.fill("#n-box", "3")
        page.press("#n-box", "Tab")
        page.click("#find")
        expect(page.locator("#found .answer")).to_contain_text("proved in exact arithmetic")
        expect(page.locator("#found svg rect")).to_have_count(8)
        expect(page.locator("#found pre")).to_contain_text("--n 3 --epsilon 1 --proper")
        check_looks(page)


def test_theorems_are_searched(browser: Browser, server: Running) -> None:
    with opened(browser, f"{server.address}theorems", width=360) as page:
        page.wait_for_selector("body[data-state=ready]")
        whole = page.locator("#found details").count()
        page.fill("#search", "BNS16:3.13")
        expect(page.locator("#found details")).to_have_count(1)
        page.locator("#found summary").click()
        expect(page.locator("#found dl")).to_contain_text("proof")
        assert whole > 100
        check_looks(page)


def reach(page: Page, selector: str) -> None:
    """Press Tab until an element has the focus."""
    for _ in range(150):
        if page.evaluate("(s) => document.activeElement.matches(s)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not reach {selector}")


def choose(page: Page, selector: str, letters: str) -> None:
    reach(page, selector)
    page.keyboard.type(letters)


def test_rules_are_learned_by_keyboard_alone(browser: Browser, server: Running) -> None:
    with opened(browser, f"{server.address}learn") as page:
        page.wait_for_selector("body[data-state=ready]")
        choose(page, "#table", "people")
        expect(page.locator("#left")).to_be_visible()
        choose(page, "#known", "run-0001")
        expect(page.locator("#columns-trouble")).to_contain_text("Filled in.")
        choose(page, "select[aria-label='How sick is used']", "pred")
        reach(page, "#run")
        page.keyboard.press("Enter")
        expect(page.locator("#result .rule")).to_be_visible()
        reach(page, "#pack")
        page.keyboard.press("Space")
        expect(page.locator("#packed")).to_contain_text("Download release.zip")


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (360, True)])
@pytest.mark.parametrize("name", PAGES)
def test_nobody_is_shut_out(
    browser: Browser, server: Running, name: str, width: int, dark: bool
) -> None:
    """axe-core finds nothing serious, on pages with answers where they come by themselves."""
    with opened(browser, f"{server.address}{name}", width=width, dark=dark) as page:
        ready = {"plan": PLANNED, "attack": "#why-delta", "dimensions": "#board button"}
        page.wait_for_selector(ready.get(name, "body[data-state=ready]"))
        if name in ("learn", "data"):
            declare(page)
        found = Axe().run(page).response["violations"]
        grave = [each for each in found if each["impact"] in ("serious", "critical")]
        assert [(each["id"], [n["html"] for n in each["nodes"]]) for each in grave] == []


def test_a_report_shuts_nobody_out(browser: Browser, server: Running, tmp_path: Path) -> None:
    """Read from a file, as people get it: the server lets a report run no script, not even axe."""
    report = tmp_path / "report.html"
    with opened(browser, f"{server.address}files/run-0002/report.html") as page:
        report.write_text(page.content())
    with opened(browser, report.as_uri()) as page:
        found = Axe().run(page).response["violations"]
        assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []


def test_a_report_is_read_folded_and_printed_whole(browser: Browser, server: Running) -> None:
    with opened(browser, f"{server.address}files/run-0002/report.html") as page:
        closed = page.locator("section > details:not([open])")
        assert closed.count() > 6
        assert page.locator("svg").first.bounding_box()["y"] < 300  # type: ignore[index]
        pdf = page.pdf(prefer_css_page_size=True)
        sheets = re.findall(rb"/Type\s*/Page\b", pdf)
        assert 1 <= len(sheets) <= 4
        assert b"/MediaBox [0 0 594.9" in pdf, "A4"
        page.emulate_media(media="print")
        assert page.locator("text=Certificate of privacy").is_visible()
        assert page.locator("text=The rules in SQL").first.is_hidden()
