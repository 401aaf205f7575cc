"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path
from typing import TextIO, TypeVar

from tacit.core.bounded_file import LARGEST, read_text
from tacit.core.errors import InvalidArgument, TacitError
from tacit.data.reading.files import at_home
from tacit.interfaces.output.stopping import WRITTEN

T = TypeVar("T")


def writable(path: Path, *, option: str, inputs: Sequence[str] = ()) -> Path:
    """Refuse a path that could not be written, or is an input, before anything is computed.

    An input may be a glob: what it would match is an input too, since the next run would read it.
    """
    for name in inputs:
        if _is_named(path, at_home(name)):
            lost = "is an input and would be lost"
            read = f"would be an input of the next run, by {name}"
            raise InvalidArgument(
                f"{option}: {path} {lost if path.exists() else read}; name another file"
            )
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


def beside(ledger: Path | None) -> list[str]:
    """Return the files that a ledger consists of, none of which may be written over."""
    if ledger is None:
        return []
    real = os.path.realpath(ledger)
    return [str(ledger), *(f"{real}{end}" for end in (".lock", ".done", "-journal"))]


def _is_named(path: Path, pattern: Path) -> bool:
    """Whether a path or glob names this file, through links too, or would if it were there.

    >>> _is_named(Path("new.csv"), Path("*.csv")), _is_named(Path("new.csv"), Path("*/*.csv"))
    (True, False)
    """
    if _same(path, pattern):
        return True
    if not any(sign in str(pattern) for sign in "*?["):
        return False
    folders = _globbed(pattern.parent)
    if fnmatch(path.name, pattern.name) and any(_same(path.absolute().parent, f) for f in folders):
        return True
    return path.exists() and any(_same(path, found) for found in _globbed(pattern))


def _same(path: Path, other: Path) -> bool:
    if path.exists() and other.exists():
        return path.samefile(other)
    try:
        return path.resolve() == other.resolve()
    except (OSError, RuntimeError):  # links that lead to themselves lead to no input
        return False


def _globbed(pattern: Path) -> Iterator[Path]:
    relative = pattern.relative_to(pattern.anchor)
    return iter([pattern]) if relative == Path() else Path(pattern.anchor).glob(str(relative))


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
def whole(path: Path, *, private: bool = False) -> Iterator[TextIO]:
    """Open a file that takes its place only when it is complete and on the disk, or not at all.

    What is private only its owner may open; what is public those whom the umask lets. A file that
    is replaced hands on what it did not allow.
    """
    folder = path.absolute().parent
    name = folder / f".tacit-{os.urandom(8).hex()}"
    try:
        with _new(name, 0o600 if private else 0o666, like=path) as text:
            yield text
            text.flush()
            os.fsync(text.fileno())
        WRITTEN.append(str(path))  # first: whoever is stopped from here on may find it there
        name.replace(path)
        _sync(folder)
    except BaseException as error:
        if name.exists() and str(path) in WRITTEN[-1:]:
            WRITTEN.pop()
        name.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise InvalidArgument(f"{path} could not be written: {error.strerror}") from None
        raise


@contextmanager
def trial(path: Path) -> Iterator[Path]:
    """Give a name beside a file, to write what is only tried out; nothing of it stays."""
    name = path.with_name(f".tacit-{os.urandom(8).hex()}{path.suffix}")
    try:
        yield name
    finally:
        name.unlink(missing_ok=True)
        if str(name) in WRITTEN:
            WRITTEN.remove(str(name))


def only_name(path: Path, *, option: str) -> Path:
    """Return where links lead; refuse a file that could not be deleted, or that has two names."""
    real = writable(Path(os.path.realpath(path)), option=option)
    if real.exists() and real.stat().st_nlink > 1:
        raise InvalidArgument(
            f"{option}: {path} has several names (hard links), and must be gone after use; copy "
            "it, and delete the others"
        )
    return real


def forget(path: Path) -> None:
    """Delete a file for good: it is gone from the disk when this returns."""
    path.unlink()
    _sync(path.absolute().parent)


def _new(name: Path, mode: int, *, like: Path) -> TextIO:
    handle = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)
    if os.name == "posix" and like.is_file():
        os.fchmod(handle, os.fstat(handle).st_mode & like.stat().st_mode & 0o777)
    return os.fdopen(handle, "w", encoding="utf-8", newline="")


def _sync(folder: Path) -> None:
    """Put the folder's new entry on the disk, where folders can be opened at all."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
