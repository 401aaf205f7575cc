"""The pages and what they are made of, read once: nothing else can be asked for."""

from __future__ import annotations

from importlib.resources import files

PAGES = {
    "plan": "Plan",
    "learn": "Learn",
    "dimensions": "Dimensions",
    "attack": "Attack",
}
KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


def pages() -> dict[str, str]:
    """Return each page, in the frame that all share."""
    folder = files(__package__) / "static"
    frame = (folder / "frame.html").read_text(encoding="utf-8")
    return {
        name: frame.replace("{{name}}", name)
        .replace("{{title}}", title)
        .replace("{{tabs}}", _tabs(name))
        .replace("{{main}}", (folder / f"{name}.html").read_text(encoding="utf-8"))
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
    return "\n".join(
        f'<a href="{name}"{" aria-current=page" if name == here else ""}>{title}</a>'
        for name, title in PAGES.items()
    )
