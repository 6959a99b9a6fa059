"""What agents know of files: a row for each agent, work tree and path, of an agent the newest ones alone."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from leeboard.errors import StateError
from leeboard.io.store._database import Database
from leeboard.io.store._rows import Row, Shape
from leeboard.model.known import Known, Ranges, Stamp

MOST_ROWS = 1_000
"""Of one agent. A few more may stand for a while, so that the oldest go many at a time."""
_SPARE = 100

KNOWN = Shape(Known, json=("seen", "stamp"), flags=("wrote", "stale"))
_SEEN, _STAMP = msgspec.json.Decoder(Ranges), msgspec.json.Decoder(Stamp)
_FIELDS = Known.__struct_fields__
_LIGHT = ", ".join("x'' AS lines" if name == "lines" else name for name in Known.__struct_fields__)
_ONE = KNOWN.select("FROM known_files WHERE session = ? AND agent = ? AND root = ? AND path = ?")
_NEWEST = f"SELECT {_LIGHT} FROM known_files WHERE session = ? AND root = ? ORDER BY time DESC LIMIT ?"  # noqa: S608 - names of our own columns
_NEWEST_OF = f"SELECT {_LIGHT} FROM known_files WHERE session = ? AND root = ? AND agent = ? ORDER BY time DESC LIMIT ?"  # noqa: S608 - as above
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
        rows = database.all(_NEWEST, (session_id, root, limit))
    else:
        rows = database.all(_NEWEST_OF, (session_id, root, agent, limit))
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
