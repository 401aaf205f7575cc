"""A pack: files, their digests, and a signature, as one archive whose bytes follow from them."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tacit.core.errors import InvalidArgument

FORMAT = "tacit-pack-1"
PRIVATE, PUBLIC = "tacit-key-1 private", "tacit-key-1 public"
HERE, DOCS = Path(__file__).parent, Path(__file__).parents[4] / "docs"
SHIPPED = ("check_release.py", "pack.md", "record.schema.json")
"""What goes into every pack: the checker, its specification, the schema of the record."""


def new_key() -> tuple[str, str]:
    """Return the texts of a new private key and of its public one."""
    key = Ed25519PrivateKey.generate()
    return f"{PRIVATE} {key.private_bytes_raw().hex()}\n", public_text(key)


def public_text(key: Ed25519PrivateKey) -> str:
    """Return the text of a public key."""
    return f"{PUBLIC} {key.public_key().public_bytes_raw().hex()}\n"


def read_key(text: str) -> Ed25519PrivateKey:
    """Read a private key.

    >>> read_key("tacit-key-1 public 00")
    Traceback (most recent call last):
    tacit.core.errors.InvalidArgument: not a private key; make one with: tacit key new PATH
    """
    words = text.split()
    try:
        if " ".join(words[:-1]) == PRIVATE:
            return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(words[-1]))
    except ValueError:
        pass
    raise InvalidArgument("not a private key; make one with: tacit key new PATH")


def read_public(text: str) -> str:
    """Read the digits of a public key.

    >>> read_public("tacit-key-1 public 00")
    Traceback (most recent call last):
    tacit.core.errors.InvalidArgument: not a public key; it is beside the private one: PATH.pub
    """
    words = text.split()
    if " ".join(words[:-1]) == PUBLIC and len(words[-1]) == 64:
        return words[-1].lower()
    raise InvalidArgument("not a public key; it is beside the private one: PATH.pub")


def shipped() -> dict[str, bytes]:
    """Return what goes into every pack; a checkout has the pages among its documents."""
    return {
        name: (HERE / name if (HERE / name).is_file() else DOCS / name).read_bytes()
        for name in SHIPPED
    }


def packed(parts: Mapping[str, bytes], key: Ed25519PrivateKey) -> bytes:
    """Return the archive of these files, of a manifest with their digests, and its signature.

    Exactness:
        The same files and the same key give the same bytes: members are stored, sorted and of one
        date, and Ed25519 draws nothing.
    """
    manifest = {
        "format": FORMAT,
        "files": {name: sha256(parts[name]).hexdigest() for name in sorted(parts)},
        "key": key.public_key().public_bytes_raw().hex(),
    }
    signed = (json.dumps(manifest, indent=1) + "\n").encode()
    whole = {**parts, "manifest.json": signed}
    whole["manifest.sig"] = (key.sign(signed).hex() + "\n").encode()
    with zipfile.ZipFile(raw := io.BytesIO(), "w") as archive:
        for name in sorted(whole):
            member = zipfile.ZipInfo(name)
            member.create_system, member.external_attr = 3, 0o644 << 16
            archive.writestr(member, whole[name])
    return raw.getvalue()
