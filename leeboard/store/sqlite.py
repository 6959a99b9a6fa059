"""The store on disk: SQLite with a write-ahead log, many short-lived processes at once.

Every method raises EffectError when disk or database fail and StateError when what is stored is damaged or newer than
this version; a damaged file is never removed. A store belongs to the thread that opened it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Self

import msgspec

from leeboard.errors import ConfigError, StateError
from leeboard.model.contract import Allowance, Contract, Held
from leeboard.model.known import Known
from leeboard.model.ledger import Entry, Rows
from leeboard.model.lookup import Cursor, Heartbeat, Receipt
from leeboard.model.outcome import Capture, Judged, Offer, Outcome, Step
from leeboard.model.session import Session
from leeboard.model.verdict import Finding, Verdict
from leeboard.store import receipts
from leeboard.store.database import (
    ALLOWANCE,
    CAPTURE,
    CORRECTION,
    CURSOR,
    FINDING,
    JUDGED,
    STEP,
    VERDICT,
    VERSION,
    Database,
)
from leeboard.store.rows import (
    Sessions,
    read_answer,
    read_entries,
    read_known,
    read_newest,
    read_newest_known,
    read_rows,
    read_writers,
    readable_session,
    write_outcome,
)

if TYPE_CHECKING:
    from leeboard.model.truth import Baseline, TrackedFile
    from leeboard.store.traffic import Traffic


_CURSOR = CURSOR.select("FROM cursors WHERE path = ?")
_PUT_CURSOR = CURSOR.insert("cursors", key="path")


def open_store(path: str, *, lock_path: str | None = None, patience: float | None = None) -> SqliteStore:
    """Open or make the database at `path` and bring its tables to this version.

    `patience`: seconds it may wait for others in all, before it gives up with BusyError.
    """
    database = Database(path, lock_path or f"{path}.lock", patience)
    try:
        database.run("PRAGMA synchronous = NORMAL")
        if database.version() != VERSION:
            from leeboard.store.tables import migrate  # noqa: PLC0415 - every process asks, few have to migrate

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
        return self._sessions.read(session_id, self._version if session_id == self._session_id else None)

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
        self._sessions.keep(write_outcome(self._database, outcome, self._version + 1))
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

    def allowances(self, project: str, session_id: str | None, now: float) -> tuple[Allowance, ...]:
        return allowances(self._database, project, session_id, now)

    def cursor(self, path: str) -> Cursor | None:
        row = self._database.one(_CURSOR, (path,))
        return None if row is None else CURSOR.read(row)

    def transaction(self, session_id: str) -> SqliteTransaction:
        return SqliteTransaction(self._database, self._sessions, session_id)

    def receipt(self, receipt: Receipt) -> None:
        with self._database.writing():
            receipts.put(self._database, receipt)

    def beat(self, project: str, heartbeat: Heartbeat) -> None:
        """That something was heard which is no hook's own receipt."""
        with self._database.writing():
            receipts.beat(self._database, project, heartbeat)

    def heartbeats(self, project: str) -> tuple[Heartbeat, ...]:
        return receipts.heartbeats(self._database, project)

    def calls_heard(self, session_id: str, at: tuple[str, ...] = ()) -> tuple[frozenset[str], float]:
        return receipts.calls_heard(self._database, session_id, at)

    def past_steps(
        self, session_id: str, files: Iterable[str], folders: Iterable[str], keywords: Iterable[str]
    ) -> tuple[Step, ...]:
        from leeboard.store import retrieval  # noqa: PLC0415 - only where past work is recalled

        return retrieval.past_steps(self._database, session_id, files, folders, keywords)

    def sessions(self, project: str | None, limit: int) -> tuple[Session, ...]:
        return sessions(self._database, project, limit)

    def held(self, root: str) -> Held | None:
        return held(self._database, root)

    def steps(self, session_id: str) -> tuple[Step, ...]:
        return steps(self._database, session_id)

    def verdicts(self, session_id: str) -> tuple[Verdict, ...]:
        return verdicts(self._database, session_id)

    def verdict(self, verdict_id: str) -> Verdict | None:
        return verdict(self._database, verdict_id)

    def findings(self, verdict_id: str) -> tuple[Finding, ...]:
        return findings(self._database, verdict_id)

    def corrections(self, session_id: str) -> tuple[Offer, ...]:
        return corrections(self._database, session_id)

    def signals(self, session_id: str) -> tuple[Judged, ...]:
        return signals(self._database, session_id)

    def signal(self, signal_id: str) -> Judged | None:
        return signal(self._database, signal_id)

    def recent_signals(self, project: str, since: float) -> tuple[tuple[str, Judged], ...]:
        return recent_signals(self._database, project, since)

    def captures(self, project: str) -> tuple[Capture, ...]:
        return captures(self._database, project)

    def receipts(self, limit: int) -> tuple[Receipt, ...]:
        return receipts.newest(self._database, limit)

    def hook_receipts(self, project: str, limit: int) -> tuple[Receipt, ...]:
        return receipts.of_hooks(self._database, project, limit)

    def receipts_ended(self, outcome: str, limit: int) -> tuple[Receipt, ...]:
        return receipts.ended(self._database, outcome, limit)

    def allow(self, allowance: Allowance, project: str) -> None:
        allow(self._database, allowance, project)

    def revoke(self, allowance_id: str) -> bool:
        return revoke(self._database, allowance_id)

    def baseline(self, project: str) -> Baseline | None:
        from leeboard.store import tracked  # noqa: PLC0415 - only where a project has files tracked

        return tracked.read_baseline(self._database, project)

    def acknowledge(
        self, project: str, patterns: tuple[str, ...], files: Sequence[TrackedFile], gone: Iterable[str] = ()
    ) -> None:
        from leeboard.store import tracked  # noqa: PLC0415 - as above

        tracked.acknowledge(self._database, project, patterns, files, gone)

    def told_of_tracked(self, session_id: str) -> dict[str, str]:
        """Paths and the digests of them that a session has heard of."""
        from leeboard.store import tracked  # noqa: PLC0415 - as above

        return tracked.told_of(self._database, session_id)

    def keep_told_of_tracked(self, session_id: str, told: Mapping[str, str]) -> None:
        from leeboard.store import tracked  # noqa: PLC0415 - as above

        tracked.keep_told(self._database, session_id, told)

    def changed_outside(self, project: str) -> frozenset[str]:
        """Tracked paths that somebody else than an agent has changed since they were acknowledged."""
        from leeboard.store import tracked  # noqa: PLC0415 - as above

        return tracked.outside(self._database, project)

    def keep_changed_outside(self, project: str, paths: Iterable[str]) -> None:
        from leeboard.store import tracked  # noqa: PLC0415 - as above

        tracked.keep_outside(self._database, project, paths)

    @property
    def traffic(self) -> Traffic:
        """What the proxy carried, and put into requests."""
        from leeboard.store.traffic import Traffic  # noqa: PLC0415 - only where somebody carries the traffic

        return Traffic(self._database)

    @property
    def pages(self) -> Database:
        """For `leeboard.store.paging`, which reads what is kept a page at a time."""
        return self._database

    def mark_abandoned(self, before: float) -> int:
        from leeboard.store import forgetting  # noqa: PLC0415 - only where a session begins

        return forgetting.mark_abandoned(self._database, before)

    def purge(self, before: float) -> int:
        from leeboard.store import forgetting  # noqa: PLC0415 - as above

        return forgetting.purge(self._database, before)

    def use_again(self, patience: float) -> None:
        """For a store that stays open from one hook to the next: StateError where its tables are of another version."""
        self._database.wait_for(patience)
        if self._database.version() != VERSION:
            raise StateError("the tables are of another version by now")

    def check_version(self) -> None:
        """For a store that stays open: StateError where a newer Leeboard has changed the tables meanwhile."""
        self._database.version()

    def close(self) -> None:
        self._database.close()


