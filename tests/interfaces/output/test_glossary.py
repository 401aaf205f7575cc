"""The glossary: no word twice, one list for the command, the page and the docs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tacit.core.errors import InvalidArgument
from tacit.interfaces.cli.application import app
from tacit.interfaces.output.glossary import as_markdown, word, words
from tacit.interfaces.page.pages import pages

ROOT = Path(__file__).parents[3]


def test_no_word_is_there_twice_and_each_leads_on() -> None:
    names = [name for found in words().values() for name in (found.name, *found.also)]
    assert len(names) == len(set(names)) == len({name.casefold() for name in names})
    assert names == [name.casefold() for name in names]
    assert len(words()) >= 50
    for found in words().values():
        assert (ROOT / found.read).is_file(), found.name
        assert found.says.endswith(".")
        assert len(found.says) < 260, found.name
        assert all(word(name) == found for name in (found.name, *found.also))


def test_the_page_of_the_docs_is_made_from_it() -> None:
    assert (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8") == as_markdown()


def test_every_page_shows_every_word() -> None:
    for page in pages().values():
        assert page.count("<dt id=") == len(words())
        assert "{{" not in page


def test_a_word_that_is_not_there_is_guessed() -> None:
    with pytest.raises(InvalidArgument, match="did you mean 'littlestone'"):
        word("lttlestone")
    with pytest.raises(InvalidArgument, match="tacit explain"):
        word("zzz")


def test_the_command_tells_one_or_all() -> None:
    run = CliRunner()
    one = run.invoke(app, ["explain", "VC", "dimension", "--json"])
    assert [each["name"] for each in json.loads(one.stdout)["words"]] == ["vc"]
    every = run.invoke(app, ["explain"])
    assert len(every.stdout.splitlines()) == len(words())
    assert "Read on: docs/" in run.invoke(app, ["explain", "eps"]).stdout
