"""Paths and globs, to CSV or Parquet files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tacit.core.errors import InvalidArgument

CSV = (".csv", ".tsv", ".txt")
PARQUET = (".parquet", ".pq")
TABLE = "table:"
"""What the name of a table in Spark's catalogue begins with."""


def find_files(patterns: Sequence[str | Path]) -> list[Path]:
    """Return the files that paths and globs name, sorted within each glob.

    >>> find_files(["nowhere/*.csv"])
    Traceback (most recent call last):
    tacit.core.errors.InvalidArgument: there is no file nowhere/*.csv
    """
    files = matched(patterns)
    ends = CSV if files[0].suffix.lower() in CSV else PARQUET
    for path in files:
        if path.suffix.lower() not in (*CSV, *PARQUET):
            raise InvalidArgument(
                f"{path} is neither CSV ({', '.join(CSV)}) nor Parquet ({', '.join(PARQUET)}): "
                "unpack it if it is packed, else convert it"
            )
        if path.suffix.lower() not in ends:
            raise InvalidArgument(f"{files[0]} and {path} are not of one format; convert one")
    return files


def matched(patterns: Sequence[str | Path]) -> list[Path]:
    """Return the files of any format that paths and globs name, each of them once."""
    files = [path for pattern in patterns for path in _matches(at_home(pattern))]
    if not files:
        raise InvalidArgument("there is no file to read; name at least one")
    _check_apart(files)
    return files


def at_home(pattern: str | Path) -> Path:
    """Return a path whose ~ is somebody's home; where nobody of that name is, it is a name.

    >>> str(at_home("~nobody-of-that-name/table.csv"))
    '~nobody-of-that-name/table.csv'
    """
    try:
        return Path(pattern).expanduser()
    except RuntimeError:
        return Path(pattern)


def _check_apart(files: Sequence[Path]) -> None:
    """Refuse a file that is named twice: its rows would count twice, and be paid for once."""
    seen: dict[tuple[int, int], Path] = {}
    for path in files:
        status = path.stat()
        before = seen.setdefault((status.st_dev, status.st_ino), path)
        if before is not path:
            raise InvalidArgument(
                f"{before} and {path} are the same file; name each once, or its rows count twice"
            )


def _matches(pattern: Path) -> list[Path]:
    if str(pattern).startswith(TABLE):
        raise InvalidArgument(f"{pattern} names a table of Spark's catalogue: add --engine spark")
    if pattern.is_file():
        return [pattern]
    if pattern.is_dir():
        raise InvalidArgument(f"{pattern} is a folder; name its files, such as {pattern}/*.parquet")
    relative = pattern.relative_to(pattern.anchor)
    globbed = any(sign in str(pattern) for sign in "*?[")
    found = [path for path in Path(pattern.anchor).glob(str(relative)) if path.is_file()]
    if not globbed or not found:
        lost = "" if globbed or pattern.parent.is_dir() else ", and no such folder"
        raise InvalidArgument(f"there is no file {pattern}{lost}")
    return sorted(found)
