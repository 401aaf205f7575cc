"""A folder for this process alone, gone when the process is: what Spark spills are raw cells.

A killed process cannot tidy up. So a folder holds a file that its process keeps locked, and the
next process of the same user removes the folders whose lock nobody holds. Folders get their name
after they are locked: one that has the name and no lock is stale, whenever it is looked at.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path
from stat import S_ISDIR

from tacit.core.errors import InvalidArgument

PREFIX = "tacit-spark-"
_NEW, _ALIVE = "tacit-new-", "alive"


def private_folder(place: str | None = None) -> Path:
    """Make a folder that only its user may open; it is removed at the end of the process.

    It lies at the place that is named, or else among the temporary files.

    >>> folder = private_folder()
    >>> oct(folder.stat().st_mode & 0o777), folder.name.startswith(PREFIX)
    ('0o700', True)
    """
    try:
        sweep(place)
        made = Path(tempfile.mkdtemp(prefix=_NEW, dir=place))
        _hold(made)
        folder = made.rename(made.with_name(PREFIX + made.name.removeprefix(_NEW)))
    except OSError as error:
        raise InvalidArgument(
            f"no folder for temporary files can be written ({error.strerror}); name one in TMPDIR"
        ) from None
    atexit.register(_remove, folder, os.getpid())
    return folder


def _remove(folder: Path, maker: int) -> None:
    if os.getpid() == maker:  # a forked process leaves at the end what is not its own
        shutil.rmtree(folder, ignore_errors=True)


if sys.platform == "win32":

    def sweep(place: str | None = None) -> None:
        """Leave all as it is: a file that is open cannot be removed there, nor read by others."""

    def _hold(folder: Path) -> None:
        (folder / _ALIVE).touch()

else:
    import fcntl

    def sweep(place: str | None = None) -> None:
        """Remove this user's folders whose process has ended; those of others are not touched."""
        for folder in Path(place or tempfile.gettempdir()).glob(f"{PREFIX}*"):
            try:
                if _is_stale(folder):
                    shutil.rmtree(folder, ignore_errors=True)
            except OSError:
                continue  # another process has removed it, or it is not ours to look into

    def _is_stale(folder: Path) -> bool:
        """Whether this is our own folder, no link to one, and no process holds its lock."""
        status = folder.lstat()
        ours = S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
        if not ours or status.st_mode & 0o077:
            return False
        place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            lock = os.open(_ALIVE, os.O_RDWR | os.O_NOFOLLOW, dir_fd=place)
        except FileNotFoundError:
            return True
        finally:
            os.close(place)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        finally:
            os.close(lock)
        return True

    def _hold(folder: Path) -> None:
        """Lock the folder's file for as long as the process lives: the handle is never closed."""
        handle = os.open(folder / _ALIVE, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        fcntl.flock(handle, fcntl.LOCK_EX)
