"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO, TypeVar

from tacit.core.errors import InvalidArgument, TacitError
from tacit.core.reading import LARGEST, read_text
from tacit.interfaces.stopping import WRITTEN

T = TypeVar("T")


def writable(path: Path, *, option: str, inputs: Sequence[str] = ()) -> Path:
    """Refuse a path that could not be written, or is an input, before anything is computed."""
    if path.exists() and any(Path(name).exists() and path.samefile(name) for name in inputs):
        raise InvalidArgument(f"{option}: {path} is an input and would be lost; name another file")
    folder = path.absolute().parent
    if not folder.is_dir():
        raise InvalidArgument(
            f"{option}: the folder {folder} does not exist; create it: mkdir -p {folder}"
        )
    if path.exists() and not path.is_file():
        raise InvalidArgument(f"{option}: {path} is not a file; name one to write")
    try:
        with tempfile.TemporaryFile(dir=folder):
            return path
    except OSError as error:
        raise InvalidArgument(
            f"{option}: {path} cannot be written ({error.strerror}); name a file in another folder"
        ) from None


def read_as(
    path: Path, read: Callable[[str], T], *, option: str, hint: str = "", largest: int = LARGEST
) -> T:
    """Read what a text file says, or say which option named one that cannot be read, and why."""
    try:
        return read(read_text(path, largest=largest))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InvalidArgument(f"{option}: {path} cannot be read: {reason}{hint}") from None
    except TacitError as error:
        raise InvalidArgument(f"{option}: {path}: {error}") from None


@contextmanager
def whole(path: Path) -> Iterator[TextIO]:
    """Open a file that takes its place only when it is complete; an interrupt leaves nothing."""
    handle, name = tempfile.mkstemp(dir=path.absolute().parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as text:
            yield text
        Path(name).chmod(0o644)
        Path(name).replace(path)
        WRITTEN.append(str(path))
    except BaseException as error:
        Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise InvalidArgument(f"{path} could not be written: {error.strerror}") from None
        raise
