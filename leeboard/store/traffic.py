"""What the proxy carried and put into requests, as rows."""

from __future__ import annotations

from collections.abc import Sequence

from leeboard.model.traffic import CarriedRequest, InsertedCorrection
from leeboard.store.database import Database, Shape

CARRIED = Shape(CarriedRequest, flags=("senses",))
INSERTION = Shape(InsertedCorrection)

_NAMES = CarriedRequest.__struct_fields__
_PUT_CARRIED = f"INSERT INTO carried ({', '.join(_NAMES)}) VALUES ({', '.join('?' * len(_NAMES))})"  # noqa: S608 - our own names
_CARRIED_FOR = CARRIED.select("FROM carried WHERE project = ? ORDER BY seq DESC LIMIT ?")
_CARRIED_IN = CARRIED.select("FROM carried WHERE session = ? ORDER BY seq")
_INSERTIONS = INSERTION.select("FROM insertions WHERE session = ? AND agent = ? AND state != 'dropped' ORDER BY rowid")
_PUT_INSERTION = INSERTION.insert("insertions", key="session, id")
_GIVE_CORRECTION = "UPDATE steps SET correction_given = ? WHERE id = ? AND correction_given IS NULL"
_HEARD = "SELECT ts FROM receipts WHERE session = ? AND event != 'cli' ORDER BY id DESC LIMIT 1"


def keep_carried(database: Database, carried: CarriedRequest) -> None:
    with database.writing():
        database.run(_PUT_CARRIED, CARRIED.row(carried))


def carried(database: Database, project: str, limit: int) -> tuple[CarriedRequest, ...]:
    return tuple(CARRIED.read(row) for row in database.all(_CARRIED_FOR, (project, limit)))


def carried_in(database: Database, session_id: str) -> tuple[CarriedRequest, ...]:
    return tuple(CARRIED.read(row) for row in database.all(_CARRIED_IN, (session_id,)))


def insertions(database: Database, session_id: str, agent: str) -> tuple[InsertedCorrection, ...]:
    return tuple(INSERTION.read(row) for row in database.all(_INSERTIONS, (session_id, agent)))


def keep_insertions(database: Database, kept: Sequence[InsertedCorrection]) -> None:
    if kept:
        with database.writing():
            database.run_each(_PUT_INSERTION, [INSERTION.row(one) for one in kept])


def keep_correction_given(database: Database, session_id: str, call_id: str, words: str) -> None:
    if call_id and words:
        with database.writing():
            database.run(_GIVE_CORRECTION, (words, f"{session_id}:{call_id}"))


def hook_heard(database: Database, session_id: str) -> float:
    row = database.one(_HEARD, (session_id,))
    return float(row[0]) if row else 0.0
