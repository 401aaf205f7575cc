"""What a page sends, read field by field: anything else is refused in one sentence."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from tacit.core.errors import InvalidArgument

NUMBER = re.compile(r"(?:\d{1,12}(?:\.\d{0,12})?|\.\d{1,12})(?:[eE][+-]?\d{1,2})?")
"""Numbers are sent as they were typed, and are read exactly."""


class Fields:
    """A JSON object whose fields are asked for by kind.

    >>> Fields({"alpha": "0.05", "labels": 3}).number("alpha")
    '0.05'
    """

    def __init__(self, given: object) -> None:
        if not isinstance(given, Mapping):
            raise InvalidArgument("the request must be a JSON object")
        self.given: Mapping[str, Any] = given

    def text(self, name: str, *, longest: int = 200, default: str | None = None) -> str:
        """Return a short text."""
        value = self.given.get(name, default)
        if not isinstance(value, str) or len(value) > longest or not _clean(value):
            raise InvalidArgument(f"{name} must be a text of at most {longest} characters")
        return value

    def number(self, name: str, *, default: str | None = None) -> str:
        """Return a number as the text that says it exactly, such as 0.05 or 1e-6."""
        value = self.given.get(name, default)
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = repr(value)
        if not isinstance(value, str) or not NUMBER.fullmatch(value.strip()):
            raise InvalidArgument(f"{name} must be a number such as 0.05 or 1e-6")
        return value.strip()

    def maybe(self, name: str) -> str | None:
        """Return a number as `number` does, or None if it was left out or left blank.

        >>> Fields({"alpha": " "}).maybe("alpha") is None
        True
        """
        value = self.given.get(name)
        blank = value is None or (isinstance(value, str) and not value.strip())
        return None if blank else self.number(name)

    def whole(self, name: str, low: int, high: int, *, default: int | None = None) -> int:
        """Return a whole number between two ends."""
        value = self.given.get(name, default)
        if isinstance(value, str) and re.fullmatch(r"\s*\d{1,12}\s*", value):
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise InvalidArgument(f"{name} must be a whole number from {low} to {high}")
        return value

    def flag(self, name: str) -> bool:
        """Return yes or no; what is left out is no."""
        value = self.given.get(name, False)
        if not isinstance(value, bool):
            raise InvalidArgument(f"{name} must be true or false")
        return value

    def choice(self, name: str, options: Collection[str], *, default: str | None = None) -> str:
        """Return one of the options."""
        value = self.given.get(name, default)
        if not isinstance(value, str) or value not in options:
            raise InvalidArgument(f"{name} must be one of {', '.join(options)}")
        return value

    def texts(self, name: str, *, most: int, longest: int = 200) -> list[str]:
        """Return a list of short texts."""
        value = self.given.get(name, [])
        if not isinstance(value, list) or len(value) > most:
            raise InvalidArgument(f"{name} must be a list of at most {most} texts")
        return [Fields({name: each}).text(name, longest=longest) for each in value]

    def object(self, name: str) -> Fields:
        """Return an object inside this one."""
        value = self.given.get(name, {})
        if not isinstance(value, Mapping):
            raise InvalidArgument(f"{name} must be a JSON object")
        return Fields(value)


def _clean(value: str) -> bool:
    """Whether a text has no half characters and no control characters but line ends."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", value)
