"""Lists on the command line: comma-separated, repeated, or both."""

from __future__ import annotations

from collections.abc import Iterable


def split(given: Iterable[str]) -> list[str]:
    """Return the names of `--labels a,b --labels c`.

    >>> split(["a,b", " c "])
    ['a', 'b', 'c']
    """
    return [name.strip() for text in given for name in text.split(",") if name.strip()]