# What people ask: lists of what is kept, and their own words.


_AFTER_ANY_CHARACTER = "\U0010ffff"

_SESSIONS = "SELECT session_id FROM session_hot ORDER BY updated DESC, rowid DESC LIMIT ?"
_SESSIONS_OF = "SELECT session_id FROM session_hot WHERE project = ? ORDER BY updated DESC, rowid DESC LIMIT ?"
_CONTRACT = "SELECT data, session, updated FROM contracts WHERE root = ?"
_STEPS = STEP.select(
    "FROM (SELECT seq, step_id FROM step_order WHERE session_id = ?) CROSS JOIN steps ON id = step_id ORDER BY seq"
)
_VERDICTS = VERDICT.select("FROM verdicts WHERE session = ? ORDER BY rowid")
_VERDICT = VERDICT.select("FROM verdicts WHERE id = ?")
_VERDICT_STARTING = VERDICT.select("FROM verdicts WHERE id >= ? AND id < ? LIMIT 2")
_FINDINGS = FINDING.select("FROM findings WHERE verdict_id = ? ORDER BY rowid")
_CORRECTIONS = CORRECTION.select(", state FROM corrections WHERE session = ? ORDER BY rowid")
_SIGNALS = JUDGED.select("FROM signals WHERE session = ? ORDER BY rowid")
_SIGNAL_STARTING = JUDGED.select("FROM signals WHERE id >= ? AND id < ? LIMIT 4")
_RECENT_SIGNALS = JUDGED.select(
    ", session FROM signals WHERE session IN (SELECT session_id FROM session_hot WHERE project = ?) AND updated >= ? "
    "ORDER BY updated, rowid LIMIT 1000"
)
_CAPTURES = CAPTURE.select("FROM captures WHERE project_path = ? ORDER BY updated DESC, rowid DESC")
_ALLOWANCES = ALLOWANCE.select(
    "FROM allowances WHERE project = ? AND (session = '' OR session = coalesce(?, session)) "
    "AND (until = 0 OR until > ?) ORDER BY rowid"
)
_PUT_ALLOWANCE = ALLOWANCE.insert("allowances", "project", key="id")


