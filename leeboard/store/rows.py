"""Sessions, answers, the registry and what agents know of files as rows: read, and written as one outcome.

The lookups are the same inside a transaction and outside. Whoever writes has begun the transaction before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import replace

from leeboard.errors import NewerStateError, StateError
from leeboard.io import clock
from leeboard.model.contract import Constraint, ConstraintKind
from leeboard.model.event import PromptGiven
from leeboard.model.known import Known, Ranges, Stamp
from leeboard.model.ledger import Entry
from leeboard.model.outcome import Outcome, Step
from leeboard.model.session import SHAPE, Session
from leeboard.model.verdict import Verdict
from leeboard.store.database import (
    CAPTURE,
    CORRECTION,
    ENTRY,
    FINDING,
    JUDGED,
    STEP,
    VERDICT,
    Database,
    Row,
    Shape,
    json_bytes,
    json_text,
)
from leeboard.store.history import judged, may_decide, modifies

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
        """The version that is stored, by which a sibling's write is noticed; 0 where there is no such session."""
        row = self._database.one(_VERSION, (session_id,))
        return int(row[0]) if row else 0

    def read(self, session_id: str, version: int | None = None) -> Session | None:
        """`version`: the one it has by now, where that is known."""
        last = self._last
        if last is not None and last.id == session_id:
            version = self.version(session_id) if version is None else version
            if last.version == version:
                return last
        self._last = read_session(self._database, session_id)
        return self._last

    def keep(self, session: Session) -> None:
        """As it was written just now."""
        self._last = session

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
    return ENTRY.read_all(sorted(found, key=lambda row: -row[-1]))


def read_newest(database: Database, session_id: str, kind: str, limit: int) -> tuple[Entry, ...]:
    return ENTRY.read_all(database.all(_NEWEST, (session_id, kind, limit)))


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


class UnreadableSession(StateError):  # noqa: N818 - a state, not a failure: the session can be rebuilt
    """The hot row makes no sense, though no newer version wrote it."""


def hot_row(session: Session, data: bytes) -> Row:
    updated = session.updated or clock.now()
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
        raise NewerStateError(f"session {session_id} was written by a newer Leeboard: update this one")
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


# One outcome, with its steps and what agents know of files.

_PUT_HOT = (
    "INSERT INTO session_hot (session_id, version, shape, project, status, updated, data) VALUES (?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (session_id) DO UPDATE SET version = excluded.version, shape = excluded.shape, "
    "project = excluded.project, status = excluded.status, updated = excluded.updated, data = excluded.data"
)
# The goal the session began with stays, even when the window of goals has moved past it.
_PUT_STATE = (
    "INSERT INTO session_states VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (session_id) DO UPDATE SET "
    "project_path = excluded.project_path, original_goal = coalesce(original_goal, excluded.original_goal), "
    "expected_scope = excluded.expected_scope, constraints = excluded.constraints, keywords = excluded.keywords, "
    "drift_history = excluded.drift_history, escalation_count = excluded.escalation_count, "
    "last_checked_at = excluded.last_checked_at, status = excluded.status, updated_at = excluded.updated_at"
)
_PUT_MET = (
    "INSERT INTO ledger VALUES (?, ?, ?) ON CONFLICT (session_id, term) DO UPDATE SET met = met | excluded.met "
    "WHERE met | excluded.met != met"
)
_PUT_ANSWER = "INSERT OR REPLACE INTO answers VALUES (?, ?, ?)"
_PUT_VERDICT = VERDICT.insert("verdicts", "timestamp", key="id")
_PUT_FINDING = FINDING.insert("findings", "verdict_id", "fingerprint", key="verdict_id, fingerprint")
_PUT_CORRECTION = CORRECTION.insert("corrections", "session", "state", "updated", key="session, id")
_PUT_JUDGED = JUDGED.insert("signals", "session", "updated", key="session, id")
_PUT_ENTRY = (
    "INSERT OR IGNORE INTO registry (kind, key, turn, agent, call, path, line, amount, digest, text, data, session_id) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_PUT_CONTRACT = (
    "INSERT INTO contracts (root, version, base, session, data, updated) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (root) "
    "DO UPDATE SET version = excluded.version, base = excluded.base, session = excluded.session, "
    "data = excluded.data, updated = excluded.updated"
)
_PUT_CAPTURE = CAPTURE.insert("captures", key="session_id")


