"""Lists on the command line: comma-separated, repeated, or both."""

from __future__ import annotations

from collections.abc import Collection, Iterable


def split(given: Iterable[str], known: Collection[str] = ()) -> list[str]:
    """Return the names of `--labels a,b --labels c`; what is a known name is not split.

    >>> split(["a,b", " c "]), split(["a,b", "d, e"], known=["d, e", "a"])
    (['a', 'b', 'c'], ['a', 'b', 'd, e'])
    """
    parts = ([text] if text in known else text.split(",") for text in given)
    return [
        name if name in known else name.strip() for part in parts for name in part if name.strip()
    ]
