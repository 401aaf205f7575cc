"""Build the documentation as a folder of HTML pages: `make docs`, then open site/index.html."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from docs.plots.learners import SHARED, draw_all  # noqa: E402
from docs.reference import reference  # noqa: E402

STYLE = """
:root { color-scheme: light dark; }
body { font: 17px/1.55 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; }
body { padding: 0 1rem; }
nav { font-size: 15px; border-bottom: 1px solid #8888; padding-bottom: .5rem; margin-bottom: 2rem; }
nav a { margin-right: 1rem; }
pre { overflow-x: auto; padding: .8rem; background: #8881; border-radius: 6px; }
code { font-size: .92em; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
td, th { border: 1px solid #8886; padding: .3rem .6rem; text-align: left; }
img { max-width: 100%; background: white; border-radius: 6px; }
"""
NAV = (
    "README.md",
    "docs/tutorial.md",
    "docs/officer.md",
    "docs/howto.md",
    "docs/index.md",
    "docs/reference.md",
    "docs/comparison.md",
    "docs/limits.md",
    "docs/theorems.md",
    "docs/errata.md",
)


def build(site: Path) -> list[Path]:
    """Render every page of the documentation and return the files that were written."""
    render = MarkdownIt("commonmark", {"html": False}).enable("table")
    written = []
    for relative, text in _pages():
        target = site / relative.with_suffix(".html")
        target.parent.mkdir(parents=True, exist_ok=True)
        up = "../" * (len(relative.parts) - 1)
        body = _headings(_links(render.render(text + _figure(site, relative, up))))
        title = escape(next(iter(re.findall(r"^# (.+)$", text, re.MULTILINE)), relative.stem))
        target.write_text(_page(title, _nav(up), body))
        written.append(target)
    for picture in (ROOT / "docs").rglob("*.png"):
        shown = site / picture.relative_to(ROOT)
        shown.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(picture, shown)
    for picture in (ROOT / "docs").rglob("*.png"):
        target = site / picture.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(picture, target)
    shutil.copy(site / "README.html", site / "index.html")
    return written


def _pages() -> Iterator[tuple[Path, str]]:
    """Return each page and its text; the reference is made from the docstrings."""
    sources = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", *sorted((ROOT / "docs").rglob("*.md"))]
    for source in sources:
        yield source.relative_to(ROOT), source.read_text()
    yield Path("docs/reference.md"), reference()


def _headings(html: str) -> str:
    """Give the second headings a name, so that links lead to them."""
    return re.sub(
        r"<h2>(.*?)</h2>",
        lambda found: f'<h2 id="{re.sub(r"[^a-z0-9]", "", found[1].lower())}">{found[1]}</h2>',
        html,
    )


def _figure(site: Path, relative: Path, up: str) -> str:
    """Show the pictures of a page's learners at its end."""
    names = [relative.stem, *(name for name, page in SHARED.items() if page == relative.stem)]
    pictures = [name for name in names if (site / "plots" / f"{name}.svg").is_file()]
    if relative.parent != Path("docs/learners") or not pictures:
        return ""
    shown = "\n\n".join(f"![error against rows, {n}]({up}plots/{n}.svg)" for n in pictures)
    return f"\n\n## Error against rows\n\n{shown}\n"


def _links(html: str) -> str:
    """Let links to pages lead to their HTML."""
    return re.sub(r'href="((?!http)[^"#]+)\.md', r'href="\1.html', html)


def _nav(up: str) -> str:
    return " ".join(
        f'<a href="{up}{Path(page).with_suffix(".html")}">{Path(page).stem.lower()}</a>'
        for page in NAV
    )


def _page(title: str, nav: str, body: str) -> str:
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{title}</title>"
    )
    return (
        f'<!doctype html><html lang="en"><head>{head}<style>{STYLE}</style></head>'
        f"<body><nav>{nav}</nav><main>{body}</main></body></html>\n"
    )


if __name__ == "__main__":
    folder = ROOT / "site"
    draw_all(folder / "plots")
    pages = build(folder)
    sys.stdout.write(f"{len(pages)} pages; open {folder / 'index.html'}\n")
