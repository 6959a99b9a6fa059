"""One SQLite connection: every statement of the store goes through here, and every failure leaves it as our own error.

Writers take the file lock before they begin: SQLite lets waiters poll, the lock wakes them in turn, which serves fifty
of them four times faster. Readers take no lock; the write-ahead log gives them the last committed state.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

import msgspec

from leeboard.errors import BusyError, EffectError, LeeboardError, NewerStateError, StateError
from leeboard.io import clock
from leeboard.io.file import DEADLINE, FileLock, file_lock
from leeboard.io.places import make_private_file
from leeboard.model.contract import Allowance
from leeboard.model.ledger import Entry
from leeboard.model.lookup import Cursor, Heartbeat, Receipt
from leeboard.model.outcome import Capture, Judged, Step
from leeboard.model.verdict import Correction, Finding, Verdict

VERSION = 9
"""How many migrations `tables` has: known without them, since every process asks and few have to migrate."""
BUSY_SECONDS = 5.0
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_REASONS = {
    sqlite3.SQLITE_READONLY: "it can not be written: check the permissions of the file and its folder",
    sqlite3.SQLITE_CANTOPEN: "it can not be opened: check the permissions of the file and its folder",
    sqlite3.SQLITE_PERM: "it can not be opened: check the permissions of the file and its folder",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk failed",
    sqlite3.SQLITE_BUSY: "another program holds it locked",
    sqlite3.SQLITE_LOCKED: "another program holds it locked",
}


class Database:
    """`patience`: seconds that may be waited for others in all, while it is open; None where nobody is in a hurry."""

    def __init__(self, path: str, lock_path: str, patience: float | None = None) -> None:
        self.path = path
        self.lock_path = lock_path
        self._patience = patience
        try:
            # SQLite gives the files beside the database its mode, so it is set before the first byte.
            make_private_file(path)
            seconds = BUSY_SECONDS if patience is None else patience
            self._connection = sqlite3.connect(path, timeout=seconds, isolation_level=None)
            self._busy_milliseconds = int(seconds * 1000)
        except OSError as error:
            raise EffectError(f"can not make {path}: {error.strerror}") from error
        except sqlite3.Error as error:
            raise self._translated(error) from error

    def all(self, sql: str, parameters: Sequence[object] = ()) -> list[Any]:
        return self._execute(sql, parameters).fetchall()

    def one(self, sql: str, parameters: Sequence[object] = ()) -> Any | None:
        return self._execute(sql, parameters).fetchone()

    def run(self, sql: str, parameters: Sequence[object] = ()) -> int:
        """How many rows it changed."""
        return self._execute(sql, parameters).rowcount

    def put(self, sql: str, parameters: Sequence[object]) -> int:
        """The number of the row it made."""
        return self._execute(sql, parameters).lastrowid or 0

    def run_each(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        """For statements that may be run twice with the same row."""
        if not rows:
            return  # even so, the statement would be compiled, at twice the price of a row
        try:
            self._connection.executemany(sql, rows)
        except UnicodeEncodeError:
            self.run_each(sql, [clean_row(row) for row in rows])
        except sqlite3.Error as error:
            raise self._translated(error) from error

    def version(self) -> int:
        """How many migrations were applied. StateError where a newer Leeboard applied more than there are here."""
        row = self.one("PRAGMA user_version")
        version = int(row[0]) if row else 0
        if version > VERSION:
            raise NewerStateError(f"{self.path} was written by a newer Leeboard: update this one")
        return version

    def writing(self) -> Writing:
        return Writing(self)

    def lock(self) -> FileLock:
        return file_lock(self.lock_path, DEADLINE if self._patience is None else self._patience)

    def wait_for(self, patience: float) -> None:
        """Begin anew to count what may be waited for others."""
        self._patience = patience
        milliseconds = int(patience * 1000)
        if milliseconds != self._busy_milliseconds:
            self.run(f"PRAGMA busy_timeout = {milliseconds}")
            self._busy_milliseconds = milliseconds

    def waited(self, since: float) -> None:
        """The time since then is taken from what is left of the patience."""
        if self._patience is not None:
            self._patience = max(0.0, self._patience - (clock.monotonic() - since))

    @property
    def in_transaction(self) -> bool:
        return self._connection.in_transaction

    def close(self) -> None:
        self._connection.close()

    def _execute(self, sql: str, parameters: Sequence[object]) -> sqlite3.Cursor:
        try:
            return self._connection.execute(sql, parameters)
        except UnicodeEncodeError:
            return self._execute(sql, clean_row(parameters))
        except sqlite3.Error as error:
            raise self._translated(error) from error

    def _translated(self, error: sqlite3.Error) -> LeeboardError:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in _DAMAGED:
            return StateError(f"{self.path} is damaged ({error}): move it away and a new one is made")
        if code == sqlite3.SQLITE_ERROR:
            return StateError(f"{self.path} does not have the tables of this version ({error})")
        kind = BusyError if code in _BUSY else EffectError
        return kind(f"{self.path}: {_REASONS.get(code, 'the database failed')} ({error})")


class Writing:
    """The lock and one transaction, for the length of a with block; an error inside takes everything back."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = database.lock()

    def __enter__(self) -> None:
        if self._database.in_transaction:
            raise RuntimeError("a transaction inside a transaction would wait for itself")
        began = clock.monotonic()
        try:
            self._lock.__enter__()
        finally:
            self._database.waited(began)
        try:
            self._database.run("BEGIN IMMEDIATE")
        except BaseException:
            self._lock.__exit__()
            raise

    def __exit__(self, kind: object = None, *exc_info: object) -> None:
        try:
            self.end(keep=kind is None)
        finally:
            self._lock.__exit__()

    def end(self, *, keep: bool) -> None:
        try:
            if keep:
                self._database.run("COMMIT")
        finally:
            if self._database.in_transaction:
                self._database.run("ROLLBACK")