def write_outcome(database: Database, outcome: Outcome, version: int) -> Session:
    """The session as it stands from here on. `version` is the one it gets."""
    session, verdict = outcome.session, outcome.verdict
    updated = session.updated or clock.now()
    moved = write_session(database, session, version)
    met = [(session.id, mention.term, int(mention.met)) for mention in outcome.mentions]
    database.run_each(_PUT_MET, met)
    write_steps(database, outcome.steps, session.root)
    if outcome.key:
        database.run(_PUT_ANSWER, (session.id, outcome.key, json_text(verdict)))
    database.run(_PUT_VERDICT, VERDICT.row(verdict, updated))
    database.run_each(_PUT_FINDING, [FINDING.row(found, verdict.id, found.fingerprint) for found in outcome.findings])
    offers = [CORRECTION.row(offer.correction, session.id, offer.state, updated) for offer in outcome.offers]
    database.run_each(_PUT_CORRECTION, offers)
    database.run_each(_PUT_JUDGED, [JUDGED.row(judged, session.id, updated) for judged in outcome.judged])
    database.run_each(_PUT_ENTRY, [ENTRY.row(entry, session.id) for entry in outcome.entries])
    write_known(database, outcome.known)
    if outcome.capture is not None:
        database.run(_PUT_CAPTURE, CAPTURE.row(outcome.capture))
    if verdict.event == PromptGiven.__name__ and session.contract.objective:
        _write_contract(database, session, updated)
    return moved


def _write_contract(database: Database, session: Session, updated: float) -> None:
    """What the newest words in a work tree promise, to be found without their session."""
    contract = session.contract
    data = msgspec.json.encode(contract)
    database.run(_PUT_CONTRACT, (session.root, contract.version, contract.base, session.id, data, updated))


def write_session(database: Database, session: Session, version: int) -> Session:
    """As it would be read again."""
    moved = replace(session, version=version)
    try:
        data = msgspec.json.encode(moved)
    except UnicodeEncodeError:
        data = json_bytes(moved)
        moved = msgspec.json.decode(data, type=Session)
    database.run(_PUT_HOT, hot_row(moved, data))
    database.run(_PUT_STATE, state_row(moved))
    return moved


# Steps as rows, and the side tables that lead to them. Nothing leads to a step that is not validated.


_PUT_STEP = STEP.insert("steps", key="id")
_PUT_ORDER = "INSERT INTO step_order (step_id, session_id, project, decisive) VALUES (?, ?, ?, ?)"
_MOVE_ORDER = "UPDATE step_order SET project = ?, decisive = ? WHERE seq = ?"
_PUT_FILE = "INSERT OR REPLACE INTO step_files (session_id, term, seq, project, modifies) VALUES (?, ?, ?, ?, ?)"
_PUT_FOLDER = "INSERT OR REPLACE INTO step_folders (session_id, term, seq, project) VALUES (?, ?, ?, ?)"
_PUT_KEYWORD = "INSERT OR REPLACE INTO step_keywords (session_id, term, seq, project) VALUES (?, ?, ?, ?)"
_DROP_FILE = "DELETE FROM step_files WHERE session_id = ? AND term = ? AND seq = ?"
_DROP_FOLDER = "DELETE FROM step_folders WHERE session_id = ? AND term = ? AND seq = ?"
_DROP_KEYWORD = "DELETE FROM step_keywords WHERE session_id = ? AND term = ? AND seq = ?"
_GET_STEP = STEP.select("FROM steps WHERE id = ?")
_GET_MODIFIED = "SELECT 1 FROM step_files WHERE session_id = ? AND term = ? AND modifies LIMIT 1"


def write_steps(database: Database, steps: Sequence[Step], project: str) -> None:
    for step in steps:
        seq = _forget(database, step.id)
        kept = judged(step, first=may_decide(step) and _is_first(database, step))
        if seq is None:
            seq = database.put(_PUT_ORDER, (step.id, step.session_id, project, kept.is_key_decision))
        else:
            database.run(_MOVE_ORDER, (project, kept.is_key_decision, seq))
        database.run(_PUT_STEP, STEP.row(kept))
        if kept.is_validated:
            _lead_to(database, kept, seq, project)


def _forget(database: Database, step_id: str) -> int | None:
    """The same step may be told again, perhaps with another score: what led to its old telling goes."""
    known = database.one("SELECT seq FROM step_order WHERE step_id = ?", (step_id,))
    if known is None:
        return None
    seq = int(known[0])
    row = database.one(_GET_STEP, (step_id,))
    if row is not None:
        old = STEP.read(row)
        database.run_each(_DROP_FILE, [(old.session_id, file, seq) for file in old.files])
        database.run_each(_DROP_FOLDER, [(old.session_id, folder, seq) for folder in old.folders])
        database.run_each(_DROP_KEYWORD, [(old.session_id, keyword, seq) for keyword in old.keywords])
    return seq


