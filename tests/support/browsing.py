"""How the tests drive a real browser: a page whose console stays clean, and how it must look."""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from PIL import Image
from playwright.sync_api import Browser, Page, expect

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PATIENCE = 120_000
"""Milliseconds: a loaded machine may be slow, and nothing here waits longer than it must."""

WIDTHS = {1280: 900, 360: 740}
expect.set_options(timeout=PATIENCE)
PLANNED = "body[data-state=answered], body[data-state=complete]"


def chromium() -> str:
    """Return where the browser is."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    assert found is not None, f"none of {', '.join(NAMES)} is installed; see requirements/system.sh"
    return found


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
