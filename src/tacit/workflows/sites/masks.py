"""Masks that cancel in the sum of all messages: each pair of houses shares one that nobody knows.

Every house makes a key for one question, keeps the private part and shows the public one, signed.
Of the pair's secret a stream of numbers below 2^128 is made, for each cell one: one house of the
pair adds it, the other subtracts it, modulo 2^128. A message is uniform to whoever lacks one of its
masks; the sum of all messages has none. A private part is used for one message, and is gone then.

Proof: docs/proofs/sites.md
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES256
from cryptography.hazmat.primitives.ciphers.modes import CTR
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from tacit.core.errors import InvalidArgument
from tacit.workflows.sites.question import (
    SiteQuestion,
    canonical,
    check_signature,
    read_canonical,
)

PUBLIC, PRIVATE = "tacit-mask-1 public", "tacit-mask-1 private"
WIDTH = 16
"""Bytes of a masked number."""
RING = 1 << 8 * WIDTH
"""Masked numbers are told modulo this: noise of a budget that is read does not reach so far."""


@dataclass(frozen=True, slots=True)
class PublicMask:
    """What a house shows to all others before any of them answers."""

    question: str
    site: str
    public: str
    signature: str = ""

    def encode(self) -> dict[str, str]:
        """Return all that is signed."""
        told = {"question": self.question, "site": self.site, "public": self.public}
        return {"format": PUBLIC, **told}

    def dumps(self) -> str:
        """Return the text of its file."""
        return canonical(self.encode() | {"signature": self.signature})

    @classmethod
    def loads(cls, text: str) -> PublicMask:
        """Read a file, and believe nothing that its house did not sign."""
        match read_canonical(text, "public mask"):
            case {
                "format": str(named),
                "question": str(question),
                "site": str(site),
                "public": str(public),
                "signature": str(signature),
            } if named == PUBLIC and len(public) == 64 and not public.strip("0123456789abcdef"):
                read = cls(question, site, public, signature)
                check_signature(site, canonical(read.encode()), signature, "public mask")
                if read.dumps() == text:
                    return read
        raise InvalidArgument("not a public mask; make one with: tacit key mask PATH")


@dataclass(frozen=True, slots=True)
class Mask:
    """What a house keeps to itself, for one message."""

    question: str
    secret: X25519PrivateKey = field(repr=False)

    def public(self, question: SiteQuestion, key: Ed25519PrivateKey) -> PublicMask:
        """Return what the house shows, signed with its key."""
        site = key.public_key().public_bytes_raw().hex()
        if question.honest is None or site not in question.sites:
            raise InvalidArgument("the question asks this house for no message that is masked")
        shown = PublicMask(question.digest, site, self.shown)
        signature = key.sign(canonical(shown.encode()).encode()).hex()
        return replace(shown, signature=signature)

    @property
    def shown(self) -> str:
        """The public part, in hexadecimal digits."""
        return self.secret.public_key().public_bytes_raw().hex()

    def dumps(self) -> str:
        """Return the text of its file, which nobody else may read."""
        return f"{PRIVATE} {self.question} {self.secret.private_bytes_raw().hex()}\n"

    @classmethod
    def loads(cls, text: str) -> Mask:
        """Read a file."""
        words = text.split()
        try:
            if " ".join(words[:-2]) == PRIVATE:
                return cls(words[-2], X25519PrivateKey.from_private_bytes(bytes.fromhex(words[-1])))
        except ValueError:
            pass
        raise InvalidArgument("not a private mask; make one with: tacit key mask PATH")


@dataclass(frozen=True, slots=True)
class Masks:
    """The mask of one house, and the public ones of all that a question asks."""

    site: str
    own: Mask
    public: Mapping[str, PublicMask]

    @classmethod
    def of(
        cls, question: SiteQuestion, site: str, own: Mask, public: Sequence[PublicMask]
    ) -> Masks:
        """Refuse masks of another question, and where a house has none or several."""
        if {own.question, *(each.question for each in public)} != {question.digest}:
            raise InvalidArgument("a mask (--mask, --masks) was made for another question")
        if sorted(each.site for each in public) != sorted(question.sites):
            many = len(question.sites)
            raise InvalidArgument(f"--masks must be one public mask of each of the {many} houses")
        shown = {each.site: each for each in public}
        if site not in shown or shown[site].public != own.shown:
            raise InvalidArgument("--mask is not the private part of this house's public mask")
        found = cls(site, own, shown)
        found.over([[0]])  # what is no key is refused before anything is paid for
        return found

    @property
    def digest(self) -> str:
        """The SHA-256 of all public parts: masks cancel where all houses have the same."""
        whole = "".join(self.public[site].dumps() for site in sorted(self.public))
        return sha256(whole.encode()).hexdigest()

    def over(self, tables: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
        """Add the masks of all pairs to every cell, modulo `RING`."""
        flat = [cell for table in tables for cell in table]
        for other in self.public:
            if other != self.site:
                sign = 1 if self.site < other else -1
                pairs = zip(flat, self._stream(other, len(flat)), strict=True)
                flat = [(cell + sign * mask) % RING for cell, mask in pairs]
        cells = iter(flat)
        return tuple(tuple(next(cells) for _ in table) for table in tables)

    def _stream(self, other: str, many: int) -> list[int]:
        """Return the numbers that this house and another one share."""
        there = X25519PublicKey.from_public_bytes(bytes.fromhex(self.public[other].public))
        try:
            shared = self.own.secret.exchange(there)
        except ValueError:
            raise InvalidArgument(f"the public mask of the house {other[:16]} is no key") from None
        pair = "".join(sorted([self.site, other]))
        made = HKDF(SHA256(), 32, salt=bytes.fromhex(self.digest), info=bytes.fromhex(pair))
        cipher = Cipher(AES256(made.derive(shared)), CTR(bytes(16))).encryptor()
        stream = cipher.update(bytes(WIDTH * many))
        starts = range(0, WIDTH * many, WIDTH)
        return [int.from_bytes(stream[i : i + WIDTH], "big") for i in starts]


def new_mask(question: SiteQuestion) -> Mask:
    """Make a mask for one message; its coins are the operating system's."""
    return Mask(question.digest, X25519PrivateKey.generate())


def centred(total: int) -> int:
    """Read a sum of masked numbers: the number next to 0 that it stands for.

    >>> centred(3 + RING), centred(-3 % RING)
    (3, -3)
    """
    return (total + RING // 2) % RING - RING // 2
