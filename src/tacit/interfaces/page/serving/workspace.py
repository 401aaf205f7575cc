"""The workspace: one folder, with tables on top and a folder for each run; nothing leaves it."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tacit.core.errors import InvalidArgument, Refused

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._()-]{0,99}")
TABLES = (".csv", ".parquet")
OUTPUTS = (
    "model.json",
    "report.html",
    "rules.sql",
    "notebook.ipynb",
    "schema.toml",
    "release.zip",
    "answers.csv",
    "rows.csv",
)
RUN = re.compile(r"run-\d{4}")
LEDGER = "budget.db"
LARGEST = 512 * 1024 * 1024
OPENED = "tacit-open-"
LEFT = re.compile(
    rf"\..{{1,100}}\.[0-9a-f]{{16}}\.part|{OPENED}[a-z0-9_]{{8}}|\.tacit-\d{{1,10}}-[a-z0-9_]{{8}}"
)
"""What a killed server leaves behind: half a table, a page that leads nowhere, half a run."""

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

    @property
    def runs(self) -> list[str]:
        """The runs that have written a model, the last first."""
        found = sorted((path.name for path in self.folder.iterdir()), reverse=True)
        named = [self.folder / name for name in found if RUN.fullmatch(name)]
        kept = [each for each in named if not each.is_symlink() and _is_file(each / "model.json")]
        return [each.name for each in kept]

    @contextmanager
    def draft(self) -> Iterator[Path]:
        """Give a folder to write in, which goes at the end unless it is kept as a run.

        Its name says who writes: whoever ends that process knows what to remove.
        """
        with TemporaryDirectory(prefix=drafts_of(os.getpid()), dir=self.folder) as folder:
            inner = Path(folder) / "run"
            inner.mkdir(mode=0o700)
            yield inner

    def keep(self, draft: Path) -> str:
        """Make a draft the next run, whole or not at all, and return its name."""
        for number in range(1, 10000):
            path = self.folder / f"run-{number:04}"
            if os.path.lexists(path):
                continue
            try:
                draft.rename(path)
            except OSError:
                if not os.path.lexists(path):
                    raise
                continue  # another server was quicker
            return path.name
        raise Refused("the workspace has 9999 runs; begin another with --workspace")

    def clear(self, process: int) -> None:
        """Remove what a process was writing that was ended."""
        for path in self.folder.glob(f"{drafts_of(process)}*"):
            shutil.rmtree(path, ignore_errors=True)

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


def drafts_of(process: int) -> str:
    """Return how the names of the folders begin that a process writes in."""
    return f".tacit-{process}-"


def _table_name(name: str) -> bool:
    return bool(NAME.fullmatch(name)) and name.lower().endswith(TABLES)


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()
