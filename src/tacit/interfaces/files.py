"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from tacit.core.errors import InvalidArgument


def writable(path: Path, *, option: str, inputs: Sequence[str] = ()) -> Path:
    """Refuse a path that could not be written, or is an input, before anything is computed."""
    if path.exists() and any(Path(name).exists() and path.samefile(name) for name in inputs):
        raise InvalidArgument(f"{option}: {path} is an input and would be lost; name another file")
    folder = path.absolute().parent
    if not folder.is_dir():
        raise InvalidArgument(f"{option}: the folder {folder} does not exist")
    if path.is_dir() or not os.access(folder, os.W_OK):
        raise InvalidArgument(f"{option}: {path} cannot be written")
    return path


def read_text(path: Path, *, option: str) -> str:
    """Read a text file, or say which option named one that cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise InvalidArgument(f"{option}: {path} cannot be read: {reason}") from None


@contextmanager
def whole(path: Path) -> Iterator[TextIO]:
    """Open a file that takes its place only when it is complete; an interrupt leaves nothing."""
    handle, name = tempfile.mkstemp(dir=path.absolute().parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as text:
            yield text
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
