"""Build the documentation as a folder of HTML pages: `make docs`, then open site/index.html."""

from __future__ import annotations

import re
import shutil
import sys
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parent.parent
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
NAV = ("README.md", "docs/index.md", "docs/data.md", "docs/sanitizers.md", "docs/errata.md")
SHARED = {"box_ascent": "per_side_box", "voting_line": "line"}
"""Learners that share the page of another."""


def build(site: Path) -> list[Path]:
    """Render every page of the documentation and return the files that were written."""
    render = MarkdownIt("commonmark", {"html": False}).enable("table")
    sources = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", *sorted((ROOT / "docs").rglob("*.md"))]
    written = []
    for source in sources:
        relative = source.relative_to(ROOT)
        target = site / relative.with_suffix(".html")
        target.parent.mkdir(parents=True, exist_ok=True)
        up = "../" * (len(relative.parts) - 1)
        body = _links(render.render(source.read_text() + _figure(site, relative, up)))
        title = escape(
            next(iter(re.findall(r"^# (.+)$", source.read_text(), re.MULTILINE)), relative.stem)
        )
        target.write_text(_page(title, _nav(up), body))
        written.append(target)
    shutil.copy(site / "README.html", site / "index.html")
    return written


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
    pages = [ROOT / page for page in NAV]
    return " ".join(
        f'<a href="{up}{page.relative_to(ROOT).with_suffix(".html")}">{page.stem.lower()}</a>'
        for page in pages
        if page.is_file()
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
    sys.path.insert(0, str(ROOT))
    from docs.plots.learners import draw_all

    folder = ROOT / "site"
    draw_all(folder / "plots")
    pages = build(folder)
    sys.stdout.write(f"{len(pages)} pages; open {folder / 'index.html'}\n")
