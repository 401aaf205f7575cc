"""The ledger's file: SQLite with a rollback journal, one transaction at a time.

Not the write-ahead log: before SQLite 3.51.3 it can lose committed pages when one process writes
while another one checkpoints. EXTRA also syncs the folder after the journal is gone, without which
a power cut can undo an acknowledged charge.

That a release is out changes no sum. It is noted in a file beside the ledger without a sync, and
becomes an event in the next transaction: a note that a power cut takes leaves a reservation, which
counts as before. A file that names a server (`server.py`) stands for the ledger there.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacit.core.errors import InvalidArgument
from tacit.data.ledger import balances, days, lock, server
from tacit.data.ledger.balances import Balances
from tacit.data.ledger.chain import START, Event, canonical, follow
from tacit.data.ledger.modes import narrowed, opened
from tacit.data.ledger.replay import verify_lines
from tacit.data.ledger.server import File, ServerTables

APPLICATION, FORMAT = 0x74616369, 2
MAGIC = b"SQLite format 3\0"
_SEAL = ("CREATE TABLE seal (mac TEXT NOT NULL)", "INSERT INTO seal VALUES ('')")
_KEYED = "(account TEXT, analyst TEXT, body TEXT NOT NULL, PRIMARY KEY (account, analyst))"
TABLES = (
    "CREATE TABLE event (number INTEGER PRIMARY KEY, body TEXT NOT NULL, hash TEXT NOT NULL)",
    "CREATE TABLE secret (key TEXT NOT NULL)",
    "CREATE TABLE dataset (account TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    "CREATE TABLE identity (digest TEXT PRIMARY KEY, account TEXT NOT NULL)",
    f"CREATE TABLE cap {_KEYED} WITHOUT ROWID",
    f"CREATE TABLE spent {_KEYED} WITHOUT ROWID",
    "CREATE TABLE pending (id TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID",
    *_SEAL,
    *(
        f"CREATE TRIGGER no_{deed} BEFORE {deed} ON event "
        "BEGIN SELECT RAISE(ABORT, 'what happened stays'); END"
        for deed in ("DELETE", "UPDATE")
    ),
)
SETTINGS = (
    "PRAGMA journal_mode = DELETE",
    "PRAGMA synchronous = EXTRA",
    "PRAGMA fullfsync = ON",
    "PRAGMA trusted_schema = OFF",
)


@dataclass(slots=True)
class Book:
    """A ledger that is held alone: its file, its balances as they are now, and its last event.

    `time` never runs back: it is the machine's, or that of the last event where the clock is behind
    it, so that no clock opens a year of a budget again. `noted` are releases of which it is not
    yet an event that they are out.
    """

    file: File
    held: Balances
    noted: Sequence[str]
    number: int
    hash: str
    time: str

    @classmethod
    def open(cls, file: File, held: Balances, noted: Sequence[str] = ()) -> Book:
        """Go on where the balances end."""
        number, digest, time = held.last
        return cls(file, held, noted, number, digest, max(time, days.now()))

    @property
    def day(self) -> str:
        """The day of what happens now."""
        return self.time[:10]

    def execute(self, query: str, values: Sequence[object] = ()) -> Any:
        """Ask the tables."""
        return self.file.execute(query, values)

    def append(self, kind: str, body: dict[str, Any]) -> int:
        """Add an event to the chain and return its number."""
        text = canonical({"kind": kind, "time": self.time} | body)
        self.number, self.hash = self.number + 1, follow(self.hash, text)
        self.execute("INSERT INTO event VALUES (?, ?, ?)", (self.number, text, self.hash))
        self.held = self.held.put("event", (str(self.number), self.hash, text))
        return self.number

    def put(self, table: str, *row: str) -> None:
        """Write a row of the balances; a cap and what is spent replace those before."""
        anew = (
            "ON CONFLICT (account, analyst) DO UPDATE SET body = excluded.body" if row[2:] else ""
        )
        marks = ", ".join("?" * len(row))
        self.execute(f"INSERT INTO {table} VALUES ({marks}) {anew}", row)  # noqa: S608
        self.held = self.held.put(table, row)

    def commit(self) -> None:
        """Make events of releases that are out."""
        for reservation in dict.fromkeys(self.noted):
            if reservation in self.held.pending:
                self.execute("DELETE FROM pending WHERE id = ?", (reservation,))
                self.held = self.held.without("pending", reservation)
                self.append("commit", {"id": reservation})

    def events(self, *, whole: bool = False) -> Iterator[Event]:
        """Yield all events in order; a chain that must be `whole` is followed."""
        before = START
        for number, body, digest in self.execute("SELECT * FROM event ORDER BY number"):
            if whole and digest != (before := follow(before, str(body))):
                raise InvalidArgument(f"event {number} was changed: its hash does not follow")
            with balances.readable("event"):
                event = Event(number, json.loads(body), digest)
            yield event


def create(path: Path, *, key: str, first: dict[str, Any], at: str | None = None) -> None:
    """Make a ledger with its first event; a file that holds anything is refused.

    It is kept on the server that is named, if one is; where that has one already, it is that one.
    """
    if path.exists() and (not path.is_file() or path.stat().st_size):
        raise InvalidArgument(f"{path} exists already; name a new file for a new ledger")
    if not path.absolute().parent.is_dir():
        raise InvalidArgument(f"the folder {path.absolute().parent} does not exist")
    if at is not None:
        server.check_address(at)
        with server.founded(at) as tables:
            if tables is not None:
                tables.execute("INSERT INTO secret VALUES (?, ?)", (key, FORMAT))
                _first(tables, "init", first)
        with _usable(path):
            server.point(path, at)
        return
    with _transaction(path, mode="rwc") as file:
        for table in TABLES:
            file.execute(table)
        file.execute("INSERT INTO secret VALUES (?)", (key,))
        file.execute(f"PRAGMA application_id = {APPLICATION}")
        file.execute(f"PRAGMA user_version = {FORMAT}")
        _first(file, "init", first)


def _first(file: File, kind: str, body: dict[str, Any]) -> None:
    """Write the first event of this format, and seal the balances."""
    book = Book.open(file, Balances.read(file))
    book.append(kind, body | {"format": FORMAT})
    balances.seal(file, book.held)


@contextmanager
def alone(path: Path, *, sealed: bool = True) -> Iterator[Book]:
    """Hold the file alone; what is written is on the disk when the block ends, or not at all.

    Balances that something else has changed are refused, unless they are to be looked at only.
    """
    if (address := _address(path)) is not None:
        with server.transaction(address, balances.ON_A_SERVER) as tables:
            held = _there(tables.found)
            yield _checked(Book.open(tables, held, held.out), sealed=sealed)
        return
    with _transaction(path, mode="rw") as file:
        if _format(file, path) < FORMAT:
            _upgrade(file)
        done = _notes(path)
        noted = done.read_text(encoding="ascii", errors="replace") if done.exists() else ""
        yield _checked(Book.open(file, Balances.read(file), noted.split()), sealed=sealed)


def _there(found: Iterable[tuple[str, ...]]) -> Balances:
    held = Balances.of(found)
    held.check_format(FORMAT)
    return held


def _checked(book: Book, *, sealed: bool) -> Book:
    if sealed and not book.held.untouched:
        raise balances.changed()
    return book


@contextmanager
def transaction(path: Path) -> Iterator[Book]:
    """Hold the file alone, what was noted before having become events."""
    with alone(path) as book:
        before = book.number
        book.commit()
        yield book
        if book.number > before:
            balances.seal(book.file, book.held)
        if isinstance(book.file, ServerTables):
            if book.noted:
                book.execute("DELETE FROM done WHERE id = ANY(?)", (list(book.noted),))
            return
        book.execute("COMMIT")
        _notes(path).unlink(missing_ok=True)


def look(path: Path) -> Balances:
    """Return the balances as they are now, of which a charge may find others."""
    if (address := _address(path)) is not None:
        return _there(server.look(address, balances.ON_A_SERVER))
    with alone(path, sealed=False) as book:
        return book.held


def note(path: Path, reservations: Sequence[str]) -> None:
    """Note that releases are out, which changes no balance: a ledger's file is not opened."""
    if (address := _address(path)) is not None:
        server.note(address, reservations)
        return
    where = _followed(path)
    with _usable(path), _locked(path, where, mode="rw"):
        handle = opened(_notes(path), os.O_RDWR | os.O_APPEND, narrowed(where))
        with os.fdopen(handle, "a", encoding="ascii") as notes:
            notes.writelines(f"{reservation}\n" for reservation in reservations)


