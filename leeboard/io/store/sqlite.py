"""The store on disk: SQLite with a write-ahead log, many short-lived processes at once.

Every method raises EffectError when disk or database fail and StateError when what is stored is damaged or newer than
this version; a damaged file is never removed. A store belongs to the thread that opened it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Self

from leeboard.errors import StateError
from leeboard.io.store import _archive, _housekeeping, _retrieval
from leeboard.io.store._database import Database
from leeboard.io.store._known import read_known, read_newest_known, read_writers
from leeboard.io.store._reading import Sessions, read_answer, read_entries, read_newest, read_rows
from leeboard.io.store._rows import CURSOR, RECEIPT
from leeboard.io.store._writing import write_outcome
from leeboard.io.store.migrations import migrate
from leeboard.model.contract import Allowance, Held
from leeboard.model.known import Known
from leeboard.model.ledger import Rows
from leeboard.model.lookup import Cursor, Receipt
from leeboard.model.outcome import Capture, Judged, Offer, Outcome, Step
from leeboard.model.registry import Entry
from leeboard.model.session import Session
from leeboard.model.verdict import Finding, Verdict

if TYPE_CHECKING:
    from leeboard.model.tracked import Baseline, TrackedFile

_CURSOR = CURSOR.select("FROM cursors WHERE path = ?")
_PUT_CURSOR = CURSOR.insert("cursors", key="path")
_PUT_RECEIPT = "INSERT INTO receipts (ts, event, outcome, session, ms, note, project) VALUES (?, ?, ?, ?, ?, ?, ?)"


def open_store(path: str, *, lock_path: str | None = None, patience: float | None = None) -> SqliteStore:
    """Open or make the database at `path` and bring its tables to this version.

    `patience`: seconds it may wait for others in all, before it gives up with BusyError.
    """
    database = Database(path, lock_path or f"{path}.lock", patience)
    try:
        database.run("PRAGMA synchronous = NORMAL")
        migrate(database)
    except BaseException:
        database.close()
        raise
    return SqliteStore(database)


class SqliteTransaction:
    """The lock and one write transaction. Several commits may be made; all of them stand or none."""

    def __init__(self, database: Database, sessions: Sessions, session_id: str) -> None:
        self._database = database
        self._sessions = sessions
        self._session_id = session_id
        self._writing = database.writing()
        self._loaded = 0
        self._version = 0

    def __enter__(self) -> Self:
        self._writing.__enter__()
        try:
            self._loaded = self._version = self._sessions.version(self._session_id)
        except BaseException as error:
            self._writing.__exit__(type(error))
            raise
        return self

    def __exit__(self, kind: object = None, *exc_info: object) -> None:
        if kind is not None:
            self._sessions.forget()
        self._writing.__exit__(kind, *exc_info)

    def session(self, session_id: str) -> Session | None:
        return self._sessions.read(session_id)

    def rows(self, session_id: str, terms: Iterable[str]) -> Rows:
        return read_rows(self._database, session_id, terms)

    def entries(self, session_id: str, kind: str, keys: Iterable[str]) -> tuple[Entry, ...]:
        return read_entries(self._database, session_id, kind, keys)

    def newest(self, session_id: str, kind: str, limit: int) -> tuple[Entry, ...]:
        return read_newest(self._database, session_id, kind, limit)

    def known(self, session_id: str, agent: str, root: str, path: str) -> Known | None:
        return read_known(self._database, session_id, agent, root, path)

    def newest_known(self, session_id: str, root: str, limit: int, agent: str | None = None) -> tuple[Known, ...]:
        return read_newest_known(self._database, session_id, root, limit, agent)

    def writers(self, root: str, path: str, digest: str) -> tuple[Known, ...]:
        return read_writers(self._database, root, path, digest)

    def answered(self, session_id: str, key: str) -> Verdict | None:
        return read_answer(self._database, session_id, key)

    def commit(self, outcome: Outcome) -> None:
        if outcome.session.id != self._session_id:
            raise ValueError(f"a transaction of {self._session_id} can not commit {outcome.session.id}")
        if outcome.session.version < self._loaded:
            raise StateError(f"session {self._session_id} has moved on since it was loaded")
        write_outcome(self._database, outcome, self._version + 1)
        self._version += 1

    def set_cursor(self, cursor: Cursor) -> None:
        self._database.run(_PUT_CURSOR, CURSOR.row(cursor))


class SqliteStore:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._sessions = Sessions(database)

    def session(self, session_id: str) -> Session | None:
        return self._sessions.read(session_id)

    def rows(self, session_id: str, terms: Iterable[str]) -> Rows:
        return read_rows(self._database, session_id, terms)

    def entries(self, session_id: str, kind: str, keys: Iterable[str]) -> tuple[Entry, ...]:
        return read_entries(self._database, session_id, kind, keys)

    def newest(self, session_id: str, kind: str, limit: int) -> tuple[Entry, ...]:
        return read_newest(self._database, session_id, kind, limit)

    def known(self, session_id: str, agent: str, root: str, path: str) -> Known | None:
        return read_known(self._database, session_id, agent, root, path)

    def newest_known(self, session_id: str, root: str, limit: int, agent: str | None = None) -> tuple[Known, ...]:
        return read_newest_known(self._database, session_id, root, limit, agent)

    def writers(self, root: str, path: str, digest: str) -> tuple[Known, ...]:
        return read_writers(self._database, root, path, digest)

    def answered(self, session_id: str, key: str) -> Verdict | None:
        return read_answer(self._database, session_id, key)

    def allowances(self, project: str, session_id: str, now: float) -> tuple[Allowance, ...]:
        return _archive.allowances(self._database, project, session_id, now)

    def cursor(self, path: str) -> Cursor | None:
        row = self._database.one(_CURSOR, (path,))
        return None if row is None else CURSOR.read(row)

    def transaction(self, session_id: str) -> SqliteTransaction:
        return SqliteTransaction(self._database, self._sessions, session_id)

    def receipt(self, receipt: Receipt) -> None:
        with self._database.writing():
            self._database.run(_PUT_RECEIPT, RECEIPT.row(receipt))

    def past_steps(
        self, session_id: str, files: Iterable[str], folders: Iterable[str], keywords: Iterable[str]
    ) -> tuple[Step, ...]:
        return _retrieval.past_steps(self._database, session_id, files, folders, keywords)

    def sessions(self, project: str | None, limit: int) -> tuple[Session, ...]:
        return _archive.sessions(self._database, project, limit)

    def held(self, root: str) -> Held | None:
        return _archive.held(self._database, root)

    def steps(self, session_id: str) -> tuple[Step, ...]:
        return _archive.steps(self._database, session_id)

    def verdicts(self, session_id: str) -> tuple[Verdict, ...]:
        return _archive.verdicts(self._database, session_id)

    def verdict(self, verdict_id: str) -> Verdict | None:
        return _archive.verdict(self._database, verdict_id)

    def findings(self, verdict_id: str) -> tuple[Finding, ...]:
        return _archive.findings(self._database, verdict_id)

    def corrections(self, session_id: str) -> tuple[Offer, ...]:
        return _archive.corrections(self._database, session_id)

    def signals(self, session_id: str) -> tuple[Judged, ...]:
        return _archive.signals(self._database, session_id)

    def signal(self, signal_id: str) -> Judged | None:
        return _archive.signal(self._database, signal_id)

    def recent_signals(self, project: str, since: float) -> tuple[tuple[str, Judged], ...]:
        return _archive.recent_signals(self._database, project, since)

    def captures(self, project: str) -> tuple[Capture, ...]:
        return _archive.captures(self._database, project)

    def receipts(self, limit: int) -> tuple[Receipt, ...]:
        return _archive.receipts(self._database, limit)

    def allow(self, allowance: Allowance, project: str) -> None:
        _archive.allow(self._database, allowance, project)

    def revoke(self, allowance_id: str) -> bool:
        return _archive.revoke(self._database, allowance_id)

    def baseline(self, project: str) -> Baseline | None:
        from leeboard.io.store import _tracked  # noqa: PLC0415 - only where a project has files tracked

        return _tracked.read_baseline(self._database, project)

    def acknowledge(
        self, project: str, patterns: tuple[str, ...], files: Sequence[TrackedFile], gone: Iterable[str] = ()
    ) -> None:
        from leeboard.io.store import _tracked  # noqa: PLC0415 - as above

        _tracked.acknowledge(self._database, project, patterns, files, gone)

    def told_of_tracked(self, session_id: str) -> dict[str, str]:
        """Paths and the digests of them that a session has heard of."""
        from leeboard.io.store import _tracked  # noqa: PLC0415 - as above

        return _tracked.told_of(self._database, session_id)

    def keep_told_of_tracked(self, session_id: str, told: Mapping[str, str]) -> None:
        from leeboard.io.store import _tracked  # noqa: PLC0415 - as above

        _tracked.keep_told(self._database, session_id, told)

    def changed_outside(self, project: str) -> frozenset[str]:
        """Tracked paths that somebody else than an agent has changed since they were acknowledged."""
        from leeboard.io.store import _tracked  # noqa: PLC0415 - as above

        return _tracked.outside(self._database, project)

    def keep_changed_outside(self, project: str, paths: Iterable[str]) -> None:
        from leeboard.io.store import _tracked  # noqa: PLC0415 - as above

        _tracked.keep_outside(self._database, project, paths)

    def mark_abandoned(self, before: float) -> int:
        return _housekeeping.mark_abandoned(self._database, before)

    def purge(self, before: float) -> int:
        return _housekeeping.purge(self._database, before)

    def close(self) -> None:
        self._database.close()