def sessions(database: Database, project: str | None, limit: int) -> tuple[Session, ...]:
    """Those that this version can read."""
    rows = database.all(_SESSIONS, (limit,)) if project is None else database.all(_SESSIONS_OF, (project, limit))
    found = (readable_session(database, str(row[0])) for row in rows)
    return tuple(session for session in found if session is not None)


def held(database: Database, root: str) -> Held | None:
    row = database.one(_CONTRACT, (root,))
    if row is None:
        return None
    try:
        contract = msgspec.json.decode(row[0], type=Contract)
    except msgspec.MsgspecError as error:
        raise StateError(f"the stored contract of {root} can not be read: {error}") from error
    return Held(root=root, contract=contract, title=contract.objective, session=str(row[1]), updated=float(row[2]))


def steps(database: Database, session_id: str) -> tuple[Step, ...]:
    return tuple(STEP.read(row) for row in database.all(_STEPS, (session_id,)))


def verdicts(database: Database, session_id: str) -> tuple[Verdict, ...]:
    return tuple(VERDICT.read(row) for row in database.all(_VERDICTS, (session_id,)))


def verdict(database: Database, start: str) -> Verdict | None:
    rows = database.all(_VERDICT, (start,))
    if not rows and start:
        rows = database.all(_VERDICT_STARTING, (start, start + _AFTER_ANY_CHARACTER))
    if len(rows) > 1:
        raise ConfigError(f"several verdicts start with {start!r}: give more of the id")
    return VERDICT.read(rows[0]) if rows else None


def findings(database: Database, verdict_id: str) -> tuple[Finding, ...]:
    return tuple(FINDING.read(row) for row in database.all(_FINDINGS, (verdict_id,)))


def corrections(database: Database, session_id: str) -> tuple[Offer, ...]:
    return tuple(Offer(CORRECTION.read(row), row[-1]) for row in database.all(_CORRECTIONS, (session_id,)))


def signals(database: Database, session_id: str) -> tuple[Judged, ...]:
    return tuple(JUDGED.read(row) for row in database.all(_SIGNALS, (session_id,)))


def signal(database: Database, start: str) -> Judged | None:
    rows = database.all(_SIGNAL_STARTING, (start, start + _AFTER_ANY_CHARACTER)) if start else []
    if len({row[0] for row in rows}) > 1:
        raise ConfigError(f"several signals start with {start!r}: give more of the id")
    return JUDGED.read(rows[0]) if rows else None


def recent_signals(database: Database, project: str, since: float) -> tuple[tuple[str, Judged], ...]:
    """With the session they belong to, in the order they changed."""
    return tuple((str(row[-1]), JUDGED.read(row)) for row in database.all(_RECENT_SIGNALS, (project, since)))


def captures(database: Database, project: str) -> tuple[Capture, ...]:
    return tuple(CAPTURE.read(row) for row in database.all(_CAPTURES, (project,)))


def allowances(database: Database, project: str, session_id: str | None, now: float) -> tuple[Allowance, ...]:
    return tuple(ALLOWANCE.read(row) for row in database.all(_ALLOWANCES, (project, session_id, now)))


def allow(database: Database, allowance: Allowance, project: str) -> None:
    with database.writing():
        database.run(_PUT_ALLOWANCE, ALLOWANCE.row(allowance, project))


def revoke(database: Database, allowance_id: str) -> bool:
    with database.writing():
        return database.run("DELETE FROM allowances WHERE id = ?", (allowance_id,)) > 0
