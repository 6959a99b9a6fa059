"""What agents know of files: a row for each agent, work tree and path, of an agent the newest ones alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from leeboard.errors import StateError
from leeboard.model.known import Baseline, Known, Ranges, Stamp, TrackedFile
from leeboard.store.database import Database, json_text
from leeboard.store.rows import Row, Shape

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


# The tracked surface of a project: what was acknowledged of it, and what a session has heard of what differs.


TRACKED = Shape(TrackedFile, flags=("is_binary",))
_SURFACE = "SELECT patterns FROM tracked_surface WHERE project = ?"
_PUT_SURFACE = "INSERT OR REPLACE INTO tracked_surface (project, patterns) VALUES (?, ?)"
_FILES = TRACKED.select("FROM tracked WHERE project = ?")
_PUT_FILE = TRACKED.insert("tracked", "project", key="project, path")
_DROP_FILE = "DELETE FROM tracked WHERE project = ? AND path = ?"
_TOLD = "SELECT path, sha256 FROM tracked_told WHERE session = ?"
_PUT_TOLD = "INSERT OR REPLACE INTO tracked_told (session, path, sha256) VALUES (?, ?, ?)"
_OUTSIDE = "SELECT path FROM tracked_outside WHERE project = ?"
_PUT_OUTSIDE = "INSERT OR IGNORE INTO tracked_outside (project, path) VALUES (?, ?)"
_DROP_OUTSIDE = "DELETE FROM tracked_outside WHERE project = ? AND path = ?"


def read_baseline(database: Database, project: str) -> Baseline | None:
    """None where nothing was ever acknowledged."""
    row = database.one(_SURFACE, (project,))
    if row is None:
        return None
    files = (TRACKED.read(found) for found in database.all(_FILES, (project,)))
    patterns = msgspec.json.decode(row[0], type=tuple[str, ...])
    return Baseline(patterns=patterns, files={file.path: file for file in files})


def acknowledge(
    database: Database, project: str, patterns: tuple[str, ...], files: Sequence[TrackedFile], gone: Iterable[str] = ()
) -> None:
    """These files are as they should be, and those are rightly gone; what else was acknowledged stays."""
    with database.writing():
        database.run(_PUT_SURFACE, (project, json_text(patterns)))
        database.run_each(_PUT_FILE, [TRACKED.row(file, project) for file in files])
        missing = [*gone]
        database.run_each(_DROP_FILE, [(project, path) for path in missing])
        database.run_each(_DROP_OUTSIDE, [(project, path) for path in (*(file.path for file in files), *missing)])


def told_of(database: Database, session_id: str) -> dict[str, str]:
    return dict(database.all(_TOLD, (session_id,)))


def keep_told(database: Database, session_id: str, told: Mapping[str, str]) -> None:
    with database.writing():
        database.run_each(_PUT_TOLD, [(session_id, path, sha) for path, sha in told.items()])


def outside(database: Database, project: str) -> frozenset[str]:
    """Paths that somebody else than an agent has changed since they were acknowledged, whoever changed them after."""
    return frozenset(path for (path,) in database.all(_OUTSIDE, (project,)))


def keep_outside(database: Database, project: str, paths: Iterable[str]) -> None:
    with database.writing():
        database.run_each(_PUT_OUTSIDE, [(project, path) for path in paths])
