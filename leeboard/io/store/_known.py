"""What agents know of files: a row for each agent and path, of a session the newest ones alone."""

from __future__ import annotations

from collections.abc import Sequence

from leeboard.io.store._database import Database
from leeboard.io.store._rows import Shape
from leeboard.model.known import Known

MOST_ROWS = 400
"""Of one session. A few more may stand for a while, so that not every row costs a count."""
_SPARE = 40

KNOWN = Shape(Known, json=("seen", "stamp"), flags=("wrote", "stale"))
_LIGHT = ", ".join("x'' AS lines" if name == "lines" else name for name in Known.__struct_fields__)
_ONE = KNOWN.select("FROM known WHERE session = ? AND agent = ? AND path = ?")
_NEWEST = f"SELECT {_LIGHT} FROM known WHERE session = ? ORDER BY time DESC LIMIT ?"  # noqa: S608 - names of our own columns
_WRITERS = (
    f"SELECT {_LIGHT} FROM known WHERE root = ? AND path = ? AND wrote AND digest = ? ORDER BY time DESC LIMIT 20"  # noqa: S608 - as above
)
_PUT = KNOWN.insert("known", key="session, agent, path")
_COUNT = "SELECT count(*) FROM known WHERE session = ?"
_FORGET = (
    "DELETE FROM known WHERE session = ? AND time < "
    "(SELECT min(time) FROM (SELECT time FROM known WHERE session = ? ORDER BY time DESC LIMIT ?))"
)


def read_known(database: Database, session_id: str, agent: str, path: str) -> Known | None:
    row = database.one(_ONE, (session_id, agent, path))
    return None if row is None else KNOWN.read(row)


def read_newest_known(database: Database, session_id: str, limit: int) -> tuple[Known, ...]:
    return tuple(KNOWN.read(row) for row in database.all(_NEWEST, (session_id, limit)))


def read_writers(database: Database, root: str, path: str, digest: str) -> tuple[Known, ...]:
    return tuple(KNOWN.read(row) for row in database.all(_WRITERS, (root, path, digest)))


def write_known(database: Database, rows: Sequence[Known]) -> None:
    """Inside a transaction that somebody else began."""
    if not rows:
        return
    database.run_each(_PUT, [KNOWN.row(row) for row in rows])
    for session in {row.session for row in rows}:
        counted = database.one(_COUNT, (session,))
        if counted and counted[0] > MOST_ROWS + _SPARE:
            database.run(_FORGET, (session, session, MOST_ROWS))
