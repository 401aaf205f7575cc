"""What happens to a cell outside of the declared domain: the policy that makes every map total."""

from __future__ import annotations

from typing import Literal

from tacit.core.errors import InvalidArgument

Outside = Literal["clip", "null"]
"""Clip: to the nearest end, and to the first code if there is none. Null: to an extra last code."""


def read_outside(value: object) -> Outside:
    """Read a policy.

    >>> read_outside("clip")
    'clip'
    """
    if value not in ("clip", "null"):
        raise InvalidArgument(f'outside must be "clip" or "null", got {value!r}')
    return "clip" if value == "clip" else "null"


def ends(inside: int, outside: Outside) -> tuple[int, int]:
    """Return the codes of what lies below or is unreadable, and of what lies above.

    >>> ends(121, "clip"), ends(121, "null")
    ((0, 120), (121, 121))
    """
    return (0, inside - 1) if outside == "clip" else (inside, inside)


def check_code(code: int, size: int) -> int:
    """Refuse what is no code of a column."""
    if not 0 <= code < size:
        raise InvalidArgument(f"a code of this column lies in 0, ..., {size - 1}; got {code}")
    return code
