"""Receipts and heartbeats as rows: that hooks and commands were answered, and when each kind was last heard."""

from __future__ import annotations

from leeboard.model.lookup import Heartbeat, Receipt
from leeboard.store.database import HEARTBEAT, RECEIPT, Database

_NAMES = Receipt.__struct_fields__
_PUT_RECEIPT = f"INSERT INTO receipts ({', '.join(_NAMES)}) VALUES ({', '.join('?' * len(_NAMES))})"  # noqa: S608 - our own names
_PUT_HEARTBEAT = (
    "INSERT INTO heartbeats (project, client, event, part, ts, count) VALUES (?, ?, ?, ?, ?, 1) "
    "ON CONFLICT (project, client, event, part) DO UPDATE SET ts = max(ts, excluded.ts), count = count + 1"
)
_NEWEST = RECEIPT.select("FROM receipts ORDER BY id DESC LIMIT ?")
_OF_HOOKS = RECEIPT.select(
    "FROM receipts WHERE session IN (SELECT session_id FROM session_hot WHERE project = ?) AND event != 'cli'"
    " ORDER BY id DESC LIMIT ?"
)
_ENDED = RECEIPT.select("FROM receipts WHERE outcome = ? ORDER BY id DESC LIMIT ?")
_HEARTBEATS_OF = HEARTBEAT.select("FROM heartbeats WHERE project = ? ORDER BY client, event, part")
_CALLS_HEARD = "SELECT call, ts, event FROM receipts WHERE session = ? AND client != '' AND event != 'cli'"


def put(database: Database, receipt: Receipt) -> None:
    """Inside a transaction that somebody else began. A hook's receipt is a heartbeat too."""
    database.run(_PUT_RECEIPT, RECEIPT.row(receipt))
    if receipt.client and receipt.project:
        part = ("sub-agent" if receipt.agent else "main") + (" in a worktree" if receipt.place else "")
        beat(database, receipt.project, Heartbeat(client=receipt.client, event=receipt.event, part=part, ts=receipt.ts))


def beat(database: Database, project: str, told: Heartbeat) -> None:
    database.run(_PUT_HEARTBEAT, (project, told.client, told.event, told.part, told.ts))


def newest(database: Database, limit: int) -> tuple[Receipt, ...]:
    return _read(database, _NEWEST, (limit,))


def of_hooks(database: Database, project: str, limit: int) -> tuple[Receipt, ...]:
    return _read(database, _OF_HOOKS, (project, limit))


def ended(database: Database, outcome: str, limit: int) -> tuple[Receipt, ...]:
    return _read(database, _ENDED, (outcome, limit))


def heartbeats(database: Database, project: str) -> tuple[Heartbeat, ...]:
    return tuple(HEARTBEAT.read(row) for row in database.all(_HEARTBEATS_OF, (project,)))


def calls_heard(database: Database, session_id: str, at: tuple[str, ...] = ()) -> tuple[frozenset[str], float]:
    rows = [row for row in database.all(_CALLS_HEARD, (session_id,)) if not at or row[2] in at]
    return frozenset(str(row[0]) for row in rows if row[0]), min((float(row[1]) for row in rows), default=0.0)


def _read(database: Database, sql: str, parameters: tuple[object, ...]) -> tuple[Receipt, ...]:
    return tuple(RECEIPT.read(row) for row in database.all(sql, parameters))
