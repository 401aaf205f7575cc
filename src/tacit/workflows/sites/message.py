"""One house's answer: noisy tables, signed, in a file that says what it holds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tacit.core import check
from tacit.core.cost import ReleaseCost
from tacit.core.errors import InvalidArgument, TacitError
from tacit.core.privacy import Privacy
from tacit.core.unit import Unit
from tacit.core.version import __version__
from tacit.statistics.many_rows import MOST_ROWS
from tacit.workflows.counting.units import told_unit
from tacit.workflows.sites.masks import RING
from tacit.workflows.sites.question import (
    MALFORMED,
    SiteQuestion,
    canonical,
    check_signature,
    read_canonical,
    read_time,
)
from tacit.workflows.sites.tables import Vector

FORMAT = "tacit-message-1"


@dataclass(frozen=True, slots=True)
class SiteMessage:
    """What a house tells: of each table of the question its noisy cells.

    n is the number of its rows, or persons, and None where that is secret; `made` says when. Where
    the question splits noise the cells are masked, and `masks` is the digest of all public masks.
    """

    question: SiteQuestion
    site: str
    tables: tuple[Vector, ...]
    n: int | None
    made: str
    secure: bool
    version: str = __version__
    masks: str = ""
    signature: str = ""

    @property
    def cost(self) -> ReleaseCost:
        """What the message costs a row of the house."""
        return self.question.cost

    @property
    def unit(self) -> Unit:
        """Who is protected."""
        return self.question.unit

    @property
    def privacy(self) -> Privacy:
        """The cost as one epsilon and delta."""
        return self.question.privacy

    def describe(self) -> dict[str, Any]:
        """Return all that the message tells, for JSON, but the question, which is its digest."""
        privacy = {"epsilon": str(self.privacy.epsilon), "delta": str(self.privacy.delta)}
        told = {"question": self.question.digest, "tells": [t.said for t in self.question.tables]}
        told |= {name: getattr(self, name) for name in ("site", "n", "made", "secure")}
        tables = [list(table) for table in self.tables]
        return told | {"tables": tables, "privacy": privacy, **told_unit(self.unit)}

    def encode(self) -> dict[str, Any]:
        """Return all that is signed."""
        return {
            "format": FORMAT,
            "question": self.question.encode(),
            "site": self.site,
            "made": self.made,
            "n": self.n,
            "secure": self.secure,
            "version": self.version,
            "tables": [list(table) for table in self.tables],
            **({"masks": self.masks} if self.masks else {}),
        }

    def signed(self, key: Ed25519PrivateKey) -> SiteMessage:
        """Sign the message with the key of its house."""
        if key.public_key().public_bytes_raw().hex() != self.site:
            raise InvalidArgument("the key (--key) is not that of the house that answered")
        return replace(self, signature=key.sign(canonical(self.encode()).encode()).hex())

    def dumps(self) -> str:
        """Return the text of its file."""
        return canonical(self.encode() | {"signature": self.signature})

    @classmethod
    def loads(cls, text: str) -> SiteMessage:
        """Read a message, and believe nothing that its house did not sign."""
        encoded = read_canonical(text, "message")
        try:
            if encoded["format"] != FORMAT:
                raise InvalidArgument(f"not a message: the format must be {FORMAT!r}")
            read = cls(
                question=SiteQuestion.decode(encoded["question"]),
                site=encoded["site"],
                tables=tuple(
                    tuple(check.count(count=count, least=-RING, up_to=RING) for count in table)
                    for table in encoded["tables"]
                ),
                n=None
                if encoded["n"] is None
                else check.count(n=encoded["n"], least=1, up_to=MOST_ROWS),
                made=encoded["made"],
                secure=encoded["secure"],
                version=encoded["version"],
                masks=encoded.get("masks", ""),
                signature=encoded["signature"],
            )
            read.check()
        except (*MALFORMED, AttributeError, ArithmeticError) as error:
            if isinstance(error, TacitError):
                raise
            raise InvalidArgument(f"not a message: {error} is missing or malformed") from None
        if read.dumps() != text:
            raise InvalidArgument("not a message as tacit writes it: it was changed")
        return read

    def check(self) -> None:
        """Refuse what does not answer its question, or was not signed by a house that it asks."""
        question = self.question
        if type(self.secure) is not bool or {type(self.version), type(self.masks)} != {str}:
            raise InvalidArgument("not a message: secure, version or masks is malformed")
        if [len(table) for table in self.tables] != [table.cells for table in question.tables]:
            raise InvalidArgument("the message does not hold the tables that it was asked for")
        if (self.n is None) != question.unit.added:
            raise InvalidArgument("the message must tell n where it is public, and only there")
        if self.site not in question.sites:
            raise InvalidArgument(f"the house {self.site[:16]} is not one that the question asks")
        if read_time(self.made) > read_time(question.until):
            raise InvalidArgument(f"the house {self.site[:16]} answered after {question.until}")
        masked = all(0 <= cell < RING for table in self.tables for cell in table)
        if bool(question.honest) != bool(self.masks) or (self.masks and not masked):
            raise InvalidArgument("the message must be masked where the question splits noise")
        check_signature(self.site, canonical(self.encode()), self.signature, "message")
