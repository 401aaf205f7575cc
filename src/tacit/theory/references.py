"""Every theorem that is cited anywhere, by its key."""

from __future__ import annotations

import re
from importlib.resources import files

_ENTRY = re.compile(r"@\w+\{(\w+),(.*?)\n\}", re.DOTALL)
_FIELD = re.compile(r"(\w+) = \{((?:[^{}]|\{[^{}]*\})*)\}")
_ACCENT = re.compile(r"\\['`^\"~]\{?(\w)\}?")
_VENUES = ("journal", "booktitle", "howpublished")


def _reference(body: str) -> str:
    fields = dict(_FIELD.findall(body))
    plain = {name: _ACCENT.sub(r"\1", text).translate({123: None, 125: None})
             for name, text in fields.items()}
    authors = plain["author"].replace(" and ", ", ")
    venue = next(plain[name] for name in _VENUES if name in plain)
    return f"{authors}: {plain['title']}. {venue}, {plain['year']}"


REFERENCES: dict[str, str] = {
    key: _reference(body)
    for key, body in _ENTRY.findall(
        files("tacit.theory").joinpath("tables/refs.bib").read_text(encoding="utf-8")
    )
}
"""Author, title, venue and year by key; the file is a copy of docs/refs.bib, which a test compares.

>>> REFERENCES["MT07"]
'Frank McSherry, Kunal Talwar: Mechanism Design via Differential Privacy. FOCS, 2007'
"""
