"""Every numbered statement of the papers: what it says, and where it lives in the code."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from importlib.resources import files

from tacit.core.errors import InvalidArgument
from tacit.theory.papers.references import REFERENCES

ABBREVIATIONS = {
    "theorem": "Thm",
    "lemma": "Lemma",
    "corollary": "Cor",
    "claim": "Claim",
    "proposition": "Prop",
    "observation": "Obs",
    "definition": "Def",
    "remark": "Remark",
    "example": "Ex",
    "algorithm": "Alg",
    "open problem": "Open problem",
}
"""How each kind of statement is cited: `BNS16 Thm 3.13`."""

_WORDS = re.compile(r"[a-z]+|\d+(?:\.\d+)*")
_CLOSE = 0.5
"""Keys at least so similar are offered where one is not found; the others are no slips."""


@dataclass(frozen=True, slots=True)
class Paper:
    """How a paper numbers its statements: the first and last number of each of its series.

    A series is a section, an appendix, a kind that is counted by itself, or "" for the whole paper.
    `also` are numbers that another version of the paper has for some of them.
    """

    key: str
    numbering: str
    statements: int
    series: dict[str, tuple[int, int]]
    also: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Statement:
    """What a paper states under one number, and where it is implemented, proved, audited and run.

    `code` are names as module:name. `why` says what is missing: all of it if there is no code, else
    the part that it names. What there is none of is empty.
    """

    key: str
    kind: str
    says: str
    code: tuple[str, ...] = ()
    proof: str = ""
    case: str = ""
    test: str = ""
    runs: str = ""
    why: str = ""

    @property
    def paper(self) -> str:
        """The paper's key in the references."""
        return self.key.partition(":")[0]

    @property
    def cited(self) -> str:
        """How the code cites it.

        >>> theorem("BNS16:3.13").cited, theorem("BNS16:Alg2").cited
        ('BNS16 Thm 3.13', 'BNS16 Alg 2')
        """
        short, number = ABBREVIATIONS[self.kind], self.key.partition(":")[2]
        return f"{self.paper} {short} {number.removeprefix(short)}"

    @property
    def standing(self) -> str:
        """Whether it is implemented, in part, or not."""
        if not self.code:
            return "not implemented"
        return "implemented in part" if self.why else "implemented"


def papers() -> dict[str, Paper]:
    """Return the papers whose statements are listed.

    >>> {paper.key: paper.statements for paper in papers().values()}
    {'FX14': 18, 'BNS19': 53, 'Vad17': 7, 'BNS16': 59}
    """
    return _read()[0]


def theorems(paper: str = "") -> tuple[Statement, ...]:
    """Return all statements, or those of one paper, in the papers' order.

    >>> [found.key for found in theorems("Vad17")][:2]
    ['Vad17:8.4', 'Vad17:8.5']
    """
    known = _read()[1]
    if not paper:
        return tuple(known.values())
    key = _paper(paper)
    return tuple(found for found in known.values() if found.paper == key)


def theorem(key: str) -> Statement:
    """Return one statement by its key, or as it is cited; its kind need not be right.

    >>> named = ("BNS16:3.13", "bns16 thm 3.13", "BNS16, Theorem 3.13", "BNS16 Lemma 3.13")
    >>> {theorem(name).says for name in named} == {theorem("BNS16:3.13").says}
    True
    >>> theorem("BNS19 Example 3").key, theorem("BNS19:3").key, theorem("FX14 Theorem C.1").key
    ('BNS19:Ex3', 'BNS19:3', 'FX14:C.1')
    >>> theorem("FX14 Claim 6.1").key, theorem("FX14 Theorem 6.1").key  # of the full version
    ('FX14:17', 'FX14:12')
    """
    known = _read()[1]
    start, _, rest = key.strip().replace(":", " ").replace(",", " ").partition(" ")
    paper = papers()[_paper(start)]
    words = _WORDS.findall(rest.lower())
    number = next((word for word in words if word[0].isdigit()), "")
    for series in paper.series:
        if series and not series.isdigit() and _begins(series, words):
            number = series + ("." if len(series) == 1 else "") + number
    number = _elsewhere(paper, words, number)
    if (found := known.get(f"{paper.key}:{number}")) is None:
        near = get_close_matches(f"{paper.key}:{number}", known, cutoff=_CLOSE) if number else ()
        hint = f"; near it are {', '.join(near)}" if near else ""
        raise InvalidArgument(
            f"statement {key!r} is not known{hint}; see: tacit theorem --paper {paper.key}"
        )
    return found


def _elsewhere(paper: Paper, words: list[str], number: str) -> str:
    """Return the number that we list for one of another version; a theorem, if no kind is said."""
    said = [name for name in paper.also if name.endswith(f" {number}")]
    kinds = [name for name in said if any(name.startswith(w) for w in words if w.isalpha())]
    chosen = kinds or said
    return paper.also[chosen[0]] if chosen else number


def _begins(series: str, words: list[str]) -> bool:
    """Whether a word names a series: its letter, or an abbreviation of a kind, or the kind."""
    if len(series) == 1:
        return series.lower() in words
    return any(word.startswith(series.lower()) for word in words)


def _paper(name: str) -> str:
    """Return the key of a paper, whatever its case."""
    for key in papers():
        if key.lower() == name.strip().lower():
            return key
    there_are = "; ".join(f"{key}, {REFERENCES[key].partition(':')[0]}" for key in papers())
    raise InvalidArgument(f"paper {name!r} is not known; there are {there_are}")


@lru_cache(maxsize=1)
def _read() -> tuple[dict[str, Paper], dict[str, Statement]]:
    text = files("tacit.theory.papers").joinpath("theorems.toml").read_text(encoding="utf-8")
    entries = tomllib.loads(text)
    found = {
        key: Paper(
            key,
            paper["numbering"],
            paper["statements"],
            {name: (first, last) for name, (first, last) in paper["series"].items()},
            paper.get("also", {}),
        )
        for key, paper in entries.pop("papers").items()
    }
    listed = {
        key: Statement(key=key, code=tuple(entry.pop("code", ())), **entry)
        for key, entry in entries.items()
    }
    return found, listed
