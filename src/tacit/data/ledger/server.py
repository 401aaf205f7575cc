"""A ledger that a PostgreSQL server keeps for a department; a small file says where it is.

Whoever would name a ledger's file names that one, so that nothing else knows of the server. A
transaction holds one lock of the database, as a ledger's file is held alone, and is on the server's
disk when it ends. It is two messages: one takes the lock and asks for all balances, one writes.

Nobody waits for the disk while holding the lock: `FLUSHED`. A client that is killed leaves no half
of a transaction; a server that is killed forgets what it had not acknowledged, and whoever waited
for it is told so and draws nothing.
"""

from __future__ import annotations

import atexit
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from logging import ERROR, getLogger
from pathlib import Path
from threading import local
from typing import Any

from tacit.core.errors import InvalidArgument, MissingExtra, Refused
from tacit.data.ledger.lock import PATIENCE
from tacit.data.ledger.modes import OWNER, opened

POINTER = "tacit ledger at "
"""How the file begins; the rest is a connection string of PostgreSQL."""
LONGEST = 4096
SCHEMA = "tacit_ledger"
Row = tuple[Any, ...]
_KEYED = "(account TEXT, analyst TEXT, body TEXT NOT NULL, PRIMARY KEY (account, analyst))"
_RAISE = "$$ BEGIN RAISE EXCEPTION 'what happened stays'; END $$"
TABLES = (
    f"CREATE SCHEMA {SCHEMA}",
    "CREATE TABLE event (number BIGINT PRIMARY KEY, body TEXT NOT NULL, hash TEXT NOT NULL)",
    "CREATE TABLE secret (key TEXT NOT NULL, format INTEGER NOT NULL)",
    "CREATE TABLE dataset (account TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    "CREATE TABLE identity (digest TEXT PRIMARY KEY, account TEXT NOT NULL)",
    f"CREATE TABLE cap {_KEYED}",
    f"CREATE TABLE spent {_KEYED}",
    "CREATE TABLE pending (id TEXT PRIMARY KEY, number BIGINT NOT NULL)",
    "CREATE TABLE done (id TEXT NOT NULL)",
    "CREATE TABLE seal (mac TEXT NOT NULL)",
    "INSERT INTO seal VALUES ('')",
    f"CREATE FUNCTION stays() RETURNS trigger LANGUAGE plpgsql AS {_RAISE}",
    "CREATE TRIGGER stays BEFORE DELETE OR UPDATE OR TRUNCATE ON event EXECUTE FUNCTION stays()",
)
LOCKED = ("BEGIN", "LOCK TABLE secret IN EXCLUSIVE MODE")
"""How to be alone. ACCESS EXCLUSIVE writes to the log, which who only reads need not."""
_FLUSH = "set_config('synchronous_commit', 'on', true), pg_logical_emit_message(true, 'tacit', '')"
FLUSHED = ("COMMIT", f"SELECT {_FLUSH}")
"""How to end: the commit lets go of the lock and waits for no disk; what comes after it waits.

The log of the server is one sequence: that the message is on the disk means that all before it is,
this transaction and those that it read. Others charge meanwhile, and one sync is enough for all who
wait. Both are sent over the connection of the transaction: had the server been killed in between,
that would be gone, and the caller told.
"""
_kept = local()
"""A thread's connections, by process and address: opening one takes longer than a charge."""


class ServerTables:
    """The tables of a ledger on a server, asked as those of a file are.

    `found` is what they held when the transaction began. What is written waits for the next
    question, or for the end, and goes with it in one message.
    """

    def __init__(self, cursor: Any, found: Sequence[Row] = ()) -> None:
        self.found = found
        self._cursor, self._waiting = cursor, list[str]()

    def execute(self, query: str, values: Sequence[object] = ()) -> Any:
        """Ask the server, with ? where values go; a question has a cursor for its answer."""
        self._waiting.append(self._cursor.mogrify(query.replace("?", "%s"), values))
        return self.send() if query.startswith("SELECT") else None

    def send(self, *ends: str) -> Any:
        """Send what waits, and return the cursor of the last answer."""
        said, self._waiting = [*self._waiting, *ends], []
        return _sent(self._cursor, said)


File = sqlite3.Connection | ServerTables
"""What the tables of a ledger are asked through, in a file or on a server."""


def address_of(path: Path) -> str | None:
    """Return the server that a file names; None if it is no such file."""
    with path.open("rb") as file:
        if file.read(len(POINTER)) != POINTER.encode():
            return None
        return file.read(LONGEST).decode(errors="replace").strip()


