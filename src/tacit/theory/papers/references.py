"""Every theorem that is cited anywhere, by its key."""

from __future__ import annotations

import re
from importlib.resources import files
from unicodedata import normalize

_ENTRY = re.compile(r"@\w+\{(\w+),(.*?)\n\}", re.DOTALL)
_FIELD = re.compile(r"(\w+) = \{((?:[^{}]|\{[^{}]*\})*)\}")
_ACCENT = re.compile(r"\\(['`^\"~])\{?(\w)\}?")
_MARKS = {"'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303"}
_VENUES = ("journal", "booktitle", "howpublished", "publisher")


def _reference(body: str) -> str:
    fields = dict(_FIELD.findall(body))
    plain = {name: _plain(text) for name, text in fields.items()}
    authors = plain["author"].replace(" and ", ", ")
    venue = next(plain[name] for name in _VENUES if name in plain)
    return f"{authors}: {plain['title']}. {venue}, {plain['year']}"


def _plain(text: str) -> str:
    accented = _ACCENT.sub(lambda found: found[2] + _MARKS[found[1]], text)
    return normalize("NFC", accented).replace("{", "").replace("}", "")


REFERENCES: dict[str, str] = {
    key: _reference(body)
    for key, body in _ENTRY.findall(
        files(__package__).joinpath("refs.bib").read_text(encoding="utf-8")
    )
}
"""Author, title, venue and year by key; the file is a copy of docs/refs.bib, which a test compares.

>>> REFERENCES["MT07"]
'Frank McSherry, Kunal Talwar: Mechanism Design via Differential Privacy. FOCS, 2007'
"""
