"""Private values have no representation."""

from __future__ import annotations

from dataclasses import fields
from typing import Any


class Private:
    """Mixin for statistics: `repr` shows the fields marked public, and nothing of the others.

    A field is public only when its metadata says so; forgetting the mark hides, never leaks. What
    is no part of the statistic has repr=False.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        shown = ", ".join(
            f"{field.name}={getattr(self, field.name)!r}"
            if field.metadata.get("public")
            else f"{field.name}=<private>"
            for field in fields(self)  # type: ignore[arg-type]
            if field.repr
        )
        return f"{type(self).__name__}({shown})"


PUBLIC: dict[str, Any] = {"public": True}
