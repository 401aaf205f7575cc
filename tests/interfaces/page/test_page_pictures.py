"""The pictures in docs/explorer.md: every page at the end of a short story, and the report.

`make pictures` keeps them in docs/explorer; otherwise they are looked at and thrown away. A test of
the documentation asks that those that it shows are these, made with this version.
"""

from __future__ import annotations

import io
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, PngImagePlugin
from playwright.sync_api import Browser, Locator, Page, expect

from tacit.core.version import __version__
from tacit.interfaces.page.serving.tasks import perform
from tacit.interfaces.page.serving.workspace import Workspace
from tests.support.browsing import check_looks, opened
from tests.support.explorer_driver import Running, running

KEPT = "TACIT_PICTURES"
"""The variable of the environment that names the folder where pictures are kept."""
COLOURS = 128
SCHEMA: dict[str, dict[str, Any]] = {
    "age": {"type": "integer", "low": "0", "high": "120"},
    "sex": {"type": "category", "values": ["f", "m"]},
    "bmi": {"type": "real", "low": "10", "high": "60", "step": "0.5"},
    "smoker": {"type": "bits"},
    "ward": {"type": "category", "values": ["north", "south", "east"]},
    "sick": {"type": "bits"},
}
LEARN: dict[str, Any] = {
    "table": "clinic.csv",
    "columns": [{"name": name, **told} for name, told in SCHEMA.items()],
    "features": [*SCHEMA][:-1],
    "labels": ["sick"],
    "epsilon": "1",
    "delta": "1e-6",
}
LAST = """() => {
  document.activeElement.blur();
  scrollTo(0, 0);
  for (const each of document.querySelectorAll("header, .budget")) each.style.position = "static";
  const where = document.getElementById("folder");
  if (where) where.textContent = "tacit-workspace";
}"""
"""Nothing hangs over what is seen, and the workspace has the name that it has by default."""
Story = Callable[[Page], Locator | None]


def people(rows: int = 6000) -> Iterator[str]:
    """Yield the lines of a made-up table."""
    coins = random.Random(0)
    yield "patient," + ",".join(SCHEMA)
    for place in range(rows):
        age, bmi, smoker = coins.randint(18, 95), coins.gauss(26, 4), coins.random() < 0.3
        sick = (age - 58) / 12 + (bmi - 26) / 8 + smoker + coins.gauss(0, 0.7) > 0
        ward = coins.choice(["north", "south", "east"])
        yield f"P{place:05},{age},{coins.choice('fm')},{bmi:.1f},{smoker:d},{ward},{sick:d}"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A workspace with one table, a budget, and two models."""
    workspace = Workspace.at(tmp_path_factory.mktemp("workspace"))
    (workspace.folder / "clinic.csv").write_text("\n".join(people()) + "\n")
    told = {"cap_epsilon": "10", "cap_delta": "1e-5"}
    perform("budget.open", LEARN | told, workspace, lambda _: None)
    for kind in ("auto", "rules(width=1)"):
        perform("learn.run", LEARN | {"class": kind}, workspace, lambda _: None)
    with running(workspace.folder) as started:
        yield started


def declare(page: Page, **uses: str) -> None:
    page.wait_for_selector("body[data-state=ready]")
    page.select_option("#table", "clinic.csv")
    expect(page.locator("#left")).to_be_visible()
    page.select_option("#known", "run-0001")
    expect(page.locator("#columns-trouble")).to_contain_text("Filled in.")
    for name, use in uses.items():
        page.select_option(f"select[aria-label='How {name} is used']", use)


def plan(page: Page) -> None:
    page.wait_for_selector("body[data-state=complete]")


def plan_table(page: Page) -> None:
    page.wait_for_selector("body[data-state=complete]")
    page.click("label:has(input[value=table])")
    page.select_option("#known", "run-0001")
    expect(page.locator("#columns-trouble")).to_contain_text("Filled in.")
    page.select_option("select[aria-label='How sick is used']", "label")
    page.fill("#rows", "6000")
    page.click("#plan-table")
    expect(page.locator("#table-plan pre")).to_contain_text("--labels sick")


def learn(page: Page) -> None:
    declare(page, sick="label")


def learned(page: Page) -> Locator:
    learn(page)
    page.click("#run")
    expect(page.locator("#result .rule")).to_be_visible()
    page.click("#pack")
    expect(page.locator("#packed")).to_contain_text("Download release.zip")
    return page.locator("section:has(#result)")


def data(page: Page) -> None:
    declare(page, age="by", sex="by", bmi="quantiles", smoker="mean")
    page.fill("[aria-label=age] [data-key=cuts]", "40, 65")
    page.click("#count")
    page.click("#admit")  # fewer columns than were learned from
    expect(page.locator("#result")).to_contain_text("The changed columns are admitted")
    page.click("#count")
    expect(page.locator("#result table")).to_have_count(2)


def compare(page: Page) -> None:
    page.wait_for_selector("body[data-state=ready]")
    page.select_option("#first", "run-0001")
    page.select_option("#second", "run-0002")
    expect(page.locator("#found .pictures")).to_have_count(2)


def attack(page: Page) -> None:
    page.wait_for_selector("#why-delta")
    page.click("#attack")
    expect(page.locator("#found")).to_contain_text("The numbers")


def dimensions(page: Page) -> None:
    page.wait_for_selector("#board button")
    page.click("label:has(input[value=family])")
    page.fill("#size-bits-box", "2")
    page.press("#size-bits-box", "Tab")
    page.click("#find")
    expect(page.locator("#found")).to_contain_text("Error against messages")


def optimum(page: Page) -> None:
    page.wait_for_selector("body[data-state=ready]")
    page.click("#find")
    expect(page.locator("#found .answer")).to_contain_text("proved in exact arithmetic")


def theorems(page: Page) -> None:
    page.wait_for_selector("body[data-state=ready]")
    page.fill("#search", "threshold")
    page.locator("#found summary").first.click()


def report(page: Page) -> None:
    expect(page.locator("svg").first).to_be_visible()


SHOWN: dict[str, tuple[str, Story, int]] = {
    "plan": ("plan", plan, 1400),
    "plan_table": ("plan", plan_table, 1860),
    "learn": ("learn", learn, 1650),
    "learned": ("learn", learned, 2000),
    "report": ("files/run-0001/report.html", report, 1100),
    "data": ("data", data, 2400),
    "compare": ("compare", compare, 1700),
    "attack": ("attack", attack, 1300),
    "dimensions": ("dimensions", dimensions, 1800),
    "optimum": ("optimum", optimum, 1400),
    "theorems": ("theorems", theorems, 1000),
    "phone": ("plan", plan, 1100),
}
"""Where each picture is seen, what is done before, and how much of the page is shown at most."""


@pytest.mark.parametrize("name", SHOWN)
def test_a_page_is_shown(browser: Browser, server: Running, tmp_path: Path, name: str) -> None:
    where, story, most = SHOWN[name]
    small = name == "phone"
    with opened(
        browser, f"{server.address}{where}", width=360 if small else 1280, dark=small
    ) as page:
        part = story(page)
        if "files/" not in where:
            check_looks(page)
        page.evaluate(LAST)
        taken = page.screenshot(full_page=True) if part is None else part.screenshot()
    picture = Image.open(io.BytesIO(taken)).convert("RGB")
    picture = picture.crop((0, 0, picture.width, min(picture.height, most)))
    said = PngImagePlugin.PngInfo()
    said.add_text("Software", f"tacit {__version__}")
    folder = Path(os.environ.get(KEPT, tmp_path))
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(
        folder / f"{name}.png", optimize=True, pnginfo=said
    )
