"""How Sphinx builds the site from the pages and the docstrings: `make docs`.

Sphinx, because it is the generator still under development (MkDocs has been without releases since
2024, Material is at its end, Zensical unfinished) and because what it writes, its search too, works
from the file, without network. The source folder is the root of the checkout, so that links read
the same on the site as in the repository.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from docs.plots.learners import SHARED
from docutils.nodes import SkipNode, math, math_block
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.ext import apidoc
from sphinx.util.logging import getLogger

from tacit.core.version import __version__
from tacit.interfaces.cli.verbs import VERBS, load

project, author, release = "tacit", "The tacit developers", __version__
root_doc = "docs/index"
include_patterns = ["*.md", "docs/**"]
exclude_patterns = [".*", "build", "dist", "reports", "site", "src", "tests", "docs/templates"]
templates_path = ["templates"]
html_theme = "alabaster"  # furo needs six minutes: it writes all of the navigation on every page
html_theme_options = {
    "font_family": "system-ui, sans-serif",
    "head_font_family": "system-ui, sans-serif",
    "font_size": "16px",
    "page_width": "75rem",
    "sidebar_width": "17rem",
}
html_static_path = ["static"]
html_title = "tacit"
html_copy_source = False
html_additional_pages = {"index": "index.html"}
html_math_renderer = "mathml"

extensions = ["myst_parser", "sphinx.ext.autosummary", "sphinx.ext.napoleon"]
myst_enable_extensions = ["dollarmath"]
myst_dmath_double_inline = True
myst_heading_anchors = 3
napoleon_custom_sections = ["Guarantee", "Exactness", "Cost", "Fitted"]
autosummary_generate = False
suppress_warnings = ["ref.python"]  # a name in a signature may be that of several classes

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
PLOTS = ROOT / "reports" / "plots"


def setup(app: Sphinx) -> None:
    """Connect what follows; `-t pages` builds the pages alone, without the reference."""
    if app.tags.has("pages"):
        app.config.exclude_patterns.append("docs/reference*")
        app.config.suppress_warnings.append("toc.excluded")
    else:
        sys.set_int_max_str_digits(0)  # a constant of the library has more than Python writes
        app.connect("builder-inited", lambda _: write_reference(DOCS / "reference"))
    app.connect("source-read", show_plots)
    app.connect("source-read", show_commands)
    app.connect("autodoc-skip-member", skip_inherited)
    app.connect("autodoc-process-docstring", read_docstring, priority=1)
    app.add_html_math_renderer("mathml", (write_formula, None), (write_formula, None))


def write_reference(folder: Path) -> None:
    """Write a page for every package and module that there is, and remove those of others."""
    options = ["--separate", "--force", "--remove-old", "--no-toc", "-q", "-o", str(folder)]
    templates, package = DOCS / "templates" / "apidoc", ROOT / "src" / "tacit"
    apidoc.main([*options, "--templatedir", str(templates), str(package)])


def show_plots(_app: Sphinx, page: str, source: list[str]) -> None:
    """Show a learner's pictures at the end of its page, where `make docs` has drawn them."""
    learner = page.removeprefix("docs/learners/")
    names = [learner, *(name for name, shown_on in SHARED.items() if shown_on == learner)]
    names += ["labels"] * (learner == "shared_cover")
    if shown := [name for name in names if (PLOTS / f"{name}.svg").is_file()]:
        pictures = [f"![{name}](/reports/plots/{name}.svg)" for name in shown]
        source[0] += "\n\n".join(("\n\n## Pictures", *pictures))


def show_commands(_app: Sphinx, page: str, source: list[str]) -> None:
    """Describe every verb of the command on its page."""
    if page == "docs/commands":
        source[0] += "".join(described(f"tacit {name}", load(name)) for name in VERBS)


def described(name: str, command: Any) -> str:
    """Return a verb's help, arguments and options, or those of the verbs below it."""
    if hasattr(command, "commands"):
        below = command.commands.items()
        return "".join(described(f"{name} {verb}", each) for verb, each in below)
    said = (command.help or "").replace("\b", "").replace("\f", "").strip()
    rows = [
        f"| `{_name(each)}` | {' '.join(each.help.split()).replace('|', '&#124;')} |"
        for each in command.params
    ]
    table = ["| argument or option | meaning |", "|---|---|", *rows] if rows else []
    return "\n".join(["", "", f"## {name}", "", "```text", said, "```", "", *table, ""])


def _name(parameter: Any) -> str:
    option = parameter.opts[0].startswith("-")
    return ", ".join(parameter.opts) if option else parameter.metavar or parameter.name.upper()


def skip_inherited(
    _app: Sphinx, _what: str, _name: str, value: Any, _skip: object, _options: object
) -> bool | None:
    """Leave out what scikit-learn puts into its estimators."""
    return str(getattr(value, "__module__", "")).startswith("sklearn.") or None


def read_docstring(
    _app: Sphinx, what: str, _name: str, value: Any, _options: Any, lines: list[str]
) -> None:
    """Let Sphinx, which expects reStructuredText, find in docstrings what we write there.

    A package tells also which names it passes on, and where they are described.
    """
    blocks = re.split(r"\n\s*\n", "\n".join(lines))
    lines[:] = "\n\n".join(map(marked_up, blocks)).split("\n")
    if what == "module":
        lines += passed_on(value)


def marked_up(block: str) -> str:
    """Return code between backquotes and pages of docs/ as Sphinx marks them up.

    Examples and the typed lines of the command's help stay as they are; `*`, `_` and `|` are
    mathematics.
    """
    if block.lstrip().startswith(">>>"):
        return block
    if block.startswith("\b"):
        return "::\n" + block[1:]
    parts = re.split(r"`([^`]+)`", block)
    prose = [re.sub(r"([\\*_|])", r"\\\1", text) for text in parts[::2]]
    parts[::2] = [re.sub(r"docs/([\w\\/]+)\.md", _linked, text) for text in prose]
    parts[1::2] = [f"\\ ``{code}``\\ " for code in parts[1::2]]
    return "".join(parts)


def _linked(page: re.Match[str]) -> str:
    return f":doc:`/docs/{page[1]}`".replace("\\", "")


def passed_on(module: ModuleType) -> list[str]:
    """Return a table of the names that a module has from others."""
    names = getattr(module, "__all__", ())
    homes = {n: getattr(getattr(module, n), "__module__", None) or "" for n in names}
    told = [
        f"   ~{home}.{n}"
        for n, home in homes.items()
        if home.startswith("tacit.") and home != module.__name__
    ]
    table = ["", ".. currentmodule:: None", "", ".. autosummary::", "   :nosignatures:", ""]
    return [*table, *told, ""] if told else []


def write_formula(page: Any, node: math | math_block) -> None:
    """Write a formula as MathML, which browsers show without a script; a wrong one is told."""
    display = "block" if isinstance(node, math_block) else "inline"
    try:
        shown = convert(node.astext(), display=display)
    except Exception as error:  # the library has no error of its own above the others
        shown = f"<mi>\\{type(error).__name__}"
    if "<mi>\\" in shown:
        getLogger(__name__).warning("not a formula: %s", node.astext(), location=node)
    page.body.append(shown)
    raise SkipNode
