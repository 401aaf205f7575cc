"""Lists on the command line: comma-separated, repeated, or both."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from tacit.core.errors import InvalidArgument


def split(given: Iterable[str], known: Collection[str] = ()) -> list[str]:
    """Return the names of `--labels a,b --labels c`; what is a known name is not split.

    >>> split(["a,b", " c "]), split(["a,b", "d, e"], known=["d, e", "a"])
    (['a', 'b', 'c'], ['a', 'b', 'd, e'])
    """
    parts = ([text] if text in known else text.split(",") for text in given)
    return [
        name if name in known else name.strip() for part in parts for name in part if name.strip()
    ]


def read_cuts(text: str, option: str = "--cuts") -> tuple[str, list[str]]:
    """Read where a number is cut.

    >>> read_cuts("income=20:40")
    ('income', ['20', '40'])
    """
    name, sign, places = text.rpartition("=")
    if not sign or not name.strip() or not places.strip():
        raise InvalidArgument(f"{option} must look like income=20:40:60, got {text!r}")
    return name.strip(), [place.strip() for place in places.split(":")]
