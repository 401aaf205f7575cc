"""What the documentation shows is what happens: its Python and its commands are run."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from docs.conf import write_reference
from PIL import Image

from tacit.core.version import __version__
from tacit.data import Schema
from tacit.workflows.planning.table_plan import plan_table
from tests.interfaces.page.test_page_pictures import SHOWN
from tests.support.forked import Forked, forked

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "ARCHITECTURE.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def commands(page: Path) -> Iterator[tuple[str, str]]:
    """Return each command that a page shows, and what the page says it prints."""
    for block in CONSOLE.findall(page.read_text()):
        for shown in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = shown.replace("\\\n", " ").partition("\n")
            yield command, printed


@pytest.fixture(scope="module")
def tacit() -> Iterator[Forked]:
    with forked({**os.environ, "COLUMNS": "100"}) as command:
        yield command


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tacit: Forked
) -> None:
    """Python first, then the commands, in one folder; `tacit: ...` is how a refusal looks.

    Without progress, which a slow machine would show and a fast one not.
    """
    monkeypatch.chdir(tmp_path)
    text = CONSOLE.sub("", page.read_text()).replace("```\n", "\n")
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    result = doctest.DocTestRunner(optionflags=FLAGS).run(test)
    assert result.failed == 0
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for command, printed in commands(page):
        if command.startswith("tacit ") and ">" not in command:
            status, said = tacit(["--quiet", *shlex.split(command)[1:]], tmp_path)
        else:
            done = subprocess.run(
                re.sub(r"^tacit ", "tacit --quiet ", command),
                shell=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                env={**os.environ, "PATH": path, "COLUMNS": "100"},
                check=False,
            )
            status, said = done.returncode, done.stdout
        assert (status != 0) == printed.startswith("tacit: "), said
        same = doctest.OutputChecker().check_output(printed, said, FLAGS)
        assert same or not printed, f"$ {command}\n{said}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)", page.read_text()):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_site_is_built_and_its_navigation_misses_no_page(tmp_path: Path) -> None:
    """Strictly: a page outside the navigation, a dead link or a wrong formula is an error.

    Of the reference, which takes minutes, the next test looks at the pages; `make docs` builds it.
    """
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-t", "pages", "-c", "docs", "."]
    subprocess.run([*command, str(tmp_path)], cwd=ROOT, check=True)
    for page in PAGES:
        shown = (tmp_path / page.relative_to(ROOT)).with_suffix(".html")
        assert shown.is_file() or page.stem == "reference"
    for page in tmp_path.rglob("*.html"):
        fetched = re.findall(r'<(?:script|link|img)[^>]*="(?:https?:)?//[^>]*', page.read_text())
        assert not fetched, f"{page.name} does not work without network"


def test_every_module_has_a_page_of_the_reference_that_is_reached(tmp_path: Path) -> None:
    write_reference(tmp_path)
    sources = [path.relative_to(ROOT / "src") for path in (ROOT / "src").rglob("*.py")]
    modules = {
        ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        for path in sources
        if path.name != "__main__.py"
    }
    pages = {page.stem: page.read_text() for page in tmp_path.glob("*.rst")}
    assert set(pages) == modules
    reached = re.findall(r"<(tacit\.[\w.]+)>", "".join(pages.values()))
    assert sorted(reached) == sorted(modules - {"tacit"})


def test_the_readme_shows_an_example() -> None:
    assert ">>>" in (ROOT / "README.md").read_text()


def test_pictures_of_the_page_are_what_its_stories_take() -> None:
    """With this version: `make pictures` takes them anew."""
    named = re.findall(r"\]\(explorer/(\w+)\.png\)", (ROOT / "docs" / "explorer.md").read_text())
    assert sorted(named) == sorted(SHOWN)
    kept = {each.stem: each for each in (ROOT / "docs" / "explorer").iterdir()}
    assert sorted(kept) == sorted(SHOWN)
    for name, path in kept.items():
        with Image.open(path) as picture:
            assert picture.info["Software"] == f"tacit {__version__}", name


def test_the_readme_shows_what_the_demo_chooses() -> None:
    schema = Schema.parse((ROOT / "demo" / "schema.toml").read_text())
    asked = re.search(r"--labels (\S+) --n (\d+)", (ROOT / "Makefile").read_text())
    assert asked is not None
    labels, n = asked[1].split(","), int(asked[2])
    found = plan_table(schema, labels=labels, n=n, epsilon=1, delta="1e-6")
    shown = (ROOT / "README.md").read_text()
    assert f"Chosen: {found.chosen.why}." in shown
    assert f"any one of the {n} rows" in shown
    assert shown.count(f"% of the time on {found.held} rows it never saw") == len(labels)


def test_commands_are_found_and_refusals_are_told_apart(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("Text\n\n```console\n$ echo one\none\n$ false \\\n  two\ntacit: no\n```\n")
    assert list(commands(page)) == [("echo one", "one\n"), ("false    two", "tacit: no\n")]
