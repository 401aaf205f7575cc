"""The pages and what they are made of, read once: nothing else can be asked for."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files

from tacit.interfaces.output.glossary import as_html

PAGES = {
    "plan": "Plan",
    "learn": "Learn",
    "data": "Data",
    "compare": "Compare",
    "attack": "Attack",
    "dimensions": "Dimensions",
    "optimum": "Optimum",
    "theorems": "Theorems",
}
RESEARCH = ("dimensions", "optimum", "theorems")
"""Pages for those who study learning, which come last."""
KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


def pages() -> dict[str, str]:
    """Return each page, in the frame that all share."""
    folder = files(__package__) / "static"

    def text(name: str) -> str:
        return (folder / f"{name}.html").read_text(encoding="utf-8")

    return {
        name: text("frame")
        .replace("{{words}}", as_html())
        .replace("{{main}}", text(name))
        .replace("{{table}}", text("table"))
        .replace("{{columns}}", text("columns"))
        .replace("{{number}}", "" if name == "plan" else "3. ")
        .replace("{{name}}", name)
        .replace("{{title}}", title)
        .replace("{{tabs}}", _tabs(name))
        for name, title in PAGES.items()
    }


def parts() -> dict[str, tuple[str, str]]:
    """Return the scripts, styles and pictures by name, with their kinds."""
    folder = files(__package__) / "static"
    return {
        entry.name: (KINDS[suffix], entry.read_text(encoding="utf-8"))
        for entry in folder.iterdir()
        if (suffix := "." + entry.name.rpartition(".")[2]) in KINDS
    }


def _tabs(here: str) -> str:
    def tabs(names: Iterable[str]) -> str:
        return "\n".join(
            f'<a href="{name}"{" aria-current=page" if name == here else ""}>{PAGES[name]}</a>'
            for name in names
        )

    first = tabs(name for name in PAGES if name not in RESEARCH)
    return f'{first}\n<span class="group">Research</span>\n{tabs(RESEARCH)}'
