"""The built site: a folder for each version, a page of them all, no link that leads nowhere.

`python -m docs.versions site` looks at what `make docs` has built beside earlier versions.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>tacit, by version</title>
<style>body {{ font-family: system-ui, sans-serif; margin: 3rem auto; max-width: 40rem }}</style>
<h1>tacit</h1>
<p>The documentation of each version that was built here, the newest first.</p>
<ul>
{items}
</ul>
</html>
"""


class _Page(HTMLParser):
    """What a page links to, and the places in it that can be linked to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links, self.places = list[str](), {""}
        self.feed(text)

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        held = {name: value or "" for name, value in attrs}
        self.places |= {held[name] for name in ("id", "name") if name in held}
        self.links += [held[name] for name in ("href", "src") if name in held]


def broken_links(site: Path) -> Iterator[tuple[Path, str]]:
    """Yield each link of a page of the site to a file, or to a place in one, that is not there."""
    pages = {path.resolve(): _Page(path.read_text("utf-8")) for path in site.rglob("*.html")}
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue  # of another site; `javascript:` and `data:` lead nowhere by design
            file = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            there = pages.get(file)
            if not file.exists() or (there and unquote(parts.fragment) not in there.places):
                yield path, link


def newest_first(names: Iterator[str]) -> list[str]:
    """Sort versions as numbers.

    >>> newest_first(iter(["0.2.0", "0.10.0", "0.9.1"]))
    ['0.10.0', '0.9.1', '0.2.0']
    """
    return sorted(names, key=lambda name: [int(part) for part in name.split(".")], reverse=True)


def list_versions(site: Path) -> list[str]:
    """Write the page that lists the versions of a site, and return them."""
    found = newest_first(each.name for each in site.iterdir() if (each / "index.html").is_file())
    items = (f'<li><a href="{name}/index.html">version {name}</a></li>' for name in found)
    (site / "index.html").write_text(PAGE.format(items="\n".join(items)), "utf-8")
    return found


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    newest, *_ = list_versions(folder)
    if lost := [f"{page}: {link}" for page, link in broken_links(folder / newest)]:
        sys.exit("\n".join(["links that lead nowhere:", *lost]))