def check_pages(file: File) -> None:
    """Refuse a file that SQLite itself finds damaged; a server looks after its own."""
    if not isinstance(file, sqlite3.Connection):
        return
    (state,) = file.execute("PRAGMA integrity_check").fetchone()
    if state != "ok":
        raise InvalidArgument(f"the file of the ledger is damaged: {state}")


def _format(file: sqlite3.Connection, path: Path) -> int:
    (application,), (version,) = (
        file.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version")
    )
    if application != APPLICATION:
        raise InvalidArgument(f"{path} is not a ledger")
    if not 1 <= version <= FORMAT:
        raise InvalidArgument(
            f"the ledger {path} has format {version}, this version of tacit reads {FORMAT}; "
            "update tacit"
        )
    return int(version)


def _upgrade(file: sqlite3.Connection) -> None:
    """Take over a ledger of 0.1.0, which had no seal, if its balances are what its events leave."""
    for statement in _SEAL:
        file.execute(statement)
    book = Book.open(file, Balances.read(file))
    book.held.check(verify_lines(event.line for event in book.events()))
    file.execute(f"PRAGMA user_version = {FORMAT}")
    _first(file, "upgrade", {})


def _followed(path: Path) -> Path:
    """Follow links; those that lead to themselves are left to whoever opens them."""
    return Path(os.path.realpath(path))


