"""One outcome as rows. Runs inside a transaction that somebody else began."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from leeboard.io import clock
from leeboard.io.store._clean import json_text
from leeboard.io.store._database import Database
from leeboard.io.store._known import write_known
from leeboard.io.store._rows import CAPTURE, CORRECTION, ENTRY, FINDING, JUDGED, VERDICT
from leeboard.io.store._session_rows import hot_row, state_row
from leeboard.io.store._step_rows import write_steps
from leeboard.model.event import PromptGiven
from leeboard.model.outcome import Outcome
from leeboard.model.session import Session

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


def write_outcome(database: Database, outcome: Outcome, version: int) -> None:
    """`version` is the one the session gets."""
    session, verdict = outcome.session, outcome.verdict
    updated = session.updated or clock.now()
    write_session(database, session, version)
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


def _write_contract(database: Database, session: Session, updated: float) -> None:
    """What the newest words in a work tree promise, to be found without their session."""
    contract = session.contract
    data = msgspec.json.encode(contract)
    database.run(_PUT_CONTRACT, (session.root, contract.version, contract.base, session.id, data, updated))


def write_session(database: Database, session: Session, version: int) -> None:
    moved = replace(session, version=version)
    database.run(_PUT_HOT, hot_row(moved))
    database.run(_PUT_STATE, state_row(moved))
