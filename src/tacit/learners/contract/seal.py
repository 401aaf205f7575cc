"""A digest inside a JSON object, so that a changed file says so.

It tells damage and careless edits; it is no signature, because whoever can write a file can seal it
anew. Who must know where a file came from signs it, or compares its digest with one kept elsewhere.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from tacit.core.errors import InvalidArgument

KEY = "digest"


def sealed(told: dict[str, Any]) -> dict[str, Any]:
    """Return the object with the digest of everything else in it.

    >>> sealed({"n": 3})["digest"] == sealed({"n": 3, "digest": "old"})["digest"]
    True
    """
    rest = {name: value for name, value in told.items() if name != KEY}
    return rest | {KEY: _digest(rest)}


def check_seal(told: dict[str, Any]) -> None:
    """Refuse an object that was changed after it was sealed.

    >>> check_seal(sealed({"n": 3}) | {"n": 4})
    Traceback (most recent call last):
    tacit.core.errors.InvalidArgument: it was changed after it was written: its digest is ...
    """
    if told.get(KEY) != (right := sealed(told)[KEY]):
        raise InvalidArgument(
            f"it was changed after it was written: its digest is {right}, not {told.get(KEY)!r}; "
            "take the file as it was written, or learn again"
        )


def _digest(rest: dict[str, Any]) -> str:
    return sha256(json.dumps(rest, sort_keys=True, ensure_ascii=True).encode()).hexdigest()