def _notes(path: Path) -> Path:
    where = _followed(path)
    return where.with_name(f"{where.name}.done")


@contextmanager
def _locked(path: Path, where: Path, *, mode: str) -> Iterator[None]:
    """Hold the ledger's lock; a file of another kind is refused, and no lock stays beside it.

    The file is looked at under the lock only: closing any handle on it ends SQLite's own locks of
    this process.
    """
    beside = where.with_name(f"{where.name}.lock")
    strange, rights = False, narrowed(where)
    with lock.locked(beside, rights):
        if mode == "rwc":  # the journal takes the rights of the file
            os.close(opened(where, os.O_RDWR, rights))
        else:
            with where.open("rb") as file:
                strange = file.read(len(MAGIC)) != MAGIC
        if not strange:
            yield
    if strange:
        if not beside.stat().st_size:
            beside.unlink()
        raise InvalidArgument(f"{path} is not a ledger; make one: tacit ledger init FILE")


def _address(path: Path) -> str | None:
    """Return the server that keeps a ledger, if one does."""
    where = _followed(path)
    if not where.is_file():
        raise InvalidArgument(f"there is no ledger {path}; make one: tacit ledger init {path}")
    with _usable(path):
        return server.address_of(where)


@contextmanager
def _transaction(path: Path, *, mode: str) -> Iterator[sqlite3.Connection]:
    where = _followed(path)
    with (
        _usable(path),
        _locked(path, where, mode=mode),
        closing(_connected(f"{where.as_uri()}?mode={mode}")) as file,
    ):
        file.execute("BEGIN IMMEDIATE")
        yield file  # an exception closes the file, which rolls back
        if file.in_transaction:
            file.execute("COMMIT")


@contextmanager
def _usable(path: Path) -> Iterator[None]:
    """Say in one sentence why a ledger cannot be used."""
    try:
        yield
    except sqlite3.Error as error:
        raise InvalidArgument(f"the ledger {path} cannot be used: {error}") from None
    except OSError as error:
        raise InvalidArgument(f"the ledger {path} cannot be used: {error.strerror}") from None


def _connected(address: str) -> sqlite3.Connection:
    file = sqlite3.connect(address, uri=True, isolation_level=None, timeout=lock.PATIENCE)
    try:
        for setting in SETTINGS:
            file.execute(setting)
    except sqlite3.Error:
        file.close()
        raise
    return file
