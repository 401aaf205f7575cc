"""The workspace: one folder, with tables on top and a folder for each run; nothing leaves it."""

from __future__ import annotations

import os
import re
import shutil
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tacit.core.errors import InvalidArgument, Refused

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._()-]{0,99}")
TABLES = (".csv", ".parquet")
OUTPUTS = ("model.json", "report.html", "rules.sql", "notebook.ipynb", "schema.toml")
RUN = re.compile(r"run-\d{4}")
LEDGER = "budget.db"
LARGEST = 512 * 1024 * 1024
OPENED = "tacit-open-"
LEFT = re.compile(
    rf"\..{{1,100}}\.[0-9a-f]{{16}}\.part|{OPENED}[a-z0-9_]{{8}}|\.tacit-[a-z0-9_]{{8}}"
)
"""What a killed server leaves behind: half a table, a page that leads nowhere, a rehearsal."""

STALE = 3600.0
"""Seconds after which no server that runs can still be at it."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """A folder that was named when the explorer was started.

    Names are matched against what may be, never joined and then looked at; links are not followed.
    """

    folder: Path

    @classmethod
    def at(cls, folder: Path) -> Workspace:
        """Open a folder, making it if it is not there."""
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return cls(folder.resolve(strict=True))
        except OSError as error:
            raise InvalidArgument(
                f"--workspace: {folder} cannot be used ({error.strerror}); name another folder"
            ) from None

    @property
    def ledger(self) -> Path:
        """Where the budgets of this workspace's tables are kept."""
        return self.folder / LEDGER

    def sweep(self) -> None:
        """Remove what an earlier server was not allowed to finish."""
        for path in self.folder.iterdir():
            with suppress(OSError):
                if LEFT.fullmatch(path.name) and path.lstat().st_mtime < time.time() - STALE:
                    shutil.rmtree(path) if path.is_dir() else path.unlink()

    def tables(self) -> list[str]:
        """Return the names of the tables that are there."""
        found = sorted(path.name for path in self.folder.iterdir() if _is_file(path))
        return [name for name in found if _table_name(name)]

    def table(self, name: str) -> Path:
        """Return the path of a table."""
        if not _table_name(name) or not _is_file(path := self.folder / name):
            raise InvalidArgument(f"the workspace has no table {name[:100]!r}")
        return path

    def output(self, run: str, name: str) -> Path:
        """Return the path of a file that a run has written."""
        if not RUN.fullmatch(run) or name not in OUTPUTS:
            raise InvalidArgument("there is no such file")
        folder, path = self.folder / run, self.folder / run / name
        if folder.is_symlink() or not _is_file(path):
            raise InvalidArgument("there is no such file")
        return path

    def new_run(self) -> Path:
        """Make the folder of the next run."""
        for number in range(1, 10000):
            folder = self.folder / f"run-{number:04}"
            try:
                folder.mkdir(mode=0o700)
            except FileExistsError:
                continue
            return folder
        raise Refused("the workspace has 9999 runs; begin another with --workspace")

    def upload(self, name: str) -> Upload:
        """Begin to write a new table; one of the same name is never replaced."""
        if not _table_name(name):
            raise InvalidArgument(
                "a table's name has letters, digits, spaces and . _ - ( ) only, and ends in .csv "
                "or .parquet"
            )
        path = self.folder / name
        if os.path.lexists(path):
            raise InvalidArgument(f"the workspace has a table {name!r} already; rename yours")
        return Upload(path, path.with_name(f".{name}.{os.urandom(8).hex()}.part"))


@dataclass(frozen=True, slots=True)
class Upload:
    """A table that is being written; it takes its place when it is whole."""

    path: Path
    part: Path

    def keep(self) -> None:
        """Put it in its place, unless another has taken that in the meantime."""
        try:
            os.link(self.part, self.path)
        except FileExistsError:
            raise InvalidArgument("the workspace has a table of this name already") from None
        finally:
            self.drop()

    def drop(self) -> None:
        """Remove what was written."""
        self.part.unlink(missing_ok=True)


def _table_name(name: str) -> bool:
    return bool(NAME.fullmatch(name)) and name.lower().endswith(TABLES)


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()