def check_address(address: str) -> None:
    """Refuse what cannot be written into the file that says where a ledger is."""
    if not address.strip() or len(address) > LONGEST - 1 or not address.isprintable():
        raise InvalidArgument(
            "at (--at) must be a connection string of PostgreSQL, as in "
            f"'host=db dbname=budgets user=tacit', of at most {LONGEST - 1} characters"
        )


def point(path: Path, address: str) -> None:
    """Write the file that says where a ledger is, for its owner alone: it may hold a password."""
    with os.fdopen(opened(path, os.O_WRONLY, OWNER), "w", encoding="utf-8") as file:
        file.write(f"{POINTER}{address}\n")
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def founded(address: str) -> Iterator[ServerTables | None]:
    """Make empty tables on a server and hold them; None if it has a ledger already."""
    with _ended(address, "BEGIN", ends=FLUSHED) as tables:
        known = "SELECT 1 FROM information_schema.schemata WHERE schema_name = ?"
        if tables.execute(known, (SCHEMA,)).fetchone():
            yield None
        else:
            for table in TABLES:
                tables.execute(table)
            yield tables


@contextmanager
def transaction(address: str, question: str) -> Iterator[ServerTables]:
    """Hold the ledger alone; what is written is on the server's disk when the block ends."""
    with _ended(address, *LOCKED, question, ends=FLUSHED) as tables:
        yield tables


def look(address: str, question: str) -> Sequence[Row]:
    """Return what one question finds, of one moment, without holding the ledger."""
    with _ended(address, question) as tables:
        return tables.found


def note(address: str, reservations: Sequence[str]) -> None:
    """Note that releases are out, which need not be on the disk: the next transaction tells it."""
    with _ended(address) as tables:
        tables.execute("INSERT INTO done SELECT unnest(?::text[])", (list(reservations),))


@contextmanager
def _ended(address: str, *begins: str, ends: Sequence[str] = ()) -> Iterator[ServerTables]:
    """Begin in one message, and end in another one with all that is said between.

    Tells in one sentence why something cannot be.
    """
    driver = _driver()
    try:
        connection, found = _begun(driver, address, begins)
        try:
            tables = ServerTables(driver.ClientCursor(connection), found)
            yield tables
            tables.send(*ends)
        except BaseException:
            connection.close()  # which rolls back; the next one opens another
            raise
    except driver.errors.LockNotAvailable:
        raise Refused(
            f"others have held the ledger on the server for {PATIENCE:g} seconds; try again when "
            "they are done: nothing was charged"
        ) from None
    except driver.Error as error:
        said = str(error).strip().partition("\n")[0]
        raise InvalidArgument(f"the ledger on the server cannot be used: {said}") from None


def _begun(driver: Any, address: str, begins: Sequence[str]) -> tuple[Any, Sequence[Row]]:
    """Begin on this thread's connection, or on a new one if the server has left it.

    A forked process does not share it. Returns also what the last statement found.
    """
    held = _kept.__dict__.setdefault("by_address", {})
    if (kept := held.pop((os.getpid(), address), None)) is not None:
        try:
            found = _found(driver, kept, begins)
        except driver.Error:
            if not kept.closed:  # it is the lock that could not be had
                kept.close()
                raise
        else:
            held[os.getpid(), address] = kept
            return kept, found
    connection = driver.connect(address, autocommit=True, connect_timeout=10)
    atexit.register(connection.close)
    connection.execute(
        f"SET search_path TO {SCHEMA}; SET lock_timeout TO '{PATIENCE:g}s'; "
        "SET synchronous_commit TO off"
    )
    held[os.getpid(), address] = connection
    return connection, _found(driver, connection, begins)


def _found(driver: Any, connection: Any, begins: Sequence[str]) -> Sequence[Row]:
    answer = _sent(driver.ClientCursor(connection), begins)
    return answer.fetchall() if answer.description else []


def _sent(cursor: Any, statements: Sequence[str]) -> Any:
    """Send statements in one message; return the cursor with the answer to the last one."""
    if statements:
        cursor.execute("; ".join(statements).encode())
        while cursor.nextset():
            pass
    return cursor


@cache
def _driver() -> Any:
    """Load psycopg where a server is used: it is the driver that PostgreSQL's community keeps."""
    getLogger("psycopg").setLevel(ERROR)  # what it warns of when a server is lost, we say
    try:
        return import_module("psycopg")
    except ImportError:
        raise MissingExtra(package="psycopg", extra="postgres") from None
