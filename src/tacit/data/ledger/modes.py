"""Who may open a ledger and the files beside it: its owner, and a group that was let in."""

from __future__ import annotations

import os
from pathlib import Path

OWNER, GROUP = 0o600, 0o660
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


def narrowed(path: Path) -> int:
    """Take everyone else's rights on a ledger away where it is ours; return those of its files.

    A ledger holds a key, by which names of data sets could be guessed from an export. It is the
    owner's; a group that may *write* it was let in on purpose (chgrp, chmod 660), and stays.
    """
    if not path.exists():
        return OWNER
    status = path.stat()
    mode = GROUP if status.st_mode & 0o020 else OWNER
    if os.name == "posix" and status.st_mode & 0o777 & ~mode and status.st_uid == os.geteuid():
        path.chmod(status.st_mode & mode)
    return mode


def opened(path: Path, flags: int, mode: int) -> int:
    """Open a file beside a ledger, or make it, with the rights of the ledger; never a link."""
    handle = os.open(path, flags | os.O_CREAT | _NO_LINK, mode)
    if os.name == "posix":
        status = os.fstat(handle)
        if status.st_mode & 0o777 != mode and status.st_uid == os.geteuid():
            os.fchmod(handle, mode)
    return handle
