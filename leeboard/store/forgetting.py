"""What time does to sessions: idle ones are given up, old ones forgotten. Never more than a handful under one lock."""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.store.database import Database
from leeboard.store.rows import readable_session, write_session

HANDFUL = 10

_IDLE = "SELECT session_id FROM session_hot WHERE status = 'active' AND updated < ? ORDER BY updated"
_OLD = "SELECT session_id FROM session_hot WHERE updated < ? LIMIT ?"
_FORGET_SESSION = (
    "DELETE FROM findings WHERE verdict_id IN (SELECT id FROM verdicts WHERE session = ?)",
    "DELETE FROM verdicts WHERE session = ?",
    "DELETE FROM corrections WHERE session = ?",
    "DELETE FROM signals WHERE session = ?",
    "DELETE FROM registry WHERE session_id = ?",
    "DELETE FROM known_files WHERE session = ?",
    "DELETE FROM tracked_told WHERE session = ?",
    "DELETE FROM steps WHERE id IN (SELECT step_id FROM step_order WHERE session_id = ?)",
    "DELETE FROM step_order WHERE session_id = ?",
    "DELETE FROM step_files WHERE session_id = ?",
    "DELETE FROM step_folders WHERE session_id = ?",
    "DELETE FROM step_keywords WHERE session_id = ?",
    "DELETE FROM ledger WHERE session_id = ?",
    "DELETE FROM answers WHERE session_id = ?",
    "DELETE FROM cursors WHERE session = ?",
    "DELETE FROM captures WHERE session_id = ?",
    "DELETE FROM insertions WHERE session = ?",
    "DELETE FROM allowances WHERE session = ?",
    "DELETE FROM carried WHERE session = ?",
    "DELETE FROM session_states WHERE session_id = ?",
    "DELETE FROM session_hot WHERE session_id = ?",
)


def mark_abandoned(database: Database, before: float) -> int:
    idle = [str(row[0]) for row in database.all(_IDLE, (before,))]
    marked = 0
    for start in range(0, len(idle), HANDFUL):
        with database.writing():
            marked += sum(_give_up(database, session_id, before) for session_id in idle[start : start + HANDFUL])
    return marked


def _give_up(database: Database, session_id: str, before: float) -> bool:
    session = readable_session(database, session_id)
    if session is None or session.status != "active" or session.updated >= before:
        return False
    write_session(database, replace(session, status="abandoned"), session.version + 1)
    return True


def purge(database: Database, before: float) -> int:
    forgotten = 0
    while many := _purge_handful(database, before):
        forgotten += many
    with database.writing():
        database.run("DELETE FROM receipts WHERE ts < ?", (before,))
        database.run("DELETE FROM heartbeats WHERE ts < ?", (before,))
        database.run("DELETE FROM carried WHERE ts < ?", (before,))
        database.run("DELETE FROM insertions WHERE updated < ?", (before,))
        database.run("DELETE FROM allowances WHERE until > 0 AND until < ?", (before,))
    return forgotten


def _purge_handful(database: Database, before: float) -> int:
    with database.writing():
        old = database.all(_OLD, (before, HANDFUL))
        for (session_id,) in old:
            for statement in _FORGET_SESSION:
                database.run(statement, (session_id,))
    return len(old)
