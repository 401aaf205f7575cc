"""A report on paper: the page, laid out on A4 by WeasyPrint."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NoReturn

from tacit.core.errors import InvalidArgument
from tacit.interfaces.report.html import INK, STYLE

ENGINE = "weasyprint"
WAY_OUT = "or write a .html and print it from a browser"
_LIGHT = dict(re.findall(r"--(\w+): (#\w+)", STYLE.partition("@media")[0]))
_DRAWN = re.sub(r"var\(--(\w+)\)", lambda found: _LIGHT[found[1]], INK)


def check_engine() -> None:
    """Refuse a report on paper before anything is computed, where it could not be written."""
    if find_spec(ENGINE) is None:
        raise InvalidArgument(f"--report: a .pdf needs pip install 'tacit[pdf]'; {WAY_OUT}")
    _engine()


def paper(page: str) -> bytes:
    """Return a page as PDF."""
    made: bytes = laid_out(page).write_pdf()
    return made


def laid_out(page: str) -> Any:
    """Lay a page out in sheets; a page's style ends at its drawings, so each gets its own."""
    inked = re.sub(r"(<svg[^>]*>)", rf"\1<style>{_DRAWN}</style>", page)
    return _engine().HTML(string=inked, url_fetcher=_nothing).render()


def _engine() -> Any:
    try:
        return import_module(ENGINE)
    except OSError as error:
        raise InvalidArgument(
            f"--report: a .pdf needs the library Pango ({str(error).splitlines()[0]}): on Debian "
            f"apt-get install libpango-1.0-0 libpangoft2-1.0-0; {WAY_OUT}"
        ) from None


def _nothing(url: str, *_: object, **__: object) -> NoReturn:
    raise ValueError(f"a report asks nobody for {url}")
