"""What was judged, in the order of its writing, without a word of what it was about: for spans and metrics."""

from __future__ import annotations

import msgspec

from leeboard.store.database import Database
from leeboard.store.team.outbox import count_waiting

_JUDGED = """
    SELECT v.rowid, v.session, v.agent, v.event, v.tool_use_id, v.action, v.score, v.rules, v.timestamp,
      coalesce((SELECT action_type FROM steps WHERE id = v.session || ':' || v.tool_use_id), '')
    FROM verdicts v WHERE v.rowid > ? ORDER BY v.rowid LIMIT ?
"""
_OF_CALL = (
    "SELECT timestamp, action, score, rules FROM verdicts"
    " WHERE session = ? AND tool_use_id = ? AND event = 'ToolProposed' ORDER BY rowid LIMIT 1"
)
_OF_SESSION = (
    "SELECT min(timestamp), count(DISTINCT nullif(tool_use_id, '')), sum(action = 5) FROM verdicts WHERE session = ?"
)
_CLIENT = "SELECT client FROM receipts WHERE session = ? AND client != '' ORDER BY id LIMIT 1"
_HOOKS = "SELECT id, client, event, ms FROM receipts WHERE id > ? AND client != '' ORDER BY id LIMIT ?"
_WAITING = "SELECT count(*) FROM corrections WHERE state = 'waiting'"


class JudgedRow(msgspec.Struct, frozen=True):
    """An answer with what a collector is told of it."""

    row: int
    session: str
    agent: str
    event: str
    """The kind of event, such as ToolFinished."""
    call: str
    action: int
    score: int
    rules: str
    """As JSON."""
    time: float
    tool: str
    """Our own word for the kind of tool; empty for a call that was not carried out."""


class HookRow(msgspec.Struct, frozen=True):
    row: int
    client: str
    event: str
    ms: float


def judged_after(database: Database, row: int, limit: int) -> tuple[JudgedRow, ...]:
    return tuple(JudgedRow(*found) for found in database.all(_JUDGED, (row, limit)))


def hooks_after(database: Database, row: int, limit: int) -> tuple[HookRow, ...]:
    return tuple(HookRow(*found) for found in database.all(_HOOKS, (row, limit)))


def proposal_of(database: Database, session: str, call: str) -> tuple[float, int, int, str] | None:
    """When a call was proposed, and what was thought of it then: action, score, rules."""
    found = database.all(_OF_CALL, (session, call))
    return (float(found[0][0]), int(found[0][1]), int(found[0][2]), str(found[0][3])) if found else None


def session_span(database: Database, session: str) -> tuple[float, int, int]:
    """When it began, how many calls were judged in it, and how many refused."""
    ((began, calls, denied),) = database.all(_OF_SESSION, (session,))
    return float(began or 0.0), int(calls or 0), int(denied or 0)


def client_of(database: Database, session: str) -> str:
    found = database.all(_CLIENT, (session,))
    return str(found[0][0]) if found else ""


def newest_row(database: Database) -> int:
    ((found,),) = database.all("SELECT coalesce(max(rowid), 0) FROM verdicts", ())
    return int(found)


def queue_lengths(database: Database) -> dict[str, int]:
    """What waits to be said to agents, and to be copied to a team."""
    ((corrections,),) = database.all(_WAITING, ())
    return {"corrections": int(corrections), "team": count_waiting(database)}
