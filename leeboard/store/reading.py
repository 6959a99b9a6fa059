"""The lookups steering needs, the same inside a transaction and outside."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from leeboard.errors import StateError
from leeboard.io import clock
from leeboard.model.contract import Constraint, ConstraintKind
from leeboard.model.ledger import Entry
from leeboard.model.session import SHAPE, Session
from leeboard.model.verdict import Verdict
from leeboard.store.database import ENTRY, Database, json_bytes, json_text

_HOT = "SELECT session_id, version, shape, data FROM session_hot WHERE session_id = ?"
_VERSION = "SELECT version FROM session_hot WHERE session_id = ?"
_STATE = (
    "SELECT project_path, original_goal, expected_scope, constraints, keywords, drift_history, escalation_count, "
    "status FROM session_states WHERE session_id = ?"
)
_ANSWER = "SELECT verdict FROM answers WHERE session_id = ? AND key = ?"
_ENTRIES = ENTRY.select(", seq FROM registry WHERE session_id = ? AND kind = ? AND key = ? ORDER BY seq DESC LIMIT 40")
_NEWEST = ENTRY.select("FROM registry WHERE session_id = ? AND kind = ? ORDER BY seq DESC LIMIT ?")
# Few lengths, so that few statements are compiled; the last term fills up the rest.
_LENGTHS = (4, 16, 64, 256)
_MET = {
    length: f"SELECT term, met FROM ledger WHERE session_id = ? AND term IN ({', '.join('?' * length)})"  # noqa: S608 - only question marks are put in
    for length in _LENGTHS
}


def read_session(database: Database, session_id: str) -> Session | None:
    row = database.one(_HOT, (session_id,))
    if row is None:
        return None
    try:
        return session_from(row)
    except UnreadableSession:
        state = database.one(_STATE, (session_id,))
        if state is None:
            raise
        return rebuilt_session(session_id, int(row[1]), state)


def readable_session(database: Database, session_id: str) -> Session | None:
    """None too for one that this version can not read."""
    try:
        return read_session(database, session_id)
    except StateError:
        return None


class Sessions:
    """The sessions of an open store. The one read last is not read again while it stands: every commit moves its
    version, and a hook asks three times.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._last: Session | None = None

    def version(self, session_id: str) -> int:
        """0 where there is no such session."""
        row = self._database.one(_VERSION, (session_id,))
        return int(row[0]) if row else 0

    def read(self, session_id: str) -> Session | None:
        last = self._last
        if last is None or last.id != session_id or last.version != self.version(session_id):
            self._last = read_session(self._database, session_id)
        return self._last

    def forget(self) -> None:
        """What was read may never have come to be: it was taken back."""
        self._last = None


def read_rows(database: Database, session_id: str, terms: Iterable[str]) -> dict[str, int]:
    wanted = list(terms)
    met: dict[str, int] = {}
    for start in range(0, len(wanted), _LENGTHS[-1]):
        batch = wanted[start : start + _LENGTHS[-1]]
        length = next(length for length in _LENGTHS if length >= len(batch))
        met.update(database.all(_MET[length], (session_id, *batch, *batch[-1:] * (length - len(batch)))))
    return met


def read_entries(database: Database, session_id: str, kind: str, keys: Iterable[str]) -> tuple[Entry, ...]:
    """The newest first, of each key."""
    found = [row for key in dict.fromkeys(keys) for row in database.all(_ENTRIES, (session_id, kind, key))]
    return tuple(ENTRY.read(row) for row in sorted(found, key=lambda row: -row[-1]))


def read_newest(database: Database, session_id: str, kind: str, limit: int) -> tuple[Entry, ...]:
    return tuple(ENTRY.read(row) for row in database.all(_NEWEST, (session_id, kind, limit)))


def read_answer(database: Database, session_id: str, key: str) -> Verdict | None:
    """An answer that can not be read is as good as none: the event is judged anew."""
    row = database.one(_ANSWER, (session_id, key))
    if row is None:
        return None
    try:
        return msgspec.json.decode(row[0], type=Verdict)
    except (msgspec.MsgspecError, ValueError):
        return None


# A session as its two rows, and back.


Row = Sequence[Any]


class UnreadableSession(StateError):  # noqa: N818 - a state, not a failure: the session can be rebuilt
    """The hot row makes no sense, though no newer version wrote it."""


def hot_row(session: Session) -> Row:
    updated = session.updated or clock.now()
    data = json_bytes(session)
    return (session.id, session.version, session.shape, session.root, session.status, updated, data)


def state_row(session: Session) -> Row:
    """A row of session_states, for whoever knows that table."""
    contract = session.contract
    updated = session.updated or clock.now()
    return (
        session.id,
        session.root,
        session.goals[0].text if session.goals else None,
        json_text(contract.scope),
        json_text([constraint.text for constraint in contract.constraints]),
        json_text(contract.keywords),
        json_text(session.history),
        session.escalation,
        int(session.checked * 1000),
        session.status,
        clock.iso(session.started or updated),
        clock.iso(updated),
    )


def session_from(row: Row) -> Session:
    """From id, version, shape and data; the version beside the data is the authority."""
    session_id, version, shape, data = row
    if shape > SHAPE:
        raise StateError(f"session {session_id} was written by a newer Leeboard: update this one")
    try:
        session = msgspec.json.decode(data, type=Session)
    except (msgspec.MsgspecError, ValueError, TypeError) as error:
        raise UnreadableSession(f"session {session_id} can not be read: {error}") from error
    return session if session.version == version else msgspec.structs.replace(session, version=version)


def rebuilt_session(session_id: str, version: int, row: Row) -> Session:
    """From the row of session_states: what was asked and promised survives, the windows do not."""
    try:
        return msgspec.convert({"id": session_id, "version": version, **_remembered(row)}, Session)
    except (msgspec.MsgspecError, ValueError, TypeError) as error:
        raise StateError(f"session {session_id} can not be read: {error}") from error


def _remembered(row: Row) -> dict[str, object]:
    root, goal, scope, constraints, keywords, history, escalation, status = row
    asked = {"scope": _texts(scope), "keywords": _texts(keywords)}
    limits = tuple(_constraint(text) for text in _texts(constraints))
    return {
        "root": root,
        "status": status,
        "escalation": escalation,
        "goals": () if goal is None else ({"text": goal, "exchange": 0, **asked},),
        "contract": {"objective": goal or "", "constraints": limits, **asked},
        "history": msgspec.json.decode(history),
    }


def _texts(column: str) -> tuple[str, ...]:
    return msgspec.json.decode(column, type=tuple[str, ...])


def _constraint(text: str) -> Constraint:
    kind: ConstraintKind = "must"
    if text.startswith("DO NOT"):
        kind = "forbid"
    elif text.startswith("ONLY"):
        kind = "only"
    return Constraint(text=text, kind=kind)
