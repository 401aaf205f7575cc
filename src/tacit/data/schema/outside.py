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
