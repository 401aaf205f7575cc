"""Files that are read whole: only regular ones, and only up to a size."""

from __future__ import annotations

import os
from pathlib import Path
from stat import S_ISREG
from typing import BinaryIO

from tacit.core.errors import InvalidArgument

LARGEST = 1 << 25
"""Bytes of a file that is read whole. Parsed, a hostile text takes up to thirty times as much
memory: so it stays near a gigabyte. Schemas and models are far smaller."""


def opened(path: str | Path) -> BinaryIO:
    """Open a file for reading; refuse a pipe, which would be waited for, and a device or folder.

    Whatever else keeps a file from being opened is an `OSError`, as ever.

    >>> opened("/dev/zero")
    Traceback (most recent call last):
    tacit.core.errors.InvalidArgument: it is no regular file; save what it gives in one, ...
    """
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except ValueError:  # a NUL in its name
        raise InvalidArgument("no file has such a name; name another") from None
    if not S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise InvalidArgument("it is no regular file; save what it gives in one, and name that")
    return os.fdopen(handle, "rb")


def read_bytes(path: str | Path, *, largest: int = LARGEST) -> bytes:
    """Return what a regular file holds; refuse one that is too large, before it is read."""
    with opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        read = file.read(largest + 1) if size <= largest else b""
    if max(size, len(read)) > largest:
        raise InvalidArgument(
            f"it has {max(size, len(read))} bytes, and at most {largest} are read; is it the right "
            "file?"
        )
    return read


def read_text(path: str | Path, *, largest: int = LARGEST) -> str:
    """Return the UTF-8 text of a file, without a byte-order mark."""
    return read_bytes(path, largest=largest).decode("utf-8-sig")
