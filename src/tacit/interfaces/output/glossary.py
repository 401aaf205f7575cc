"""The words of the program, once: `tacit explain` tells them, and the page shows them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from importlib.resources import files

from tacit.core.errors import InvalidArgument, nearest
from tacit.core.numbers.exact import told


@dataclass(frozen=True, slots=True)
class Word:
    """A word, what it means in one or two sentences, where to read on, and other names."""

    name: str
    title: str
    says: str
    read: str
    also: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def words() -> dict[str, Word]:
    """Return all words by name, in the order in which they are read.

    >>> words()["beta"].title
    'β (beta), the doubt'
    """
    text = (files(__package__) / "glossary.toml").read_text(encoding="utf-8")
    return {
        name: Word(name, entry["title"], entry["says"], entry["read"], tuple(entry["also"]))
        for name, entry in tomllib.loads(text).items()
    }


def word(name: str) -> Word:
    """Return the word of this name, or that is called so too; else say which was meant perhaps.

    >>> word("Median").name, word("eps").name
    ('quantile', 'epsilon')
    """
    called = {each: found for found in words().values() for each in (found.name, *found.also)}
    asked = " ".join(name.replace("_", " ").casefold().split())
    found = called.get(asked) or called.get(asked.removesuffix("s"))
    if found is None:
        hint = nearest(asked, called) or "all words: tacit explain"
        raise InvalidArgument(f"WORD {told(name)!r} is not in the glossary; {hint}")
    return found


def as_markdown() -> str:
    """Return docs/glossary.md, which a test compares with it."""
    entries = (
        f"**{each.title}.** {each.says} [Read on]({each.read.removeprefix('docs/')})."
        for each in words().values()
    )
    opening = "What the words of the program mean; `tacit explain WORD` tells each in a terminal."
    return "\n\n".join(["# Glossary", opening, *entries]) + "\n"


def as_html() -> str:
    """Return the words as the items of an HTML list of definitions."""
    return "\n".join(
        f'<dt id="w-{each.name.replace(" ", "-")}">{escape(each.title)}</dt>\n'
        f"<dd>{escape(each.says)}</dd>"
        for each in words().values()
    )
