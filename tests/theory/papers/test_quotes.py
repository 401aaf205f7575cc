"""What the errata say that a paper says is in the paper's text.

The papers are not part of the project. Where their texts stand beside it they are read; elsewhere
the quotes must be those that were compared last.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest

from tacit.theory.papers.errata import ERRATA, Erratum

TEXTS = Path(__file__).parents[4] / "shared" / "seeds"
PAPERS = {"FX14": ("000_", "001_"), "BNS19": ("002_",), "Vad17": ("003_",), "BNS16": ("004_",)}
COMPARED = {
    "FX14": "37a93fbed57f36c0",
    "BNS19": "981202f6612e669c",
    "Vad17": "90939d781d648e11",
    "BNS16": "17eac1c24ecbf01d",
}
"""The digest of all quotes of a paper, when they were last found in its text."""


def fold(text: str) -> str:
    """White space, hyphens, quotation marks and the case of letters do not survive extraction."""
    text = unicodedata.normalize("NFKC", text).lower()
    text = re.sub(r"-\s*\n\s*", "", text)
    return re.sub(r"[\s\-\u2010\u2013\u2014\u2019'`\u00b4\u201c\u201d\"]+", " ", text)


def parts(says: str) -> list[str]:
    return [folded for part in says.split("[...]") if (folded := fold(part).strip())]


@cache
def text_of(paper: str) -> str:
    """The paper's text, or nothing where it does not stand beside the project."""
    files = (file for file in sorted(TEXTS.glob("*")) if file.name.startswith(PAPERS[paper]))
    return fold("\n".join(file.read_text(encoding="utf-8", errors="replace") for file in files))


def quoted(says: str, text: str) -> bool:
    """Whether all parts of a quote stand in a text, in their order."""
    at = 0
    for part in parts(says):
        found = text.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return True


@pytest.mark.parametrize("erratum", ERRATA.values(), ids=lambda found: found.id)
def test_every_quote_is_in_its_paper(erratum: Erratum) -> None:
    assert erratum.paper in PAPERS
    assert max(map(len, parts(erratum.says))) >= 12, "a quote is more than a word"
    assert len(erratum.says.split()) <= 60, "a quote is short"
    assert not text_of(erratum.paper) or quoted(erratum.says, text_of(erratum.paper))


@pytest.mark.parametrize("paper", PAPERS)
def test_quotes_are_those_that_were_compared(paper: str) -> None:
    """A quote that was changed must be compared with the text again, and then its digest."""
    all_parts = [[e.id, *parts(e.says)] for e in ERRATA.values() if e.paper == paper]
    assert sha256(repr(all_parts).encode()).hexdigest()[:16] == COMPARED[paper]


def test_a_quote_that_is_not_there_is_noticed() -> None:
    text = fold("The sam-\nple com\u2010plexity is \u201csmall\u201d - at most 2.")
    assert quoted("the sample [...] is small \u2013 at most", text)
    assert not quoted("is small [...] the sample", text)
    assert not quoted("the sample is large", text)
