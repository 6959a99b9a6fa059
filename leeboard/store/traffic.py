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


class Traffic:
    """The part of a store that a proxy writes, on its connection."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep_carried(self, carried: CarriedRequest) -> None:
        with self._database.writing():
            self._database.run(_PUT_CARRIED, CARRIED.row(carried))

    def carried_for(self, project: str, limit: int) -> tuple[CarriedRequest, ...]:
        """What was carried for a project, newest first."""
        return tuple(CARRIED.read(row) for row in self._database.all(_CARRIED_FOR, (project, limit)))

    def carried_in(self, session_id: str) -> tuple[CarriedRequest, ...]:
        """What was carried in a session, in the order of the requests."""
        return tuple(CARRIED.read(row) for row in self._database.all(_CARRIED_IN, (session_id,)))

    def insertions(self, session_id: str, agent: str) -> tuple[InsertedCorrection, ...]:
        """What is to be put into the requests of an agent, and what was, in the order in which it came up."""
        return tuple(INSERTION.read(row) for row in self._database.all(_INSERTIONS, (session_id, agent)))

    def keep_insertions(self, kept: Sequence[InsertedCorrection]) -> None:
        if kept:
            with self._database.writing():
                self._database.run_each(_PUT_INSERTION, [INSERTION.row(one) for one in kept])

    def keep_correction_given(self, session_id: str, call_id: str, words: str) -> None:
        """Beside the step that the words are about, where they are said after it was kept."""
        if call_id and words:
            with self._database.writing():
                self._database.run(_GIVE_CORRECTION, (words, f"{session_id}:{call_id}"))

    def hook_heard(self, session_id: str) -> float:
        """When a hook of the session was last answered; zero where none ever was."""
        row = self._database.one(_HEARD, (session_id,))
        return float(row[0]) if row else 0.0