# Halves of surrogate pairs, which odd file names and broken JSON bring, can be held by neither JSON nor SQLite.
#
# They become question marks, and only once writing has failed on one: whole text pays nothing.


def json_bytes(value: object) -> bytes:
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        return msgspec.json.encode(_clean(msgspec.to_builtins(value)))


def json_text(value: object) -> str:
    return json_bytes(value).decode()


def clean_row(parameters: Sequence[object]) -> Sequence[object]:
    return [_clean(parameter) for parameter in parameters]


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_clean(key): _clean(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(item) for item in value]
    return value


# Structs as rows and rows as structs: a column for each field, by the field's name.


Row = Sequence[Any]
Kind = TypeVar("Kind", bound=msgspec.Struct)


class Shape(Generic[Kind]):
    """`json` names the fields that are kept as JSON text, `flags` those that SQLite keeps as 0 and 1."""

    def __init__(self, kind: type[Kind], json: tuple[str, ...] = (), flags: tuple[str, ...] = ()) -> None:
        self._kind = kind
        self._many = tuple[kind, ...]  # type: ignore[valid-type] # known when the program runs
        self._fields = kind.__struct_fields__
        self._json = json
        self._flags = flags

    def row(self, value: Kind, *more: object) -> Row:
        fields = [
            json_text(field) if type(field) is tuple or isinstance(field, msgspec.Struct) else field
            for field in msgspec.structs.astuple(value)
        ]
        return (*fields, *more)

    def read(self, row: Row) -> Kind:
        values = dict(zip(self._fields, row, strict=False))
        try:
            for name in self._json:
                values[name] = None if values[name] is None else msgspec.json.decode(values[name])
            for name in self._flags:
                values[name] = bool(values[name])
            return msgspec.convert(values, self._kind)
        except (msgspec.MsgspecError, ValueError, TypeError) as error:
            raise StateError(f"a stored {self._kind.__name__.lower()} can not be read: {error}") from error

    def read_all(self, rows: Sequence[Row]) -> tuple[Kind, ...]:
        """The same of many at once, where no field is kept as anything else than it is."""
        if not rows:
            return ()
        try:
            return msgspec.convert([dict(zip(self._fields, row, strict=False)) for row in rows], self._many)
        except (msgspec.MsgspecError, ValueError, TypeError) as error:
            raise StateError(f"a stored {self._kind.__name__.lower()} can not be read: {error}") from error

    def select(self, rest: str) -> str:
        """SQL that reads every column, then what `rest` says."""
        return " ".join(("SELECT", ", ".join(self._fields), rest))

    def insert(self, table: str, *more: str, key: str) -> str:
        """SQL that writes a row, or writes over the one with the same key."""
        names = (*self._fields, *more)
        changes = ", ".join(f"{name} = excluded.{name}" for name in names if name not in key.split(", "))
        columns, marks = ", ".join(names), ", ".join("?" * len(names))
        return " ".join(
            ("INSERT INTO", table, f"({columns}) VALUES ({marks}) ON CONFLICT ({key}) DO UPDATE SET", changes)
        )


STEP = Shape(Step, json=("files", "folders", "keywords"), flags=("is_key_decision", "is_validated"))
VERDICT = Shape(Verdict, json=("rules", "paths", "trace"))
FINDING = Shape(Finding, json=("evidence", "signal"))
CORRECTION = Shape(Correction, json=("rules", "paths"))
CAPTURE = Shape(Capture, json=("tags",), flags=("had_halt", "needs_review"))
JUDGED = Shape(Judged, json=("trace",))
ENTRY = Shape(Entry)
ALLOWANCE = Shape(Allowance)
RECEIPT = Shape(Receipt)
HEARTBEAT = Shape(Heartbeat)
CURSOR = Shape(Cursor)
