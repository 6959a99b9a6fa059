"""What people ask: lists of what is kept, and their own words."""

from __future__ import annotations

import msgspec

from leeboard.errors import ConfigError, StateError
from leeboard.io.store._database import Database
from leeboard.io.store._reading import readable_session
from leeboard.io.store._rows import ALLOWANCE, CAPTURE, CORRECTION, FINDING, JUDGED, RECEIPT, STEP, VERDICT
from leeboard.model.contract import Allowance, Contract, Held
from leeboard.model.lookup import Receipt
from leeboard.model.outcome import Capture, Judged, Offer, Step
from leeboard.model.session import Session
from leeboard.model.verdict import Finding, Verdict

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
_RECEIPTS = RECEIPT.select("FROM receipts ORDER BY id DESC LIMIT ?")
_ALLOWANCES = ALLOWANCE.select(
    "FROM allowances WHERE project = ? AND (session = '' OR session = ?) AND (until = 0 OR until > ?) ORDER BY rowid"
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


def receipts(database: Database, limit: int) -> tuple[Receipt, ...]:
    return tuple(RECEIPT.read(row) for row in database.all(_RECEIPTS, (limit,)))


def allowances(database: Database, project: str, session_id: str, now: float) -> tuple[Allowance, ...]:
    return tuple(ALLOWANCE.read(row) for row in database.all(_ALLOWANCES, (project, session_id, now)))


def allow(database: Database, allowance: Allowance, project: str) -> None:
    with database.writing():
        database.run(_PUT_ALLOWANCE, ALLOWANCE.row(allowance, project))


def revoke(database: Database, allowance_id: str) -> bool:
    with database.writing():
        return database.run("DELETE FROM allowances WHERE id = ?", (allowance_id,)) > 0