def _is_first(database: Database, step: Step) -> bool:
    return any(database.one(_GET_MODIFIED, (step.session_id, file)) is None for file in step.files)


def _lead_to(database: Database, step: Step, seq: int, project: str) -> None:
    modifying = modifies(step)
    database.run_each(_PUT_FILE, [(step.session_id, file, seq, project, modifying) for file in step.files])
    database.run_each(_PUT_FOLDER, [(step.session_id, folder, seq, project) for folder in step.folders])
    database.run_each(_PUT_KEYWORD, [(step.session_id, keyword, seq, project) for keyword in step.keywords])


# What agents know of files: a row for each agent, work tree and path, of an agent the newest ones alone.


MOST_ROWS = 1_000
"""The rows that are kept for one agent. A few more may stand for a while, so that the oldest go many at a time."""
_SPARE = 100

KNOWN = Shape(Known, json=("seen", "stamp"), flags=("wrote", "stale"))
_SEEN, _STAMP = msgspec.json.Decoder(Ranges), msgspec.json.Decoder(Stamp)
_FIELDS = Known.__struct_fields__
_LIGHT = ", ".join("x'' AS lines" if name == "lines" else name for name in Known.__struct_fields__)
_ONE = KNOWN.select("FROM known_files WHERE session = ? AND agent = ? AND root = ? AND path = ?")
_NEWEST_KNOWN = f"SELECT {_LIGHT} FROM known_files WHERE session = ? AND root = ? ORDER BY time DESC LIMIT ?"  # noqa: S608 - names of our own columns
_NEWEST_KNOWN_OF = (
    f"SELECT {_LIGHT} FROM known_files WHERE session = ? AND root = ? AND agent = ? ORDER BY time DESC LIMIT ?"  # noqa: S608 - as above
)
_WRITERS = (
    f"SELECT {_LIGHT} FROM known_files WHERE root = ? AND path = ? AND wrote AND digest = ? ORDER BY time DESC LIMIT 20"  # noqa: S608 - as above
)
_PUT = KNOWN.insert("known_files", key="session, agent, root, path")
_COUNT = "SELECT count(*) FROM known_files WHERE session = ? AND agent = ?"
_FORGET = (
    "DELETE FROM known_files WHERE session = ? AND agent = ? AND time < "
    "(SELECT min(time) FROM (SELECT time FROM known_files WHERE session = ? AND agent = ? ORDER BY time DESC LIMIT ?))"
)


def read_known(database: Database, session_id: str, agent: str, root: str, path: str) -> Known | None:
    row = database.one(_ONE, (session_id, agent, root, path))
    return None if row is None else KNOWN.read(row)


def read_newest_known(
    database: Database, session_id: str, root: str, limit: int, agent: str | None = None
) -> tuple[Known, ...]:
    if agent is None:
        rows = database.all(_NEWEST_KNOWN, (session_id, root, limit))
    else:
        rows = database.all(_NEWEST_KNOWN_OF, (session_id, root, agent, limit))
    return _many(rows)


def _many(rows: Sequence[Row]) -> tuple[Known, ...]:
    """Each call that may change anything asks for hundreds: they are checked all at once."""
    try:
        return msgspec.convert([_values(row) for row in rows], tuple[Known, ...])
    except (msgspec.MsgspecError, ValueError, TypeError) as error:
        raise StateError(f"a stored known can not be read: {error}") from error


def _values(row: Row) -> dict[str, object]:
    values = dict(zip(_FIELDS, row, strict=True))
    values |= {"seen": _SEEN.decode(values["seen"]), "stamp": _STAMP.decode(values["stamp"])}
    values |= {"wrote": bool(values["wrote"]), "stale": bool(values["stale"])}
    return values


def read_writers(database: Database, root: str, path: str, digest: str) -> tuple[Known, ...]:
    return _many(database.all(_WRITERS, (root, path, digest)))


def write_known(database: Database, rows: Sequence[Known]) -> None:
    """Inside a transaction that somebody else began."""
    if not rows:
        return
    database.run_each(_PUT, [KNOWN.row(row) for row in rows])
    for who in {(row.session, row.agent) for row in rows}:
        counted = database.one(_COUNT, who)
        if counted and counted[0] > MOST_ROWS + _SPARE:
            database.run(_FORGET, (*who, *who, MOST_ROWS))
