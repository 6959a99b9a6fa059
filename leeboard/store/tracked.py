"""The tracked surface of a project: what was acknowledged of it, and what a session has heard of what differs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from leeboard.model.truth import Baseline, TrackedFile
from leeboard.store.database import (
    Database,
    Shape,
    json_text,
)

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
